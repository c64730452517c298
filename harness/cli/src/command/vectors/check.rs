//! `conformance dev vectors check`: compares what is expected of the vectors of a tier with the committed digests.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use implementations::Emulator;
use isa::Variant;
use oracle::computes_alike;
use runner::{BLOCK, Display, JudgedBy, Judging, Plan, RunRequest, RunSettings, Task};
use selection::budget::Tier;
use selection::subject::Subject;
use sweeps::Sweep;

use super::lines::{Digests, File, PROVEN, QUICK, RUNS};
use crate::command::options::{Depth, Jobs, Resume, Variants};
use crate::command::{AGREE, Ending, MISMATCH, print, processors, stop_on_interrupt};

/// Compare the expected results with the committed digests.
///
/// A digest is a sum of hashes over all results of a sweep. The digests are in vectors/digests.
///
/// Exit code: 0 if every digest is confirmed; 1 if one differs; 2 if they could not be compared.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    variants: Variants,
    #[command(flatten)]
    depth: Depth,
    /// Let MPFR compute every result again, including those that it has confirmed before.
    #[arg(long)]
    all: bool,
    /// Write the digests of MPFR's results into the files, instead of comparing.
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    resume: Resume,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    digests: Digests,
    /// Directory of the state that --resume continues from.
    #[arg(long, value_name = "DIR", default_value = "target/vectors")]
    out: PathBuf,
}

/// Runs `conformance dev vectors check`.
pub fn run(arguments: &Arguments) -> Ending {
    if arguments.write {
        arguments.digests.writable()?;
    }
    let only = arguments.variants.only.clone();
    let judging = match (arguments.all, arguments.write) {
        (true, _) => Judging::Mpfr,
        (false, true) => Judging::Runs,
        (false, false) => Judging::Screened,
    };
    let request = RunRequest { judging, ..RunRequest::of(arguments.depth.tier, only) };
    let emulator = Emulator::lanes();
    let mut plan = Plan::new(request, &emulator)?;
    // In deeper tiers only whole spaces have digests.
    plan.tasks.retain(|task| arguments.depth.tier == Tier::Quick || is_space(task));
    let [mut proven, mut quick] =
        [File::read(arguments.digests.file(PROVEN))?, File::read(arguments.digests.file(QUICK))?];
    let mut copies = Vec::new();
    if arguments.write {
        // Only what MPFR has judged gets a digest. A screened task rests on the digest that it has, and MPFR has not
        // judged what series enclose.
        plan.tasks.retain(|task| task.judged_by == JudgedBy::Mpfr);
        if !arguments.all {
            copies = take_copies(&mut plan.tasks, &proven)?;
        }
    } else {
        plan.tasks.retain(|task| {
            let file = if is_space(task) { &proven } else { &quick };
            file.digests(&key(task)).is_some()
        });
    }
    if plan.tasks.is_empty() && copies.is_empty() {
        bail!(
            "there are no digests of the selected variants to {}",
            if arguments.write { "be written" } else { "check: make them with --write" }
        );
    }
    let done = have_judged(&plan, &emulator, arguments)?;

    // Files are written at the end, after all digests are known to be right.
    let mut wrong = Vec::new();
    for Done { key, space, mismatches, digests, how } in &done {
        let file = if *space { &mut proven } else { &mut quick };
        if *mismatches > 0 {
            wrong.push(format!("{key}: the emulator and MPFR differ on {mismatches} vectors"));
        } else if arguments.write {
            file.put(key, digests, *how);
        } else if file.digests(key) != Some(digests) {
            wrong.push(format!("{key}: the digests are now {digests}"));
        }
    }
    if !wrong.is_empty() {
        print(&format!("{}\n{} of {} digests are wrong.\n", wrong.join("\n"), wrong.len(), done.len()))?;
        return Ok(ExitCode::from(MISMATCH));
    }
    for (key, original) in &copies {
        let digests = proven.digests(original).context("a copy of nothing")?.to_owned();
        let variant = original.split(' ').next().unwrap_or_default();
        proven.put(key, &digests, Some(&format!("as {variant}")));
    }
    if arguments.write {
        proven.write()?;
        quick.write()?;
    }
    let verb = if arguments.write { "written" } else { "confirmed" };
    print(&format!("{} digests {verb}.\n", done.len() + copies.len()))?;
    Ok(ExitCode::from(AGREE))
}

