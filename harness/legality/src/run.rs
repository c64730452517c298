//! Asking, and comparing the answers with the table.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use isa::{PtxVersion, Target, Variant, sm};
use ptx::{Header, VersionHistory};
use selection::select::Selection;

use super::ask::{ask_all, jobs};
use super::assembler::{Assembler, Verdicts};
use super::compare::{explain, gather};
use super::question::Questions;
use super::work::ONLY_CASTS;
use super::{Direction, Disagreement, Explanation, Outcome, explained, matrix};

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
    pub stop: &'static AtomicBool,
}

/// A target, with the version that brought it.
pub type Known = (Target, PtxVersion);

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
    let Selection { mut variants, matrices } = Selection::of(&request.only, None)?;
    variants.retain(|variant| variant.is_ptx());
    if variants.is_empty() && matrices.is_empty() {
        bail!(ONLY_CASTS);
    }
    let directory =
        tempfile::tempdir().context("there is no temporary directory: make room, or set TMPDIR")?;
    let probe = |target, ptx| accepts(assembler, directory.path(), target, ptx);
    let calendar = calendar(assembler, directory.path())?;
    let (targets, disagreements) = targets(&calendar, request.reduced, probe)?;
    let run = Run { assembler, request, directory: directory.path(), calendar, targets };
    let lanes = run.lanes(&variants, progress)?;
    // The first half of the bar was the lanes'.
    let before = lanes.verdicts;
    let behind = |done, total| progress(before + done, before + total);
    let matrices = matrix::run(&run, &matrices, &behind)?;
    let reduced = reductions(request, &run.calendar);
    let sum = [lanes, matrices].into_iter().fold(
        Outcome {
            newest: run.calendar.newest(),
            instructions: 0,
            legal: 0,
            targets: run.targets.len(),
            verdicts: 0,
            reduced,
            disagreements,
            explanations: Vec::new(),
        },
        |sum, part| Outcome {
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

/// What all questions of a run have in common.
pub struct Run<'a> {
    /// Who is asked.
    pub assembler: &'a Assembler,
    /// What was asked for.
    pub request: &'a Request,
    /// Where modules may be written.
    pub directory: &'a Path,
    /// The versions that the assembler knows.
    pub calendar: VersionHistory,
    /// The targets to ask about.
    pub targets: Vec<Known>,
}

/// The targets, without their versions.
pub fn names(targets: &[Known]) -> Vec<Target> {
    targets.iter().map(|&(target, _)| target).collect()
}

/// What was found of one of the tables.
#[derive(Default)]
pub struct Part {
    pub instructions: usize,
    pub legal: usize,
    pub verdicts: u64,
    pub disagreements: Vec<Disagreement>,
    pub explanations: Vec<Explanation>,
}

impl Run<'_> {
    /// Of the neighbours of a form, one in so many is asked about.
    pub fn sampling(&self) -> usize {
        if self.request.reduced { SAMPLING } else { 1 }
    }

    /// Whether the list of known disagreements is tested. Under `--only` it is used but not tested: it is
    /// about everything.
    pub fn checks_explanations(&self) -> bool {
        self.request.only.is_empty() && self.calendar.is_full()
    }

    /// The targets to ask about: of a reduced run, those of a sample.
    pub fn targets(&self, is_in_sample: impl Fn(Target) -> bool) -> Vec<Known> {
        let wanted = |(target, _): &Known| !self.request.reduced || is_in_sample(*target);
        self.targets.iter().copied().filter(wanted).collect()
    }

    fn lanes(
        &self,
        variants: &[&'static Variant],
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Part> {
        if variants.is_empty() {
            return Ok(Part::default());
        }
        let explained = explained::all();
        let claims = if self.request.only.is_empty() { explained } else { &[] };
        let questions = Questions::around(variants, self.sampling(), claims);
        let targets = self.targets(is_in_sample);
        let jobs = jobs(questions.all(), &targets, &self.calendar);
        let judge = |file: &Path, header: Header, texts: &[&str]| {
            self.assembler.judge(file, (header.target, header.ptx), texts)
        };
        let all = questions.all();
        let (verdicts, surprises) = ask_all(self.directory, all, &jobs, self.request, progress, judge)?;
        let checked = self.checks_explanations();
        let (unexplained, explanations) =
            explain(explained, &questions.claimed(explained), all, &names(&targets), surprises, checked);
        Ok(Part {
            instructions: all.len(),
            legal: all.iter().filter(|question| question.variant.is_some()).count(),
            verdicts,
            disagreements: gather(all, unexplained),
            explanations,
        })
    }
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
    let asked = Target::all().filter(|&(target, first)| {
        first <= calendar.newest() && (!reduced || is_in_sample(target) || matrix::is_in_sample(target))
    });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_targets_of_the_sample() {
        assert_eq!(Target::all().filter(|(target, _)| is_in_sample(*target)).count(), 4);
    }
}
