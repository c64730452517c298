//! 9.7.10.24: conversions to and from formats of 8 bits and fewer, and the casts that PTX lacks.

use super::check;

const ONE: u64 = 0x3f80_0000;
const INF: u64 = 0x7f80_0000;
const NAN: u64 = 0x7fff_ffff;
const QUIET: u64 = 0x7fc0_0000;
const SIGN: u64 = 0x8000_0000;

/// a is the upper half. NaN is canonical, "and without one positive MAX_NORM".
#[test]
#[rustfmt::skip] // a table
fn narrow_formats_saturate() {
    check(&[
        ("cvt.rn.satfinite.e4m3x2.f32", &[0x43e0_0000, 0x43e8_0000], 0x7e7e, &[]), // 448, 464
        ("cvt.rn.satfinite.e4m3x2.f32", &[0xffc0_0000, SIGN | INF],  0x7ffe, &[]),
        ("cvt.rn.satfinite.e4m3x2.f32", &[0x3b00_0000, 0xba80_0000], 0x0180, &[]), // 2^-9, −2^-10
        ("cvt.rn.satfinite.e4m3x2.f32", &[0x3f88_0000, 0x3f98_0000], 0x383a, &[]), // 1 1/16, 1 3/16
        ("cvt.rn.satfinite.e5m2x2.f32", &[INF, 0xffc0_0000],         0x7b7f, &[]),
        ("cvt.rn.satfinite.e5m2x2.f32", &[0x4770_0000, 0x3fb0_0000], 0x7b3e, &[]), // 61440, 1.375
        ("cvt.rn.satfinite.e2m3x2.f32", &[0xffc0_0000, 0xc100_0000], 0x1f3f, &[]), // NaN, −8
        ("cvt.rn.satfinite.e2m3x2.f32", &[0x3d80_0000, 0x3e00_0000], 0x0001, &[]), // 2^-4, 2^-3
        ("cvt.rn.satfinite.e3m2x2.f32", &[QUIET, SIGN | INF],        0x1f3f, &[]),
        ("cvt.rn.satfinite.e3m2x2.f32", &[0x41e0_0000, 0x41f0_0000], 0x1f1f, &[]), // 28, 30
        ("cvt.rn.satfinite.e2m1x2.f32", &[0xffc0_0000, 0xc0c0_0000], 0x7f, &[]),   // NaN, −6
        ("cvt.rn.satfinite.e2m1x2.f32", &[0x4020_0000, 0x40a0_0000], 0x46, &[]),   // 2.5, 5
        ("cvt.rn.satfinite.e2m1x2.f32", &[0x3e80_0000, 0x3f40_0000], 0x02, &[]),   // 0.25, 0.75
        ("cvt.rz.satfinite.e2m1x2.f32", &[0x40bc_cccd, QUIET],       0x67, &[]),   // 5.9
        ("cvt.rn.satfinite.relu.e4m3x2.f32", &[SIGN | ONE, 0xffc0_0000], 0x007f, &[]),
        ("cvt.rn.satfinite.relu.e2m1x2.f32", &[0xffc0_0000, SIGN],   0x70, &[0x8]), // zero-sign
        ("cvt.rn.satfinite.pzo.e2m1x2.f32",  &[0xbdcc_cccd, SIGN | ONE], 0x0a, &[]), // −0.1, −1
        ("cvt.rn.satfinite.e4m3x2.f16x2",    &[0x7c00_fc00],         0x7efe, &[]),
        ("cvt.rn.satfinite.e4m3x2.bf16x2",   &[0x3f80_bf80],         0x38b8, &[]),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn narrow_formats_widen_exactly() {
    check(&[
        ("cvt.rn.f16x2.e4m3x2",      &[0x7fff], 0x7fff_7fff, &[]),
        ("cvt.rn.f16x2.e4m3x2",      &[0x0180], 0x1800_8000, &[]), // 2^-9, −0
        ("cvt.rn.f16x2.e5m2x2",      &[0x7cfc], 0x7c00_fc00, &[]),
        ("cvt.rn.f16x2.e5m2x2",      &[0x01fd], 0x0100_7fff, &[]), // 2^-16
        ("cvt.rn.f16x2.e2m1x2",      &[0x1f],   0x3800_c600, &[]), // 0.5, −6
        ("cvt.rn.relu.f16x2.e2m1x2", &[0x1f],   0x3800_0000, &[]),
        ("cvt.rn.f16x2.e3m2x2",      &[0x011f], 0x2c00_4f00, &[]), // 2^-4, 28
        ("cvt.rn.bf16x2.e4m3x2",     &[0x7e38], 0x43e0_3f80, &[]), // 448, 1
        ("cvt.rn.satfinite.bf16x2.e5m2x2", &[0x7cfc], 0x7f7f_ff7f, &[]),
    ]);
}

/// Magnitudes only, powers of two only.
#[test]
#[rustfmt::skip] // a table
fn ue8m0() {
    check(&[
        ("cvt.rz.ue8m0x2.f32",    &[0x3fc0_0000, 0xc040_0000], 0x7f80, &[0]), // 1.5, −3 or zero
        ("cvt.rp.ue8m0x2.f32",    &[0x3fc0_0000, 0x4040_0000], 0x8081, &[]),
        ("cvt.rp.ue8m0x2.f32",    &[ONE, 0x3f80_0001],         0x7f80, &[]),
        ("cvt.rz.ue8m0x2.f32",    &[0, QUIET],                 0x00ff, &[]),
        ("cvt.rz.ue8m0x2.f32",    &[0x7f7f_ffff, INF],         0xfeff, &[]),
        ("cvt.rp.ue8m0x2.f32",    &[0x7f7f_ffff, INF],         0xffff, &[]),
        ("cvt.rp.satfinite.ue8m0x2.f32", &[0x7f7f_ffff, INF],  0xfefe, &[]),
        ("cvt.rp.satfinite.ue8m0x2.f32", &[QUIET, 1],          0xff00, &[]),
        ("cvt.rp.ue8m0x2.f32",    &[0x0040_0000, 0x0040_0001], 0x0001, &[]), // 2^-127, and above
        ("cvt.rz.ue8m0x2.f32",    &[0x0080_0000, 0x007f_ffff], 0x0100, &[]),
        ("cvt.rp.ue8m0x2.bf16x2", &[0x0041_3f80],              0x017f, &[]),
        ("cvt.rn.bf16x2.ue8m0x2", &[0x00ff],                   0x0040_7fff, &[]),
        ("cvt.rn.bf16x2.ue8m0x2", &[0xfe7f],                   0x7f00_3f80, &[]),
    ]);
}

/// 1.75 × 2^16 is its largest number; the next place is NaN's.
#[test]
#[rustfmt::skip] // a table
fn ue5m3() {
    check(&[
        ("cvt.rn.ue5m3x2.f32",           &[0x47e0_0000, ONE],         0xfe78, &[]),
        ("cvt.rn.ue5m3x2.f32",           &[0x47e8_0000, 0x47e8_0001], 0xfeff, &[]), // a tie, and above
        ("cvt.rz.ue5m3x2.f32",           &[0x47f0_0000, INF],         0xfeff, &[]),
        ("cvt.rp.ue5m3x2.f32",           &[0x47e0_0001, 0x3680_0000], 0xff01, &[]),
        ("cvt.rn.satfinite.ue5m3x2.f32", &[0x47f0_0000, INF],         0xfefe, &[]),
        ("cvt.rn.satfinite.ue5m3x2.f32", &[QUIET, SIGN | ONE],        0xff78, &[0]), // −1: 1 or zero
        ("cvt.rn.ue5m3x2.f32",           &[0x3700_0000, 0x3680_0000], 0x0100, &[]), // 2^-17, 2^-18
        ("cvt.rn.ue5m3x2.f16x2",         &[0x3c00_3c80],              0x7879, &[]), // 1, 1.125
        ("cvt.rn.f16x2.ue5m3x2",         &[0xfe01],                   0x7c00_0080, &[]), // too large
        ("cvt.rn.bf16x2.ue5m3x2",        &[0xfeff],                   0x47e0_7fff, &[]),
    ]);
}

/// Two's complement in units of 2^-6; "sign-preserved MAX_NORM" may be −127 or −128 of them.
#[test]
#[rustfmt::skip] // a table
fn s2f6() {
    check(&[
        ("cvt.rn.satfinite.s2f6x2.f32",      &[ONE, SIGN | ONE],           0x40c0, &[]),
        ("cvt.rn.satfinite.s2f6x2.f32",      &[0x4000_0000, QUIET],        0x7f7f, &[]),
        ("cvt.rn.satfinite.s2f6x2.f32",      &[0xc000_0000, SIGN | INF],   0x8181, &[0x80]),
        ("cvt.rn.satfinite.s2f6x2.f32",      &[0xbffe_0000, 0xbfff_0000],  0x8181, &[0x80]), // −127, −127.5
        ("cvt.rn.satfinite.s2f6x2.f32",      &[0x3c00_0000, 0x3cc0_0000],  0x0002, &[]), // 0.5, 1.5
        ("cvt.rz.satfinite.s2f6x2.f32",      &[0xbffe_b852, 0x3cc0_0000],  0x8101, &[]), // −127.36, 1.5
        ("cvt.rn.satfinite.relu.s2f6x2.f32", &[SIGN | ONE, SIGN | INF],    0x0000, &[]),
        ("cvt.rn.satfinite.s2f6x2.bf16x2",   &[0x3f00_bf00],               0x20e0, &[]),
        ("cvt.rn.bf16x2.s2f6x2",             &[0x8140],                    0xbffe_3f80, &[]),
        ("cvt.rn.bf16x2.s2f6x2",             &[0x8000],                    0xc000_0000, &[]),
        ("cvt.rn.relu.bf16x2.s2f6x2",        &[0x817f],                    0x0000_3ffe, &[]),
    ]);
}

/// Upwards, each lane times its own power of two; downwards, both divided by the same.
#[test]
#[rustfmt::skip] // a table
fn scaled() {
    check(&[
        ("cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2",           &[0x3838, 0x807f], 0x4000_3f80, &[]),
        ("cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2",           &[0x3838, 0xff00], 0x7fff_0040, &[]),
        ("cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2",           &[0x7efe, 0xfefe], 0x7f80_ff80, &[]),
        ("cvt.rn.satfinite.scaled::n2::ue8m0.bf16x2.e4m3x2", &[0x7efe, 0xfefe], 0x7f7f_ff7f, &[]),
        ("cvt.rn.satfinite.scaled::n2::ue8m0.bf16x2.e5m2x2", &[0x7cfc, 0x7f00], 0x7f7f_ff7f, &[]),
        // 1.375 and 1.5 of the smallest number.
        ("cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2",           &[0x0b0c, 0x0000], 0x0001_0002, &[]),
        ("cvt.rn.relu.scaled::n2::ue8m0.bf16x2.e4m3x2",      &[0xb838, 0x7f7f], 0x0000_3f80, &[]),
        ("cvt.rn.scaled::n2::ue8m0.bf16x2.s2f6x2",           &[0x8040, 0x7e80], 0xbf80_4000, &[]),
        ("cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32",
            &[0x4000_0000, 0x4000_0000, 0x8081],                                0x4020, &[]),
        ("cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32", &[ONE, ONE, 0xff7f],  0x7f40, &[]),
        ("cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32",
            &[0x4000_0000, 0xc080_0000, 0x80],                                  0x38c0, &[]),
        ("cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32", &[ONE, SIGN, 0xff],   0x7f7f, &[]),
        ("cvt.rn.satfinite.scaled::n1::ue8m0.e2m1x2.f32", &[ONE, SIGN | ONE, 0xff], 0x77, &[]),
        // "Subnormal values for inputs a and b are flushed": times 2^127 they would be numbers.
        ("cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32", &[0x007f_ffff, 0x0080_0000, 0], 0x0040, &[]),
        ("cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f16x2", &[0x0001_8001, 0x67], 0x0080, &[]),
        ("cvt.rz.scaled::n1::ue8m0.ue5m3x2.f32", &[0x4780_0000, 0x4780_0000, 0x7e], 0xfefe, &[]), // 2^17
    ]);
}

/// The fields of 0x12345678 that were measured: 2c48, 1234, 1e6a and 5678 for a, b, e and f, in e2m1
/// 6a48, 1256, 1e2c and 3478. Each lane discards just as much as carries, then one less.
#[test]
#[rustfmt::skip] // a table
fn stochastic_rounding_to_four() {
    const RANDOM: u64 = 0x1234_5678;
    check(&[
        ("cvt.rs.satfinite.e4m3x4.f32",
            &[0x3f8d_3b80, 0x3f8e_dcc0, 0x3f8e_1960, 0x3f8a_9880, RANDOM], 0x3939_3939, &[0x38]),
        ("cvt.rs.satfinite.e4m3x4.f32",
            &[0x3f8d_3b70, 0x3f8e_dcb0, 0x3f8e_1950, 0x3f8a_9870, RANDOM], 0x3838_3838, &[0x39]),
        ("cvt.rs.satfinite.e2m1x4.f32",
            &[0x3fa5_6e00, 0x3fbb_6a80, 0x3fb8_7500, 0x3fb2_e200, RANDOM], 0x3333, &[0x2]),
        ("cvt.rs.satfinite.e2m1x4.f32",
            &[0x3fa5_6dc0, 0x3fbb_6a40, 0x3fb8_74c0, 0x3fb2_e1c0, RANDOM], 0x2222, &[0x3]),
        ("cvt.rs.satfinite.e4m3x4.f32", &[INF, SIGN | INF, QUIET, 0, RANDOM], 0x7efe_7f00, &[]),
        ("cvt.rs.relu.satfinite.e3m2x4.f32", &[QUIET, SIGN | ONE, ONE, INF, 0], 0x1f00_0c1f, &[]),
    ]);
}

/// Formats of ML libraries: no −0, no infinity, one NaN.
#[test]
#[rustfmt::skip] // a table
fn casts() {
    check(&[
        ("cast.rn.e4m3fnuz.f32",           &[SIGN],        0x00, &[]),
        ("cast.rn.e4m3fnuz.f32",           &[QUIET],       0x80, &[]),
        ("cast.rn.e4m3fnuz.f32",           &[ONE],         0x40, &[]),
        ("cast.rn.e4m3fnuz.f32",           &[0x4370_0000], 0x7f, &[]), // 240
        ("cast.rn.e4m3fnuz.f32",           &[0x4378_0000], 0x80, &[]), // 248, a tie with 256
        ("cast.rna.e4m3fnuz.f32",          &[0xc378_0000], 0x80, &[]),
        ("cast.rz.e4m3fnuz.f32",           &[0x4378_0000], 0x7f, &[]),
        ("cast.rz.e4m3fnuz.f32",           &[INF],         0x80, &[]),
        ("cast.rn.satfinite.e4m3fnuz.f32", &[0x4378_0000], 0x7f, &[]),
        ("cast.rn.satfinite.e4m3fnuz.f32", &[SIGN | INF],  0xff, &[]),
        ("cast.rn.satfinite.e4m3fnuz.f32", &[QUIET],       0x80, &[]),
        ("cast.rn.e4m3fnuz.f32",           &[0xba00_0000], 0x00, &[]), // −2^-11, a tie with −0
        ("cast.rna.e4m3fnuz.f32",          &[0xba00_0000], 0x81, &[]),
        ("cast.rp.e4m3fnuz.f32",           &[0xba00_0001], 0x00, &[]),
        ("cast.rna.e4m3.f32",              &[0x3f88_0000], 0x39, &[]), // 1 1/16
        ("cast.rn.e4m3.f32",               &[0x3f88_0000], 0x38, &[]),
        ("cast.rn.e4m3.f32",               &[0x43e8_0000], 0x7e, &[]), // 464, a tie with NaN's place
        ("cast.rn.e4m3.f32",               &[0x43e8_0001], 0x7f, &[]),
        ("cast.rna.e4m3.f32",              &[0x43e8_0000], 0x7f, &[]),
        ("cast.rz.e4m3.f32",               &[0x43fa_0000], 0x7e, &[]), // 500
        ("cast.rn.satfinite.e4m3.f32",     &[SIGN | INF],  0xfe, &[]),
        ("cast.rn.e5m2.f32",               &[SIGN | INF],  0xfc, &[]),
        ("cast.rn.e5m2.f32",               &[0x4770_0000], 0x7c, &[]), // 61440
        ("cast.rz.e5m2.f16",               &[0x7bff],      0x7b, &[]),
        ("cast.rn.satfinite.e5m2.bf16",    &[0x7f80],      0x7b, &[]),
        ("cast.rp.e5m2fnuz.f32",           &[1],           0x01, &[]),
        ("cast.rp.e5m2fnuz.f32",           &[SIGN | 1],    0x00, &[]),
        ("cast.rp.e5m2fnuz.f32",           &[0x4760_0100], 0x80, &[]), // 57345
        ("cast.rp.e5m2fnuz.f32",           &[0xc760_0100], 0xff, &[]),
        ("cast.f32.e4m3fnuz",              &[0x80],        NAN, &[]),
        ("cast.f32.e4m3fnuz",              &[0x7f],        0x4370_0000, &[]),
        ("cast.f32.e4m3fnuz",              &[0x01],        0x3a80_0000, &[]), // 2^-10
        ("cast.f16.e5m2fnuz",              &[0x01],        0x0080, &[]),      // 2^-17
        ("cast.f32.e4m3",                  &[0xff],        NAN, &[]),
        ("cast.bf16.e5m2",                 &[0xfc],        0xff80, &[]),
    ]);
}
