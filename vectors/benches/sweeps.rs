//! What a vector of each sweep costs: divan prints items, that is vectors, per second.

use divan::Bencher;
use divan::counter::ItemsCount;
use vectors::Variant;
use vectors::sweep::{Length, Sweep, columns_for};

fn main() {
    divan::main();
}

const ROWS: usize = 1 << 14;

fn names() -> impl Iterator<Item = &'static str> {
    Sweep::all().iter().map(|sweep| sweep.name)
}

fn bench(bencher: Bencher<'_, '_>, variant: &str, sweep: &str) {
    let variant: Variant = variant.parse().expect("a variant of the table");
    let sweep = Sweep::named(sweep).expect("a sweep of the table");
    let rows = match sweep.length(&variant) {
        Length::None => return,
        Length::Finite(length) => ROWS.min(length as usize),
        Length::Endless => ROWS,
    };
    let mut columns = columns_for(&variant, rows);
    bencher
        .counter(ItemsCount::new(rows))
        .bench_local(|| sweep.fill(&variant, 1, 0, divan::black_box(&mut columns)));
}

#[divan::bench(args = names())]
fn mul_f16(bencher: Bencher<'_, '_>, sweep: &str) {
    bench(bencher, "mul.f16", sweep);
}

#[divan::bench(args = names())]
fn mul_f16x2(bencher: Bencher<'_, '_>, sweep: &str) {
    bench(bencher, "mul.f16x2", sweep);
}

#[divan::bench(args = names())]
fn fma_f16x2(bencher: Bencher<'_, '_>, sweep: &str) {
    bench(bencher, "fma.rn.oob.relu.f16x2", sweep);
}

#[divan::bench(args = names())]
fn fma_f32_bf16(bencher: Bencher<'_, '_>, sweep: &str) {
    bench(bencher, "fma.rn.sat.f32.bf16", sweep);
}
