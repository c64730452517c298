//! Tests of results under the interpretations of open points that few vectors reach.

use isa::{Relaxation, Variant, columns_for};
use judge::{Alternative, FIRST, Truth};
use oracle::Oracle;

/// Returns the alternatives of one vector's first lane.
fn alternatives(text: &str, operands: &[u64]) -> Vec<Alternative> {
    let variant: Variant = text.parse().unwrap();
    let mut columns = columns_for(&variant, 1);
    columns.iter_mut().zip(operands).for_each(|(column, &bits)| column.set(0, bits));
    let mut truth = Truth::new(&variant);
    Oracle::new(&variant).expect(&columns, &mut truth);
    let of_first = truth.alternatives().iter().filter(|alternative| alternative.element == 0);
    of_first.copied().collect()
}

/// Returns the first lane's results under the interpretations of one point, all other points at their first
/// interpretation; nothing where the point is not open.
fn results(text: &str, operands: &[u64], point: Relaxation) -> Vec<u64> {
    let alternatives = alternatives(text, operands);
    let of_point = alternatives.iter().filter(|alternative| {
        let mut others = alternative.interpretation;
        others[point as usize] = 0;
        alternative.open.contains(point) && others.iter().all(|&n| n == 0)
    });
    of_point.map(|alternative| alternative.bits).collect()
}

/// Returns the first lane's result where points are read as `choices` say, and all others by their first
/// interpretation; `None` where one is not open.
fn read_as(text: &str, operands: &[u64], choices: &[(Relaxation, u8)]) -> Option<u64> {
    let mut interpretation = FIRST;
    choices.iter().for_each(|&(point, choice)| interpretation[point as usize] = choice);
    let alternatives = alternatives(text, operands);
    let mut of_it = alternatives.iter().filter(|it| it.interpretation == interpretation);
    of_it.next().map(|alternative| alternative.bits)
}

/// Checks the thirteen bits that tf32 lacks: a NaN whose payload lies in them alone leaves an infinity, and another
/// leaves a NaN.
#[test]
fn a_nan_that_is_cut_off_leaves_what_stands_above() {
    for (nan, above) in [
        (0x7f80_0001, 0x7f80_0000),
        (0xff80_1fff, 0xff80_0000),
        (0x7f80_2000, 0x7f80_2000),
        (0xffc0_0001, 0xffc0_0000),
    ] {
        let results = results("cvt.rna.tf32.f32", &[nan], Relaxation::TruncatedNan);
        assert_eq!(results.len(), 2, "{nan:#x}");
        assert_eq!(results[1], above >> 13, "{nan:#x}");
    }
    assert!(results("cvt.rna.tf32.f32", &[0x7f80_0000], Relaxation::TruncatedNan).is_empty());
    assert!(results("cvt.rn.tf32.f32", &[0x7f80_0001], Relaxation::TruncatedNan).is_empty());
}

/// Checks the two readings of "Sign-preserved MAX_NORM" of two's complement: the negative of its largest number, or
/// its lowest number. They are open for inputs as low as the lowest number, and for no others.
#[test]
fn what_is_below_a_symmetric_range_is_either_end() {
    let text = "cvt.rn.satfinite.s2f6x2.f32";
    let minimum = |low: f32| {
        // The first of two operands goes into the upper lane.
        results(text, &[0, low.to_bits().into()], Relaxation::FixedMinimum)
    };
    for low in [-2.0, -2.1, -4.0, -1e30, f32::NEG_INFINITY] {
        assert_eq!(minimum(low), [0x81, 0x80], "{low}");
    }
    for within in [-127.0 / 64.0, -1.0, -0.0, 0.0, 1.0, 2.0, 1e30] {
        assert!(minimum(within).is_empty(), "{within}");
    }
}

/// Checks that a point is open which arises only under one interpretation of another point.
#[test]
fn a_choice_that_arises_under_another_interpretation_is_open() {
    use Relaxation::{OverflowBoundary, RandomAlignment, UnsignedNegative, ZeroSign};
    // By the highest alignment −2^-26 is rounded to the number below zero, by the lowest to −0.
    let (text, operands) = ("cvt.rs.relu.f16x2.f32", [0, 0xb280_0000, 0x5fec_9d0d]);
    let read =
        |alignment, sign| read_as(text, &operands, &[(RandomAlignment, alignment), (ZeroSign, sign)]);
    assert_eq!([read(0, 0), read(0, 1), read(1, 0), read(1, 1)], [0, 0, 0, 0x8000].map(Some));

    // 118783.99 lies beyond the largest number, 114688. It rounds up beyond the format, and its negative rounds up to
    // −114688.
    let (text, operands) = ("cvt.rp.ue5m3x2.f32", [0, 0xc7e7_ffff]);
    let read = |negative, boundary| {
        read_as(text, &operands, &[(UnsignedNegative, negative), (OverflowBoundary, boundary)])
    };
    assert_eq!([read(0, 0), read(0, 1), read(2, 0), read(2, 1)], [0xff, 0xff, 0xfe, 0xff].map(Some));
}