/// Whether a task is a whole space, which is the exhaustive sweep, of more than a block.
fn is_space(task: &Task) -> bool {
    task.asked.sweep() == Sweep::exhaustive().name && task.vectors > BLOCK
}

/// Returns the key of a task's line in a file of digests: variant, sweep and number of vectors.
fn key(task: &Task) -> String {
    format!("{} {} {}", task.subject(), task.asked.sweep(), task.vectors)
}

/// Takes those spaces out of `tasks` of which the oracle computes just what it computes of another space, be that in
/// the file or among the tasks that stay: MPFR need not judge them again. Returns the key of each, with the key of the
/// other space.
///
/// # Errors
/// If a line of the file has no sweep, or no variant that there is.
fn take_copies(tasks: &mut Vec<Task>, proven: &File) -> Result<Vec<(String, String)>> {
    let mut known = Vec::new();
    for key in proven.keys() {
        let (variant, space) = key.split_once(' ').context("a line of digests without a sweep")?;
        let variant: Variant = variant.parse().with_context(|| format!("in the line of {key}"))?;
        known.push((variant, space.to_owned(), key.to_owned()));
    }
    let mut copies = Vec::new();
    for task in std::mem::take(tasks) {
        let variant = match task.subject() {
            Subject::Variant(variant) if is_space(&task) => variant,
            _ => {
                tasks.push(task);
                continue;
            }
        };
        let key = key(&task);
        let space = format!("{} {}", task.asked.sweep(), task.vectors);
        match known.iter().find(|(other, its, _)| *its == space && computes_alike(variant, other)) {
            Some((_, _, original)) => copies.push((key, original.clone())),
            None => {
                known.push((variant.clone(), space, key));
                tasks.push(task);
            }
        }
    }
    Ok(copies)
}

/// The result of one task.
struct Done {
    key: String,
    space: bool,
    /// The number of vectors on which the emulator and MPFR differ.
    mismatches: u64,
    /// The digests of inputs and of expected results, in hexadecimal with a space between them.
    digests: String,
    how: Option<&'static str>,
}

/// Carries out a plan with the emulator, and returns the result of each task.
///
/// # Errors
/// If the run breaks off before its end: then nothing is compared, and `--resume` goes on with it.
fn have_judged(plan: &Plan, emulator: &Emulator, arguments: &Arguments) -> Result<Vec<Done>> {
    let Arguments { out, resume, jobs, .. } = arguments;
    let _held = crate::command::conformance::take(out)?;
    let jobs = jobs.or(processors());
    let settings = RunSettings { jobs, directory: out.to_owned(), resume: resume.resume };
    let display = Display::new(plan.vectors_per_task().iter().sum());
    let stop = stop_on_interrupt()?;
    let outcome = runner::run(plan, emulator, &settings, stop, &display)?;
    if let Some(error) = outcome.error {
        return Err(error);
    }
    if !outcome.complete {
        bail!("broken off before the end, so nothing was compared: continue with --resume");
    }
    runner::forget(out);
    let done = plan.tasks.iter().zip(&outcome.progress.tallies).map(|(task, tally)| {
        let runs = plan.request.judging == Judging::Runs
            && matches!(task.subject(), Subject::Variant(variant) if oracle::has_runs(variant));
        Done {
            key: key(task),
            space: is_space(task),
            mismatches: tally.mismatches,
            digests: format!("{:#018x} {:#018x}", tally.inputs, tally.expected),
            how: runs.then_some(RUNS),
        }
    });
    Ok(done.collect())
}
