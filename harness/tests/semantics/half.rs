//! 9.7.4 and the older part of 9.7.5: half precision, and half with single.

use super::check;

/// 9.7.4.3, 9.7.4.4: "flushes subnormal inputs and results to sign-preserving zero".
#[test]
#[rustfmt::skip] // a table
fn ftz_flushes_inputs_and_results_and_keeps_the_sign() {
    check(&[
        ("mul.f16",         &[0x0001, 0x3c00],         0x0001, &[]),
        ("mul.ftz.f16",     &[0x0001, 0x3c00],         0x0000, &[]),
        ("mul.ftz.f16",     &[0x8001, 0x3c00],         0x8000, &[]),
        ("mul.ftz.f16",     &[0x03ff, 0x7bff],         0x0000, &[]),
        ("mul.f16",         &[0x0001, 0x7c00],         0x7c00, &[]),
        ("mul.ftz.f16",     &[0x0001, 0x7c00],         0x7fff, &[]), // 0 × ∞
        ("mul.f16",         &[0x0400, 0x3800],         0x0200, &[]),
        ("mul.ftz.f16",     &[0x0400, 0x3800],         0x0000, &[]),
        ("mul.ftz.f16",     &[0x8400, 0x3800],         0x8000, &[]),
        ("fma.rn.ftz.f16",  &[0x3c00, 0x3c00, 0x0001], 0x3c00, &[]),
        ("fma.rn.ftz.f16",  &[0x0400, 0x3c00, 0x83ff], 0x0400, &[]), // the addend is flushed first
        ("fma.rn.ftz.f16",  &[0x0400, 0x3c00, 0x8401], 0x8000, &[]), // 2^-14 − (2^-14 + 2^-24)
        ("fma.rn.f16",      &[0x0400, 0x3c00, 0x8401], 0x8001, &[]),
    ]);
}

/// Results below 2^-14 that rounding carries up to it: the readings of `ftz-tininess`.
#[test]
#[rustfmt::skip] // a table
fn ftz_by_the_exact_result_unless_read_otherwise() {
    check(&[
        // 2^-14 (1 − 2^-11): of full precision, so only rounding to subnormals carries it up.
        ("mul.f16",         &[0x3bff, 0x0400],         0x0400, &[]),
        ("mul.ftz.f16",     &[0x3bff, 0x0400],         0x0000, &[0x0400]),
        ("mul.ftz.f16",     &[0xbbff, 0x0400],         0x8000, &[0x8400]),
        // 1447 × 1449 = 2^21 − 449, here just below 2^-14: rounding to 11 bits carries it up too.
        ("mul.ftz.f16",     &[0x2da7, 0x11a9],         0x0000, &[0x0400]),
        // Clamping comes after flushing.
        ("mul.ftz.sat.f16", &[0x2da7, 0x11a9],         0x0000, &[0x0400]),
        ("mul.ftz.sat.f16", &[0xada7, 0x11a9],         0x0000, &[0x8000]),
        ("fma.rn.ftz.relu.f16", &[0xada7, 0x11a9, 0],  0x0000, &[0x8000]),
    ]);
}

/// "Clamps the result to [0.0, 1.0]. NaN results are flushed to +0.0f."
#[test]
#[rustfmt::skip] // a table
fn sat_clamps_to_zero_and_one_and_nan_to_zero() {
    check(&[
        ("mul.sat.f16",         &[0x4000, 0x3c00],             0x3c00, &[]),
        ("mul.sat.f16",         &[0x3c01, 0x3c00],             0x3c00, &[]),
        ("mul.sat.f16",         &[0x3bff, 0x3c00],             0x3bff, &[]),
        ("mul.sat.f16",         &[0x7c00, 0x3c00],             0x3c00, &[]),
        ("mul.sat.f16",         &[0xfc00, 0x3c00],             0x0000, &[]),
        ("mul.sat.f16",         &[0xbc00, 0x3c00],             0x0000, &[]),
        ("mul.sat.f16",         &[0x8001, 0x3c00],             0x0000, &[]),
        ("mul.sat.f16",         &[0x7e00, 0x3c00],             0x0000, &[]),
        ("mul.sat.f16",         &[0xfe00, 0x3c00],             0x0000, &[]),
        ("mul.sat.f16",         &[0x8000, 0x3c00],             0x0000, &[0x8000]), // zero-sign
        ("fma.rn.sat.f16",      &[0x7c00, 0x0000, 0x3c00],     0x0000, &[]),
        ("add.sat.f32.f16",     &[0x3c00, 0x3f80_0000],        0x3f80_0000, &[]),
        ("add.rm.sat.f32.f16",  &[0x3c00, 0xbf80_0000],        0, &[0x8000_0000]), // −0 by .rm
        ("fma.rn.sat.f32.bf16", &[0x7fc0, 0x3f80, 0],          0, &[]),
    ]);
}