/// Checks overflow decided after rounding, before it, or as if the exponent had no limit: 58,000 is rounded to the
/// largest number, and by some roundings 500,000 is.
#[test]
fn what_stands_for_overflow_has_the_sign_of_what_lies_beyond() {
    for (text, size, expected) in [
        ("cast.rn.e5m2.f32", 58_000.0f32, [0x7b, 0x7c, 0x7b]),
        ("cast.rna.e5m2.f32", 58_000.0, [0x7b, 0x7c, 0x7b]),
        ("cast.rz.e5m2.f32", 58_000.0, [0x7b, 0x7c, 0x7b]),
        ("cast.rz.e5m2.f32", 500_000.0, [0x7b, 0x7c, 0x7c]),
    ] {
        for (operand, sign) in [(size, 0), (-size, 0x80)] {
            let results = results(text, &[operand.to_bits().into()], Relaxation::OverflowBoundary);
            assert_eq!(results, expected.map(|bits| sign | bits), "{text} {operand}");
        }
    }
}

/// Checks that "Clamped first" is −0 where the exact result is −0, and not where random bits make −0 of a number.
#[test]
fn a_zero_by_random_bits_is_told_from_a_zero() {
    let read = |bits| results("cvt.rs.relu.f16x2.f32", &[0, bits, 0], Relaxation::ZeroSign);
    assert_eq!(read(0x8000_0000), [0, 0x8000, 0x8000]);
    assert_eq!(read(0xab80_0000), [0, 0x8000, 0]); // −2^-40
    assert!(read(0).is_empty());
}

/// Checks a number that is a quarter of a unit beyond 65,536, with random bits of three quarters, or just less.
#[test]
fn what_is_too_large_is_rounded_inwards_where_random_bits_do_not_carry() {
    let read =
        |random| results("cvt.rs.f16x2.f32", &[0, 0x4780_0800, random], Relaxation::RandomOverflow);
    assert_eq!(read(0x17ff), [0x7c00, 0x7bff]);
    assert!(read(0x1800).is_empty());
}

/// Checks that the flushing of vectors is open wherever there are subnormal inputs or results: "Flushes subnormal
/// inputs and results" is said of a word.
#[test]
fn vectors_in_memory_may_be_flushed_like_words() {
    let read = |a, b| results("red.add.v2.f32", &[a, b], Relaxation::VectorFlush);
    let (normal, negative) = (0x0080_0000, 0x8080_0000);
    for (a, b) in [(normal, 1), (1, normal)] {
        assert_eq!(read(a, b), [normal, normal + 1]);
    }
    assert_eq!(read(normal + 1, negative), [0, 1]);
    assert!(read(normal, normal).is_empty() && read(normal, negative).is_empty());
    assert!(results("red.add.noftz.v2.f32", &[normal, 1], Relaxation::VectorFlush).is_empty());
}

/// Checks that the smaller of a NaN and a number is the number or NaN. Of two NaNs it is NaN by whichever
/// interpretation.
#[test]
fn the_smaller_of_a_number_and_a_nan_of_two_devices_is_either() {
    let (one, two, nan, canonical) = (0x3c00, 0x4000, 0x7e01, 0x7fff);
    for text in ["multimem.ld_reduce.min.f16x2", "multimem.ld_reduce.max.f16x2"] {
        let read = |a, b| results(text, &[a, b], Relaxation::MemoryNan);
        assert_eq!(read(one, nan), [one, canonical]);
        assert_eq!(read(nan, one), [one, canonical]);
        assert!(read(nan, nan).is_empty() && read(one, two).is_empty() && read(0, 0x8000).is_empty());
    }
}

/// Checks that zeros of two devices are in order, or equal, so that either may be the smaller one. In memory of one
/// device that is not open.
#[test]
fn the_smaller_of_two_zeros_of_two_devices_is_either() {
    for (text, ordered) in
        [("multimem.ld_reduce.min.f16x2", 0x8000), ("multimem.ld_reduce.max.f16x2", 0)]
    {
        let read = |a, b| results(text, &[a, b], Relaxation::MemoryZero);
        assert_eq!(read(0, 0x8000), [ordered, 0, 0x8000]);
        assert_eq!(read(0x8000, 0), [ordered, 0x8000, 0]);
        for (a, b) in [(0, 0), (0x8000, 0x8000), (0, 0x3c00), (0x3c00, 0x8000), (0x7e00, 0x8000)] {
            assert!(read(a, b).is_empty(), "{a:x} {b:x}");
        }
    }
    assert!(results("red.min.noftz.v2.f16", &[0, 0x8000], Relaxation::MemoryZero).is_empty());
}
