//! 9.7.7 and 9.7.8: comparisons, and 9.7.3.1: tests.

use super::{check, check_registers};

const ONE: u64 = 0x3f80_0000;
const TWO: u64 = 0x4000_0000;
const QUIET: u64 = 0x7fc0_0000;
const SIGN: u64 = 0x8000_0000;

fn predicates(cases: &[(&str, &[u64], &[u64])]) {
    for &(text, operands, expected) in cases {
        check_registers(text, operands, expected, &[]);
    }
}

/// "eq, ne, lt … are False if either operand is NaN; equ, neu, ltu … are True"; q is the complement.
#[test]
#[rustfmt::skip] // a table
fn setp_knows_zeros_and_nan() {
    predicates(&[
        ("setp.eq.f32",     &[0, SIGN],                [1, 0].as_slice()),
        ("setp.lt.f32",     &[SIGN, 0],                &[0, 1]),
        ("setp.ge.f32",     &[SIGN, 0],                &[1, 0]),
        ("setp.ne.f32",     &[QUIET, ONE],             &[0, 1]),
        ("setp.ne.f32",     &[QUIET, QUIET],           &[0, 1]),
        ("setp.neu.f32",    &[QUIET, QUIET],           &[1, 0]),
        ("setp.eq.f32",     &[QUIET, QUIET],           &[0, 1]),
        ("setp.equ.f32",    &[ONE, QUIET],             &[1, 0]),
        ("setp.ltu.f32",    &[TWO, ONE],               &[0, 1]),
        ("setp.ltu.f32",    &[TWO, 0x7f80_0001],       &[1, 0]),
        ("setp.gt.f32",     &[1, 0],                   &[1, 0]),
        ("setp.gt.ftz.f32", &[1, 0],                   &[0, 1]),
        ("setp.num.f64",    &[0, 0x7ff0_0000_0000_0001], &[0, 1]),
        ("setp.num.f64",    &[0, 0x7ff0_0000_0000_0000], &[1, 0]),
        ("setp.nan.f64",    &[0x7ff0_0000_0000_0001, 0], &[1, 0]),
        ("setp.le.f64",     &[0xfff0_0000_0000_0000, 1], &[1, 0]),
        // Scalar halves have one predicate.
        ("setp.le.f16",     &[0x8000, 0x0000],         &[1]),
        ("setp.ge.bf16",    &[0x7fc0, 0x0000],         &[0]),
        ("setp.geu.bf16",   &[0x7fc0, 0x0000],         &[1]),
        ("setp.gt.ftz.f16", &[0x0001, 0x0000],         &[0]),
    ]);
}

/// p = (a cmp b) bool c, q = !(a cmp b) bool c.
#[test]
#[rustfmt::skip] // a table
fn setp_combines_both_predicates_with_c() {
    predicates(&[
        ("setp.lt.and.f32", &[ONE, TWO, 0], [0, 0].as_slice()),
        ("setp.lt.and.f32", &[ONE, TWO, 1], &[1, 0]),
        ("setp.gt.and.f32", &[ONE, TWO, 1], &[0, 1]),
        ("setp.lt.or.f32",  &[ONE, TWO, 0], &[1, 0]),
        ("setp.lt.or.f32",  &[ONE, TWO, 1], &[1, 1]),
        ("setp.lt.xor.f32", &[ONE, TWO, 1], &[0, 1]),
        ("setp.lt.xor.f64", &[QUIET, QUIET, 1], &[1, 0]), // two equal subnormal numbers
        ("setp.eq.and.bf16", &[0x3f80, 0x3f80, 0], &[0]),
        ("setp.eq.or.bf16",  &[0x3f80, 0x4000, 1], &[1]),
    ]);
}

