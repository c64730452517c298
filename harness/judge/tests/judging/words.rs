//! Tests of the words that name other right results.

use formats::{F16, F32, F64, Format};
use isa::Relaxation;
use judge::{Interval, Point, ordinal};

use super::JudgedCase;

#[test]
fn nans_and_choices_are_named_with_their_lane() {
    let one =
        JudgedCase::new("mul.f16", &[(&[0x7e00, 0x3c00], 0x7fff, 0), (&[0x3c00, 0x3c00], 0x3c00, 0)]);
    assert_eq!(one.accepted(0), ["any NaN (any-nan)"]);
    assert_eq!(one.accepted(1), [""; 0]);
    let given: &[u64] = &[0x7e00_3c00, 0x3c00_3c00];
    let two = JudgedCase::new("mul.f16x2", &[(given, 0x7fff_3c00, 0)]);
    assert_eq!(two.accepted(0), ["lane 1: any NaN (any-nan)"]);
    // `.relu` has one NaN.
    let relu = JudgedCase::new("fma.rn.relu.f16", &[(&[0x7e00, 0x3c00, 0], 0x7fff, 0)]);
    assert_eq!(relu.accepted(0), [""; 0]);
}

/// Each other result is named once, for the elements of this row alone.
#[test]
fn results_of_other_interpretations_are_named_once() {
    let given: &[u64] = &[0x8000_8000, 0x3c00_3c00];
    let case = JudgedCase::new("mul.sat.f16x2", &[(given, 0, 0x3c00); 3])
        .open(1, Relaxation::ZeroSign, &[0, 0x8000])
        .open(4, Relaxation::ZeroSign, &[0, 0x8000])
        .open(5, Relaxation::ZeroSign, &[0, 0x8000]);
    assert_eq!(case.accepted(0), ["lane 1: 0x8000 (zero-sign)"]);
    assert_eq!(case.accepted(1), [""; 0]);
    assert_eq!(case.accepted(2), ["lane 0: 0x8000 (zero-sign)", "lane 1: 0x8000 (zero-sign)"]);
    let tiny = JudgedCase::new("mul.ftz.f16", &[(&[0x3bff, 0x0400], 0, 1)]);
    let tiny = tiny.open(0, Relaxation::FtzTininess, &[0, 0x400, 0x400]);
    assert_eq!(tiny.accepted(0), ["0x0400 (ftz-tininess)"]);
}

/// Other results are shown as the expected one is: a lane by itself, or the whole register where it has one lane.
#[test]
fn other_results_have_the_digits_of_their_register() {
    let tf32 = JudgedCase::new("cvt.rna.tf32.f32", &[(&[0x7f80_2001], 0x7fff_e000, 0)]);
    let tf32 = tf32.open(0, Relaxation::TruncatedNan, &[0x3_ffff, 0x3_fc01]);
    assert_eq!(tf32.accepted(0), ["any NaN (any-nan)", "0x7f802000 (truncated-nan)"]);
    let packed = JudgedCase::new("cvt.rn.satfinite.s2f6x2.f32", &[(&[0, 0xc080_0000], 0x0081, 0)]);
    let packed = packed.open(0, Relaxation::FixedMinimum, &[0x81, 0x80]);
    assert_eq!(packed.accepted(0), ["lane 0: 0x80 (fixed-minimum)"]);
}

/// Where there are several registers each is named, and with it the lane where a register has several lanes.
#[test]
fn registers_are_named_where_there_are_several() {
    let given: &[u64] = &[0x0001_0001, 0];
    let predicates = JudgedCase::with("setp.eq.ftz.f16x2", &[(given, [1, 1], [1, 0])]);
    let predicates = predicates.open(1, Relaxation::VectorFlush, &[1, 0]);
    assert_eq!(predicates.accepted(0), ["q: 0x00 (vector-flush)"]);
    let words = JudgedCase::with("red.global.add.v4.f32", &[([0; 4], [0, 0x7fff_ffff << 32], [0, 0])]);
    assert_eq!(words.accepted(0), ["m1 lane 1: any NaN (any-nan)"]);
}

