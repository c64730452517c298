//! Tests of the counts of results: by both readings of ulp, by kind, and over parts.

use formats::F32;

use super::*;

fn counted(limit: Limit, flush: bool, known: [f64; 2], result: f32) -> Tally {
    static LIMITS: [fn(f64) -> Limit; 2] = [|_| Limit::Ulp(1), |_| Limit::Absolute(1e-3)];
    let limit = LIMITS.into_iter().find(|own| own(0.0) == limit);
    let counting = Counting { format: &F32, limit, flush, of_zero: [0, 1 << 31] };
    let [operand, value] = known;
    let nearest = crate::truth::nearest(&F32, value);
    let mut tally = Tally::default();
    let operand = (operand as f32).to_bits().into();
    tally.add(&counting, [operand, 0], FunctionValue { nearest, value }, result.to_bits().into());
    tally
}

#[test]
fn distances_are_counted_in_numbers_and_errors_in_units() {
    // 1 + 0.3 units, whose nearest is 1; two numbers above it.
    let unit = f64::from(f32::EPSILON);
    let far = counted(Limit::Ulp(1), false, [3.0, 1.0 + 0.3 * unit], 1.0 + 2.0 * f32::EPSILON);
    let worst = far.worst.unwrap();
    assert_eq!((worst.distance, far.wrong, far.exceeding), (2, 1, 1));
    assert!((worst.error - 1.7).abs() < 1e-6);
    // Below 1 units are half as large.
    let below = counted(Limit::Ulp(1), false, [3.0, 1.0], 1f32.next_down()).worst.unwrap();
    assert_eq!((below.distance, below.error), (1, 0.5));
    let near = counted(Limit::Absolute(1e-3), false, [3.0, 1.0], 1.000_9);
    assert_eq!((near.wrong, near.exceeding), (1, 0));
    assert_eq!(counted(Limit::Absolute(1e-3), false, [3.0, 1.0], 1.002).exceeding, 1);
}

/// The example of `ex2.approx.ftz.f32 0x33000000`: both readings are counted, each with its first example.
#[test]
fn units_beside_a_power_of_two_are_counted_by_both_readings() {
    let counts = |known: f64, result: f32| {
        let tally = counted(Limit::Ulp(1), false, [3.0, known], result);
        let in_units = tally.in_units.unwrap();
        assert_eq!(in_units.first.is_some(), in_units.exceeding == 1);
        [tally.exceeding, in_units.exceeding]
    };
    let [below, above] = [f32::EPSILON / 2.0, f32::EPSILON];
    assert_eq!(counts(1.0, 1.0 - 2.0 * below), [1, 0]);
    assert_eq!(counts(1.0, 1.0 - 3.0 * below), [1, 1]);
    assert_eq!(counts(1.0, 1.0 + 2.0 * above), [1, 1]);
    assert_eq!(counts((1.0 - below).into(), 1.0 + above), [1, 1]);
    // Half a unit of 2^128 lies between it and the largest number.
    assert_eq!(counts(1e60, f32::MAX.next_down()), [1, 0]);
    assert_eq!(counts(1e60, f32::MAX), [0, 0]);
}

/// A record of the time before units of the correctly rounded result were counted has no such count, nor has a sum
/// with it.
#[test]
fn a_count_that_is_absent_stays_absent() {
    let new = counted(Limit::Ulp(1), false, [3.0, 1.0], 2.0);
    let mut text = serde_json::to_value(&new).unwrap();
    text.as_object_mut().unwrap().remove("in_units").unwrap();
    let old: Tally = serde_json::from_value(text).unwrap();
    assert_eq!((old.exceeding, &old.in_units), (1, &None));
    for (mut sum, more) in [(old.clone(), &new), (new.clone(), &old)] {
        sum.merge(more);
        assert_eq!((sum.exceeding, sum.in_units), (2, None));
    }
    let mut sum = new.clone();
    sum.merge(&new);
    assert_eq!(sum.in_units.unwrap().exceeding, 2);
}

#[test]
fn specials_are_counted_by_kind() {
    let of = |value: f64, result: f32| {
        let tally = counted(Limit::Ulp(1), false, [3.0, value], result);
        [tally.wrong, tally.nan, tally.infinite, tally.zero_sign, tally.exceeding]
    };
    assert_eq!(of(f64::NAN, f32::NAN), [0; 5]);
    assert_eq!(of(1.0, f32::NAN), [1, 1, 0, 0, 0]);
    assert_eq!(of(f64::NAN, 1.0), [1, 1, 0, 0, 0]);
    assert_eq!(of(0.0, -0.0), [1, 0, 0, 1, 0]);
    // Infinity is the number behind the largest.
    assert_eq!(of(f32::MAX.into(), f32::INFINITY), [1, 0, 1, 0, 0]);
    assert_eq!(of(1e60, f32::MAX), [1, 0, 1, 0, 0]);
    assert_eq!(of(1.0, f32::INFINITY), [1, 0, 1, 0, 1]);
}

#[test]
fn subnormal_numbers_are_flushed_only_where_they_may_be() {
    let of = |flush, known, result| {
        let tally = counted(Limit::Ulp(1), flush, known, result);
        (tally.wrong, tally.flushed)
    };
    assert_eq!(of(true, [3.0, 1e-40], 0.0), (0, 1));
    assert_eq!(of(false, [3.0, 1e-40], 0.0), (1, 0));
    assert_eq!(of(true, [3.0, -1e-40], 0.0), (1, 0), "of the other sign");
    assert_eq!(of(true, [3.0, 1e-37], 0.0), (1, 0), "a normal number");
    // A subnormal operand counts as zero, of which this function gives zero.
    assert_eq!(of(true, [1e-40, 5.0], 0.0), (0, 1));
    assert_eq!(of(true, [1e-37, 5.0], 0.0), (1, 0));
}

#[test]
fn the_worst_of_all_parts_is_kept_and_the_first_beyond() {
    let [one, two] = [2.0, 5.0]
        .map(|units| counted(Limit::Ulp(1), false, [units, 1.0], 1.0 + units as f32 * f32::EPSILON));
    let mut sum = one.clone();
    sum.merge(&two);
    sum.merge(&one);
    assert_eq!((sum.inputs, sum.wrong, sum.exceeding), (3, 3, 3));
    assert_eq!((sum.worst, sum.first), (two.worst, one.first));
}
