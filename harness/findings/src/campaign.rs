//! Replays what a fuzz campaign kept, as a run of its own: every artifact is tried again, and what still fails is
//! simplified, explained and reported as the mismatches of any other run.
//!
//! The vectors are a sweep that is a list ([`VectorList`]), so that runner, judge and diagnosis take them as they take
//! others, and an example of the report has its number in that list.

mod artifacts;
mod fuzz_case;

use std::collections::BTreeMap;
use std::slice;

use anyhow::{Context, Result};
use formats::RowBits;
use implementations::Implementation;
use reports::{Artifact, ArtifactStatus, Campaign, FUZZ, Report, RootCause, counted};
use runner::{BlockJudge, Judging, LeftOut, Plan};
use selection::VectorList;
use selection::subject::Subject;

pub use artifacts::{KeptFile, files, read, tested};
pub use fuzz_case::{FuzzCase, Ring};

/// Makes the plan of a run of all vectors that were kept, each once.
pub fn plan(kept: &[KeptFile], implementation: &dyn Implementation) -> Plan {
    let mut given: Vec<VectorList> = Vec::new();
    for FuzzCase { variant, operands } in kept.iter().filter_map(|kept| kept.case.as_ref().ok()) {
        let place = given.iter().position(|of| of.variant == *variant).unwrap_or_else(|| {
            given.push(VectorList { variant, rows: Vec::new(), name: VectorList::FUZZ });
            given.len() - 1
        });
        let rows: &mut Vec<Vec<RowBits>> = &mut given[place].rows;
        // A campaign may keep one vector in several files.
        if !rows.contains(operands) {
            rows.push(operands.clone());
        }
    }
    Plan::of_given(given, implementation)
}

/// Tries the vector of every kept file once, alone, and returns what became of each file.
///
/// # Errors
/// If the implementation breaks as a whole.
pub fn try_again(
    kept: &[KeptFile],
    plan: &Plan,
    implementation: &dyn Implementation,
) -> Result<Vec<Artifact>> {
    let left_out = plan.unsupported.iter().chain(&plan.failing);
    let left_out: BTreeMap<&str, &str> =
        left_out.map(|LeftOut { subject, reason }| (subject.id(), &**reason)).collect();
    let mut worker = implementation.worker()?;
    let mut judges: BTreeMap<&str, BlockJudge> = BTreeMap::new();
    let mut try_one = |KeptFile { file, case }: &KeptFile| {
        let artifact = Artifact {
            file: file.clone(),
            status: ArtifactStatus::Unread,
            variant: None,
            class: None,
            reason: None,
        };
        let case = match case {
            Ok(case) => case,
            Err(reason) => return Ok(Artifact { reason: Some(reason.clone()), ..artifact }),
        };
        let artifact = Artifact { variant: Some(case.variant.text().into()), ..artifact };
        let untested = |reason: &str| Artifact {
            status: ArtifactStatus::Untested,
            reason: Some(reason.into()),
            ..artifact.clone()
        };
        if let Some(reason) = left_out.get(case.variant.text()) {
            return Ok(untested(reason));
        }
        let judge = judges.entry(case.variant.text());
        let judge =
            judge.or_insert_with(|| BlockJudge::new(Subject::Variant(case.variant), Judging::Mpfr));
        let tally = judge.run_rows(slice::from_ref(&case.operands), 0, worker.as_mut());
        let tally = tally.with_context(|| format!("{file} could not be run again"))?;
        let class = tally.classes.keys().next().map(|kind| format!("{}/{}", case.variant, kind.id()));
        Ok(match &class {
            Some(_) => Artifact { status: ArtifactStatus::Fails, class, ..artifact },
            // A vector without a result has no mismatch either, and yet it does not agree.
            None if tally.unanswered > 0 => untested("it has no result for the vector"),
            None => Artifact { status: ArtifactStatus::Agrees, ..artifact },
        })
    };
    kept.iter().map(&mut try_one).collect()
}

/// Turns the report of a run of kept vectors into that of a campaign, with what became of the artifacts. It says
/// nothing about the rules that an implementation follows: its vectors are those that were wrong.
pub fn campaign_report(report: Report, artifacts: Vec<Artifact>) -> Report {
    let tried = |of: &&Artifact| matches!(of.status, ArtifactStatus::Fails | ArtifactStatus::Agrees);
    let files = counted(artifacts.iter().filter(tried).count() as u64, "file");
    let only = format!("Only the vectors of {files} that a fuzz campaign kept.");
    let causes = RootCause::all(&report.variants);
    Report {
        plan: reports::Plan { tier: FUZZ.into(), floor: 0, ..report.plan },
        reduced: std::iter::once(only).chain(report.reduced).collect(),
        rules: Vec::new(),
        campaign: Some(Campaign { artifacts, causes }),
        ..report
    }
}

#[cfg(test)]
mod tests;
