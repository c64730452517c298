//! Tests of the kinds of wrong results: of both signs, and of formats that are no floats.

use isa::Variant;
use judge::MismatchKind::{
    self, IntegerIndefinite, NextInteger, NotClamped, NotFlushed, Number, Predicate, Sign, UlpAbove,
    UlpBelow, ZeroAppeared, ZeroLost,
};

fn kind(text: &str, expected: u64, actual: u64) -> MismatchKind {
    let variant: Variant = text.parse().unwrap();
    MismatchKind::of(&variant, variant.outputs()[0].format, expected, actual)
}

/// A neighbour above is larger in magnitude, whatever the sign; a number of the other sign is no neighbour, even
/// beside zero.
#[test]
fn neighbours_are_counted_in_magnitude() {
    for sign in [0, 0x8000] {
        assert_eq!(kind("mul.f16", sign | 0x3c00, sign | 0x3c01), UlpAbove);
        assert_eq!(kind("mul.f16", sign | 0x3c00, sign | 0x3bff), UlpBelow);
        assert_eq!(kind("mul.f16", sign | 0x3c00, sign | 0x3c02), Number);
        assert_eq!(kind("mul.f16", sign | 0x3c00, sign | 0x3bfe), Number);
        assert_eq!(kind("mul.f16", sign | 0x3c00, 0x8000 ^ sign | 0x3c00), Sign);
        assert_eq!(kind("mul.f16", sign | 0x3c00, 0x8000 ^ sign | 0x3c01), Number);
        assert_eq!(kind("mul.f16", sign | 0x3c01, 0x8000 ^ sign | 0x3c00), Number);
    }
}

/// Integers are neighbours by their values with signs: the two ends of a range are far apart, and −1 and 0 are not.
#[test]
fn integers_are_neighbours_by_value() {
    let signed = |expected: i32, actual: i32| {
        kind("cvt.rni.s32.f32", expected as u32 as u64, actual as u32 as u64)
    };
    for (expected, actual) in
        [(-1, 0), (0, -1), (0, 1), (1, 0), (-7, -8), (7, 6), (i32::MAX, i32::MAX - 1)]
    {
        assert_eq!(signed(expected, actual), NextInteger, "{expected} {actual}");
    }
    for (expected, actual) in [(-1, 1), (1, -1), (-2, 1), (-3, 1), (5, 7), (i32::MIN, i32::MAX)] {
        assert_eq!(signed(expected, actual), Number, "{expected} {actual}");
    }
    assert_eq!([signed(0, 2), signed(0, -2)], [ZeroLost; 2]);
    assert_eq!([signed(2, 0), signed(-2, 0)], [ZeroAppeared; 2]);
    assert_eq!(signed(i32::MAX, i32::MIN), IntegerIndefinite);
    let unsigned = |expected: u32, actual: u32| kind("cvt.rni.u32.f32", expected.into(), actual.into());
    assert_eq!(unsigned(u32::MAX, u32::MAX - 1), NextInteger);
    assert_eq!(unsigned(0x8000_0000, 0x7fff_ffff), NextInteger);
    assert_eq!(unsigned(0, 0x8000_0000), ZeroLost);
    assert_eq!(unsigned(7, u32::MAX), IntegerIndefinite);
}

#[test]
fn truth_values_have_a_kind_of_their_own() {
    assert_eq!([kind("setp.eq.f32", 0, 1), kind("setp.eq.f32", 1, 0)], [Predicate; 2]);
}

/// The ends of a clamp are within it.
#[test]
fn what_lies_outside_a_clamp_is_told_from_what_is_wrong_within() {
    for (actual, wrong) in [(0x3c00, Number), (0x3c01, NotClamped), (0xb800, NotClamped)] {
        assert_eq!(kind("fma.rn.sat.f16", 0x3000, actual), wrong, "{actual:#x}");
    }
    assert_eq!(kind("fma.rn.sat.f16", 0x3000, 0x8000), ZeroAppeared);
    for (actual, wrong) in [(0x3c01, Number), (0x8001, NotClamped), (0x8000, ZeroAppeared)] {
        assert_eq!(kind("fma.rn.relu.f16", 0x3000, actual), wrong, "{actual:#x}");
    }
    assert_eq!(kind("mul.f16", 0x3000, 0xb800), Number);
}

/// A subnormal result was to be flushed if `.ftz` has a say: about the result, about the inputs, or where the
/// assembler ignores it. A variant that only divides by a scale flushes without `.ftz`, which does not count.
#[test]
fn a_subnormal_result_was_to_be_flushed_where_ftz_stands() {
    for text in ["mul.ftz.f16", "cvt.rp.ftz.f16.f32", "cvt.ftz.f32.f16", "add.ftz.f32"] {
        assert_eq!(kind(text, 0, 1), NotFlushed, "{text}");
    }
    for text in ["mul.f16", "cvt.rp.f16.f32", "cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32"] {
        assert_eq!(kind(text, 0, 1), ZeroLost, "{text}");
    }
    // Another result than a subnormal one is another kind.
    assert_eq!(kind("mul.ftz.f16", 0, 0x400), ZeroLost);
}
