//! Merges the shards of a run into the report that one machine would have written.
//!
//! Each part leaves its state, in which every task has its tally, and its report. Tallies are sums, so the tallies of
//! all parts add up to those of the whole run. Parts are read one after the other, and only the sum is kept.

mod absent_implementation;
mod classes;
mod part;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use implementations::Implementation;
use reports::{Report, counted};
use runner::{Plan, Progress, RunOutcome};
use selection::Shard;

use absent_implementation::AbsentImplementation;
use classes::Classes;
use part::RunPart;

/// All parts of a plan, merged.
pub struct Whole {
    /// The plan of the whole run, without a shard.
    pub plan: Plan,
    /// The implementation that was tested: one that can be asked again, or what is known of one that cannot.
    pub implementation: Box<dyn Implementation>,
    /// The sum of what all parts found.
    pub outcome: RunOutcome,
    /// Sentences about the parts that are not at their end.
    unfinished: Vec<String>,
    /// The report of the first part, for what is not in the sums: its machine, and when the run began.
    first: Report,
    classes: Classes,
}

/// The parts that have been read so far.
struct MergedParts {
    whole: Whole,
    count: u64,
    seen: BTreeMap<u64, PathBuf>,
    first: RunPart,
}

/// Merges all parts of a plan, which lie in these directories in any order. `present` is the implementation, if it is
/// here to be asked again.
///
/// # Errors
/// If a directory has no part, if a part is damaged or of another plan, version, implementation or device than the
/// first, or if a part is missing or there twice.
pub fn merge(directories: &[PathBuf], present: Option<Box<dyn Implementation>>) -> Result<Whole> {
    let (first, others) = directories.split_first().context("there is nothing to merge")?;
    let mut parts = MergedParts::begin(RunPart::read(first)?, present)?;
    for directory in others {
        parts.add(RunPart::read(directory)?)?;
    }
    parts.finish()
}

impl MergedParts {
    /// Makes the plan of the whole run from its first part, and adds this part.
    fn begin(part: RunPart, present: Option<Box<dyn Implementation>>) -> Result<MergedParts> {
        let shown = part.directory.display().to_string();
        let is_present = present.is_some();
        let implementation: Box<dyn Implementation> = match present {
            Some(present) => present,
            None => Box::new(AbsentImplementation::of(&part)),
        };
        let plan = Plan::new(part.identity.unsharded_request()?, implementation.as_ref())
            .with_context(|| format!("{shown} has a plan that cannot be made here"))?;
        if let Some(difference) = part.identity.difference_from(&plan, &implementation.describe()) {
            bail!("{shown} does not fit what is here: {}", reports::printable(&difference));
        }
        let progress = Progress::new(plan.tasks.len());
        let whole = Whole {
            plan,
            implementation,
            outcome: RunOutcome { progress, complete: true, error: None },
            unfinished: Vec::new(),
            first: part.report.clone(),
            classes: Classes::new(is_present),
        };
        let count = part.shard.count;
        let mut parts = MergedParts { whole, count, seen: BTreeMap::new(), first: part.summary() };
        parts.add(part)?;
        Ok(parts)
    }

