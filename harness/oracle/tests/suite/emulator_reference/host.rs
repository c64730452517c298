//! Tests of millions of vectors of f32 and f64 against the host's arithmetic, which is IEEE 754's.

use formats::{Column, column};
use isa::{Variant, columns_for};
use sweeps::CounterRng;

use super::{answers, inputs_of_lane};

const ROWS: usize = 1 << 18;

/// Compares a variant of f32 or f64 with a function of its operands' bits.
fn check(text: &str, host: impl Fn(&[u64]) -> u64) {
    let variant: &Variant = &text.parse().expect("a variant");
    let mut random = CounterRng::new(3, 0);
    let mut operands = columns_for(variant, ROWS);
    for row in 0..ROWS {
        let bits = inputs_of_lane(&mut random, variant);
        column::set_row(&mut operands, row, &bits);
    }
    let results: Vec<Column> = answers(variant, &operands);
    for row in 0..ROWS {
        let asked = column::row(&operands, row);
        let (answer, expected) = (results[0].get(row), host(&asked));
        assert!(answer == expected, "{variant} {asked:x?}: {answer:x}, not {expected:x}");
    }
}

fn single(number: f32) -> u64 {
    if number.is_nan() { 0x7fff_ffff } else { number.to_bits().into() }
}

fn double(number: f64) -> u64 {
    if number.is_nan() { 0x7ff8_0000_0000_0000 } else { number.to_bits() }
}

#[test]
fn single_precision() {
    let f =
        |bits: &[u64]| -> Vec<f32> { bits.iter().map(|&bits| f32::from_bits(bits as u32)).collect() };
    check("add.rn.f32", |x| single(f(x)[0] + f(x)[1]));
    check("sub.rn.f32", |x| single(f(x)[0] - f(x)[1]));
    check("mul.rn.f32", |x| single(f(x)[0] * f(x)[1]));
    check("fma.rn.f32", |x| single(f(x)[0].mul_add(f(x)[1], f(x)[2])));
    check("div.rn.f32", |x| single(f(x)[0] / f(x)[1]));
    check("rcp.rn.f32", |x| single(1.0 / f(x)[0]));
    check("sqrt.rn.f32", |x| single(f(x)[0].sqrt()));
    check("cvt.rni.f32.f32", |x| single(f(x)[0].round_ties_even()));
    check("cvt.f64.f32", |x| double(f(x)[0].into()));
}

#[test]
fn double_precision() {
    let f = |bits: &[u64]| -> Vec<f64> { bits.iter().map(|&bits| f64::from_bits(bits)).collect() };
    check("add.rn.f64", |x| double(f(x)[0] + f(x)[1]));
    check("sub.rn.f64", |x| double(f(x)[0] - f(x)[1]));
    check("mul.rn.f64", |x| double(f(x)[0] * f(x)[1]));
    check("fma.rn.f64", |x| double(f(x)[0].mul_add(f(x)[1], f(x)[2])));
    check("div.rn.f64", |x| double(f(x)[0] / f(x)[1]));
    check("rcp.rn.f64", |x| double(1.0 / f(x)[0]));
    check("sqrt.rn.f64", |x| double(f(x)[0].sqrt()));
    check("cvt.rzi.f64.f64", |x| double(f(x)[0].trunc()));
    check("cvt.rn.f32.f64", |x| single(f(x)[0] as f32));
}

#[test]
fn integers() {
    check("cvt.rn.f32.u64", |x| single(x[0] as f32));
    check("cvt.rn.f64.s64", |x| double(x[0] as i64 as f64));
    check("cvt.rn.f32.s32", |x| single(x[0] as i32 as f32));
    check("cvt.rzi.s32.f32", |x| u64::from(f32::from_bits(x[0] as u32) as i32 as u32));
    check("cvt.rzi.u64.f64", |x| {
        let number = f64::from_bits(x[0]);
        if number.is_nan() { 1 << 63 } else { number as u64 }
    });
}
