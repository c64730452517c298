//! 9.7.10.24: conversions between formats of 16 bits and more, and integers.

use super::check;

const ONE: u64 = 0x3f80_0000;
const INF: u64 = 0x7f80_0000;
const NAN: u64 = 0x7fff_ffff;
const QUIET: u64 = 0x7fc0_0000;
const SIGN: u64 = 0x8000_0000;

#[test]
#[rustfmt::skip] // a table
fn floats_to_integers_round_and_clamp() {
    check(&[
        ("cvt.rni.s32.f32",     &[0x4020_0000],      2, &[]),           // 2.5
        ("cvt.rni.s32.f32",     &[0x4060_0000],      4, &[]),           // 3.5
        ("cvt.rni.s32.f32",     &[0xc020_0000],      0xffff_fffe, &[]), // −2.5
        ("cvt.rzi.s32.f32",     &[0xc020_0000],      0xffff_fffe, &[]),
        ("cvt.rmi.s32.f32",     &[0xc020_0000],      0xffff_fffd, &[]),
        ("cvt.rpi.s32.f32",     &[0xc020_0000],      0xffff_fffe, &[]),
        ("cvt.rpi.s32.f32",     &[0x4020_0000],      3, &[]),
        ("cvt.rzi.s32.f32",     &[0x4f00_0000],      0x7fff_ffff, &[]), // 2^31
        ("cvt.rzi.s32.f32",     &[0xcf00_0000],      0x8000_0000, &[]),
        ("cvt.rzi.s32.f32",     &[0xcf00_0001],      0x8000_0000, &[]),
        ("cvt.rzi.s32.f32",     &[SIGN | INF],       0x8000_0000, &[]),
        ("cvt.rzi.u32.f32",     &[SIGN | ONE],       0, &[]),
        ("cvt.rzi.u32.f32",     &[0x4f80_0000],      0xffff_ffff, &[]), // 2^32
        ("cvt.rni.u8.f32",      &[0x437f_8000],      0xff, &[]),        // 255.5
        ("cvt.rzi.s8.f32",      &[0xc301_0000],      0x80, &[]),        // −129
        ("cvt.rni.sat.u8.f32",  &[SIGN | ONE],       0, &[]),
        ("cvt.rni.s16.f16",     &[0x7bff],           0x7fff, &[]),      // 65504
        ("cvt.rzi.u16.f16",     &[0x7bff],           0xffe0, &[]),
        ("cvt.rzi.s64.f32",     &[0x5f00_0000],      0x7fff_ffff_ffff_ffff, &[]), // 2^63
        ("cvt.rzi.u64.f32",     &[0x5f00_0000],      0x8000_0000_0000_0000, &[]),
        ("cvt.rzi.u64.f32",     &[0x5f80_0000],      u64::MAX, &[]),
        ("cvt.rmi.s32.f32",     &[SIGN | 1],         0xffff_ffff, &[]),
        ("cvt.rmi.ftz.s32.f32", &[SIGN | 1],         0, &[]),
        ("cvt.rpi.u32.f32",     &[1],                1, &[]),
        ("cvt.rpi.ftz.u32.f32", &[1],                0, &[]),
        ("cvt.rpi.s32.f64",     &[1],                1, &[]),
        ("cvt.rpi.s16.bf16",    &[0x0001],           1, &[]),
    ]);
}