#[test]
fn an_interval_is_named_by_its_ends_and_by_what_is_right_beside_it() {
    let one: &[u64] = &[0x3f80_0000, 0x3f80_0000];
    let of = |text: &str, low, high, point, exact| {
        let case =
            JudgedCase::new(text, &[(if text.starts_with("div") { one } else { &one[1..] }, low, 0)]);
        let interval =
            Interval { high: ordinal(&F32, high), ..Interval::single_result(&F32, low, exact) };
        case.within(vec![Interval { point, ..interval }]).accepted(0)
    };
    let third = [0x3eaa_aaa9, 0x3eaa_aaad];
    assert_eq!(of("div.full.f32", third[0], third[1], Point::Bound, 0.3), ["0x3eaaaaa9 to 0x3eaaaaad"]);
    assert_eq!(of("div.full.f32", third[0], third[0], Point::Bound, 0.3), [""; 0]);
    let minimum = of("sin.approx.f32", 0x8000_0001, 0x3f80_0000, Point::Minimum, 0.3);
    assert_eq!(minimum, ["0x80000001 to 0x3f800000 (unstated-accuracy)"]);
    let overflow = of("div.full.f32", 0x7f7f_fffd, 0x7f7f_ffff, Point::Overflow, 3e38);
    assert_eq!(overflow, ["0x7f7ffffd to 0x7f7fffff, or 0x7f800000 (bound-overflow)"]);
    let only = of("div.full.f32", 0x7f7f_ffff, 0x7f7f_ffff, Point::Overflow, 3e38);
    assert_eq!(only, ["0x7f800000 (bound-overflow)"]);
    let dividend = of("div.full.f32", 0, 0, Point::ZeroDividend, 0.0);
    assert_eq!(dividend, ["any NaN (zero-dividend)"]);
    let nan = of("sqrt.approx.f32", 0x7fff_ffff, 0x7fff_ffff, Point::NegativeZero, 0.0);
    assert_eq!(nan, ["any NaN (any-nan)", "0x80000000 (negative-subnormal)"]);
}

/// Results that lie between the ends of an interval and are refused are not offered.
#[test]
fn an_interval_offers_no_subnormal_numbers_and_no_lower_half_where_there_are_none() {
    let of = |text: &str, format: &Format, low, high| {
        let case = JudgedCase::new(text, &[(&[0x7e80_0000], low, 0)]);
        let [low, high] = [low, high].map(|bits| ordinal(format, bits));
        let only = Interval::single_result(format, 0, 0.0);
        case.within(vec![Interval { low: low.min(high), high: low.max(high), ..only }]).accepted(0)
    };
    let positive = of("rcp.approx.ftz.f32", &F32, 0, 0x0080_0001);
    assert_eq!(positive, ["0x00000000 to 0x00800001 but for subnormal numbers"]);
    let negative = of("rcp.approx.ftz.f32", &F32, 0x8000_0000, 0x8080_0001);
    assert_eq!(negative, ["0x80800001 to 0x80000000 but for subnormal numbers"]);
    let normal = of("rcp.approx.ftz.f32", &F32, 0x0080_0000, 0x0080_0001);
    assert_eq!(normal, ["0x00800000 to 0x00800001"]);
    let kept = of("rcp.approx.f32", &F32, 0, 0x0080_0001);
    assert_eq!(kept, ["0x00000000 to 0x00800001"]);
    let half = of("rsqrt.approx.ftz.f64", &F64, 0x3fe0_0000_0000_0000, 0x3fe0_0001_0000_0000);
    assert_eq!(half, ["0x3fe0000000000000 to 0x3fe0000100000000, with a lower half of zeros"]);
    let both = of("rcp.approx.ftz.f64", &F64, 0, 0x0010_0000_0000_0000);
    let words =
        "0x0000000000000000 to 0x0010000000000000 but for subnormal numbers, with a lower half of zeros";
    assert_eq!(both, [words]);
}

/// Where one NaN alone is right, no other is offered.
#[test]
fn one_nan_is_not_any_nan() {
    const ONLY: u64 = 0x7fff_ffff_0000_0000;
    let case = JudgedCase::new("rsqrt.approx.ftz.f64", &[(&[0x7ff8_0000_0000_0000], ONLY, 0)]);
    let only = Interval::single_result(&F64, ONLY, f64::NAN);
    let this = Interval { point: Point::ThisNan, ..only };
    assert_eq!(case.within(vec![this]).accepted(0), [""; 0]);
    let case = JudgedCase::new("rsqrt.approx.ftz.f64", &[(&[0xbff0_0000_0000_0000], ONLY, 0)]);
    let any = case.within(vec![only]).accepted(0);
    assert_eq!(any, ["any NaN with a lower half of zeros (nan-payload)"]);
}

#[test]
fn intervals_are_those_of_the_rows_lanes() {
    let given: &[u64] = &[0xcd00_cd00];
    let case = JudgedCase::new("ex2.approx.f16x2", &[(given, 0x0010_0010, 0); 2]);
    let exact = 2f64.powi(-20);
    let only = Interval::single_result(&F16, 16, exact);
    let wide = Interval { low: 14, high: 17, point: Point::Subnormal, ..only };
    let case = case.within(vec![only, only, only, wide]);
    assert_eq!(case.accepted(0), [""; 0]);
    assert_eq!(case.accepted(1), ["lane 1: 0x000e to 0x0011 (subnormal-accuracy)"]);
}
