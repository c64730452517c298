//! Points that the manual leaves open, where results of exact instructions depend on them.

use judge::MismatchKind;

use super::{INF, SIGN, accepted, refused};

const ONE: u64 = 0x3f80_0000;

/// "If the absolute value of input (ignoring sign) is greater than MAX_NORM of the specified destination
/// format, then the result is … a positive MAX_NORM" (9.7.10.24).
#[test]
fn beyond_the_largest_number_the_magnitude_decides() {
    let negative = |operand| SIGN | operand;
    for (text, beyond) in [
        ("cvt.rz.satfinite.ue8m0x2.f32", [INF, 0x7f40_0000]),
        ("cvt.rp.satfinite.ue8m0x2.f32", [INF, 0x7f40_0000]),
        ("cvt.rn.satfinite.ue5m3x2.f32", [INF, 0x4974_2400]),
        ("cvt.rz.satfinite.ue5m3x2.f32", [INF, 0x47e0_0001]),
    ] {
        for operand in beyond {
            let operands = [negative(operand), operand];
            accepted(text, &operands, 0xfefe, &[]);
            // The lowest power of two, or zero.
            let lowest = match text.contains("ue8m0") {
                true => MismatchKind::Number,
                false => MismatchKind::ZeroAppeared,
            };
            refused(text, &operands, 0x00fe, lowest);
        }
        // Of smaller ones nothing is said.
        let one = if text.contains("ue8m0") { 0x7f } else { 0x78 };
        accepted(text, &[negative(ONE), ONE], one << 8 | one, &[("unsigned-negative", "magnitude")]);
        accepted(text, &[negative(ONE), ONE], one, &[("unsigned-negative", "zero")]);
    }
    accepted("cvt.rz.satfinite.ue8m0x2.bf16x2", &[0xff80_7f80], 0xfefe, &[]);
    refused("cvt.rz.satfinite.ue8m0x2.bf16x2", &[0xff80_7f80], 0x00fe, MismatchKind::Number);
}

#[test]
fn a_scale_that_is_no_number_makes_nan_of_negative_ones_too() {
    for text in
        ["cvt.rn.scaled::n1::ue8m0.ue5m3x2.f32", "cvt.rz.satfinite.scaled::n1::ue8m0.ue5m3x2.f32"]
    {
        let operands = [SIGN | ONE, ONE, 0xff];
        accepted(text, &operands, 0xffff, &[("any-nan", "canonical"), ("any-nan", "canonical")]);
        refused(text, &operands, 0x00ff, MismatchKind::NanLost);
    }
}

/// `.ftz` "may be specified to flush single-precision subnormal inputs and results" (9.7.10.24), which
/// comes first; that the assembler ignores it is another interpretation.
#[test]
fn ftz_of_a_conversion_to_f16_flushes_first_of_all() {
    let (flushed, kept) = (("ftz-ignored", "flushed"), ("ftz-ignored", "kept"));
    accepted("cvt.rp.ftz.f16.f32", &[1], 0, &[flushed]);
    accepted("cvt.rp.ftz.f16.f32", &[1], 1, &[kept]);
    refused("cvt.rp.ftz.f16.f32", &[1], 2, MismatchKind::NotFlushed);
    refused("cvt.rp.f16.f32", &[1], 0, MismatchKind::ZeroAppeared);
}

/// Where one choice decides whether another arises, both are left.
#[test]
fn open_points_that_meet_are_combined() {
    let text = "cvt.rm.ftz.sat.f16.f32";
    accepted(text, &[SIGN | 1], 0, &[]);
    accepted(text, &[SIGN | 1], 0x8000, &[("ftz-ignored", "flushed"), ("zero-sign", "-0")]);
    refused(text, &[SIGN | 1], 0x8001, MismatchKind::NotClamped);
}

#[test]
fn the_low_bits_of_tf32_are_the_implementations() {
    accepted("cvt.rna.tf32.f32", &[ONE], ONE, &[("tf32-layout", "zeros")]);
    accepted("cvt.rna.tf32.f32", &[ONE], ONE | 1, &[("tf32-layout", "other bits")]);
    accepted("cvt.rn.tf32.f32", &[ONE], ONE | 0x1fff, &[("tf32-layout", "other bits")]);
    refused("cvt.rn.tf32.f32", &[ONE], ONE | 0x2000, MismatchKind::UlpAbove);
}

#[test]
fn ftz_from_single_to_half_precision_flushes_results_or_not() {
    let text = "mul.ftz.rz.f16x2.f32x2.f32x2";
    let operands = [0x3a80_0000_3a80_0000; 2]; // 2^-10, whose square is 16 units of f16
    let twice = |answer| [("ftz-result", answer); 2];
    accepted(text, &operands, 0, &twice("flushed"));
    accepted(text, &operands, 0x0010_0010, &twice("kept"));
    refused(text, &operands, 0x0010_0011, MismatchKind::NotFlushed);
}

