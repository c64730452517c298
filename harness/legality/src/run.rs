//! A run of the check: it asks the assembler, and compares the answers with the table.

use std::path::Path;

use anyhow::{Context, Result, bail};
use isa::{PtxVersion, Target, Variant};
use ptx::{Header, VersionHistory};
use selection::select::Selection;

use super::assembler::Assembler;
use super::assembly_job::{ask_all, jobs};
use super::compare::{explain, gather};
use super::inquiry::{
    DatedTarget, Inquiry, LegalityRequest, SAMPLING, TableAnswers, accepts, calendar, names,
};
use super::question::Questions;
use super::work::ONLY_CASTS;
use super::{Direction, Disagreement, LegalityOutcome, known_disagreements, matrix};

/// Asks the assembler about everything that a request names. `progress` is told the number of verdicts that there are,
/// and that there will be.
///
/// # Errors
/// If the request selects nothing, or if the assembler does not do its part.
pub fn run(
    assembler: &Assembler,
    request: &LegalityRequest,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<LegalityOutcome> {
    let Selection { mut variants, matrices } = Selection::of(&request.only, None)?;
    variants.retain(|variant| variant.is_ptx());
    if variants.is_empty() && matrices.is_empty() {
        bail!(ONLY_CASTS);
    }
    let directory = tempfile::tempdir()
        .context("a temporary directory cannot be created: make room, or set TMPDIR")?;
    let probe = |target, ptx| accepts(assembler, directory.path(), target, ptx);
    let calendar = calendar(assembler, directory.path())?;
    let (targets, disagreements) = targets(&calendar, request.reduced, probe)?;
    let inquiry = Inquiry { assembler, request, directory: directory.path(), calendar, targets };
    let lanes = inquiry.lanes(&variants, progress)?;
    // The first half of the progress was that of the lanes' questions.
    let before = lanes.verdicts;
    let behind = |done, total| progress(before + done, before + total);
    let matrices = matrix::run(&inquiry, &matrices, &behind)?;
    let reduced = reductions(request, &inquiry.calendar);
    let sum = [lanes, matrices].into_iter().fold(
        LegalityOutcome {
            newest: inquiry.calendar.newest(),
            instructions: 0,
            legal: 0,
            targets: inquiry.targets.len(),
            verdicts: 0,
            reduced,
            disagreements,
            explanations: Vec::new(),
        },
        |sum, part| LegalityOutcome {
            instructions: sum.instructions + part.instructions,
            legal: sum.legal + part.legal,
            verdicts: sum.verdicts + part.verdicts,
            disagreements: [sum.disagreements, part.disagreements].concat(),
            explanations: [sum.explanations, part.explanations].concat(),
            ..sum
        },
    );
    Ok(sum)
}

impl Inquiry<'_> {
    /// Asks about the variants and about what is one step from them, and compares the answers with the table.
    fn lanes(
        &self,
        variants: &[&'static Variant],
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<TableAnswers> {
        if variants.is_empty() {
            return Ok(TableAnswers::default());
        }
        let explained = known_disagreements::all();
        // Under `--only` the claims of the list are not asked about.
        let claims = if self.request.only.is_empty() { explained } else { &[] };
        let questions =
            Questions::collect_near(variants, self.sampling(), known_disagreements::claims(claims));
        let targets = self.targets(is_in_sample);
        let jobs = jobs(questions.all(), &targets, &self.calendar);
        let judge = |file: &Path, header: Header, texts: &[&str]| {
            self.assembler.judge(file, (header.target, header.ptx), texts)
        };
        let all = questions.all();
        let (verdicts, surprises) = ask_all(self.directory, all, &jobs, self.request, progress, judge)?;
        let checked = self.checks_explanations();
        let claimed = known_disagreements::claimed(&questions, explained);
        let (unexplained, explanations) =
            explain(explained, &claimed, all, &names(&targets), surprises, checked);
        Ok(TableAnswers {
            instructions: all.len(),
            legal: all.iter().filter(|question| question.variant.is_some()).count(),
            verdicts,
            disagreements: gather(all, unexplained),
            explanations,
        })
    }
}

/// Whether a reduced run asks about the target: it asks about an old one, one before the families, and the two with
/// most forms.
pub fn is_in_sample(target: Target) -> bool {
    ["sm_53", "sm_90", "sm_100a", "sm_107a"].contains(&target.to_string().as_str())
}

/// Returns in words by what a run is reduced.
fn reductions(request: &LegalityRequest, calendar: &VersionHistory) -> Vec<String> {
    let mut reduced = Vec::new();
    if request.reduced {
        reduced.push(format!("4 targets, and one in {SAMPLING} of the illegal spellings (--reduced)"));
    }
    if !request.only.is_empty() {
        reduced.push(format!("what is near these patterns: {} (--only)", request.only.join(", ")));
    }
    if !calendar.is_full() {
        let newest = calendar.newest();
        reduced.push(format!("PTX up to {newest}, the latest that this ptxas knows"));
    }
    reduced
}

/// Returns the targets to ask about, and disagreements where the assembler sees their beginnings otherwise.
fn targets(
    calendar: &VersionHistory,
    reduced: bool,
    accepts: impl Fn(Target, PtxVersion) -> Result<bool>,
) -> Result<(Vec<DatedTarget>, Vec<Disagreement>)> {
    let (mut targets, mut disagreements) = (Vec::new(), Vec::new());
    let asked = Target::all().filter(|&(target, first)| {
        first <= calendar.newest() && (!reduced || is_in_sample(target) || matrix::is_in_sample(target))
    });
    for (target, first) in asked {
        // The version before a target's first must refuse it; the first and the newest must take it.
        let before = calendar.version_before(first).map(|before| (before, false));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_targets_of_the_sample() {
        assert_eq!(Target::all().filter(|(target, _)| is_in_sample(*target)).count(), 4);
    }
}
