//! `cargo xtask vectors check`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use harness::implementation::Emulator;
use harness::run::{self, BLOCK, Display, Plan, Request, Settings, Task, Tier};

use crate::command::{AGREE, Ending, MISMATCH, print, stop_on_interrupt};

/// Compare what is expected of every vector of a tier with the committed digests.
#[derive(Args)]
pub struct Arguments {
    /// Only variants that match one of these patterns (`*` any text, `?` any character).
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// The tier whose vectors are meant; beyond the quick one only whole spaces have digests.
    #[arg(long, value_enum, default_value = "quick")]
    tier: Tier,
    /// Have MPFR judge again what it has judged before.
    #[arg(long)]
    all: bool,
    /// Put the digests that MPFR finds into the files instead, beside those of other vectors.
    #[arg(long)]
    write: bool,
    /// The directory of the files of digests.
    #[arg(long, value_name = "DIR", default_value = "vectors/digests")]
    digests: PathBuf,
    /// Directory of the run's state.
    #[arg(long, value_name = "DIR", default_value = "target/vectors")]
    out: PathBuf,
}

/// The file of whole spaces of more than a block, which the suite itself relies on.
const PROVEN: &str = "proven.txt";
/// The file of all else.
const QUICK: &str = "quick.txt";

/// Lines of digests: variant, sweep and number of vectors; digests of inputs and of results.
type Lines = BTreeMap<String, String>;

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    let only = arguments.only.clone();
    let request =
        Request { tier: arguments.tier, seed: 0, only, target: None, shard: None, mpfr: arguments.all };
    let emulator = Emulator::lanes();
    let mut plan = Plan::new(request, &emulator)?;
    plan.tasks.retain(|task| arguments.tier == Tier::Quick || is_space(task));
    let mut files = [PROVEN, QUICK].map(|name| (arguments.digests.join(name), Lines::new()));
    for (path, lines) in &mut files {
        *lines = read(path)?;
    }
    let [proven, quick] = &mut files;
    if arguments.write {
        // What is screened rests on the digest that it has, and what series enclose, MPFR has not judged.
        plan.tasks.retain(|task| task.proven.is_none() && !task.series);
    } else {
        plan.tasks.retain(|task| {
            let lines = if is_space(task) { &proven.1 } else { &quick.1 };
            lines.contains_key(&key(task))
        });
    }
    if plan.tasks.is_empty() {
        bail!(
            "there are no digests to {}",
            if arguments.write { "be written" } else { "check: --write makes them" }
        );
    }
    let done = have_judged(&plan, &emulator, &arguments.out)?;

    let mut wrong = Vec::new();
    for (key, (space, mismatches, digests)) in &done {
        let lines = if *space { &mut proven.1 } else { &mut quick.1 };
        if *mismatches > 0 {
            wrong.push(format!("{key}: the emulator and MPFR differ on {mismatches} vectors"));
        } else if arguments.write {
            lines.insert(key.clone(), digests.clone());
        } else if lines.get(key) != Some(digests) {
            wrong.push(format!("{key}: the digests are now {digests}"));
        }
    }
    if !wrong.is_empty() {
        print(&format!("{}\n{} of {} digests are wrong.\n", wrong.join("\n"), wrong.len(), done.len()))?;
        return Ok(ExitCode::from(MISMATCH));
    }
    if arguments.write {
        files.iter().try_for_each(|(path, lines)| write(path, lines))?;
    }
    let verb = if arguments.write { "written" } else { "confirmed" };
    print(&format!("{} digests {verb}.\n", done.len()))?;
    Ok(ExitCode::from(AGREE))
}

/// Whether a task is a whole space of more than a block.
fn is_space(task: &Task) -> bool {
    task.sweep.name == "exhaustive" && task.vectors > BLOCK
}

fn key(task: &Task) -> String {
    format!("{} {} {}", task.variant, task.sweep.name, task.vectors)
}

/// For each task by its key: whether it is a space, mismatches of the emulator, and digests.
type Done = BTreeMap<String, (bool, u64, String)>;

/// Carries out a plan with the emulator.
fn have_judged(plan: &Plan, emulator: &Emulator, out: &Path) -> Result<Done> {
    std::fs::create_dir_all(out)
        .with_context(|| format!("the directory {} cannot be made", out.display()))?;
    let jobs = std::thread::available_parallelism().map_or(1, |jobs| jobs.get());
    let settings = Settings { jobs, directory: out.to_owned(), resume: false };
    let display = Display::new(plan.vectors_per_task().iter().sum());
    let stop = stop_on_interrupt()?;
    let outcome = run::run(plan, emulator, &settings, &stop, &display)?;
    if let Some(error) = outcome.error {
        return Err(error);
    }
    if !outcome.complete {
        bail!("broken off before the end: nothing was compared");
    }
    run::forget(out);
    let digests = plan.tasks.iter().zip(&outcome.progress.tallies).map(|(task, tally)| {
        let digests = format!("{:#018x} {:#018x}", tally.inputs, tally.expected);
        (key(task), (is_space(task), tally.mismatches, digests))
    });
    Ok(digests.collect())
}

/// The lines of a file of digests; a file that does not exist has none.
fn read(path: &Path) -> Result<Lines> {
    if !path.exists() {
        return Ok(Lines::new());
    }
    let text =
        std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let split = |line: &str| {
        let at = line.match_indices(' ').nth(2).map(|(at, _)| at);
        let (key, digests) =
            line.split_at(at.with_context(|| format!("not a line of digests: `{line}`"))?);
        Ok((key.to_owned(), digests.trim_start().to_owned()))
    };
    lines.map(split).collect()
}

/// Puts lines into a file of digests, behind its comments.
fn write(path: &Path, lines: &Lines) -> Result<()> {
    let old = std::fs::read_to_string(path).unwrap_or_default();
    let comments = old.lines().filter(|line| line.starts_with('#')).map(str::to_owned);
    let lines = lines.iter().map(|(key, digests)| format!("{key} {digests}"));
    let text: Vec<String> = comments.chain(lines).collect();
    reports::write_atomically(path, (text.join("\n") + "\n").as_bytes())
        .with_context(|| format!("{} cannot be written: run this in the repository", path.display()))
}
