//! Benchmark of what a vector costs the MPFR oracle, per operation and format: with uniformly random operands, which
//! are the hardest to foresee for the processor's branches, and with those of the exhaustive sweep.

use divan::Bencher;
use divan::counter::ItemsCount;
use isa::{Variant, columns_for};
use judge::Truth;
use oracle::Oracle;
use sweeps::Sweep;

const ROWS: usize = 1 << 16;

const VARIANTS: [&str; 20] = [
    "mul.f16",
    "mul.rn.ftz.sat.f16x2",
    "fma.rn.f16",
    "fma.rn.oob.relu.f16",
    "add.rm.f32.f16",
    "fma.rn.f32",
    "fma.rn.f64",
    "div.rn.f32",
    "sqrt.rn.f64",
    "min.f32",
    "setp.lt.f32",
    "set.eq.u32.f16x2",
    "cvt.rni.s32.f32",
    "cvt.rn.f32.s64",
    "cvt.rn.satfinite.e4m3x2.f32",
    "cvt.rs.satfinite.e4m3x4.f32",
    "fma.rn.e4m3x4.e5m2x4.e2m1x4",
    "cast.rn.e4m3fnuz.f32",
    "div.full.f32",
    "sin.approx.f32",
];

fn main() {
    divan::main();
}

fn bench(bencher: Bencher, variant: &str, sweep: &str, first: u64) {
    let variant: Variant = variant.parse().expect("a variant");
    let mut columns = columns_for(&variant, ROWS);
    Sweep::named(sweep).expect("a sweep").fill(&variant, 1, first, &mut columns);
    let mut oracle = Oracle::new(&variant);
    let mut truth = Truth::new(&variant);
    bencher.counter(ItemsCount::new(ROWS)).bench_local(|| oracle.expect(&columns, &mut truth));
}

#[divan::bench(args = VARIANTS)]
fn uniform(bencher: Bencher, variant: &str) {
    bench(bencher, variant, "uniform", 0);
}

/// Measures all b for one a, about 1.5.
#[divan::bench(args = ["mul.f16", "mul.bf16"])]
fn exhaustive(bencher: Bencher, variant: &str) {
    bench(bencher, variant, "exhaustive", 0x3e01_0000);
}
