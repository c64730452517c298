//! A function on the vectors of a run, until a result is wrong: without the run.

use std::sync::Arc;

use anyhow::Result;
use judge::{Batch, Judge, Truth};
use oracle::Oracle;
use ptx::functions::Function;
use vectors::column;
use vectors::sweep::Length;

use super::trial::{Layer, Trial};
use crate::budget::{EXHAUSTIVE, Tier};
use crate::implementation::Worker;
use crate::run::{Plan, Request};

/// Vectors at a time.
const ROWS: u64 = 1 << 10;

/// What was seen of a function.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Where it is wrong: the sweep and the vector's number in it, or what it may not do.
    pub wrong: Option<String>,
    /// Whether a result is another than that of the function beside it.
    pub differs: bool,
    /// Whether every input was tried.
    pub exhausted: bool,
}

/// Tries a function on at most so many vectors of each sweep, those that a run has, and compares it with one that
/// is right. The trials are of one instruction.
///
/// # Errors
/// If the plan cannot be made, or the right function cannot be executed.
pub fn seen(trials: &[Trial], right: &Arc<Function>, vectors: u64) -> Result<Seen> {
    let mut all = Seen { exhausted: true, ..Seen::default() };
    for trial in trials {
        let Seen { wrong, differs, exhausted } = seen_once(trial, right, vectors)?;
        all.differs |= differs;
        all.exhausted &= exhausted;
        all.wrong = wrong;
        if all.wrong.is_some() {
            break;
        }
    }
    Ok(all)
}

fn seen_once(trial: &Trial, right: &Arc<Function>, vectors: u64) -> Result<Seen> {
    let beside = trial.with(right);
    let [layer, right] = [trial, &beside].map(|trial| Layer::of(trial, vectors));
    let variant = trial.variant;
    let plan = Plan::new(Request::of(Tier::Quick, vec![variant.text().to_owned()]), &layer)?;
    let [mut executor, mut right] = [layer.executor(), right.executor()];
    let (mut oracle, mut truth, judge) =
        (Oracle::new(variant), Truth::new(variant), Judge::new(variant));
    let mut seen = Seen::default();
    for task in &plan.tasks {
        let whole = matches!(task.asked.length(), Length::Finite(all) if all <= task.vectors);
        seen.exhausted |= task.asked.sweep() == EXHAUSTIVE && whole;
        for first in (0..task.vectors).step_by(ROWS as usize) {
            let rows = ROWS.min(task.vectors - first) as usize;
            let mut operands = task.subject().operands(rows);
            task.asked.fill(plan.request.seed, first, &mut operands);
            let [mut results, mut other] = [0; 2].map(|_| task.subject().results(rows));
            if let Err(fault) = executor.run(variant, &operands, &mut results) {
                seen.wrong = Some(fault.to_string());
                return Ok(seen);
            }
            right.run(variant, &operands, &mut other)?;
            seen.differs |= column::differing(&results, &other).next().is_some();
            let nearest = executor.nearest(variant, &operands);
            let unlike: Vec<usize> = column::differing(&results, &nearest).collect();
            // MPFR takes its time, and one is enough.
            for rows in unlike.chunks(16) {
                let [operands, results] = [&operands, &results].map(|all| column::select(all, rows));
                oracle.expect(&operands, &mut truth);
                let verdicts = judge.verdicts(&truth, Batch::new(&operands, &results));
                if let Some(&(place, _)) = verdicts.first() {
                    let number = first + rows[place] as u64;
                    seen.wrong = Some(format!("{} {number}", task.asked.sweep()));
                    return Ok(seen);
                }
            }
        }
    }
    Ok(seen)
}
