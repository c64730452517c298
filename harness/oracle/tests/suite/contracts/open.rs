//! Tests of points that the manual leaves open, where results of exact instructions depend on them.

use judge::MismatchKind;

use super::{INF, SIGN, accepted, judge, refused};

const ONE: u64 = 0x3f80_0000;

/// Checks that beyond the largest number the magnitude decides: "If the absolute value of input (ignoring sign) is
/// greater than MAX_NORM of the specified destination format, then the result is … a positive MAX_NORM" (9.7.10.24).
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
        // Of smaller numbers the manual says nothing.
        let one = if text.contains("ue8m0") { 0x7f } else { 0x78 };
        let exact = ("unsigned-negative", "magnitude or rounded with its sign");
        accepted(text, &[negative(ONE), ONE], one << 8 | one, &[exact]);
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

/// Checks that `.ftz` of a conversion to f16 flushes first of all. It "may be specified to flush single-precision
/// subnormal inputs and results" (9.7.10.24), which comes first; that the assembler ignores it is another
/// interpretation.
#[test]
fn ftz_of_a_conversion_to_f16_flushes_first_of_all() {
    let (flushed, kept) = (("ftz-ignored", "flushed"), ("ftz-ignored", "kept"));
    accepted("cvt.rp.ftz.f16.f32", &[1], 0, &[flushed]);
    accepted("cvt.rp.ftz.f16.f32", &[1], 1, &[kept]);
    refused("cvt.rp.ftz.f16.f32", &[1], 2, MismatchKind::NotFlushed);
    refused("cvt.rp.f16.f32", &[1], 0, MismatchKind::ZeroAppeared);
}

/// Checks that both choices are left open where one decides whether the other arises.
#[test]
fn open_points_that_meet_are_combined() {
    let text = "cvt.rm.ftz.sat.f16.f32";
    accepted(text, &[SIGN | 1], 0, &[]);
    accepted(
        text,
        &[SIGN | 1],
        0x8000,
        &[("ftz-ignored", "flushed"), ("zero-sign", "-0 or clamped first")],
    );
    refused(text, &[SIGN | 1], 0x8001, MismatchKind::NotClamped);
}

