//! Asking, and comparing the answers with the table.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use vectors::isa::{PtxVersion, Target, sm};

use super::assembler::{Assembler, Verdicts};
use super::compare::{Surprise, explain, gather};
use super::explained;
use super::question::Questions;
use super::work::{instructions, share};
use super::{Direction, Disagreement, Outcome};
use ptx::VersionHistory;

/// Instructions in a module: a second's work or less.
const BATCH: usize = 20_000;
/// Of the neighbours, a reduced run asks about one in so many.
const SAMPLING: usize = 10;

/// What to ask.
pub struct Request {
    /// Only forms that match one of these patterns, and what is one step from them.
    pub only: Vec<String>,
    /// On few targets, and a sample of what is illegal.
    pub reduced: bool,
    /// Number of assemblers at work at a time.
    pub jobs: usize,
    /// Set to break the run off.
    pub stop: Arc<AtomicBool>,
}

/// A target, with the version that brought it.
type Known = (Target, PtxVersion);

/// A module: these questions, for this target in this version.
struct Job {
    target: Target,
    ptx: PtxVersion,
    questions: Vec<u32>,
}

/// Asks the assembler about everything that a request names. `progress` is told the number of
/// verdicts that there are, and that there will be.
///
/// # Errors
/// If the request selects nothing, or if the assembler does not do its part.
pub fn run(
    assembler: &Assembler,
    request: &Request,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Outcome> {
    let variants = instructions(request)?;
    let directory =
        tempfile::tempdir().context("there is no temporary directory: make room, or set TMPDIR")?;
    let probe = |target, ptx| accepts(assembler, directory.path(), target, ptx);
    let calendar = calendar(assembler, directory.path())?;
    let (targets, mut disagreements) = targets(&calendar, request.reduced, probe)?;

    let explained = explained::all();
    let sampling = if request.reduced { SAMPLING } else { 1 };
    // Under --only the list is used but not tested: it is about everything.
    let claims = if request.only.is_empty() { explained } else { &[] };
    let questions = Questions::around(&variants, sampling, claims);
    let jobs = jobs(&questions, &targets, &calendar);
    let (verdicts, surprises) =
        ask_all(assembler, directory.path(), &questions, &jobs, request, progress)?;
    let targets: Vec<Target> = targets.into_iter().map(|(target, _)| target).collect();
    let checked = request.only.is_empty() && calendar.is_full();
    let (unexplained, explanations) = explain(explained, &questions, &targets, surprises, checked);
    disagreements.extend(gather(&questions, unexplained));
    Ok(Outcome {
        newest: calendar.newest(),
        instructions: questions.all().len(),
        legal: questions.all().iter().filter(|question| question.variant.is_some()).count(),
        targets: targets.len(),
        verdicts,
        reduced: reductions(request, &calendar),
        disagreements,
        explanations,
    })
}

/// The targets of a reduced run: an old one, one before the families, and the two with most forms.
pub fn is_in_sample(target: Target) -> bool {
    ["sm_53", "sm_90", "sm_100a", "sm_107a"].contains(&target.to_string().as_str())
}

/// The versions that the assembler knows.
pub fn calendar(assembler: &Assembler, directory: &Path) -> Result<VersionHistory> {
    VersionHistory::until(|ptx| accepts(assembler, directory, sm(80), ptx))?
        .context("ptxas knows no version of PTX that the table has; take ptxas 12 or later")
}

fn reductions(request: &Request, calendar: &VersionHistory) -> Vec<String> {
    let mut reduced = Vec::new();
    if request.reduced {
        reduced.push(format!("4 targets, and one in {SAMPLING} of the illegal spellings (--reduced)"));
    }
    if !request.only.is_empty() {
        reduced.push(format!("what is near these patterns: {} (--only)", request.only.join(", ")));
    }
    if !calendar.is_full() {
        let newest = calendar.newest();
        reduced.push(format!("PTX up to {newest}, since this ptxas knows no later one"));
    }
    reduced
}

/// Whether the assembler reads modules for a target in a version at all.
fn accepts(assembler: &Assembler, directory: &Path, target: Target, ptx: PtxVersion) -> Result<bool> {
    let verdicts = assembler.judge(&directory.join("probe.ptx"), (target, ptx), &[])?;
    Ok(matches!(verdicts, Verdicts::Each(_)))
}

/// The targets to ask about, and where the assembler sees their beginnings otherwise.
fn targets(
    calendar: &VersionHistory,
    reduced: bool,
    accepts: impl Fn(Target, PtxVersion) -> Result<bool>,
) -> Result<(Vec<Known>, Vec<Disagreement>)> {
    let (mut targets, mut disagreements) = (Vec::new(), Vec::new());
    let asked = Target::all()
        .filter(|&(target, first)| first <= calendar.newest() && (!reduced || is_in_sample(target)));
    for (target, first) in asked {
        let before = calendar.before(first).map(|before| (before, false));
        let expected = before.into_iter().chain([(first, true), (calendar.newest(), true)]);
        let mut agreed = true;
        for (ptx, expected) in expected {
            if accepts(target, ptx)? != expected {
                agreed = false;
                disagreements.push(Disagreement {
                    subject: "the target itself".into(),
                    direction: if expected { Direction::Refused } else { Direction::Accepted },
                    ptx,
                    targets: vec![target],
                    message: None,
                });
            }
        }
        if agreed {
            targets.push((target, first));
        }
    }
    Ok((targets, disagreements))
}

/// The modules: everything in the newest version, and the forms of the table in others too.
fn jobs(questions: &Questions, targets: &[(Target, PtxVersion)], calendar: &VersionHistory) -> Vec<Job> {
    let mut jobs = Vec::new();
    for &(target, start) in targets {
        let mut by_version: BTreeMap<PtxVersion, Vec<u32>> = BTreeMap::new();
        for (number, question) in (0..).zip(questions.all()) {
            for ptx in calendar.around(start, |ptx| question.is_legal(target, ptx)) {
                by_version.entry(ptx).or_default().push(number);
            }
        }
        for (ptx, questions) in by_version {
            let batches = questions.chunks(BATCH);
            jobs.extend(batches.map(|batch| Job { target, ptx, questions: batch.to_vec() }));
        }
    }
    jobs
}

/// Asks everything, on several threads; returns the number of verdicts, and those that surprise.
fn ask_all(
    assembler: &Assembler,
    directory: &Path,
    questions: &Questions,
    jobs: &[Job],
    request: &Request,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<(u64, Vec<Surprise>)> {
    let count = |job: &Job| job.questions.len() as u64;
    let surprises = share(jobs, request, directory, progress, count, |job, file| {
        ask(assembler, file, questions, job)
    })?;
    Ok((jobs.iter().map(count).sum(), surprises.into_iter().flatten().collect()))
}

/// Asks about one module.
fn ask(assembler: &Assembler, file: &Path, questions: &Questions, job: &Job) -> Result<Vec<Surprise>> {
    let &Job { target, ptx, .. } = job;
    let all = questions.all();
    let texts: Vec<&str> = job.questions.iter().map(|&number| &*all[number as usize].text).collect();
    let refusals = match assembler.judge(file, (target, ptx), &texts)? {
        Verdicts::Each(refusals) => refusals,
        Verdicts::NoSuchModule(text) => {
            bail!("ptxas takes PTX {ptx} for {target} at times only: {text}")
        }
    };
    let mut surprises = Vec::new();
    for (&question, message) in job.questions.iter().zip(refusals) {
        let direction = match (all[question as usize].is_legal(target, ptx), &message) {
            (true, Some(_)) => Direction::Refused,
            (false, None) => Direction::Accepted,
            _ => continue,
        };
        surprises.push(Surprise { question, target, ptx, direction, message });
    }
    Ok(surprises)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_targets_of_the_sample() {
        assert_eq!(Target::all().filter(|(target, _)| is_in_sample(*target)).count(), 4);
    }
}