/// "Zero if source is not .f64 and destination is not .s64, .u64; otherwise 1 << (BitWidth(dst) - 1)."
#[test]
#[rustfmt::skip] // a table
fn nan_to_integers() {
    const NAN_64: u64 = 0xfff8_0000_0000_0001;
    check(&[
        ("cvt.rni.s32.f32",  &[QUIET],  0, &[]),
        ("cvt.rni.u32.f32",  &[0xff80_0001], 0, &[]),
        ("cvt.rni.u8.bf16",  &[0x7fc0], 0, &[]),
        ("cvt.rni.s16.f16",  &[0xfe00], 0, &[]),
        ("cvt.rni.s64.f32",  &[QUIET],  1 << 63, &[]),
        ("cvt.rni.u64.f16",  &[0x7e00], 1 << 63, &[]),
        ("cvt.rni.u64.bf16", &[0x7f81], 1 << 63, &[]),
        ("cvt.rzi.s32.f64",  &[NAN_64], 0x8000_0000, &[]),
        ("cvt.rzi.u32.f64",  &[NAN_64], 0x8000_0000, &[]),
        ("cvt.rzi.u16.f64",  &[NAN_64], 0x8000, &[]),
        ("cvt.rzi.u8.f64",   &[NAN_64], 0x80, &[]),
        ("cvt.rzi.s8.f64",   &[NAN_64], 0x80, &[]),
        ("cvt.rzi.s64.f64",  &[NAN_64], 1 << 63, &[]),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn integers_to_floats_round_once() {
    check(&[
        ("cvt.rn.f32.u32", &[0x0100_0001], 0x4b80_0000, &[]), // 2^24 + 1 is a tie
        ("cvt.rn.f32.u32", &[0x0100_0003], 0x4b80_0002, &[]),
        ("cvt.rz.f32.u32", &[0x0100_0003], 0x4b80_0001, &[]),
        ("cvt.rp.f32.u32", &[0x0100_0001], 0x4b80_0001, &[]),
        ("cvt.rn.f32.u32", &[0xffff_ffff], 0x4f80_0000, &[]),
        ("cvt.rz.f32.u32", &[0xffff_ffff], 0x4f7f_ffff, &[]),
        ("cvt.rn.f32.s32", &[0xffff_ffff], 0xbf80_0000, &[]),
        ("cvt.rn.f32.s32", &[0x8000_0000], 0xcf00_0000, &[]),
        ("cvt.rm.f32.s32", &[0],           0, &[]),
        ("cvt.rn.f32.s64", &[1 << 63],     0xdf00_0000, &[]),
        // 2^62 + 2^38 + 1 is above a tie, which f64 on the way would not see.
        ("cvt.rn.f32.s64", &[0x4000_0040_0000_0001], 0x5e80_0001, &[]),
        ("cvt.rn.f64.s64", &[0x0020_0000_0000_0001], 0x4340_0000_0000_0000, &[]), // 2^53 + 1
        ("cvt.rn.f64.u64", &[u64::MAX],              0x43f0_0000_0000_0000, &[]),
        // 65520 is half-way between the largest number of f16 and 2^16.
        ("cvt.rn.f16.u32", &[65519],       0x7bff, &[]),
        ("cvt.rn.f16.u32", &[65520],       0x7c00, &[]),
        ("cvt.rz.f16.u32", &[0xffff_ffff], 0x7bff, &[]),
        ("cvt.rm.f16.u32", &[0xffff_ffff], 0x7bff, &[]),
        ("cvt.rp.f16.u32", &[65505],       0x7c00, &[]),
        ("cvt.rp.f16.s32", &[0xfffe_ee90], 0xfbff, &[]),      // −70000
        ("cvt.rn.f16.u8",  &[0xff],        0x5bf8, &[]),
        ("cvt.rn.bf16.s16", &[257],        0x4380, &[]),      // between 256 and 258
        ("cvt.rn.bf16.s16", &[259],        0x4382, &[]),      // between 258 and 260
        ("cvt.rn.sat.f32.s32", &[5],           ONE, &[]),
        ("cvt.rn.sat.f32.s32", &[0xffff_fffb], 0, &[]),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn narrowing_rounds_once() {
    check(&[
        ("cvt.rn.f16.f32", &[0x3f80_1000], 0x3c00, &[]), // 1 + 2^-11, a tie
        ("cvt.rn.f16.f32", &[0x3f80_3000], 0x3c02, &[]), // 1 + 3 × 2^-11
        ("cvt.rz.f16.f32", &[0x3f80_3000], 0x3c01, &[]),
        ("cvt.rp.f16.f32", &[0x3f80_1000], 0x3c01, &[]),
        ("cvt.rn.f16.f32", &[0x477f_f000], 0x7c00, &[]), // 65520
        ("cvt.rn.f16.f32", &[0x477f_efff], 0x7bff, &[]),
        ("cvt.rz.f16.f32", &[0x477f_f000], 0x7bff, &[]),
        ("cvt.rn.f16.f32", &[0x3300_0000], 0x0000, &[]), // 2^-25
        ("cvt.rn.f16.f32", &[0x3300_0001], 0x0001, &[]),
        ("cvt.rn.f16.f32", &[0xff80_0001], 0x7fff, &[]),
        ("cvt.rn.sat.f16.f32", &[0x4000_0000], 0x3c00, &[]),
        ("cvt.rn.sat.f16.f32", &[QUIET],       0, &[]),
        ("cvt.rn.sat.f16.f32", &[SIGN],        0, &[0x8000]),
        ("cvt.rn.bf16.f32", &[0x3f80_8000], 0x3f80, &[]),
        ("cvt.rn.bf16.f32", &[0x3f81_8000], 0x3f82, &[]),
        ("cvt.rn.bf16.f32", &[0x007f_ffff], 0x0080, &[]),
        // 1 + 2^-8 + 2^-40 is above a tie, which f32 on the way would not see.
        ("cvt.rn.bf16.f64", &[0x3ff0_1000_0000_1000], 0x3f81, &[]),
        ("cvt.rn.f32.f64",  &[0x3ff0_0000_1000_0000], ONE, &[]), // 1 + 2^-24
        ("cvt.rn.f32.f64",  &[0x3ff0_0000_1000_0001], ONE + 1, &[]),
        ("cvt.rn.f16.bf16", &[0x4780], 0x7c00, &[]),             // 2^16
        ("cvt.rz.f16.bf16", &[0x4780], 0x7bff, &[]),
        ("cvt.rn.bf16.f16", &[0x3c01], 0x3f80, &[]),
        ("cvt.rp.bf16.f16", &[0x3c01], 0x3f81, &[]),
        ("cvt.rn.f16x2.f32",  &[ONE, 0x4000_0000], 0x3c00_4000, &[]), // a is the upper half
        ("cvt.rn.bf16x2.f32", &[ONE, 0x4000_0000], 0x3f80_4000, &[]),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn clamps_of_conversions() {
    check(&[
        ("cvt.rn.relu.f16.f32",           &[SIGN | ONE],   0, &[]),
        ("cvt.rn.relu.f16.f32",           &[0xffc0_0000],  0x7fff, &[]),
        ("cvt.rn.relu.f16.f32",           &[SIGN],         0, &[0x8000]), // zero-sign
        ("cvt.rn.satfinite.f16.f32",      &[INF],          0x7bff, &[]),
        ("cvt.rn.satfinite.f16.f32",      &[SIGN | INF],   0xfbff, &[]),
        ("cvt.rn.satfinite.f16.f32",      &[0x4780_0000],  0x7bff, &[]),
        ("cvt.rn.satfinite.f16.f32",      &[QUIET],        0x7fff, &[]),
        ("cvt.rn.relu.satfinite.f16.f32", &[SIGN | INF],   0, &[]),
        ("cvt.rn.pzo.f16.f32",            &[SIGN],         0, &[]),
        ("cvt.rn.pzo.f16.f32",            &[SIGN | 1],     0, &[]),       // rounded to −0
        ("cvt.rn.pzo.f16.f32",            &[SIGN | ONE],   0xbc00, &[]),
        ("cvt.rz.satfinite.bf16.f32",     &[SIGN | INF],   0xff7f, &[]),
        ("cvt.rz.satfinite.bf16x2.f32",   &[0x7f7f_ffff, INF], 0x7f7f_7f7f, &[]),
    ]);
}

/// Widening is exact, and a conversion without one as well.
#[test]
#[rustfmt::skip] // a table
fn widening_and_integral_values() {
    check(&[
        ("cvt.f32.f16",      &[0x0001],      0x3380_0000, &[]),
        ("cvt.f32.f16",      &[0xfc01],      NAN, &[]),
        ("cvt.sat.f32.f16",  &[0x8000],      0, &[SIGN]),
        ("cvt.f32.bf16",     &[0x0001],      0x0001_0000, &[]),
        ("cvt.f32.bf16",     &[0x7f81],      NAN, &[]),
        ("cvt.f64.f32",      &[1],           0x36a0_0000_0000_0000, &[]), // 2^-149
        ("cvt.f64.bf16",     &[0xff80],      0xfff0_0000_0000_0000, &[]),
        ("cvt.f32.f32",      &[0x7f80_0001], NAN, &[]),
        ("cvt.f32.f32",      &[SIGN | 1],    SIGN | 1, &[]),
        ("cvt.rni.f32.f32",  &[0xbe99_999a], SIGN, &[]),      // −0.3
        ("cvt.rni.f32.f32",  &[0x3f00_0000], 0, &[]),         // 0.5
        ("cvt.rni.f32.f32",  &[0x3fc0_0000], 0x4000_0000, &[]), // 1.5
        ("cvt.rmi.f32.f32",  &[0xbe99_999a], SIGN | ONE, &[]),
        ("cvt.rpi.f32.f32",  &[0xbe99_999a], SIGN, &[]),
        ("cvt.rpi.f32.f32",  &[1],           ONE, &[]),
        ("cvt.rpi.ftz.f32.f32", &[1],        0, &[]),
        ("cvt.rmi.f32.f32",  &[INF],         INF, &[]),
        ("cvt.rzi.sat.f32.f32", &[0x3ff3_3333], ONE, &[]),    // 1.9
        ("cvt.rzi.sat.f32.f32", &[0xbe99_999a], 0, &[SIGN]),
        ("cvt.rni.f64.f64",  &[0x7ff0_0000_0000_0001], 0x7ff8_0000_0000_0000, &[]),
        ("cvt.rni.f16.f16",  &[0x6401],      0x6401, &[]),    // 1025
        ("cvt.rpi.bf16.bf16", &[0x0001],     0x3f80, &[]),
    ]);
}

/// `.ftz` of a conversion concerns data of f32 alone.
#[test]
#[rustfmt::skip] // a table
fn ftz_of_conversions() {
    check(&[
        // What is compiled does not flush the input here.
        ("cvt.rp.ftz.f16.f32",  &[1],           0x0001, &[0]),
        ("cvt.rp.f16.f32",      &[1],           0x0001, &[]),
        ("cvt.rp.bf16.f32",     &[1],           0x0001, &[]),
        ("cvt.rp.ftz.bf16.f32", &[1],           0x0000, &[]),
        ("cvt.rn.ftz.bf16.f32", &[0x807f_ffff], 0x8000, &[]),
        ("cvt.ftz.f32.f16",     &[0x0001],      0x3380_0000, &[]),
        ("cvt.ftz.f32.bf16",    &[0x8001],      SIGN, &[]),
        ("cvt.ftz.f64.f32",     &[1],           0, &[]),
        ("cvt.ftz.f32.f32",     &[SIGN | 1],    SIGN, &[]),
        // 2^-126 (1 − 2^-26): rounding to 24 bits carries it up; to subnormals as well.
        ("cvt.rn.ftz.f32.f64",  &[0x380f_ffff_f800_0000], 0, &[0x0080_0000]),
        // 2^-126 (1 − 2^-24): only rounding to subnormals does.
        ("cvt.rn.ftz.f32.f64",  &[0x380f_ffff_e000_0000], 0, &[0x0080_0000]),
        ("cvt.rz.ftz.f32.f64",  &[0x380f_ffff_e000_0000], 0, &[]),
        ("cvt.rn.f32.f64",      &[0x380f_ffff_e000_0000], 0x0080_0000, &[]),
    ]);
}

/// The 19 bits of tf32 are the upper ones; other readings are in its own bits.
#[test]
#[rustfmt::skip] // a table
fn tf32() {
    check(&[
        ("cvt.rna.tf32.f32", &[0x3f80_1000], 0x3f80_2000, &[]), // a tie, away
        ("cvt.rna.tf32.f32", &[0x3f80_0fff], 0x3f80_0000, &[]),
        ("cvt.rna.tf32.f32", &[0xbf80_1000], 0xbf80_2000, &[]),
        ("cvt.rna.tf32.f32", &[0x0000_1000], 0x0000_2000, &[]), // a subnormal tie
        ("cvt.rna.tf32.f32", &[0x7f7f_ffff], INF, &[]),
        ("cvt.rna.satfinite.tf32.f32", &[0x7f7f_ffff], 0x7f7f_e000, &[]),
        // Integer code may cut the payload off: an infinity, and another NaN.
        ("cvt.rna.tf32.f32", &[0x7f80_0001], 0x7fff_e000, &[0x3_fc00]),
        ("cvt.rna.tf32.f32", &[QUIET],       0x7fff_e000, &[0x3_fe00]),
        ("cvt.rn.tf32.f32",  &[0x3f80_1000], 0x3f80_0000, &[]),
        ("cvt.rn.tf32.f32",  &[0x3f80_3000], 0x3f80_4000, &[]),
        ("cvt.rz.tf32.f32",  &[0x3f80_3fff], 0x3f80_2000, &[]),
        ("cvt.rn.tf32.f32",  &[QUIET],       0x7fff_e000, &[]),
        ("cvt.rn.relu.tf32.f32", &[SIGN | ONE], 0, &[]),
        ("cvt.rz.pzo.tf32.f32",  &[SIGN],       0, &[]),
    ]);
}

/// "Rounds away from zero where the random bits and those discarded carry"; 13 bits of either half
/// for f16x2, 16 for bf16x2, the upper half for a.
#[test]
#[rustfmt::skip] // a table
fn stochastic_rounding_to_pairs() {
    check(&[
        ("cvt.rs.f16x2.f32",  &[0x3f80_0001, 0x3f80_0001, 0x1fff_1ffe], 0x3c01_3c00, &[]),
        ("cvt.rs.f16x2.f32",  &[0x3f80_1fff, 0x3f80_1fff, 0x0000_0001], 0x3c00_3c01, &[]),
        ("cvt.rs.f16x2.f32",  &[0x3f80_0001, 0x3f80_1fff, 0xffff_e000], 0x3c01_3c00, &[]), // 3 bits ignored
        ("cvt.rs.f16x2.f32",  &[0x3f80_1000, 0x3f80_1000, 0x1000_0fff], 0x3c01_3c00, &[]),
        ("cvt.rs.f16x2.f32",  &[0xbf80_0001, 0xbf80_0001, 0x0000_1fff], 0xbc00_bc01, &[]),
        // Below the smallest number: 2^-25 discards one half, 2^-37 the last bit, 2^-38 nothing seen.
        ("cvt.rs.f16x2.f32",  &[0x3300_0000, 0x3300_0000, 0x1000_0fff], 0x0001_0000, &[]),
        ("cvt.rs.f16x2.f32",  &[0x2d00_0000, 0x2c80_0000, 0x1fff_1fff], 0x0001_0000, &[]),
        // Just below 65536.
        ("cvt.rs.f16x2.f32",  &[0x477f_ffff, 0x477f_ffff, 0x0001_0000], 0x7c00_7bff, &[]),
        ("cvt.rs.satfinite.f16x2.f32", &[0x477f_ffff, 0xff80_0000, 0x0001_0000], 0x7bff_fbff, &[]),
        ("cvt.rs.bf16x2.f32", &[0x3f80_0001, 0x3f80_0001, 0xffff_fffe], 0x3f81_3f80, &[]),
        ("cvt.rs.relu.bf16x2.f32", &[0xbf80_0001, 0xffc0_0000, 0xffff_0000], 0x0000_7fff, &[]),
    ]);
}