/// Checks "Clamps the result" where that is the exact result: a negative number that would be rounded or flushed to
/// −0 is 0 by then, and −0 itself may stay.
#[test]
fn what_is_clamped_before_it_is_rounded_is_negative_no_more() {
    let (kept, cleared) = (("zero-sign", "-0"), ("zero-sign", "+0 or clamped first"));
    let rounded: [(&str, &[u64], u64); 6] = [
        ("cvt.rni.sat.f16.f16", &[0xb400], 0x8000),              // −1/4
        ("cvt.rzi.sat.f32.f32", &[0xbf00_0000], SIGN),           // −1/2
        ("mul.sat.f16", &[0x8001, 0x3400], 0x8000),              // −2^-26
        ("mul.ftz.sat.f16", &[0x8400, 0x3800], 0x8000),          // −2^-15, which is subnormal
        ("cvt.rn.relu.f16.f32", &[0xb080_0000], 0x8000),         // −2^-30
        ("fma.rn.relu.bf16", &[0x8001, 0x3e80, 0x8000], 0x8000), // −2^-135
    ];
    for (text, operands, zero) in rounded {
        accepted(text, operands, 0, &[cleared]);
        accepted(text, operands, zero, &[kept]);
        refused(text, operands, zero | 1, MismatchKind::NotClamped);
    }
    let exact: [(&str, &[u64], u64); 4] = [
        ("cvt.rni.sat.f16.f16", &[0x8000], 0x8000),
        ("mul.sat.f16", &[0x8000, 0x3400], 0x8000),
        ("cvt.rn.relu.f16.f32", &[SIGN], 0x8000),
        ("fma.rn.relu.bf16", &[0x8000, 0x3e80, 0x8000], 0x8000),
    ];
    for (text, operands, zero) in exact {
        accepted(text, operands, 0, &[("zero-sign", "+0")]);
        accepted(text, operands, zero, &[("zero-sign", "-0 or clamped first")]);
    }
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

/// Checks an input that is subnormal in f32, beside a number that it changes: 1 − 2^-149.
#[test]
fn ftz_from_single_to_half_precision_flushes_inputs_or_not() {
    let (text, operands) = ("add.rz.ftz.f16x2.f32x2.f32x2", [0x3f80_0000_3f80_0000, 0x8000_0001]);
    accepted(text, &operands, 0x3c00_3c00, &[("ftz-ignored", "flushed")]);
    accepted(text, &operands, 0x3c00_3bff, &[("ftz-ignored", "kept")]);
    refused(text, &operands, 0x3c00_3c01, MismatchKind::UlpAbove);
}

/// Checks scaled conversions that are saturated before or after scaling: infinity and −∞, times one half and 2, then
/// 448 and 1 times 2^127.
#[test]
fn what_is_scaled_is_saturated_before_or_after() {
    let text = "cvt.rn.satfinite.scaled::n2::ue8m0.bf16x2.e5m2x2";
    let operands = [0x7cfc, 0x7e80];
    let name = "scale-saturation";
    accepted(text, &operands, 0x7f7f_ff7f, &[(name, "product"); 2]);
    accepted(text, &operands, 0x7eff_ff80, &[(name, "input"); 2]);
    refused(text, &operands, 0x7f80_ff7f, MismatchKind::Overflow);
    // −2 times 2^127.
    let (text, operands) = ("cvt.rn.satfinite.scaled::n2::ue8m0.bf16x2.s2f6x2", [0x8040, 0xfefe]);
    accepted(text, &operands, 0xff7f_7f00, &[(name, "product")]);
    accepted(text, &operands, 0xff80_7f00, &[(name, "input")]);
    let (text, operands) = ("cvt.rn.satfinite.scaled::n2::ue8m0.bf16x2.e4m3x2", [0x7e38, 0xfefe]);
    accepted(text, &operands, 0x7f7f_7f00, &[(name, "product")]);
    accepted(text, &operands, 0x7f80_7f00, &[(name, "input")]);
    refused("cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2", &operands, 0x7f7f_7f00, MismatchKind::NoOverflow);
}

#[test]
fn the_zero_that_scaling_makes_of_subnormal_inputs_has_a_sign_or_not() {
    let text = "cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32";
    let operands = [SIGN | 1, ONE, 0x7f];
    accepted(text, &operands, 0x8038, &[("flush-sign", "-0")]);
    accepted(text, &operands, 0x0038, &[("flush-sign", "+0")]);
    refused(text, &[SIGN, ONE, 0x7f], 0x0038, MismatchKind::ZeroSign);
}

/// Checks that overflow without `.satfinite` is decided after rounding or before.
#[test]
fn overflow_is_decided_after_rounding_or_before() {
    let boundary = |interpretation| ("overflow-boundary", interpretation);
    let after = boundary("after rounding or rounded without limit");
    let before = boundary("before rounding");
    let nan = ("any-nan", "canonical");
    let beyond = [0x43e6_0000]; // 460; the largest of e4m3 is 448
    accepted("cast.rz.e4m3.f32", &beyond, 0x7e, &[after]);
    accepted("cast.rz.e4m3.f32", &beyond, 0x7f, &[before]);
    accepted("cast.rn.e4m3.f32", &beyond, 0x7e, &[after]);
    accepted("cast.rn.e4m3.f32", &[0x43ea_0000], 0x7f, &[nan]); // 468
    refused("cast.rn.e4m3.f32", &[0x43ea_0000], 0x7e, MismatchKind::NanLost);
    refused("cast.rz.e4m3.f32", &[0x43e0_0000], 0x7f, MismatchKind::NanAppeared); // 448
    accepted("cast.rz.e5m2.f32", &[0x476a_6000], 0x7b, &[after]); // 60000; the largest is 57344
    accepted("cast.rz.e5m2.f32", &[0x476a_6000], 0x7c, &[before]);
    // These would be rounded to a larger number, if there were one: as OCP OFP8 has it, and IEEE 754.
    let (ieee, ocp) = (boundary("after rounding"), boundary("before rounding or rounded without limit"));
    for (text, operand, largest, special) in [
        ("cast.rz.e4m3.f32", 0x43fa_0000, 0x7e, 0x7f), // 500 is rounded to 480
        ("cast.rz.e4m3.f32", 0xc3fa_0000, 0xfe, 0x7f),
        ("cast.rp.e4m3.f32", 0xc3fa_0000, 0xfe, 0x7f),
        ("cast.rz.e5m2.f32", 0x4780_0000, 0x7b, 0x7c), // 65536
        ("cast.rz.e5m2.f32", 0x7f7f_ffff, 0x7b, 0x7c),
        ("cast.rz.e4m3fnuz.f32", 0x4380_0000, 0x7f, 0x80), // 256; the largest is 240
    ] {
        accepted(text, &[operand], largest, &[ieee]);
        accepted(text, &[operand], special, &[ocp]);
    }
    refused("cast.rz.satfinite.e4m3.f32", &[0x43fa_0000], 0x7f, MismatchKind::NanAppeared);
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

/// Checks that points that meet are counted together, for a number just beyond the largest: each point by itself does
/// not tell which interpretations go together.
#[test]
fn points_that_meet_are_counted_together_too() {
    let met = |answer| {
        let tally = judge("cvt.rz.ue5m3x2.f32", &[0x47e8_0000, ONE], &[answer]);
        assert_eq!(tally.mismatches, 0, "{answer:#x}");
        let met = tally.joint_answers.into_iter();
        met.map(|(answer, joint)| (answer, joint.count)).collect::<Vec<_>>()
    };
    let points = "overflow-boundary × overflow-result: ";
    assert_eq!(met(0xff78), [(format!("{points}before rounding × special"), 1)]);
    let kept = "after rounding × special | rounded without limit × special | after rounding × largest \
                | before rounding × largest | rounded without limit × largest";
    assert_eq!(met(0xfe78), [(format!("{points}{kept}"), 1)]);
    // One point alone is told by itself.
    assert!(judge("mul.sat.f16", &[0x8000, 0x3c00], &[0]).joint_answers.is_empty());
}

/// Checks that infinity may give another result than a number that is too large.
#[test]
fn infinity_is_nan_or_the_largest_number_of_a_format_without_one() {
    let nan = [("any-nan", "canonical"), ("infinity-result", "special")];
    for (text, operands) in [
        ("cvt.rn.ue5m3x2.f32", &[INF, ONE][..]),
        ("cvt.rz.ue5m3x2.f32", &[INF, ONE]),
        ("cvt.rn.ue5m3x2.f16x2", &[0x7c00_3c00]),
    ] {
        accepted(text, operands, 0xff78, &nan);
        accepted(text, operands, 0xfe78, &[("infinity-result", "largest")]);
        refused(text, operands, 0xfd78, MismatchKind::NanLost);
    }
    refused("cvt.rn.satfinite.ue5m3x2.f32", &[INF, ONE], 0xff78, MismatchKind::NanAppeared);
}

/// Checks that the sign which is lost may tell which way is up: upwards is towards zero, for a negative number.
#[test]
fn a_sign_that_goes_may_tell_which_way_is_up_before() {
    let read = |interpretation| [("unsigned-negative", interpretation)];
    for (text, operand, magnitude, rounded, one) in [
        ("cvt.rp.ue5m3x2.f32", 0xbf86_0000, 0x79, 0x78, 0x78), // −1.046875
        ("cvt.rp.satfinite.ue5m3x2.f32", 0xbf86_0000, 0x79, 0x78, 0x78),
        ("cvt.rp.ue8m0x2.f32", 0xbfc0_0000, 0x80, 0x7f, 0x7f), // −1.5
    ] {
        accepted(text, &[operand, ONE], magnitude << 8 | one, &read("magnitude"));
        accepted(text, &[operand, ONE], rounded << 8 | one, &read("rounded with its sign"));
        accepted(text, &[operand, ONE], one, &read("zero"));
        // Without a sign, up is up.
        let positive = [operand & !SIGN, ONE];
        accepted(text, &positive, magnitude << 8 | one, &[]);
        assert_eq!(judge(text, &positive, &[rounded << 8 | one]).mismatches, 1, "{text}");
    }
}

/// Checks random bits of a subnormal result, half a unit of which is more bits than there are random ones.
#[test]
fn random_bits_meet_the_highest_discarded_bits_or_the_lowest() {
    let operands = [0x33c0_0000, ONE, 0x1fff_0000]; // 1.5 × 2^-24
    accepted("cvt.rs.f16x2.f32", &operands, 0x0002_3c00, &[("random-alignment", "highest")]);
    let normal = ("random-alignment", "lowest or as of normal results");
    accepted("cvt.rs.f16x2.f32", &operands, 0x0001_3c00, &[normal]);
    refused("cvt.rs.f16x2.f32", &operands, 0x0000_3c00, MismatchKind::ZeroAppeared);
    refused("cvt.rs.f16x2.f32", &[0x33c0_0000, ONE, 0], 0x0002_3c00, MismatchKind::UlpAbove);
}

/// Checks random bits in e4m3, a normal result of which discards 20 bits of 23: random ones are added to the upper 16
/// of them.
#[test]
fn random_bits_may_stay_where_normal_results_have_them() {
    let text = "cvt.rs.satfinite.e4m3x4.f32";
    let all = |operand| [operand, operand, operand, operand, 0xffff_ffff];
    let read = |interpretation| [("random-alignment", interpretation); 4];
    // 1.5 × 2^-9, one and a half units.
    accepted(text, &all(0x3b40_0000), 0x0202_0202, &read("highest"));
    accepted(text, &all(0x3b40_0000), 0x0101_0101, &read("lowest or as of normal results"));
    // 1.9375 × 2^-9: an eighth of a unit is enough, and what 16 bits reach from the lowest is not.
    accepted(text, &all(0x3b78_0000), 0x0202_0202, &read("highest or as of normal results"));
    accepted(text, &all(0x3b78_0000), 0x0101_0101, &read("lowest"));
    // 2^-20: the bits that stay lie too far below the last place.
    accepted(text, &all(0x3580_0000), 0x0101_0101, &read("highest"));
    accepted(text, &all(0x3580_0000), 0, &read("lowest or as of normal results"));
}

/// Checks ties away from zero, which go by bits that are added, not by a mode of MPFR: 456, 448, and 464 between it
/// and 480.
#[test]
fn ties_away_overflow_by_the_same_rules() {
    let boundary = |interpretation| [("overflow-boundary", interpretation)];
    let (after, before) = ("after rounding or rounded without limit", "before rounding");
    for (text, operand, largest, special) in [
        ("cast.rna.e4m3.f32", 0x43e4_0000, 0x7e, 0x7f),
        ("cast.rna.e4m3.f32", 0xc3e4_0000, 0xfe, 0x7f),
        ("cast.rna.e4m3fnuz.f32", 0xc374_0000, 0xff, 0x80), // −244; the largest is 240
    ] {
        accepted(text, &[operand], largest, &boundary(after));
        accepted(text, &[operand], special, &boundary(before));
    }
    refused("cast.rna.e4m3.f32", &[0x43e0_0000], 0x7f, MismatchKind::NanAppeared);
    refused("cast.rna.e4m3.f32", &[0x43e8_0000], 0x7e, MismatchKind::NanLost);
    refused("cast.rna.satfinite.e4m3.f32", &[0xc3e8_0000], 0x7e, MismatchKind::Sign);
    accepted("cast.rna.satfinite.e4m3.f32", &[0xc3e8_0000], 0xfe, &[]);
    // −0, and what is rounded to it, have no sign to lose there.
    accepted("cast.rna.e4m3fnuz.f32", &[0x8000_0000], 0, &[]);
    refused("cast.rna.e4m3fnuz.f32", &[0x8000_0001], 0x80, MismatchKind::NanAppeared);
}

/// Checks casts to a format without zero and without a sign. PyTorch gives 2^-127 for zero and the magnitude's power for
/// a negative number, ml_dtypes NaN for both.
#[test]
fn zero_and_negative_numbers_are_cast_to_powers_or_to_nan() {
    let text = "cast.rn.ue8m0.f32";
    let (number, nan) = (("absent-number", "number"), ("absent-number", "nan"));
    accepted(text, &[0], 0, &[number]);
    accepted(text, &[0], 0xff, &[nan]);
    refused(text, &[0], 1, MismatchKind::UlpAbove);
    let magnitude = ("unsigned-negative", "magnitude or rounded with its sign");
    accepted(text, &[SIGN | ONE], 0x7f, &[number, magnitude]);
    accepted(text, &[SIGN | ONE], 0, &[number, ("unsigned-negative", "zero")]);
    accepted(text, &[SIGN | ONE], 0xff, &[nan]);
    accepted(text, &[ONE], 0x7f, &[]);
    refused(text, &[ONE], 0xff, MismatchKind::NanAppeared);
    // 1.5 lies halfway between 1 and 2, and 1.25 times 2^-127 nearer to 2^-127.
    accepted(text, &[0x3fc0_0000], 0x80, &[]);
    accepted(text, &[0x0050_0000], 0, &[]);
    refused(text, &[0x0050_0000], 1, MismatchKind::UlpAbove);
    // On the way back there is no payload that f64 could keep.
    let canonical = [("nan-payload", "canonical or operand")];
    accepted("cast.f64.ue8m0", &[0xff], 0x7ff8_0000_0000_0000, &canonical);
    // With saturation nothing is NaN but NaN.
    refused("cast.rn.satfinite.ue8m0.f32", &[0], 0xff, MismatchKind::NanAppeared);
}

/// Checks casts of NaN to a format in which all encodings are numbers: it may become the largest number or a zero.
#[test]
fn nan_is_cast_to_the_largest_number_or_a_zero() {
    let text = "cast.rn.satfinite.e2m1.f32";
    for nan in [0x7fc0_0000, 0xffc0_0000] {
        accepted(text, &[nan], 7, &[("cast-nan", "largest")]);
        accepted(text, &[nan], 0, &[("cast-nan", "+0")]);
        accepted(text, &[nan], 8, &[("cast-nan", "-0")]);
        refused(text, &[nan], 1, MismatchKind::Number);
    }
    accepted(text, &[INF], 7, &[]);
    refused(text, &[INF], 0, MismatchKind::ZeroAppeared);
}

/// Checks 70,000, which is beyond f16, with random bits of zero, which never carry; and 65,504 and a half unit with
/// random bits of ones alone, which do.
#[test]
fn what_is_too_large_by_random_bits_may_be_rounded_toward_zero() {
    let text = "cvt.rs.f16x2.f32";
    accepted(text, &[0x4788_b800, 0, 0], 0x7c00_0000, &[("random-overflow", "infinity")]);
    accepted(text, &[0x4788_b800, 0, 0], 0x7bff_0000, &[("random-overflow", "by the carry")]);
    accepted(text, &[0xc788_b800, 0, 0], 0xfbff_0000, &[("random-overflow", "by the carry")]);
    accepted(text, &[0x477f_f000, 0, 0xffff_ffff], 0x7c00_0000, &[]);
    refused(text, &[0x477f_f000, 0, 0xffff_ffff], 0x7bff_0000, MismatchKind::NoOverflow);
    refused(text, &[0x7f80_0000, 0, 0], 0x7bff_0000, MismatchKind::NoOverflow);
}

/// Checks the quotient 2^-126 − 2^-150, halfway to the largest subnormal number.
#[test]
fn quotients_are_rounded_up_to_the_smallest_normal_number_too() {
    let operands = [0x3f7f_ffff, 0x7e80_0000];
    accepted("div.rn.ftz.f32", &operands, 0, &[("ftz-tininess", "exact or unbounded")]);
    accepted("div.rn.ftz.f32", &operands, 0x0080_0000, &[("ftz-tininess", "rounded")]);
    refused("div.rn.ftz.f32", &operands, 0x007f_ffff, MismatchKind::NotFlushed);
    refused("div.rz.ftz.f32", &operands, 0x0080_0000, MismatchKind::ZeroLost);
}
