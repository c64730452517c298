//! 9.7.3: single and double precision.

use super::check;

const ONE: u64 = 0x3f80_0000;
const INF: u64 = 0x7f80_0000;
const MAX: u64 = 0x7f7f_ffff;
const NAN: u64 = 0x7fff_ffff;
const SIGN: u64 = 0x8000_0000;
const ONE_64: u64 = 0x3ff0_0000_0000_0000;
const SIGN_64: u64 = 1 << 63;

#[test]
#[rustfmt::skip] // a table
fn sums_are_rounded_once_in_each_direction() {
    check(&[
        // 1 + 2^-24 is a tie.
        ("add.f32",    &[ONE, 0x3380_0000],             ONE, &[]),
        ("add.rn.f32", &[ONE, 0x3380_0000],             ONE, &[]),
        ("add.rp.f32", &[ONE, 0x3380_0000],             ONE + 1, &[]),
        ("add.rm.f32", &[ONE, 0x3380_0000],             ONE, &[]),
        ("add.rn.f32", &[ONE + 1, 0x3380_0000],         ONE + 2, &[]),
        ("add.rm.f32", &[SIGN | ONE, 0xb380_0000],      (SIGN | ONE) + 1, &[]),
        ("add.rz.f32", &[SIGN | ONE, 0xb380_0000],      SIGN | ONE, &[]),
        // The smallest number is enough to leave 1 downwards.
        ("sub.rn.f32", &[ONE, 1],                       ONE, &[]),
        ("sub.rz.f32", &[ONE, 1],                       ONE - 1, &[]),
        ("sub.rm.f32", &[ONE, 1],                       ONE - 1, &[]),
        ("sub.rp.f32", &[ONE, 1],                       ONE, &[]),
        ("add.rm.f32", &[ONE, SIGN | ONE],              SIGN, &[]),
        ("add.rp.f32", &[ONE, SIGN | ONE],              0, &[]),
        // 1 + 2^-53.
        ("add.rn.f64", &[ONE_64, 0x3ca0_0000_0000_0000], ONE_64, &[]),
        ("add.rp.f64", &[ONE_64, 0x3ca0_0000_0000_0000], ONE_64 + 1, &[]),
        ("sub.rz.f64", &[ONE_64, 1],                    ONE_64 - 1, &[]),
        ("add.f64",    &[0x7ff0_0000_0000_0000, 0xfff0_0000_0000_0000], 0x7ff8_0000_0000_0000, &[]),
        ("add.f32",    &[INF, SIGN | INF],              NAN, &[]),
        ("add.f32x2",  &[0x3f80_0000_bf80_0000, 0x3380_0000_3f80_0000], 0x3f80_0000_0000_0000, &[]),
        ("add.rm.f32x2", &[0x3f80_0000_bf80_0000, 0x3380_0000_3f80_0000], 0x3f80_0000_8000_0000, &[]),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn products_underflow_gradually_and_overflow_by_the_rounding() {
    check(&[
        ("mul.rn.f32", &[0x0080_0000, 0x3f00_0000],  0x0040_0000, &[]), // 2^-127
        ("mul.rn.f32", &[1, 0x3f00_0000],            0, &[]),           // half the smallest is a tie
        ("mul.rn.f32", &[3, 0x3f00_0000],            2, &[]),           // and so is one and a half
        ("mul.rp.f32", &[1, 0x3f00_0000],            1, &[]),
        ("mul.rm.f32", &[1, 0x3f00_0000],            0, &[]),
        ("mul.rm.f32", &[SIGN | 1, 0x3f00_0000],     SIGN | 1, &[]),
        ("mul.rz.f32", &[SIGN | 1, 0x3f00_0000],     SIGN, &[]),
        ("mul.rn.f32", &[MAX, ONE + 1],              INF, &[]),
        ("mul.rz.f32", &[MAX, ONE + 1],              MAX, &[]),
        ("mul.rm.f32", &[MAX, ONE + 1],              MAX, &[]),
        ("mul.rp.f32", &[SIGN | MAX, ONE + 1],       SIGN | MAX, &[]),
        ("mul.rn.f32", &[INF, SIGN],                 NAN, &[]),
        ("mul.f64",    &[0x0010_0000_0000_0000, 0x3fe0_0000_0000_0000], 0x0008_0000_0000_0000, &[]),
        ("mul.rn.sat.f32", &[SIGN, ONE],             0, &[SIGN]), // zero-sign
        ("mul.rn.sat.f32", &[0xffc0_0000, ONE],      0, &[]),
        ("mul.rn.sat.f32", &[0x4000_0000, ONE],      ONE, &[]),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn fused_operations_round_once() {
    check(&[
        // (1 + 2^-12)² − (1 + 2^-11) = 2^-24.
        ("fma.rn.f32", &[0x3f80_0800, 0x3f80_0800, 0xbf80_1000], 0x3380_0000, &[]),
        ("mad.rn.f32", &[0x3f80_0800, 0x3f80_0800, 0xbf80_1000], 0x3380_0000, &[]),
        ("fma.rz.f32x2", &[0x3f80_0800_3f80_0000, 0x3f80_0800_3f80_0000, 0xbf80_1000_0000_0000],
                                                                 0x3380_0000_3f80_0000, &[]),
        // (1 + 2^-27)² − (1 + 2^-26) = 2^-54.
        ("fma.rn.f64", &[0x3ff0_0000_0200_0000, 0x3ff0_0000_0200_0000, 0xbff0_0000_0400_0000],
                                                                 0x3c90_0000_0000_0000, &[]),
        ("mad.rm.f64", &[ONE_64, ONE_64, SIGN_64 | ONE_64],      SIGN_64, &[]),
        // 1 + 2^-23 + 2^-24 − 2^-54 is below a tie, which f64 on the way would not see.
        ("fma.rn.f32", &[0x3980_0100, 0x397f_fe00, ONE + 1],     ONE + 1, &[]),
        ("fma.rn.f32", &[0x2700_0000, 0x2700_0000, ONE],         ONE, &[]), // 2^-98 beside 1
        ("fma.rp.f32", &[0x2700_0000, 0x2700_0000, ONE],         ONE + 1, &[]),
        ("fma.rn.f32", &[INF, 0, 0x7fc0_0000],                   NAN, &[]),
    ]);
}

/// "Subnormal inputs and results are flushed to sign-preserving zero"; which results are subnormal is
/// the reading. The first case is (1 + 2^-13)(1 − 2^-13) × 2^-126 = 2^-126 (1 − 2^-26).
#[test]
#[rustfmt::skip] // a table
fn ftz_by_the_exact_result() {
    check(&[
        ("mul.rn.f32",     &[0x0080_0400, 0x3f7f_f800],    0x0080_0000, &[]),
        ("mul.rz.f32",     &[0x0080_0400, 0x3f7f_f800],    0x007f_ffff, &[]),
        ("mul.rn.ftz.f32", &[0x0080_0400, 0x3f7f_f800],    0, &[0x0080_0000]),
        ("mul.rz.ftz.f32", &[0x0080_0400, 0x3f7f_f800],    0, &[]),
        ("mul.rm.ftz.f32", &[0x0080_0400, 0x3f7f_f800],    0, &[]),
        ("mul.rp.ftz.f32", &[0x0080_0400, 0x3f7f_f800],    0, &[0x0080_0000]),
        ("mul.rm.ftz.f32", &[0x8080_0400, 0x3f7f_f800],    SIGN, &[0x8080_0000]),
        ("fma.rn.ftz.f32", &[0x0080_0400, 0x3f7f_f800, 0], 0, &[0x0080_0000]),
        ("mul.ftz.f32x2",  &[0x3f80_0000_0080_0400, 0x3f80_0000_3f7f_f800],
                                                           0x3f80_0000_0000_0000, &[0x0080_0000]),
        ("mul.ftz.f32",    &[1, INF],                      NAN, &[]), // 0 × ∞
        ("add.ftz.f32",    &[1, 1],                        0, &[]),
        ("add.ftz.f32",    &[SIGN | 1, SIGN | 1],          SIGN, &[]),
        ("sub.ftz.f32",    &[0x0080_0000, 0x0080_0001],    SIGN, &[]), // −2^-149
        ("mul.ftz.f32",    &[0x0080_0000, 0x3f00_0000],    0, &[]),
        ("add.rn.ftz.sat.f32", &[SIGN | 1, SIGN | 1],      0, &[SIGN]),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn quotients() {
    const THREE: u64 = 0x4040_0000;
    check(&[
        ("div.rn.f32", &[ONE, THREE],           0x3eaa_aaab, &[]), // …aaaa.aaa
        ("div.rz.f32", &[ONE, THREE],           0x3eaa_aaaa, &[]),
        ("div.rm.f32", &[ONE, THREE],           0x3eaa_aaaa, &[]),
        ("div.rp.f32", &[ONE, THREE],           0x3eaa_aaab, &[]),
        ("div.rm.f32", &[SIGN | ONE, THREE],    0xbeaa_aaab, &[]),
        ("div.rn.f64", &[ONE_64, 0x4008_0000_0000_0000], 0x3fd5_5555_5555_5555, &[]), // ….555
        ("div.rp.f64", &[ONE_64, 0x4008_0000_0000_0000], 0x3fd5_5555_5555_5556, &[]),
        ("div.rn.f32", &[ONE, 0],               INF, &[]),
        ("div.rn.f32", &[SIGN | ONE, 0],        SIGN | INF, &[]),
        ("div.rz.f32", &[ONE, SIGN],            SIGN | INF, &[]), // exact, not an overflow
        ("div.rn.f32", &[0, 0],                 NAN, &[]),
        ("div.rn.f32", &[INF, SIGN | INF],      NAN, &[]),
        ("div.rn.f32", &[ONE, SIGN | INF],      SIGN, &[]),
        ("div.rn.f32", &[0, SIGN | THREE],      SIGN, &[]),
        ("div.rn.f32", &[1, 1],                 ONE, &[]),
        ("div.rn.ftz.f32", &[1, 1],             NAN, &[]), // 0/0
        ("div.rn.ftz.f32", &[ONE, 1],           INF, &[]),
        ("div.rn.f32", &[1, 0x4000_0000],       0, &[]),
        ("div.rp.f32", &[1, 0x4000_0000],       1, &[]),
        ("div.rn.f32", &[MAX, 1],               INF, &[]),
        ("div.rz.f32", &[MAX, 1],               MAX, &[]),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn reciprocals() {
    check(&[
        ("rcp.rn.f32",     &[0],           INF, &[]),
        ("rcp.rn.f32",     &[SIGN],        SIGN | INF, &[]),
        ("rcp.rn.f32",     &[SIGN | INF],  SIGN, &[]),
        ("rcp.rn.f32",     &[0x7f80_0001], NAN, &[]),
        ("rcp.rn.f32",     &[1],           INF, &[]),      // 2^149
        ("rcp.rz.f32",     &[1],           MAX, &[]),
        ("rcp.rz.ftz.f32", &[1],           INF, &[]),
        ("rcp.rn.ftz.f32", &[SIGN | 1],    SIGN | INF, &[]),
        ("rcp.rn.f32",     &[0x7f00_0000], 0x0040_0000, &[]), // 2^-127
        ("rcp.rn.ftz.f32", &[0x7f00_0000], 0, &[]),
        ("rcp.rn.f32",     &[MAX],         0x0020_0000, &[]), // 2^-128 (1 + 2^-24 + …)
        ("rcp.rp.f32",     &[MAX],         0x0020_0001, &[]),
        ("rcp.rn.f64",     &[0x0008_0000_0000_0000], 0x7fe0_0000_0000_0000, &[]), // 2^1023
        // 1/(2^126 + 2^103) = 2^-126 (1 − 2^-23 + 2^-46 …): upwards the next is 2^-126 if subnormal,
        // and 2^-126 (1 − 2^-24) if the exponent had no lower limit.
        ("rcp.rp.f32",     &[0x7e80_0001], 0x0080_0000, &[]),
        ("rcp.rp.ftz.f32", &[0x7e80_0001], 0, &[0x0080_0000]),
        ("rcp.rn.ftz.f32", &[0x7e80_0001], 0, &[]),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn square_roots() {
    check(&[
        ("sqrt.rn.f32",     &[SIGN],         SIGN, &[]),
        ("sqrt.rn.f32",     &[SIGN | ONE],   NAN, &[]),
        ("sqrt.rn.f32",     &[SIGN | INF],   NAN, &[]),
        ("sqrt.rn.f32",     &[SIGN | 1],     NAN, &[]),
        ("sqrt.rn.ftz.f32", &[SIGN | 1],     SIGN, &[]), // √−0
        ("sqrt.rn.f32",     &[INF],          INF, &[]),
        ("sqrt.rn.f32",     &[0x4000_0000],  0x3fb5_04f3, &[]), // √2 = 0x3fb504f3.33…
        ("sqrt.rz.f32",     &[0x4000_0000],  0x3fb5_04f3, &[]),
        ("sqrt.rp.f32",     &[0x4000_0000],  0x3fb5_04f4, &[]),
        ("sqrt.rn.f32",     &[1],            0x1a35_04f3, &[]), // √2 × 2^-75
        ("sqrt.rn.ftz.f32", &[1],            0, &[]),
        ("sqrt.rn.f64",     &[0x4000_0000_0000_0000], 0x3ff6_a09e_667f_3bcd, &[]), // …bcc.908
        ("sqrt.rm.f64",     &[0x4000_0000_0000_0000], 0x3ff6_a09e_667f_3bcc, &[]),
        ("sqrt.rp.f64",     &[0x4010_0000_0000_0000], 0x4000_0000_0000_0000, &[]),
    ]);
}

/// 9.4's packed mixed precision.
#[test]
#[rustfmt::skip] // a table
fn mixed_pairs() {
    check(&[
        // The second factor becomes one of the destination's format first: 1 + 2^-8 is a tie there.
        // Exactly, 1.5 (1 + 2^-8) is above 1.5 by three quarters of a unit.
        ("mul.bf16x2.bf16x2.f16x2",       &[0x3f80_3fc0, 0x3c00_3c04], 0x3f80_3fc0, &[0x3fc1]),
        // 2^16 is infinite in f16; exactly, 2^-10 × 2^16 is 64.
        ("mul.f16x2.f16x2.bf16x2",        &[0x3c00_1400, 0x3f80_4780], 0x3c00_7c00, &[0x5400]),
        // 1 + 2^-11 towards zero; 2^-15 is subnormal in f16.
        ("add.rz.ftz.f16x2.f32x2.f32x2",  &[0x3800_0000_3f80_0000, 0x0000_0000_3a00_0000], 0x0000_3c00, &[]),
        ("mul.rz.bf16x2.f32x2.f32x2",     &[0xbf80_ffff_3f80_ffff, 0x3f80_0000_3f80_0000], 0xbf80_3f80, &[]),
        ("add.f32x2.f16x2.f32x2",         &[0x0001_3c00, 0x0000_0000_3f80_0000], 0x3380_0000_4000_0000, &[]),
        ("sub.rm.f32x2.bf16x2.f32x2",     &[0x3f80_0001, 0x3f80_0000_0000_0000], 0x8000_0000_0001_0000, &[]),
        ("fma.rn.f32x2.f16x2.f32x2.f32x2", &[0x8001_3c00, 0x3f80_0000_4000_0000, 0x0000_0000_3f80_0000],
                                                                                 0xb380_0000_4040_0000, &[]),
    ]);
}