    /// Adds a part, if it is of the same run as the first and was not added before.
    fn add(&mut self, part: RunPart) -> Result<()> {
        let (shown, Shard { index, count }) = (part.directory.display(), part.shard);
        let known = self.first.directory.display();
        if let Some(difference) = part.identity.difference_of_parts(&self.first.identity) {
            bail!("{shown} and {known} are no parts of one run: {}", reports::printable(&difference));
        }
        if let Some(other) = self.seen.insert(index, part.directory.clone()) {
            bail!("part {index} of {count} is there twice: in {} and in {shown}", other.display());
        }
        if let Some(difference) = part.unlike_support(&self.first) {
            bail!("{shown} and {known} are of two implementations: {difference}");
        }
        if let Some(of) = part.unlike_control(&self.first) {
            bail!(
                "{shown} and {known} are of two devices, or of one that is not stable: they answered the control \
                 vectors of {of} differently"
            );
        }
        let Whole { plan, outcome, unfinished, first, classes, .. } = &mut self.whole;
        // Blocks are counted for the shard of the plan. The plan is of the whole run again afterwards.
        plan.request.shard = Some(part.shard);
        let (done, planned) = part.blocks(plan)?;
        plan.request.shard = None;
        if done < planned {
            unfinished.push(format!(
                "Part {index} of {count} is not at its end: {done} of {}.",
                counted(planned as u64, "block")
            ));
        }
        // The whole run began with its first part, and has only those details that all parts have.
        let started = &mut first.times.started;
        // Times are written in UTC with four digits for the year, so their order as texts is their order in time.
        *started = part.report.times.started.clone().min(std::mem::take(started));
        first
            .implementation
            .details
            .retain(|name, value| part.report.implementation.details.get(name) == Some(value));
        first.unknown.extend(&part.report.unknown);
        classes.add(index, &part);
        let RunPart { progress, .. } = part;
        let sum = &mut outcome.progress;
        // A state may hold any number, and JSON has no infinity.
        sum.seconds = (sum.seconds + progress.seconds).clamp(0.0, f64::MAX);
        sum.resumed = sum.resumed.saturating_add(progress.resumed);
        sum.departures.extend(progress.departures);
        sum.tallies.iter_mut().zip(progress.tallies).for_each(|(sum, tally)| sum.add(tally));
        Ok(())
    }

    /// Returns the sum, if no part is missing.
    fn finish(self) -> Result<Whole> {
        let MergedParts { mut whole, count, seen, .. } = self;
        let missing = missing(count, seen.keys().copied());
        ensure!(
            missing.is_empty(),
            "of {count} parts of this run, {missing}: run them with --shard, and name their directories as well"
        );
        whole.outcome.complete = whole.unfinished.is_empty();
        Ok(whole)
    }
}

/// Says in words which of `count` parts are missing; empty if none is.
fn missing(count: u64, seen: impl Iterator<Item = u64>) -> String {
    const NAMED: usize = 20;
    let mut gaps: Vec<(u64, u64)> = Vec::new();
    // The first part that may be missing still; none once the largest number there is has been seen.
    let mut next = Some(1);
    for index in seen {
        gaps.extend(next.filter(|&first| first < index).map(|first| (first, index - 1)));
        next = index.checked_add(1);
    }
    gaps.extend(next.filter(|&first| first <= count).map(|first| (first, count)));
    let sum: u64 = gaps.iter().map(|(first, last)| last - first + 1).sum();
    let text = |(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    };
    let mut named: Vec<String> = gaps.iter().take(NAMED).map(text).collect();
    if gaps.len() > NAMED {
        named.push("…".into());
    }
    match sum {
        0 => String::new(),
        1 => format!("part {} is missing", named[0]),
        sum => format!("{sum} are missing ({})", named.join(", ")),
    }
}

impl Whole {
    /// Whether the implementation can be asked again.
    pub fn is_present(&self) -> bool {
        self.classes.is_present()
    }

    /// Turns a report of the sums of all parts into the report of the whole run.
    pub fn amend(&self, report: &mut Report) {
        let seconds = report.times.seconds;
        report.times = reports::Times { seconds, ..self.first.times.clone() };
        report.times.resumed = self.outcome.progress.resumed;
        report.environment = self.first.environment.clone();
        report.implementation.details = self.first.implementation.details.clone();
        report.reduced.extend(self.unfinished.iter().cloned());
        report.reduced.extend(self.first.unknown.left_out());
        self.classes.explain(report);
        report.rules = crate::report::rules_of(&report.variants);
    }
}

/// Whether a directory is one of others, whatever path names it.
pub fn is_among(directory: &Path, others: &[PathBuf]) -> bool {
    // A directory that does not exist yet has no other name than the one that is given.
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    others.iter().any(|other| real(other) == real(directory))
}
