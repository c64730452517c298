//! Measures what a vector costs from end to end on one thread: generated, computed by the emulator, judged by MPFR,
//! counted and digested.

use std::sync::atomic::AtomicBool;

use divan::Bencher;
use divan::counter::ItemsCount;
use implementations::Emulator;
use runner::{Display, Judging, Plan, RunRequest, RunSettings};
use selection::budget::Tier;

fn main() {
    divan::main();
}

/// Measures a run of the quick tier of one variant.
#[divan::bench(sample_count = 5, args = [
    "mul.f16", "fma.rn.oob.bf16x2", "add.rm.f32.f16", "fma.rn.f64", "div.rn.f32", "setp.lt.f32",
    "cvt.rni.s32.f32", "cvt.rn.satfinite.e4m3x2.f32", "fma.rn.e4m3x4.e5m2x4.e2m1x4", "sin.approx.f32",
])]
fn quick(bencher: Bencher, variant: &str) {
    let request = RunRequest {
        tier: Tier::Quick,
        seed: 0,
        only: vec![variant.into()],
        skip: Vec::new(),
        target: None,
        model: None,
        shard: None,
        judging: Judging::Screened,
    };
    let plan = Plan::new(request, &Emulator::lanes()).expect("a variant");
    let vectors: u64 = plan.vectors_per_task().iter().sum();
    let directory = tempfile::tempdir().expect("a directory for the state");
    let settings = RunSettings { jobs: 1, directory: directory.path().into(), resume: false };
    bencher.counter(ItemsCount::new(vectors)).bench_local(|| {
        let stop = AtomicBool::new(false);
        runner::run(&plan, &Emulator::lanes(), &settings, &stop, &Display::hidden()).expect("a run");
        runner::forget(directory.path());
    });
}
