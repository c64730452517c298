//! A benchmark of what a vector of each sweep costs: divan prints items, that is vectors, per second.

use divan::Bencher;
use divan::counter::ItemsCount;
use isa::{Variant, columns_for};
use sweeps::{Length, Sweep};

fn main() {
    divan::main();
}

const ROWS: usize = 1 << 14;

/// The variants measured: one or more of every family, with modifiers that bring all sweeps in, and with registers of
/// every arrangement.
const VARIANTS: [&str; 18] = [
    "mul.f16",
    "mul.sat.f16x2",
    "fma.rn.oob.relu.f16x2",
    "fma.rn.sat.f32.bf16",
    "fma.rn.f64",
    "fma.e4m3x4.e4m3x4.e2m1p4x4",
    "div.rn.f32",
    "sqrt.rn.f64",
    "div.approx.f32",
    "sin.approx.f32",
    "setp.lt.and.f32",
    "min.f16x2",
    "cvt.rn.f16.f32",
    "cvt.rni.s32.f32",
    "cvt.rn.f32.u64",
    "cvt.rn.satfinite.e4m3x2.f32",
    "cvt.rn.satfinite.scaled::n1::ue8m0.e2m1x2.f16x2",
    "cvt.rs.satfinite.e2m1x4.f32",
];

/// Returns the text `variant sweep` of each pair where the sweep applies.
fn pairs() -> impl Iterator<Item = String> {
    VARIANTS.into_iter().flat_map(|text| {
        let variant: Variant = text.parse().expect("a variant of the table");
        let applying = Sweep::all().iter().filter(move |sweep| sweep.length(&variant) != Length::None);
        applying.map(move |sweep| format!("{text} {}", sweep.name))
    })
}

#[divan::bench(args = pairs())]
fn fill(bencher: Bencher, pair: &str) {
    let (variant, sweep) = pair.split_once(' ').expect("a pair");
    let variant: Variant = variant.parse().expect("a variant of the table");
    let sweep = Sweep::named(sweep).expect("a sweep of the table");
    let rows = match sweep.length(&variant) {
        Length::Finite(length) => ROWS.min(length as usize),
        _ => ROWS,
    };
    let mut columns = columns_for(&variant, rows);
    bencher
        .counter(ItemsCount::new(rows))
        .bench_local(|| sweep.fill(&variant, 1, 0, divan::black_box(&mut columns)));
}
