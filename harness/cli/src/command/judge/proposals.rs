//! Proposes instructions that a function may compute: those whose results it gives on all vectors that are tried.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use base::pool::Pool;
use compilers::unit::{Approximating, Approximation};
use implementations::code::Code;
use implementations::{Implementation, Support};
use isa::Variant;
use runner::{Block, BlockJudge, Judging, Plan, RunRequest};
use selection::budget::Tier;
use selection::subject::Subject;

use crate::FAILED;
use crate::command::{Ending, print, stop_on_interrupt};

/// The number of vectors that are tried together: few settle most instructions.
const PART: u64 = 64;
/// The most vectors of a sweep that are all tried.
const WHOLE: u64 = 1 << 16;
/// The most such parts of a longer sweep that are tried.
const PARTS: u64 = 64;
/// The most proposals that are printed.
const SHOWN: usize = 10;

/// An instruction whose results a function gives, or nearly.
struct Proposal {
    variant: &'static Variant,
    vectors: u64,
    /// The number of vectors up to the first wrong result, if there is one.
    right: Option<u64>,
}

/// The instructions that some code may compute, each tried on some vectors.
struct Proposals(Vec<Proposal>);

/// Prints the instructions whose results some code gives on all vectors tried, the simplest first.
pub fn propose(code: &Code, jobs: usize) -> Ending {
    print(&Proposals::of(code, jobs)?.text())?;
    Ok(ExitCode::from(FAILED))
}

impl Proposals {
    /// Tries all instructions that have the operands and results of some code.
    ///
    /// # Errors
    /// If the suite contradicts itself, or the run is interrupted.
    fn of(code: &Code, jobs: usize) -> Result<Proposals> {
        Proposals::among(code, &fitting(code), jobs)
    }

    /// Tries some instructions.
    ///
    /// # Errors
    /// As [`Proposals::of`].
    fn among(code: &Code, all: &[&'static Variant], jobs: usize) -> Result<Proposals> {
        let pool = Pool::new(jobs).stopped_by(stop_on_interrupt()?);
        Ok(Proposals(pool.map(all, |variant| try_variant(code, variant)).all()?))
    }

    fn right(&self) -> Vec<&Proposal> {
        let mut right: Vec<&Proposal> =
            self.0.iter().filter(|proposal| proposal.right.is_none()).collect();
        // A bound that many results lie within says less than an exact result.
        right.sort_by_key(|proposal| {
            let variant = proposal.variant;
            (!variant.is_exact(), variant.modifiers().len(), variant.text().len())
        });
        right
    }

    /// Returns the proposals in words.
    fn text(&self) -> String {
        let right = self.right();
        let mut text = format!(
            "No meaning is given. Of {} instructions with such operands and results, ",
            self.0.len()
        );
        if right.is_empty() {
            text += "the function gives the results of none on all vectors tried.\n";
            let mut near: Vec<&Proposal> = self.0.iter().collect();
            near.sort_by_key(|proposal| std::cmp::Reverse(proposal.right));
            if let Some(Proposal { variant, right: Some(right), .. }) = near.first() {
                text += &format!(
                    "The nearest is {variant}: the first wrong result comes after {right} vectors.\n"
                );
            }
            return text;
        }
        text += &format!("the function gives the results of {} on all vectors tried:\n", right.len());
        for Proposal { variant, vectors, .. } in right.iter().take(SHOWN) {
            text += &format!("  --as {variant}  ({vectors} vectors)\n");
        }
        if right.len() > SHOWN {
            text += &format!("  and {} more\n", right.len() - SHOWN);
        }
        text
    }
}

/// Returns the instructions that have the operands and results of some code.
fn fitting(code: &Code) -> Vec<&'static Variant> {
    let fits = |variant: &&Variant| {
        matches!(code.support(variant), Support::Yes) && code.takes_exactly(variant)
    };
    Variant::all().iter().filter(fits).collect()
}

/// Returns the names of the instructions whose results some code gives on all vectors tried, whatever results its
/// approximate instructions give within their bounds. The simplest come first.
///
/// # Errors
/// If the suite contradicts itself, or the run is interrupted.
pub fn agreeing(mut code: Code, jobs: usize) -> Result<Vec<&'static str>> {
    let mut all = fitting(&code);
    let trials = match code.variants().all(Variant::is_exact) {
        true => &[Approximation::Nearest][..],
        false => &Approximation::ALL,
    };
    for approximation in trials.iter().copied() {
        code = code.with_unit(Arc::new(move || Box::new(Approximating::new(approximation))));
        let proposals = Proposals::among(&code, &all, jobs)?;
        all = proposals.right().into_iter().map(|proposal| proposal.variant).collect();
    }
    Ok(all.into_iter().map(Variant::text).collect())
}

/// Tries whether some code gives the results of an instruction.
fn try_variant(code: &Code, variant: &'static Variant) -> Result<Proposal> {
    let plan = Plan::new(RunRequest::of(Tier::Quick, vec![variant.text().to_owned()]), code)?;
    let mut judge = BlockJudge::new(Subject::Variant(variant), Judging::Screened);
    let mut worker = code.worker()?;
    let mut vectors = 0;
    for (number, task) in plan.tasks.iter().enumerate() {
        // All inputs of 16 bits are few enough.
        let most = if task.vectors <= WHOLE { WHOLE / PART } else { PARTS };
        let parts = task.vectors.div_ceil(PART).clamp(1, most);
        for part in 0..parts {
            // All over the sweep, because a sweep of all inputs begins with the smallest numbers.
            let first = task.vectors / parts * part;
            let rows = (task.vectors - first).min(PART) as usize;
            let block = Block { task: number, number: 0, first, rows };
            let tally = judge.run_block(task, block, 0, &mut *worker)?;
            if tally.mismatches > 0 {
                let first_wrong =
                    tally.classes.values().flat_map(|class| &class.examples).map(|one| one.index).min();
                let right = vectors + first_wrong.unwrap_or(first) - first;
                return Ok(Proposal { variant, vectors, right: Some(right) });
            }
            vectors += rows as u64;
        }
    }
    Ok(Proposal { variant, vectors, right: None })
}