/// For f16x2, p is the low half's and q the high half's.
#[test]
#[rustfmt::skip] // a table
fn setp_of_pairs_has_a_predicate_a_lane() {
    const A: u64 = 0x4000_3c00;
    const B: u64 = 0x3c00_4000;
    predicates(&[
        ("setp.lt.f16x2",      &[A, B],    [1, 0].as_slice()),
        ("setp.gt.f16x2",      &[A, B],    &[0, 1]),
        ("setp.ne.f16x2",      &[A, B],    &[1, 1]),
        ("setp.lt.and.f16x2",  &[A, B, 0], &[0, 0]),
        ("setp.lt.or.f16x2",   &[A, B, 1], &[1, 1]),
        ("setp.lt.xor.f16x2",  &[A, B, 1], &[0, 1]),
        ("setp.nan.bf16x2",    &[0x7fc0_3f80, 0x3f80_3f80], &[0, 1]),
        ("setp.gt.ftz.f16x2",  &[0x0001_0400, 0], &[1, 0]),
    ]);
}

/// True is all ones in an integer and 1.0 in a float; 32-bit integers take a pair half by half.
#[test]
#[rustfmt::skip] // a table
fn set_writes_ones_or_one() {
    check(&[
        ("set.eq.u32.f32",       &[ONE, ONE],            0xffff_ffff, &[]),
        ("set.eq.s32.f32",       &[ONE, TWO],            0, &[]),
        ("set.eq.f32.f32",       &[0, SIGN],             ONE, &[]),
        ("set.ne.s32.f32",       &[QUIET, ONE],          0, &[]),
        ("set.neu.s32.f32",      &[QUIET, ONE],          0xffff_ffff, &[]),
        ("set.gt.s32.f32",       &[1, 0],                0xffff_ffff, &[]),
        ("set.gt.ftz.s32.f32",   &[1, 0],                0, &[]),
        ("set.eq.f16.f16",       &[0x3c00, 0x3c00],      0x3c00, &[]),
        ("set.eq.bf16.f32",      &[ONE, ONE],            0x3f80, &[]),
        ("set.eq.f16.f64",       &[0, 1 << 63],          0x3c00, &[]),
        ("set.gt.u16.bf16",      &[0x0001, 0x0000],      0xffff, &[]),
        ("set.lt.u32.f16",       &[0x3c00, 0x4000],      0xffff_ffff, &[]),
        ("set.lt.u32.f16x2",     &[0x4000_3c00, 0x3c00_4000],    0x0000_ffff, &[]),
        ("set.lt.f16x2.f16x2",   &[0x4000_3c00, 0x3c00_4000],    0x0000_3c00, &[]),
        ("set.ge.bf16x2.bf16x2", &[0x4000_7fc0, 0x3f80_7fc0],    0x3f80_0000, &[]),
        ("set.lt.and.u32.f32",   &[ONE, TWO, 0],         0, &[]),
        ("set.lt.or.f32.f64",    &[0, 0, 1],             ONE, &[]),
        ("set.lt.xor.s32.f16x2", &[0x4000_3c00, 0x3c00_4000, 1], 0xffff_0000, &[]),
    ]);
}

/// "testp.normal: true if the input is a normal number (not NaN, not infinity, not subnormal)", and
/// ±0 is normal.
#[test]
#[rustfmt::skip] // a table
fn testp_counts_zero_as_normal() {
    check(&[
        ("testp.normal.f32",     &[0],                     1, &[]),
        ("testp.normal.f32",     &[SIGN],                  1, &[]),
        ("testp.normal.f32",     &[1],                     0, &[]),
        ("testp.normal.f32",     &[0x0080_0000],           1, &[]),
        ("testp.normal.f32",     &[0x7f80_0000],           0, &[]),
        ("testp.normal.f64",     &[1 << 63],               1, &[]),
        ("testp.subnormal.f32",  &[0],                     0, &[]),
        ("testp.subnormal.f32",  &[0x807f_ffff],           1, &[]),
        ("testp.subnormal.f64",  &[1],                     1, &[]),
        ("testp.finite.f32",     &[0x7f7f_ffff],           1, &[]),
        ("testp.finite.f32",     &[0xff80_0000],           0, &[]),
        ("testp.infinite.f32",   &[0xff80_0000],           1, &[]),
        ("testp.infinite.f32",   &[0x7f80_0001],           0, &[]),
        ("testp.number.f64",     &[0x7ff0_0000_0000_0000], 1, &[]),
        ("testp.number.f64",     &[0xfff8_0000_0000_0000], 0, &[]),
        ("testp.notanumber.f32", &[0x7f80_0001],           1, &[]),
    ]);
}
