//! Elements per second of the emulator's kernels, on one core.

use divan::Bencher;
use divan::counter::ItemsCount;
use harness::emulator::{Kernel, Machine};
use vectors::isa::{Contract, Form};
use vectors::{Column, Variant};

/// Operands and results together stay in the first-level cache.
const ROWS: usize = 1 << 12;

/// One variant for each kernel that differs from the others: its spelling and its registers.
const VARIANTS: [(&str, &str); 36] = [
    ("mul.f16", "d, a, b"),
    ("mul.bf16", "d, a, b"),
    ("fma.rn.f16", "d, a, b, c"),
    ("fma.rn.ftz.sat.f16", "d, a, b, c"),
    ("fma.rn.bf16", "d, a, b, c"),
    ("add.rn.f16", "d, a, b"),
    ("fma.rn.f32.f16", "d:dtype, a, b, c:dtype"),
    ("fma.rm.f32.bf16", "d:dtype, a, b, c:dtype"),
    ("add.rn.f32.f16", "d:dtype, a, c:dtype"),
    ("add.rn.f32.bf16", "d:dtype, a, c:dtype"),
    ("add.rn.f32", "d, a, b"),
    ("mul.rn.f32", "d, a, b"),
    ("fma.rn.f32", "d, a, b, c"),
    ("fma.rz.ftz.sat.f32", "d, a, b, c"),
    ("fma.rn.f64", "d, a, b, c"),
    ("add.rn.f64", "d, a, b"),
    ("div.rn.f32", "d, a, b"),
    ("sqrt.rn.f32", "d, a"),
    ("div.rn.f64", "d, a, b"),
    ("sqrt.rn.f64", "d, a"),
    ("fma.rn.satfinite.e4m3x4.e2m1x4.e5m2x4", "d:dtype, a:atype, b:btype, c:dtype"),
    ("mul.bf16x2.bf16x2.f16x2", "d:dtype, a:atype, c"),
    ("cvt.rn.f16.f32", "d:dtype, a"),
    ("cvt.f32.f16", "d:dtype, a"),
    ("cvt.rn.satfinite.relu.e4m3x2.f32", "d:dtype, a, b"),
    ("cvt.rs.satfinite.e4m3x4.f32", "d:dtype, a, b, e, f, rbits:b32"),
    ("cvt.rn.satfinite.scaled::n2::ue8m0.bf16x2.e4m3x2", "d:dtype, a, scale:ue8m0x2"),
    ("cvt.rn.f32.f64", "d:dtype, a"),
    ("cvt.rni.f32.f32", "d:dtype, a"),
    ("cvt.rni.s32.f32", "d:dtype, a"),
    ("cvt.rni.s64.f64", "d:dtype, a"),
    ("cvt.rn.f32.s32", "d:dtype, a"),
    ("abs.f32", "d, a"),
    ("min.NaN.f32", "d, a, b"),
    ("setp.lt.and.f32", "p|q:pred, a, b, c:pred"),
    ("slct.f32.f32", "d:dtype, a:dtype, b:dtype, c"),
];

/// The variant of a spelling, whether the table has it or not.
fn variant(spelling: &'static str, registers: &'static str) -> Variant {
    let form = Form::new(spelling, registers, Contract::Exact(&[]), "9.4 sm_107a", "9.7");
    Variant::expand(Box::leak(Box::new(form))).remove(0)
}

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

fn bench(bencher: Bencher, machine: Machine, (spelling, registers): (&'static str, &'static str)) {
    let variant = variant(spelling, registers);
    let Some(kernel) = Kernel::of(&variant, machine) else { return };
    let operands = operands(&variant);
    let column = |result: &vectors::isa::Register| Column::new(result.ty.row_bytes(), ROWS);
    let mut results: Vec<Column> = variant.results().iter().map(column).collect();
    bencher
        .counter(ItemsCount::new(ROWS * variant.lanes()))
        .bench_local(|| kernel.run(divan::black_box(&operands), &mut results));
}

#[divan::bench(args = VARIANTS.map(|(spelling, _)| spelling))]
fn avx2(bencher: Bencher, spelling: &str) {
    of(bencher, Machine::Avx2, spelling);
}

#[divan::bench(args = VARIANTS.map(|(spelling, _)| spelling))]
fn avx512(bencher: Bencher, spelling: &str) {
    of(bencher, Machine::Avx512, spelling);
}

#[divan::bench(args = VARIANTS.map(|(spelling, _)| spelling))]
fn scalar(bencher: Bencher, spelling: &str) {
    of(bencher, Machine::Scalar, spelling);
}

fn of(bencher: Bencher, machine: Machine, spelling: &str) {
    let variant = VARIANTS.iter().find(|(text, _)| *text == spelling).expect("of the list");
    bench(bencher, machine, *variant);
}

fn main() {
    divan::main();
}
