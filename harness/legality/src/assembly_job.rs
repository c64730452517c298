//! The asking of questions: modules are made of them, and the answers that are not the table's are collected.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};
use isa::{PtxVersion, Target};
use ptx::{Header, VersionHistory};

use super::assembler::Verdicts;
use super::compare::Surprise;
use super::inquiry::DatedTarget;
use super::question::AssemblerQuestion;
use super::work::share;
use super::{Direction, LegalityRequest};

/// Number of instructions in a module: a second's work or less.
const BATCH: usize = 20_000;

/// A module of questions for one target in one version.
pub struct AssemblyJob {
    target: Target,
    ptx: PtxVersion,
    questions: Vec<u32>,
}

/// Returns the modules: everything in the newest version, and the forms of the table in other versions too.
pub fn jobs(
    questions: &[impl AssemblerQuestion],
    targets: &[DatedTarget],
    calendar: &VersionHistory,
) -> Vec<AssemblyJob> {
    let mut jobs = Vec::new();
    for &(target, start) in targets {
        let mut by_version: BTreeMap<PtxVersion, Vec<u32>> = BTreeMap::new();
        for (number, question) in (0..).zip(questions) {
            for ptx in calendar.versions_that_matter(start, |ptx| question.is_legal(target, ptx)) {
                by_version.entry(ptx).or_default().push(number);
            }
        }
        for (ptx, questions) in by_version {
            let batches = questions.chunks(BATCH);
            jobs.extend(batches.map(|batch| AssemblyJob { target, ptx, questions: batch.to_vec() }));
        }
    }
    jobs
}

/// Asks everything, on several threads; returns the number of verdicts, and the surprising ones. `judge` has an
/// assembler judge one module's instructions.
pub fn ask_all<Q: AssemblerQuestion>(
    directory: &Path,
    questions: &[Q],
    jobs: &[AssemblyJob],
    request: &LegalityRequest,
    progress: &(dyn Fn(u64, u64) + Sync),
    judge: impl Fn(&Path, Header, &[&str]) -> Result<Verdicts> + Sync,
) -> Result<(u64, Vec<Surprise>)> {
    let count = |job: &AssemblyJob| job.questions.len() as u64;
    let surprises = share(jobs, request, directory, progress, count, |job, file| {
        let header = Header { ptx: job.ptx, target: job.target };
        let text = |&number: &u32| questions[number as usize].text();
        let texts: Vec<&str> = job.questions.iter().map(text).collect();
        surprises(questions, job, judge(file, header, &texts)?)
    })?;
    Ok((jobs.iter().map(count).sum(), surprises.into_iter().flatten().collect()))
}

/// Returns the surprises among the verdicts on one module.
fn surprises<Q: AssemblerQuestion>(
    questions: &[Q],
    job: &AssemblyJob,
    verdicts: Verdicts,
) -> Result<Vec<Surprise>> {
    let &AssemblyJob { target, ptx, .. } = job;
    let refusals = match verdicts {
        Verdicts::Each(refusals) => refusals,
        // `run::targets` has seen that the assembler takes the target, which this contradicts.
        Verdicts::NoSuchModule(text) => {
            bail!("ptxas takes PTX {ptx} for {target} only sometimes: {text}")
        }
    };
    let mut surprises = Vec::new();
    for (&question, message) in job.questions.iter().zip(refusals) {
        let direction = match (questions[question as usize].is_legal(target, ptx), &message) {
            (true, Some(_)) => Direction::Refused,
            (false, None) => Direction::Accepted,
            _ => continue,
        };
        surprises.push(Surprise { question, target, ptx, direction, message });
    }
    Ok(surprises)
}