/// "Clamps the result to 0 if negative. NaN result is converted to canonical NaN."
#[test]
#[rustfmt::skip] // a table
fn relu_clamps_negatives_and_makes_nan_canonical() {
    check(&[
        ("fma.rn.relu.f16",  &[0xbc00, 0x3c00, 0x0000], 0x0000, &[]),
        ("fma.rn.relu.f16",  &[0xfc00, 0x3c00, 0x0000], 0x0000, &[]),
        ("fma.rn.relu.f16",  &[0x4000, 0x3c00, 0x0000], 0x4000, &[]),
        ("fma.rn.relu.f16",  &[0x7c00, 0x3c00, 0x0000], 0x7c00, &[]),
        ("fma.rn.relu.f16",  &[0x8000, 0x3c00, 0x8000], 0x0000, &[0x8000]), // zero-sign
        ("fma.rn.relu.f16",  &[0x7e01, 0x3c00, 0x0000], 0x7fff, &[]),
        ("fma.rn.relu.f16",  &[0xfe01, 0x3c00, 0x0000], 0x7fff, &[]),
        ("fma.rn.relu.bf16", &[0x7f81, 0x3f80, 0x0000], 0x7fff, &[]),
    ]);
}

/// "Clamps the result to 0 if either of the operands is OOB NaN … independently for each of the two
/// SIMD operations."
#[test]
#[rustfmt::skip] // a table
fn oob_is_decided_by_the_multiplicands_of_each_lane() {
    check(&[
        ("fma.rn.oob.f16",      &[0x7ff7, 0x3c00, 0x3c00], 0x0000, &[]),
        ("fma.rn.oob.f16",      &[0x3c00, 0xfff7, 0x3c00], 0x0000, &[]),
        ("fma.rn.oob.bf16",     &[0x3f80, 0x7ff7, 0x3f80], 0x0000, &[]),
        ("fma.rn.oob.f16",      &[0x7ff7, 0x7e00, 0x7c00], 0x0000, &[]),
        ("fma.rn.oob.f16",      &[0x7fff, 0x3c00, 0x3c00], 0x7fff, &[]), // the canonical NaN is not it
        ("fma.rn.oob.f16",      &[0x7ff6, 0x3c00, 0x3c00], 0x7fff, &[]),
        ("fma.rn.f16",          &[0x7ff7, 0x3c00, 0x3c00], 0x7fff, &[]),
        ("fma.rn.oob.f16",      &[0x3c00, 0x3c00, 0x7ff7], 0x7fff, &[0]), // oob-addend
        ("fma.rn.oob.f16",      &[0x7eff, 0x3c00, 0x3c00], 0x7fff, &[0]), // oob-pattern
        ("fma.rn.oob.f16",      &[0x3c00, 0x3c00, 0x7eff], 0x7fff, &[0]), // both
        ("fma.rn.oob.bf16",     &[0x7eff, 0x3f80, 0x0000], 0x7eff, &[]), // a number in bf16
        ("fma.rn.oob.bf16",     &[0x3f80, 0x0000, 0x7eff], 0x7eff, &[]),
        ("fma.rn.oob.relu.f16", &[0x3c00, 0x7e00, 0x3c00], 0x7fff, &[]),
        ("fma.rn.oob.f16x2",    &[0x7ff7_3c00, 0x3c00_3c00, 0x3c00_3c00], 0x0000_4000, &[]),
        ("fma.rn.oob.f16x2",    &[0x3c00_7ff7, 0x3c00_3c00, 0x3c00_3c00], 0x4000_0000, &[]),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn nan_results_are_canonical_where_nothing_else_is_asked() {
    check(&[
        ("mul.f16",         &[0x7c01, 0x3c00],              0x7fff, &[]), // signalling
        ("mul.bf16",        &[0xffc0, 0x3f80],              0x7fff, &[]),
        ("mul.bf16",        &[0x7f80, 0x8000],              0x7fff, &[]), // ∞ × 0
        ("fma.rn.bf16",     &[0x7f80, 0x3f80, 0xff80],      0x7fff, &[]), // ∞ − ∞
        ("add.f32.f16",     &[0x7c00, 0xff80_0000],         0x7fff_ffff, &[]),
        ("sub.f32.f16",     &[0x7c00, 0x7f80_0000],         0x7fff_ffff, &[]),
        ("sub.f32.f16",     &[0x7c00, 0xff80_0000],         0x7f80_0000, &[]),
        ("fma.rz.f32.bf16", &[0x3f80, 0x3f80, 0x7f80_0001], 0x7fff_ffff, &[]),
    ]);
}

/// IEEE 754, 6.3: an exact zero sum of opposite signs is +0, in `.rm` −0.
#[test]
#[rustfmt::skip] // a table
fn exact_zero_results_have_the_sign_of_their_rounding() {
    const NEGATIVE: u64 = 0x8000_0000;
    check(&[
        ("add.f32.f16",     &[0x3c00, 0xbf80_0000],         0, &[]),
        ("add.rn.f32.f16",  &[0xbc00, 0x3f80_0000],         0, &[]),
        ("add.rz.f32.f16",  &[0x3c00, 0xbf80_0000],         0, &[]),
        ("add.rp.f32.f16",  &[0x3c00, 0xbf80_0000],         0, &[]),
        ("add.rm.f32.f16",  &[0x3c00, 0xbf80_0000],         NEGATIVE, &[]),
        ("add.rm.f32.f16",  &[0x0000, NEGATIVE],            NEGATIVE, &[]),
        ("add.rm.f32.f16",  &[0x0000, 0],                   0, &[]),
        ("add.rp.f32.f16",  &[0x8000, NEGATIVE],            NEGATIVE, &[]),
        ("sub.f32.f16",     &[0x8000, 0],                   NEGATIVE, &[]),
        ("sub.rm.f32.bf16", &[0x3f80, 0x3f80_0000],         NEGATIVE, &[]),
        ("sub.rp.f32.bf16", &[0x3f80, 0x3f80_0000],         0, &[]),
        ("fma.rm.f32.f16",  &[0x3c00, 0x4000, 0xc000_0000], NEGATIVE, &[]),
        ("fma.rn.f32.f16",  &[0x3c00, 0x4000, 0xc000_0000], 0, &[]),
        ("fma.rm.f32.f16",  &[0x8000, 0x3c00, 0],           NEGATIVE, &[]), // −0 + +0
        ("fma.rn.f16",      &[0x8000, 0x3c00, 0x0000],      0x0000, &[]),
        ("fma.rn.f16",      &[0x8000, 0x3c00, 0x8000],      0x8000, &[]),
        ("mul.f16",         &[0x8000, 0x3c00],              0x8000, &[]),
        ("mul.f16",         &[0x8001, 0x0001],              0x8000, &[]), // underflow keeps the sign
    ]);
}

/// IEEE 754, 7.4.
#[test]
#[rustfmt::skip] // a table
fn overflow_goes_by_the_rounding() {
    const MAX: u64 = 0x7f7f_ffff;
    const INF: u64 = 0x7f80_0000;
    const SIGN: u64 = 0x8000_0000;
    check(&[
        ("add.rn.f32.bf16", &[0x7f7f, MAX],        INF, &[]),
        ("add.rz.f32.bf16", &[0x7f7f, MAX],        MAX, &[]),
        ("add.rm.f32.bf16", &[0x7f7f, MAX],        MAX, &[]),
        ("add.rp.f32.bf16", &[0x7f7f, MAX],        INF, &[]),
        ("add.rn.f32.bf16", &[0xff7f, SIGN | MAX], SIGN | INF, &[]),
        ("add.rz.f32.bf16", &[0xff7f, SIGN | MAX], SIGN | MAX, &[]),
        ("add.rm.f32.bf16", &[0xff7f, SIGN | MAX], SIGN | INF, &[]),
        ("add.rp.f32.bf16", &[0xff7f, SIGN | MAX], SIGN | MAX, &[]),
        // Far less than half an ulp above the largest number.
        ("fma.rn.f32.f16",  &[0x7bff, 0x7bff, MAX], MAX, &[]),
        ("fma.rp.f32.f16",  &[0x7bff, 0x7bff, MAX], INF, &[]),
        ("fma.rz.f32.f16",  &[0x7bff, 0x7bff, MAX], MAX, &[]),
        ("mul.f16",         &[0x7bff, 0x4000],      0x7c00, &[]),
        ("mul.bf16",        &[0xff7f, 0x4000],      0xff80, &[]),
        ("fma.rz.f32.f16",  &[0x7c00, 0x3c00, MAX], INF, &[]), // an infinity is no overflow
    ]);
}

/// "No loss of precision in the intermediate product and addition."
#[test]
#[rustfmt::skip] // a table
fn fused_means_one_rounding() {
    check(&[
        // (1 + 2^-10)² − (1 + 2^-9) = 2^-20.
        ("fma.rn.f16",     &[0x3c01, 0x3c01, 0xbc02],           0x0010, &[]),
        // (1 + 2^-7)² − (1 + 2^-6) = 2^-14.
        ("fma.rn.bf16",    &[0x3f81, 0x3f81, 0xbf82],           0x3880, &[]),
        // (1 + 2^-3)(1 + 2^-5) = 1 + 2^-3 + 2^-5 + 2^-8 is a tie; ±2^-60 decides it.
        ("fma.rn.bf16",    &[0x3f90, 0x3f84, 0x2180],           0x3f95, &[]),
        ("fma.rn.bf16",    &[0x3f90, 0x3f84, 0xa180],           0x3f94, &[]),
        ("fma.rn.bf16",    &[0x3f90, 0x3f84, 0x0000],           0x3f94, &[]),
        // 1 − 2^-48 rounded towards zero or down is below 1; to nearest or up it is 1.
        ("fma.rz.f32.f16", &[0x8001, 0x0001, 0x3f80_0000],      0x3f7f_ffff, &[]),
        ("fma.rm.f32.f16", &[0x8001, 0x0001, 0x3f80_0000],      0x3f7f_ffff, &[]),
        ("fma.rn.f32.f16", &[0x8001, 0x0001, 0x3f80_0000],      0x3f80_0000, &[]),
        ("fma.rp.f32.f16", &[0x8001, 0x0001, 0x3f80_0000],      0x3f80_0000, &[]),
    ]);
}

/// "Subnormal numbers are supported", on both sides of a mixed instruction.
#[test]
#[rustfmt::skip] // a table
fn narrow_subnormals_convert_exactly() {
    check(&[
        ("add.f32.f16",    &[0x0001, 0],         0x3380_0000, &[]), // 2^-24
        ("add.f32.f16",    &[0x83ff, 0],         0xb87f_c000, &[]), // −1023 × 2^-24
        ("sub.f32.f16",    &[0x0001, 0x3380_0000], 0, &[]),
        ("fma.rn.f32.f16", &[0x0001, 0x0001, 0], 0x2780_0000, &[]), // 2^-48
        ("add.f32.bf16",   &[0x0001, 0],         0x0001_0000, &[]), // 2^-133
        ("add.f32.bf16",   &[0x0000, 0x0000_0001], 0x0000_0001, &[]),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn lanes_are_independent_and_lane_0_is_low() {
    check(&[
        ("mul.f16x2",      &[0x7e00_3c00, 0x3c00_4000],              0x7fff_4000, &[]),
        ("mul.f16x2",      &[0x4000_3c00, 0x3c00_3c00],              0x4000_3c00, &[]),
        ("mul.bf16x2",     &[0x3f80_7f80, 0x4000_0000],              0x4000_7fff, &[]),
        ("mul.sat.f16x2",  &[0x4000_bc00, 0x3c00_3c00],              0x3c00_0000, &[]),
        ("fma.rn.bf16x2",  &[0x4000_3f80, 0x3f80_3f80, 0xc000_3f80], 0x0000_4000, &[]),
    ]);
}
