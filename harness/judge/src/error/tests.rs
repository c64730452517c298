//! Tests of errors in units of the last place.

use formats::{F16, F32, F64};

use super::*;

const F: ErrorUnit = ErrorUnit { format: &F32, cut: 0 };

fn exactly(value: f64) -> SplitExact {
    SplitExact { value, rest: 0.0 }
}

#[test]
fn errors_are_in_units_of_the_exact_values_last_place() {
    let bits = |value: f32| u64::from(value.to_bits());
    let error = |exact, actual| error(F, exactly(exact), actual);
    assert_eq!(error(1.0, bits(1.0)), 0.0);
    assert_eq!(error(1.0, bits(1.0 + f32::EPSILON)), 1.0);
    assert_eq!(error(1.0 + 2f64.powi(-25), bits(1.0)), 0.25);
    assert_eq!(error(2f64.powi(-149), 0), 1.0);
    assert_eq!(error(1e300, bits(f32::INFINITY)), 0.0);
    assert_eq!(error(1.0, bits(f32::INFINITY)), f64::INFINITY);
}

/// Overflow begins half a unit beyond the largest number, not at half of it.
#[test]
fn infinity_is_right_from_where_values_round_to_it() {
    let infinity = f32::INFINITY.to_bits().into();
    let border = f64::from(f32::MAX) + 2f64.powi(103);
    assert_eq!(error(F, exactly(border), infinity), 0.0);
    assert_eq!(error(F, exactly(-border), infinity), f64::INFINITY);
    for finite in [border.next_down(), f32::MAX.into(), 1.8e38, 2f64.powi(127)] {
        assert_eq!(error(F, exactly(finite), infinity), f64::INFINITY, "{finite:e}");
    }
    let double = ErrorUnit { format: &F64, cut: 0 };
    let infinity = f64::INFINITY.to_bits();
    assert_eq!(error(double, exactly(f64::MAX), infinity), f64::INFINITY);
    assert_eq!(error(double, exactly(f64::INFINITY), infinity), 0.0);
}

/// An exact value that lies between two numbers of f64 has its true distance from each of them.
#[test]
fn what_f64_lacks_of_an_exact_value_counts() {
    let unit = ErrorUnit { format: &F64, cut: 0 };
    let third = SplitExact { value: 1.5, rest: 0.25 };
    let places = [1.5f64.next_down(), 1.5, 1.5f64.next_up()].map(f64::to_bits);
    assert_eq!(places.map(|bits| error(unit, third, bits)), [1.25, 0.25, 0.75]);
    let tiny = SplitExact { value: f64::MIN_POSITIVE / 2.0, rest: -0.5 };
    assert_eq!(error(unit, tiny, tiny.value.to_bits()), 0.5);
    let upper = ErrorUnit { format: &F64, cut: 32 };
    assert_eq!(error(upper, third, 1.5f64.to_bits() + (1 << 32)), 1.0 - 0.25 * 2f64.powi(-32));
}

/// An error that is too large for f64 stays finite where the result is a number; infinity is none, and its error is
/// infinite.
#[test]
fn errors_of_numbers_are_finite() {
    let double = ErrorUnit { format: &F64, cut: 0 };
    let far = |exact: f64, actual: f64| error(double, exactly(exact), actual.to_bits());
    assert_eq!(far(f64::from_bits(1), 2f64.powi(990)), f64::MAX);
    assert_eq!(far(-f64::MAX, f64::MAX), 2f64.powi(54) - 2.0);
    assert_eq!(far(f64::from_bits(1), f64::INFINITY), f64::INFINITY);
    let mut errors = Errors::default();
    for (index, actual) in [2f64.powi(990), f64::MAX, f64::INFINITY, f64::MAX].into_iter().enumerate() {
        let vector = || (index as u64, vec![]);
        errors.add(double, exactly(f64::from_bits(1)), actual.to_bits(), vector);
        let expected = if index < 2 { (Some(f64::MAX), 0) } else { (None, 2) };
        let worst = errors.worst.as_ref().unwrap();
        assert_eq!((worst.ulp, worst.index), expected);
    }
    assert_eq!((errors.count(), errors.histogram[Errors::BINS - 1]), (4, 4));
}

/// Errors of a variant are those that reports have. For f16 the unit is that of the exact value, which lies in the
/// binade below the result's; for reciprocals of f64 it is the last place of 20 bits.
#[test]
fn errors_of_a_variant_are_in_the_units_of_its_results() {
    let of = |text: &str, format: &Format, exact, actual| {
        let variant: Variant = text.parse().unwrap();
        ulps(&variant, &Interval::single_result(format, 0, exact), actual)
    };
    assert_eq!(of("tanh.approx.f16", &F16, 1.0 - 2f64.powi(-13), 0x3c01), 2.25);
    assert_eq!(of("rcp.approx.ftz.f64", &F64, 0.5, 0x3fe0_0003_0000_0000), 3.0);
    assert_eq!(of("rsqrt.approx.f64", &F64, 0.5, 0x3fe0_0003_0000_0000), 3.0 * 2f64.powi(32));
}

#[test]
fn bins_end_at_halves_and_powers_of_two() {
    let by_definition = |ulp: f64| {
        let last = Errors::BINS - 1;
        (0..last).find(|&bin| ulp <= 0.5 * f64::from(1u32 << bin)).unwrap_or(last)
    };
    let edges = (-60..20).map(power);
    let around = edges.flat_map(|edge| [edge.next_down(), edge, edge.next_up()]);
    for ulp in around.chain([0.0, f64::MIN_POSITIVE, f64::MAX, f64::INFINITY]) {
        assert_eq!(bin(ulp), by_definition(ulp), "{ulp:e}");
    }
}

#[test]
fn sums_do_not_depend_on_order() {
    let one = |index: u64, ulps: u64| {
        let mut errors = Errors::default();
        errors.add(F, exactly(1.0), 0x3f80_0000 + ulps, || (index, vec![index.into()]));
        errors
    };
    let parts = [one(0, 1), one(1, 3), one(2, 3), one(3, 0)];
    let sum = |order: &[usize]| {
        let mut sum = Errors::default();
        order.iter().for_each(|&part| sum.merge(parts[part].clone()));
        sum
    };
    assert_eq!(sum(&[0, 1, 2, 3]), sum(&[3, 2, 1, 0]));
    let all = sum(&[2, 0, 1, 3]);
    assert_eq!((all.count(), all.worst.unwrap().index), (4, 1));
}
