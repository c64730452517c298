//! A function on the vectors of a run, without the run.

use anyhow::{Context, Result};
use judge::{Mismatch, MismatchKind};
use reports::VariantReport;
use vectors::digests::digest;
use vectors::sweep::{Length, Sweep};
use vectors::{Column, Variant, column};

use super::expected::Units;
use super::standard::Standard;
use super::trial::{Aim, Layer, Trial, Tried};
use crate::budget::Tier;
use crate::diagnosis::{Diagnoses, simplicity};
use crate::implementation::Worker;
use crate::report::variants;
use crate::run::{Plan, Progress, Request, Task};

/// Vectors at a time.
const ROWS: u64 = 1 << 10;

/// A function, and the vectors that it is tried on.
pub(super) struct Bed {
    pub(super) layer: Layer,
    pub(super) plan: Plan,
}

/// Rows of a task.
pub(super) struct Rows<'a> {
    pub(super) task: &'a Task,
    /// The number of the first of them.
    pub(super) first: u64,
    pub(super) operands: Vec<Column>,
}

impl Bed {
    pub(super) fn of(trial: &Trial, vectors: u64) -> Result<Bed> {
        let layer = Layer::of(trial, vectors);
        let names = vec![trial.aim.shape().text().to_owned()];
        let plan = Plan::new(Request::of(Tier::Quick, names), &layer)?;
        Ok(Bed { layer, plan })
    }

    /// The task that has every input, if there is one.
    pub(super) fn exhaustive(&self) -> Option<&Task> {
        self.plan.tasks.iter().find(|task| {
            let is_whole = matches!(task.asked.length(), Length::Finite(all) if all <= task.vectors);
            task.asked.sweep() == Sweep::exhaustive().name && is_whole
        })
    }

    /// The vectors of a task, a part at a time.
    pub(super) fn rows<'a>(&'a self, task: &'a Task) -> impl Iterator<Item = Rows<'a>> {
        (0..task.vectors).step_by(ROWS as usize).map(move |first| {
            let mut operands = task.subject().operands(ROWS.min(task.vectors - first) as usize);
            task.asked.fill(self.plan.request.seed, first, &mut operands);
            Rows { task, first, operands }
        })
    }
}

impl Rows<'_> {
    /// The results of a function of these.
    pub(super) fn results(
        &self,
        worker: &mut dyn Worker,
        shape: &'static Variant,
    ) -> Result<Vec<Column>> {
        let mut results = self.task.subject().results(self.operands[0].rows());
        worker.run(shape, &self.operands, &mut results)?;
        Ok(results)
    }
}

/// What a function that should give one of some results for each vector gives, of at most so many of each sweep.
///
/// # Errors
/// If the plan cannot be made.
pub fn report(trial: &Trial, vectors: u64) -> Result<Tried> {
    let Aim::Expected(expected) = &trial.aim else { unreachable!("instructions are tried by a run") };
    let bed = Bed::of(trial, vectors)?;
    let mut executor = bed.layer.executor();
    let extreme = trial.extreme;
    let (mut standard, mut units) = (Standard::of(&trial.aim, extreme), Units::at(extreme));
    let outer = expected.outer();
    let mut progress = Progress::new(bed.plan.tasks.len());
    let mut diagnoses = Diagnoses::new();
    for (task, tally) in bed.plan.tasks.iter().zip(&mut progress.tallies) {
        for rows in bed.rows(task) {
            let Rows { first, operands, .. } = &rows;
            let results = match rows.results(&mut executor, expected.shape) {
                Ok(results) => results,
                Err(fault) => return Ok(Tried::Unexecuted(fault.to_string())),
            };
            tally.vectors += operands[0].rows() as u64;
            tally.inputs = tally.inputs.wrapping_add(digest(*first, operands));
            tally.results = tally.results.wrapping_add(digest(*first, &results));
            for row in standard.wrong(operands, &results, usize::MAX) {
                let permitted = expected.permitted(&mut units, &column::select(operands, &[row]));
                let mut permitted: Vec<u64> = permitted.iter().map(|column| column.get(0)).collect();
                permitted.dedup();
                let (due, came) = (permitted.remove(0), results[0].get(row));
                let ty = expected.ty();
                let kind = MismatchKind::of(outer, ty.format, ty.lane(due, 0), ty.lane(came, 0));
                let mismatch = Mismatch {
                    index: first + row as u64,
                    operands: column::row_bits(operands, row),
                    expected: vec![due.into()],
                    accepted: permitted.iter().map(|&bits| ty.hex(bits)).collect(),
                    actual: vec![came.into()],
                    words: None,
                };
                simpler(&mut diagnoses, expected.shape, kind, task.asked.sweep(), &mismatch);
                tally.mismatch(kind, mismatch.index, || mismatch.clone());
            }
        }
    }
    let planned = bed.plan.vectors_per_task();
    let mut reports = variants(&bed.plan, &planned, &progress, &diagnoses);
    let report = reports.pop().context("a report of the only instruction")?;
    Ok(Tried::Judged(VariantReport { variant: expected.text.clone(), ..report }))
}

/// The first thing that a lane may not do, of at most so many vectors of each sweep.
///
/// # Errors
/// If the plan cannot be made.
pub fn fault(trial: &Trial, vectors: u64) -> Result<Option<String>> {
    let bed = Bed::of(trial, vectors)?;
    let mut executor = bed.layer.executor();
    let mut rows = bed.plan.tasks.iter().flat_map(|task| bed.rows(task));
    let fault = rows.find_map(|rows| rows.results(&mut executor, trial.aim.shape()).err());
    Ok(fault.map(|fault| fault.to_string()))
}

/// Keeps a mismatch if it is simpler than the one of its kind that was kept.
fn simpler(
    diagnoses: &mut Diagnoses,
    shape: &'static Variant,
    kind: MismatchKind,
    sweep: &'static str,
    mismatch: &Mismatch,
) {
    let known = diagnoses.entry((shape.text(), kind)).or_default();
    let key = |of: &Mismatch| simplicity(shape, &of.operands);
    if known.simplest.as_ref().is_none_or(|(_, best)| key(mismatch) < key(best)) {
        known.simplest = Some((sweep, mismatch.clone()));
    }
}
