//! Elements per second of the emulator's kernels, on one core.

use divan::Bencher;
use divan::counter::ItemsCount;
use harness::emulator::{Kernel, Machine};
use vectors::isa::Register;
use vectors::{Column, Variant};

/// Operands and results together stay in the first-level cache.
const ROWS: usize = 1 << 12;

/// Variants of kernels that differ.
const VARIANTS: [&str; 36] = [
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
];

/// Columns of hashed row numbers: every kind of datum, in no order.
fn operands(variant: &Variant) -> Vec<Column> {
    let mut state = 0u64;
    let mut column = |row_bytes| {
        let mut column = Column::new(row_bytes, ROWS);
        for row in 0..ROWS {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let hash = state.wrapping_mul(state ^ (state >> 32));
            column.set(row, hash ^ (hash >> 32));
        }
        column
    };
    variant.operands().iter().map(|operand| column(operand.ty.row_bytes())).collect()
}

fn bench(bencher: Bencher, machine: Machine, text: &str) {
    let variant: Variant = text.parse().expect("a variant");
    let Some(kernel) = Kernel::of(&variant, machine) else { return };
    let operands = operands(&variant);
    let column = |result: &Register| Column::new(result.ty.row_bytes(), ROWS);
    let mut results: Vec<Column> = variant.results().iter().map(column).collect();
    bencher
        .counter(ItemsCount::new(ROWS * variant.lanes()))
        .bench_local(|| kernel.run(divan::black_box(&operands), &mut results));
}

#[divan::bench(args = VARIANTS)]
fn scalar(bencher: Bencher, text: &str) {
    bench(bencher, Machine::Scalar, text);
}

#[divan::bench(args = VARIANTS)]
fn avx2(bencher: Bencher, text: &str) {
    bench(bencher, Machine::Avx2, text);
}

#[divan::bench(args = VARIANTS)]
fn avx512(bencher: Bencher, text: &str) {
    bench(bencher, Machine::Avx512, text);
}

fn main() {
    divan::main();
}
