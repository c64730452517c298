//! Measures the elements per second of the emulator's kernels, on one core.

use divan::Bencher;
use divan::counter::ItemsCount;
use emulator::{Backend, Kernel};
use formats::Column;
use isa::{Variant, columns_for, results_for};
use sweeps::CounterRng;

/// The number of rows: operands and results together stay in the first-level cache.
const ROWS: usize = 1 << 12;

/// The variants that are measured, whose kernels differ.
const VARIANTS: [&str; 53] = [
    "mul.f16",
    "mul.bf16",
    "fma.rn.f16",
    "fma.rn.ftz.sat.f16",
    "fma.rn.bf16",
    "add.rn.f16",
    "fma.rn.f32.f16",
    "fma.rm.f32.bf16",
    "add.rn.f32.f16",
    "add.rn.f32.bf16",
    "add.rn.f32",
    "mul.rn.f32",
    "fma.rn.f32",
    "fma.rz.ftz.sat.f32",
    "fma.rn.f64",
    "add.rn.f64",
    "div.rn.f32",
    "sqrt.rn.f32",
    "div.rn.f64",
    "sqrt.rn.f64",
    "fma.rn.satfinite.e4m3x4.e2m1x4.e5m2x4",
    "mul.bf16x2.bf16x2.f16x2",
    "cvt.rn.f16.f32",
    "cvt.f32.f16",
    "cvt.rn.satfinite.relu.e4m3x2.f32",
    "cvt.rs.satfinite.e4m3x4.f32",
    "cvt.rn.satfinite.scaled::n2::ue8m0.bf16x2.e4m3x2",
    "cvt.rn.f32.f64",
    "cvt.rni.f32.f32",
    "cvt.rni.s32.f32",
    "cvt.rni.s64.f64",
    "cvt.rn.f32.s32",
    "abs.f32",
    "min.NaN.f32",
    "setp.lt.and.f32",
    "slct.f32.f32",
    "ex2.approx.f32",
    "ex2.approx.ftz.f32",
    "ex2.approx.f16",
    "ex2.approx.ftz.bf16",
    "lg2.approx.f32",
    "sin.approx.f32",
    "cos.approx.f32",
    "tanh.approx.f32",
    "tanh.approx.f16",
    "tanh.approx.bf16",
    "rsqrt.approx.f32",
    "rsqrt.approx.f64",
    "rcp.approx.f32",
    "rcp.approx.ftz.f64",
    "sqrt.approx.f32",
    "div.approx.f32",
    "div.full.f32",
];

/// Returns operand columns of random bits.
fn operands(variant: &Variant) -> Vec<Column> {
    let (mut columns, mut draws) = (columns_for(variant, ROWS), CounterRng::new(0, 0));
    for column in &mut columns {
        (0..ROWS).for_each(|row| column.set(row, draws.next()));
    }
    columns
}

fn bench(bencher: Bencher, backend: Backend, text: &str) {
    let variant: Variant = text.parse().expect("a variant");
    let Some(kernel) = Kernel::of(&variant, backend) else { return };
    let operands = operands(&variant);
    let mut results = results_for(&variant, ROWS);
    bencher
        .counter(ItemsCount::new(ROWS * variant.lanes()))
        .bench_local(|| kernel.run(divan::black_box(&operands), &mut results));
}

#[divan::bench(args = VARIANTS)]
fn scalar(bencher: Bencher, text: &str) {
    bench(bencher, Backend::Scalar, text);
}

#[divan::bench(args = VARIANTS)]
fn avx2(bencher: Bencher, text: &str) {
    bench(bencher, Backend::Avx2, text);
}

#[divan::bench(args = VARIANTS)]
fn avx512(bencher: Bencher, text: &str) {
    bench(bencher, Backend::Avx512, text);
}

fn main() {
    divan::main();
}
