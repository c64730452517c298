//! Proposes instructions and expressions that a function may compute: those whose results it gives on all vectors that
//! are tried, whatever results its approximate instructions give within their bounds.

mod expressions;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use base::pool::Pool;
use compilers::promises::OwnMeaning;
use compilers::unit::{Approximating, Approximation};
use implementations::code::Code;
use implementations::{Implementation, Support};
use isa::Variant;
use reports::quoted;
use runner::{Block, BlockJudge, Judging, Meaning, Plan, RunRequest};
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

/// A candidate for what a function computes, tried on some vectors.
struct Proposal {
    of: Proposed,
    /// The number of vectors that were tried.
    vectors: u64,
    /// The number of vectors up to the first wrong result, if there is one.
    right: Option<u64>,
}

/// An instruction or an expression that is tried.
#[derive(Clone)]
enum Proposed {
    Instruction(&'static Variant),
    Expression(OwnMeaning),
}

/// Instructions and expressions that some code may compute, each tried on some vectors.
struct Proposals(Vec<Proposal>);

/// Prints what a function may compute, the simplest first: instructions, or else expressions.
///
/// # Errors
/// If the suite contradicts itself, or the run is interrupted.
pub fn propose(code: Code, jobs: usize) -> Ending {
    let instructions: Vec<Proposed> = fitting(&code).into_iter().map(Proposed::Instruction).collect();
    let texts = expressions::candidates(&code, &fitting(&code));
    let (code, tried) = Proposals::over_bounds(code, instructions, jobs)?;
    let mut text =
        "No meaning is given. ".to_owned() + &tried.text("instructions with such operands and results");
    if tried.right().is_empty() {
        let read = |text: &String| OwnMeaning::read(text).ok();
        let fits = |meaning: &OwnMeaning| matches!(code.support(meaning.shape()), Support::Yes);
        let all: Vec<Proposed> =
            texts.iter().filter_map(read).filter(fits).map(Proposed::Expression).collect();
        if !all.is_empty() {
            let (_, tried) = Proposals::over_bounds(code, all, jobs)?;
            text += &tried.text("expressions of instructions and of the code's constants");
        }
    }
    print(&text)?;
    Ok(ExitCode::from(FAILED))
}

impl Proposals {
    /// Tries some proposals with each place in their bounds of the code's approximate instructions. What is right in one
    /// trial is tried in the next one.
    ///
    /// # Errors
    /// If the suite contradicts itself, or the run is interrupted.
    fn over_bounds(mut code: Code, all: Vec<Proposed>, jobs: usize) -> Result<(Code, Proposals)> {
        let trials = match code.variants().all(Variant::is_exact) {
            true => &[Approximation::Nearest][..],
            false => &Approximation::ALL,
        };
        let mut done = Proposals(Vec::new());
        let mut left = all;
        for approximation in trials.iter().copied() {
            code = code.with_unit(Arc::new(move || Box::new(Approximating::new(approximation))));
            let pool = Pool::new(jobs).stopped_by(stop_on_interrupt()?);
            let tried = pool.map(&left, |one| one.at(approximation).tried_on(&code)).all()?;
            let (right, wrong): (Vec<Proposal>, Vec<Proposal>) =
                tried.into_iter().partition(|proposal| proposal.right.is_none());
            left = right.iter().map(|proposal| proposal.of.clone()).collect();
            done.0.retain(|proposal| proposal.right.is_some());
            done.0.extend(wrong.into_iter().chain(right));
        }
        Ok((code, done))
    }

    /// Returns the proposals that are right, the simplest first.
    fn right(&self) -> Vec<&Proposal> {
        let mut right: Vec<&Proposal> =
            self.0.iter().filter(|proposal| proposal.right.is_none()).collect();
        // A bound that many results lie within says less than an exact result. The order of expressions is that in which
        // they were made.
        right.sort_by_key(|proposal| match &proposal.of {
            Proposed::Instruction(variant) => {
                (!variant.is_exact(), variant.modifiers().len(), variant.text().len())
            }
            Proposed::Expression(_) => (true, usize::MAX, 0),
        });
        right
    }

    /// Returns the proposals in words; `what` says what was tried.
    fn text(&self, what: &str) -> String {
        let right = self.right();
        let mut text = format!("Of {} {what}, ", self.0.len());
        if right.is_empty() {
            text += "the function gives the results of none on all vectors tried.\n";
            let nearest = self.0.iter().max_by_key(|proposal| proposal.right);
            if let Some(Proposal { of, right: Some(right), .. }) = nearest {
                text += &format!(
                    "The nearest is {}: the first wrong result comes after {right} vectors.\n",
                    of.text()
                );
            }
            return text;
        }
        text += &format!("the function gives the results of {} on all vectors tried:\n", right.len());
        for Proposal { of, vectors, .. } in right.iter().take(SHOWN) {
            text += &format!("  --as {}  ({vectors} vectors)\n", quoted(&of.text()));
        }
        if right.len() > SHOWN {
            text += &format!("  and {} more\n", right.len() - SHOWN);
        }
        text
    }
}

impl Proposed {
    /// Returns the text that `--as` takes.
    fn text(&self) -> String {
        match self {
            Proposed::Instruction(variant) => variant.text().to_owned(),
            Proposed::Expression(meaning) => meaning.text(),
        }
    }

    /// Returns the same with the approximate instructions of an expression at a place in their bounds.
    fn at(&self, approximation: Approximation) -> Proposed {
        match self {
            Proposed::Instruction(variant) => Proposed::Instruction(variant),
            Proposed::Expression(meaning) => Proposed::Expression(meaning.clone().at(approximation)),
        }
    }

    /// Tries whether some code computes this.
    ///
    /// # Errors
    /// If the suite contradicts itself, or the code does what cannot be executed.
    fn tried_on(self, code: &Code) -> Result<Proposal> {
        let (shape, judge) = match &self {
            Proposed::Instruction(variant) => {
                (*variant, BlockJudge::new(Subject::Variant(variant), Judging::Screened))
            }
            Proposed::Expression(meaning) => {
                (meaning.shape(), BlockJudge::of_meaning(meaning.shape(), meaning))
            }
        };
        let (vectors, right) = try_judge(code, shape, judge)?;
        Ok(Proposal { of: self, vectors, right })
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
pub fn agreeing(code: Code, jobs: usize) -> Result<Vec<&'static str>> {
    let all = fitting(&code).into_iter().map(Proposed::Instruction).collect();
    let (_, tried) = Proposals::over_bounds(code, all, jobs)?;
    let names = tried.right().into_iter().map(|proposal| match &proposal.of {
        Proposed::Instruction(variant) => Some(variant.text()),
        Proposed::Expression(_) => None,
    });
    Ok(names.flatten().collect())
}

/// Tries some vectors of an instruction on some code, and returns how many were tried, and how many of them came before
/// the first wrong result, if there is one.
fn try_judge(code: &Code, shape: &'static Variant, mut judge: BlockJudge) -> Result<(u64, Option<u64>)> {
    let plan = Plan::new(RunRequest::of(Tier::Quick, vec![shape.text().to_owned()]), code)?;
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
                return Ok((vectors, Some(right)));
            }
            vectors += tally.vectors;
        }
    }
    // Where no vector was tried, nothing is known.
    Ok((vectors, (vectors == 0).then_some(0)))
}
