//! Measures the time and memory that merging takes per part.
//!
//! `cargo bench -p ptx-conformance-cli --bench merge -- 100000` makes and merges that many parts. Their plan has two blocks for
//! each of 65,536 parts. Parts are read one after the other, so memory is that of a single part.

use std::path::Path;
use std::time::{Duration, Instant};

use base::terminal::say;
use findings::diagnosis::Diagnoses;
use findings::merge::merge;
use implementations::{Emulator, Implementation};
use runner::{Plan, Progress, RunOutcome, RunRequest, RunSettings, STATE_FILE, state};
use selection::Shard;
use selection::budget::Tier;

fn main() {
    let count = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(1_000);
    let folder = tempfile::tempdir().expect("a folder for the parts");
    let started = Instant::now();
    let parts: Vec<_> = (1..=count).map(|index| folder.path().join(index.to_string())).collect();
    for (index, part) in (1..=count).zip(&parts) {
        make(Shard { index, count }, part);
    }
    let bytes: u64 = [STATE_FILE, "report.json"]
        .map(|file| parts[0].join(file).metadata().expect("a file").len())
        .iter()
        .sum();
    say(&format!("{count} parts made in {:.1?}, {bytes} bytes each", started.elapsed()));

    let (before, started) = (peak(), Instant::now());
    let whole = merge(&parts, None).expect("all parts");
    let took = started.elapsed();
    assert!(whole.outcome.complete);
    say(&format!(
        "merged in {took:.1?}, {:.0?} a part; memory at most {} MiB, {} MiB before",
        took.checked_div(count as u32).unwrap_or(Duration::ZERO),
        peak() >> 10,
        before >> 10
    ));
}

/// Writes the state and the report of one part whose results agree everywhere.
fn make(shard: Shard, directory: &Path) {
    let only = vec!["sin.approx.f32".into(), "cos.approx.f32".into()];
    let request = RunRequest { shard: Some(shard), ..RunRequest::of(Tier::Nightly, only) };
    let emulator = Emulator::lanes();
    let plan = Plan::new(request, &emulator).expect("a plan");
    let mut progress = Progress::new(plan.tasks.len());
    progress.before = plan.blocks().len();
    progress.control = vec![17; plan.tasks.len()];
    for (tally, vectors) in progress.tallies.iter_mut().zip(plan.vectors_per_task()) {
        (tally.vectors, tally.confirmed) = (vectors, vectors);
        tally.answer("any-nan", "canonical", vectors / 256);
    }
    let identity = state::RunIdentity::of(&plan, &emulator.describe());
    std::fs::create_dir(directory).expect("a new folder");
    state::save(&directory.join(STATE_FILE), &identity, &progress).expect("room for it");
    let settings = RunSettings { jobs: 1, directory: directory.into(), resume: false };
    let outcome = RunOutcome { progress, complete: true, error: None };
    let started = std::time::SystemTime::now();
    let report =
        findings::report::build(&plan, &emulator, &settings, &outcome, &Diagnoses::new(), started);
    reports::save(&report, &directory.join("report.json")).expect("room for it");
}

/// Returns the most memory that this process has had, in KiB; 0 where the system does not tell.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
