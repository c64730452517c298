//! `cargo xtask vectors check`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use harness::implementation::Emulator;
use harness::run::{self, BLOCK, Display, Plan, Request, Settings, Tier};
use vectors::digests::Proof;

use crate::command::{AGREE, Ending, MISMATCH, print, stop_on_interrupt};

/// Have MPFR judge the proven spaces again, and compare with the committed digests.
#[derive(Args)]
pub struct Arguments {
    /// Only variants that match one of these patterns (`*` any text, `?` any character).
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// The tier whose exhaustive sweeps are meant.
    #[arg(long, value_enum, default_value = "quick")]
    tier: Tier,
    /// Put the digests into the file instead, beside those of other spaces.
    #[arg(long)]
    write: bool,
    /// The file of digests to be written.
    #[arg(long, value_name = "FILE", default_value = "vectors/digests/proven.txt")]
    file: PathBuf,
    /// Directory of the run's state.
    #[arg(long, value_name = "DIR", default_value = "target/vectors")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    let only = arguments.only.clone();
    let request = Request { tier: arguments.tier, seed: 0, only, target: None, shard: None, mpfr: true };
    let emulator = Emulator::lanes();
    let mut plan = Plan::new(request, &emulator)?;
    plan.tasks.retain(|task| task.sweep.name == "exhaustive" && task.vectors > BLOCK);
    if !arguments.write {
        plan.tasks.retain(|task| Proof::of(task.variant, task.sweep.name, task.vectors).is_some());
    }
    if plan.tasks.is_empty() {
        bail!("no space to check: digests are of exhaustive sweeps of more than {BLOCK} vectors");
    }
    std::fs::create_dir_all(&arguments.out)
        .with_context(|| format!("the directory {} cannot be made", arguments.out.display()))?;
    let jobs = std::thread::available_parallelism().map_or(1, |jobs| jobs.get());
    let settings = Settings { jobs, directory: arguments.out.clone(), resume: false };
    let display = Display::new(plan.vectors_per_task().iter().sum());
    let stop = stop_on_interrupt()?;
    let outcome = run::run(&plan, &emulator, &settings, &stop, &display)?;
    if let Some(error) = outcome.error {
        return Err(error);
    }
    if !outcome.complete {
        bail!("broken off before the end: nothing was compared");
    }
    run::forget(&arguments.out);

    let mut lines = BTreeMap::new();
    let mut wrong = Vec::new();
    for (task, tally) in plan.tasks.iter().zip(&outcome.progress.tallies) {
        let key = format!("{} {} {}", task.variant, task.sweep.name, task.vectors);
        if tally.mismatches > 0 {
            wrong.push(format!("{key}: the emulator and MPFR differ on {} vectors", tally.mismatches));
        }
        let proof = Proof { vectors: task.vectors, inputs: tally.inputs, results: tally.expected };
        let committed = Proof::of(task.variant, task.sweep.name, task.vectors);
        if !arguments.write && committed.is_some_and(|committed| *committed != proof) {
            wrong.push(format!("{key}: the digests are {:#018x} {:#018x}", proof.inputs, proof.results));
        }
        lines.insert(key, format!("{:#018x} {:#018x}", proof.inputs, proof.results));
    }
    if !wrong.is_empty() {
        print(&(wrong.join("\n") + "\n"))?;
        return Ok(ExitCode::from(MISMATCH));
    }
    if arguments.write {
        write(&arguments.file, &lines)?;
    }
    let verb = if arguments.write { "written" } else { "confirmed" };
    print(&format!("{} digests {verb}, every vector judged by MPFR.\n", lines.len()))?;
    Ok(ExitCode::from(AGREE))
}

/// Puts lines into the file of digests, in place of those of the same spaces.
fn write(file: &Path, lines: &BTreeMap<String, String>) -> Result<()> {
    let old = std::fs::read_to_string(file)
        .with_context(|| format!("{} cannot be read: run this in the repository", file.display()))?;
    let (comments, digests): (Vec<&str>, Vec<&str>) =
        old.lines().partition(|line| line.starts_with('#'));
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    for line in digests {
        let mut fields = line.splitn(4, ' ');
        let key: Vec<&str> = fields.by_ref().take(3).collect();
        all.insert(key.join(" "), fields.next().unwrap_or_default().to_owned());
    }
    all.extend(lines.clone());
    let lines = all.iter().map(|(key, digests)| format!("{key} {digests}"));
    let text: Vec<String> = comments.into_iter().map(str::to_owned).chain(lines).collect();
    reports::write_atomically(file, (text.join("\n") + "\n").as_bytes())
        .with_context(|| format!("{} cannot be written", file.display()))
}