#[test]
fn the_zero_that_scaling_makes_of_subnormal_inputs_has_a_sign_or_not() {
    let text = "cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32";
    let operands = [SIGN | 1, ONE, 0x7f];
    accepted(text, &operands, 0x8038, &[("flush-sign", "-0")]);
    accepted(text, &operands, 0x0038, &[("flush-sign", "+0")]);
    refused(text, &[SIGN, ONE, 0x7f], 0x0038, MismatchKind::ZeroSign);
}

/// Without `.satfinite`.
#[test]
fn overflow_is_decided_after_rounding_or_before() {
    let (after, before) =
        (("overflow-boundary", "after rounding"), ("overflow-boundary", "before rounding"));
    let nan = ("any-nan", "canonical");
    let beyond = [0x43e6_0000]; // 460; the largest of e4m3 is 448
    accepted("cast.rz.e4m3.f32", &beyond, 0x7e, &[after]);
    accepted("cast.rz.e4m3.f32", &beyond, 0x7f, &[before]);
    accepted("cast.rn.e4m3.f32", &beyond, 0x7e, &[after]);
    accepted("cast.rn.e4m3.f32", &[0x43ea_0000], 0x7f, &[nan]); // 468
    refused("cast.rn.e4m3.f32", &[0x43ea_0000], 0x7e, MismatchKind::NanLost);
    refused("cast.rz.e4m3.f32", &[0x43e0_0000], 0x7f, MismatchKind::NanAppeared); // 448
    accepted("cast.rz.e5m2.f32", &[0x4780_0000], 0x7b, &[after]); // 65536
    accepted("cast.rz.e5m2.f32", &[0x4780_0000], 0x7c, &[before]);
    refused("cast.rz.satfinite.e5m2.f32", &[0x4780_0000], 0x7c, MismatchKind::Overflow);
    // 448 and 8.
    let sums = [0x7e7e_7e7e, 0x5050_5050];
    accepted("add.e4m3x4.e4m3x4", &sums, 0x7e7e_7e7e, &[after; 4]);
    accepted("add.e4m3x4.e4m3x4", &sums, 0x7f7f_7f7f, &[before; 4]);
}

#[test]
fn overflow_gives_what_the_format_has_for_it_or_the_largest_number() {
    let (special, largest) = (("overflow-result", "special"), ("overflow-result", "largest"));
    let twice = [0x7b7b_7b7b, 0x7b7b_7b7b];
    accepted("add.e5m2x4.e5m2x4", &twice, 0x7c7c_7c7c, &[special; 4]);
    accepted("add.e5m2x4.e5m2x4", &twice, 0x7b7b_7b7b, &[largest; 4]);
    refused("add.e5m2x4.e5m2x4", &twice, 0x7a7b_7b7b, MismatchKind::NoOverflow);
    // Infinity itself is no overflow.
    refused("add.e5m2x4.e5m2x4", &[0x7c7c_7c7c, 0], 0x7b7b_7b7b, MismatchKind::NoOverflow);
    let million = [0x4974_2400, ONE];
    accepted("cvt.rn.ue5m3x2.f32", &million, 0xff78, &[("any-nan", "canonical"), special]);
    accepted("cvt.rn.ue5m3x2.f32", &million, 0xfe78, &[largest]);
}

/// Half a unit of a subnormal result is more bits than there are random ones.
#[test]
fn random_bits_meet_the_highest_discarded_bits_or_the_lowest() {
    let operands = [0x33c0_0000, ONE, 0x1fff_0000]; // 1.5 × 2^-24
    accepted("cvt.rs.f16x2.f32", &operands, 0x0002_3c00, &[("random-alignment", "highest")]);
    accepted("cvt.rs.f16x2.f32", &operands, 0x0001_3c00, &[("random-alignment", "lowest")]);
    refused("cvt.rs.f16x2.f32", &operands, 0x0000_3c00, MismatchKind::ZeroAppeared);
    refused("cvt.rs.f16x2.f32", &[0x33c0_0000, ONE, 0], 0x0002_3c00, MismatchKind::UlpAbove);
}

/// The quotient is 2^-126 − 2^-150, halfway to the largest subnormal number.
#[test]
fn quotients_are_rounded_up_to_the_smallest_normal_number_too() {
    let operands = [0x3f7f_ffff, 0x7e80_0000];
    accepted("div.rn.ftz.f32", &operands, 0, &[("ftz-tininess", "exact or unbounded")]);
    accepted("div.rn.ftz.f32", &operands, 0x0080_0000, &[("ftz-tininess", "rounded")]);
    refused("div.rn.ftz.f32", &operands, 0x007f_ffff, MismatchKind::NotFlushed);
    refused("div.rz.ftz.f32", &operands, 0x0080_0000, MismatchKind::ZeroLost);
}
