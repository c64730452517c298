//! Instructions that move bits: signs, extremes, selection.

use super::check;

const ONE: u64 = 0x3f80_0000;
const TWO: u64 = 0x4000_0000;
const THREE: u64 = 0x4040_0000;
const NAN: u64 = 0x7fff_ffff;
const SIGN: u64 = 0x8000_0000;

/// "min and max treat +0.0 > -0.0"; one NaN loses, unless by `.NaN`.
#[test]
#[rustfmt::skip] // a table
fn extremes_order_zeros_and_avoid_nan() {
    check(&[
        ("min.f32",      &[0, SIGN],                 SIGN, &[]),
        ("min.f32",      &[SIGN, 0],                 SIGN, &[]),
        ("max.f32",      &[0, SIGN],                 0, &[]),
        ("max.f32",      &[SIGN, 0],                 0, &[]),
        ("min.f64",      &[0, 1 << 63],              1 << 63, &[]),
        ("min.f32",      &[0x7fc0_0000, ONE],        ONE, &[]),
        ("max.f32",      &[ONE, 0x7f80_0001],        ONE, &[]),
        ("min.f32",      &[0xffc0_0000, 0x7fc0_0001], NAN, &[]),
        ("min.NaN.f32",  &[0xffc0_0001, ONE],        NAN, &[]),
        ("max.f64",      &[0xfff8_0000_0000_0001, 0x7ff0_0000_0000_0001], 0x7ff8_0000_0000_0000, &[]),
        ("max.f64",      &[0xfff8_0000_0000_0001, 0], 0, &[]),
        ("min.ftz.f32",  &[SIGN | 1, 1],             SIGN, &[]),
        ("max.ftz.f32",  &[SIGN | 1, 1],             0, &[]),
        ("max.f32",      &[1, 2],                    2, &[]),
        ("min.ftz.f16",  &[0x0001, 0x8000],          0x8000, &[]),
        ("min.bf16x2",     &[0x7fc0_0000, 0x3f80_8000], 0x3f80_8000, &[]),
        ("min.NaN.bf16x2", &[0x7fc0_0000, 0x3f80_8000], 0x7fff_8000, &[]),
    ]);
}

