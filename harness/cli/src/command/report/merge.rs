//! `conformance report merge`: puts the parts that `conformance --shard I/N` has left together into one report.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, bail};
use base::terminal::say;
use clap::Args;
use findings::diagnosis::Diagnoses;
use findings::merge;
use runner::{RunSettings, STATE_FILE};

use crate::command::conformance::{Output, conclude, look_into, take};
use crate::command::options::{Jobs, Strict, Waived};
use crate::command::{Ending, processors, stop_on_interrupt};
use crate::waivers::Waivers;

/// Merge the parts of a split run into one report.
///
/// Each part is a directory that a run with --shard I/N has written. The merged report is the one that the
/// whole run would have written. Every part must be there exactly once.
///
/// Exit code: 0 if every result is right; 1 if a result is wrong; 2 if the parts are incomplete or not
/// those of one run.
#[derive(Args)]
pub struct Arguments {
    /// Directories of the parts in any order, or one directory that contains them.
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// Directory of the merged report.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Implementation that runs the mismatches of all parts again, to find their causes [default: none; the
    /// merged report keeps the causes that each part found].
    #[arg(long = "impl", value_name = "NAME")]
    implementation: Option<String>,
    #[command(flatten)]
    waivers: Waived,
    #[command(flatten)]
    strict: Strict,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    output: Output,
}

/// Returns the directories of all parts. A directory that is no part itself, and has directories in it, stands for
/// those, sorted by name.
fn each(directories: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut parts = Vec::new();
    for directory in directories {
        let is_part = directory.join(STATE_FILE).exists();
        let inside = match std::fs::read_dir(directory) {
            // An entry that cannot be read is left out: if it is a part, the merge says that one is missing.
            Ok(entries) if !is_part => entries.flatten().map(|entry| entry.path()).collect(),
            _ => Vec::new(),
        };
        let mut inside: Vec<PathBuf> =
            inside.into_iter().filter(|path: &PathBuf| path.is_dir()).collect();
        inside.sort();
        match inside.is_empty() {
            true => parts.push(directory.clone()),
            false => parts.append(&mut inside),
        }
    }
    Ok(parts)
}

/// Removes the report of an earlier merge from `out`, where it would be taken for the report of this merge if this one
/// makes none.
///
/// # Errors
/// If the file cannot be removed.
fn forget_merged(out: &Path) -> anyhow::Result<()> {
    let path = out.join("report.json");
    // The report of a shard is none of an earlier merge, and stays.
    if path.exists() && reports::load(&path).is_ok_and(|report| report.plan.shard.is_none()) {
        std::fs::remove_file(&path)
            .with_context(|| format!("{} cannot be replaced: remove it", path.display()))?;
    }
    Ok(())
}

/// Runs `conformance report merge`.
pub fn run(arguments: &Arguments) -> Ending {
    let Arguments { parts, out, implementation, waivers, strict, jobs, output } = arguments;
    let is_named = merge::is_among(out, parts);
    let mut parts = each(parts)?;
    if is_named || out.join(STATE_FILE).exists() {
        let what = if is_named || merge::is_among(out, &parts) {
            "is one of the parts"
        } else {
            "has the state of another run"
        };
        bail!("{} {what}: give another directory with --out", out.display());
    }
    // The directory of an earlier merge may lie among the parts, and is none of them.
    parts.retain(|part| !merge::is_among(out, std::slice::from_ref(part)));
    let waivers = Waivers::with_strict(waivers.load()?, &strict.strict);
    let implementation = implementation.as_deref().map(implementations::named).transpose()?;
    forget_merged(out)?;
    let mut whole = merge::merge(&parts, implementation)?;
    let _held = take(out)?;
    let started = SystemTime::now();
    let settings = RunSettings { jobs: jobs.or(processors()), directory: out.clone(), resume: false };
    let is_present = whole.is_present();
    let merge::Whole { plan, implementation, outcome, .. } = &mut whole;
    // Where the implementation is at hand, what the parts tried again is tried again with the first mismatches of all.
    let departures = std::mem::take(&mut outcome.progress.departures);
    let diagnoses = match is_present {
        true => {
            let stop = stop_on_interrupt()?;
            look_into(plan, outcome, implementation.as_ref(), settings.jobs, stop).1
        }
        false => {
            outcome.progress.count_departures(departures);
            Diagnoses::new()
        }
    };
    let merge::Whole { plan, implementation, outcome, .. } = &whole;
    let mut report =
        findings::report::build(plan, implementation.as_ref(), &settings, outcome, &diagnoses, started);
    whole.amend(&mut report);
    let ending = conclude(plan, report, out, outcome, (waivers.as_ref(), *output))?;
    if !outcome.complete {
        say("Some parts are not finished. Continue each with --resume, and merge again.");
    }
    Ok(ending)
}