/// "The sign bit of the result is the XOR of the inputs' sign bits, the magnitude the smaller one."
#[test]
#[rustfmt::skip] // a table
fn xorsign_takes_magnitudes_and_both_signs() {
    check(&[
        ("min.xorsign.abs.f32",     &[SIGN | THREE, TWO],        SIGN | TWO, &[]),
        ("max.xorsign.abs.f32",     &[SIGN | THREE, SIGN | TWO], THREE, &[]),
        ("max.xorsign.abs.f32",     &[TWO, SIGN | THREE],        SIGN | THREE, &[]),
        ("min.xorsign.abs.f32",     &[0xffc0_0000, TWO],         SIGN | TWO, &[]), // NaN's sign counts
        ("min.xorsign.abs.f32",     &[0x7fc0_0000, SIGN | TWO],  SIGN | TWO, &[]),
        ("min.NaN.xorsign.abs.f32", &[0xffc0_0000, TWO],         NAN, &[]),
        ("min.xorsign.abs.f32",     &[0xffc0_0000, 0x7fc0_0000], NAN, &[]),
        ("max.xorsign.abs.f16",     &[0x8000, 0x0000],           0x8000, &[]),
        ("max.xorsign.abs.bf16",    &[0x8000, 0x8000],           0x0000, &[]),
        ("max.ftz.xorsign.abs.f32", &[SIGN | 1, 2],              SIGN, &[]),
        ("min.xorsign.abs.f16x2",   &[0xbc00_4000, 0x4000_3c00], 0xbc00_3c00, &[]),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn three_inputs_are_taken_pair_by_pair() {
    const QUIET: u64 = 0x7fc0_0000;
    check(&[
        ("min.f32(a,b,c)",         &[THREE, ONE, TWO],         ONE, &[]),
        ("max.f32(a,b,c)",         &[ONE, TWO, THREE],         THREE, &[]),
        ("min.f32(a,b,c)",         &[QUIET, QUIET, TWO],       TWO, &[]),
        ("min.f32(a,b,c)",         &[QUIET, TWO, QUIET],       TWO, &[]),
        ("min.f32(a,b,c)",         &[QUIET, QUIET, QUIET],     NAN, &[]),
        ("max.NaN.f32(a,b,c)",     &[QUIET, TWO, THREE],       NAN, &[]),
        ("max.NaN.f32(a,b,c)",     &[ONE, TWO, 0xffc0_0001],   NAN, &[]),
        ("max.abs.f32(a,b,c)",     &[SIGN | THREE, TWO, ONE],  THREE, &[]),
        ("min.abs.f32(a,b,c)",     &[ONE, TWO, SIGN],          0, &[]),
        ("min.ftz.f32(a,b,c)",     &[1, TWO, SIGN | 1],        SIGN, &[]),
        ("min.f32(a,b,c)",         &[0, SIGN, 0],              SIGN, &[]),
    ]);
}

/// f64's NaN passes `abs` and `neg`, the others' results are unspecified NaNs.
#[test]
#[rustfmt::skip] // a table
fn signs() {
    check(&[
        ("abs.f32",      &[0xffc1_2345],            NAN, &[]),
        ("neg.f32",      &[0x7f80_0001],            NAN, &[]),
        ("abs.f64",      &[0xfff8_0000_0000_0001],  0x7ff8_0000_0000_0001, &[]),
        ("neg.f64",      &[0x7ff0_0000_0000_0001],  0xfff0_0000_0000_0001, &[]),
        ("neg.f32",      &[0],                      SIGN, &[]),
        ("abs.f32",      &[SIGN],                   0, &[]),
        ("abs.f32",      &[SIGN | 1],               1, &[]),
        ("abs.ftz.f32",  &[SIGN | 1],               0, &[]),
        ("neg.ftz.f32",  &[1],                      SIGN, &[]),
        ("abs.ftz.f16x2", &[0x8001_bc00],           0x0000_3c00, &[]),
        ("neg.bf16x2",   &[0x0001_7f81],            0x8001_7fff, &[]),
        // The magnitude of b with the sign of a, whatever they are.
        ("copysign.f32", &[SIGN | ONE, TWO],        SIGN | TWO, &[]),
        ("copysign.f32", &[ONE, SIGN | TWO],        TWO, &[]),
        ("copysign.f32", &[SIGN, 0x7f80_0001],      0xff80_0001, &[]),
        ("copysign.f32", &[ONE, 0xffc1_2345],       0x7fc1_2345, &[]),
        ("copysign.f64", &[1 << 63, 0x0000_0000_0000_0001], 1 << 63 | 1, &[]),
    ]);
}

/// c ≥ 0 selects a: −0 is, NaN is not.
#[test]
#[rustfmt::skip] // a table
fn slct_decides_by_c_and_moves_bits() {
    check(&[
        ("slct.b32.f32",     &[11, 22, ONE],            11, &[]),
        ("slct.b32.f32",     &[11, 22, SIGN],           11, &[]),
        ("slct.b32.f32",     &[11, 22, SIGN | ONE],     22, &[]),
        ("slct.b32.f32",     &[11, 22, 0x7fc0_0000],    22, &[]),
        ("slct.b32.f32",     &[11, 22, SIGN | 1],       22, &[]),
        ("slct.ftz.b32.f32", &[11, 22, SIGN | 1],       11, &[]),
        ("slct.ftz.f32.f32", &[1, SIGN | 2, ONE],       1, &[]), // not flushed: it is only moved
        ("slct.ftz.f32.f32", &[1, SIGN | 2, SIGN | ONE], SIGN | 2, &[]),
        ("slct.f64.f32",     &[0x7ff0_0000_0000_0001, 0, 0], 0x7ff0_0000_0000_0001, &[]),
        ("slct.u16.f32",     &[0xffff, 0x1234, 0xff80_0000], 0x1234, &[]),
    ]);
}
