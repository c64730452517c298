//! A function on the vectors of a run, without the run.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use findings::diagnosis::{Diagnoses, simplicity};
use findings::report::variants;
use formats::digests::digest;
use formats::{Column, column};
use isa::Variant;
use judge::{Mismatch, MismatchKind, Tally};
use reports::VariantReport;
use runner::{Plan, Progress, Request, Task};
use selection::budget::Tier;
use sweeps::{Length, Sweep};

use super::standard::Standard;
use super::trial::{Layer, Machine, Trial};

/// Vectors at a time.
const ROWS: u64 = 1 << 10;

/// The vectors that a function is tried on.
pub(super) struct Bed {
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
        Ok(Bed { plan })
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

/// What a function gives of at most so many vectors of each sweep, or of those that were tried before `stop`. One that
/// does what a lane may not is tried lane by lane, until one does; that is wrong as well.
///
/// # Errors
/// If the plan cannot be made.
pub fn report(trial: &Trial, vectors: u64, stop: &AtomicBool) -> Result<VariantReport> {
    let bed = Bed::of(trial, vectors)?;
    let mut progress = Progress::new(bed.plan.tasks.len());
    let mut diagnoses = Diagnoses::new();
    let (machine, standard) = (Machine::default(), Standard::of(&trial.aim, trial.extreme));
    let mut trying = Trying { trial, machine, standard, diagnoses: &mut diagnoses };
    for (task, tally) in bed.plan.tasks.iter().zip(&mut progress.tallies) {
        let goes_on = || !stop.load(Ordering::Relaxed);
        for rows in bed.rows(task).take_while(|_| goes_on()) {
            if trying.rows(&rows, tally).is_ok() {
                continue;
            }
            let count = rows.operands[0].rows();
            let fault = (0..count).take_while(|_| goes_on()).find_map(|row| {
                let (first, operands) =
                    (rows.first + row as u64, column::select(&rows.operands, &[row]));
                let one = Rows { task, first, operands };
                trying.rows(&one, tally).err().map(|words| (one, words))
            });
            if let Some((one, words)) = fault {
                crashed(tally, one.first, &one.operands, words);
                break;
            }
        }
    }
    let planned = bed.plan.vectors_per_task();
    let mut reports = variants(&bed.plan, &planned, &progress, &diagnoses);
    let report = reports.pop().context("a report of the only instruction")?;
    Ok(VariantReport { variant: trial.aim.text().to_owned(), ..report })
}

struct Trying<'a> {
    trial: &'a Trial,
    machine: Machine,
    standard: Standard,
    diagnoses: &'a mut Diagnoses,
}

impl Trying<'_> {
    /// Tries some rows; nothing is counted of them where one does what it may not.
    fn rows(&mut self, rows: &Rows, tally: &mut Tally) -> Result<(), String> {
        let Rows { task, first, operands } = rows;
        let aim = &self.trial.aim;
        let due = self.machine.due(aim, operands);
        let each = self.machine.each_result(self.trial, operands, due.as_ref())?.into_iter();
        let each: Vec<[Column; 1]> = each.map(|results| [results]).collect();
        tally.vectors += operands[0].rows() as u64;
        tally.inputs = tally.inputs.wrapping_add(digest(*first, operands));
        tally.results = tally.results.wrapping_add(digest(*first, &each[0]));
        let mut wrong: BTreeMap<usize, u64> = BTreeMap::new();
        for results in &each {
            for row in self.standard.wrong(operands, results, usize::MAX) {
                wrong.entry(row).or_insert_with(|| results[0].get(row));
            }
        }
        let ty = &aim.shape().results()[0].ty;
        for (row, came) in wrong {
            let mut permitted = self.standard.permitted(&column::select(operands, &[row]));
            permitted.dedup();
            let due = permitted.remove(0);
            let kind = MismatchKind::of(aim.outer(), ty.format, ty.lane(due, 0), ty.lane(came, 0));
            let mismatch = Mismatch {
                index: first + row as u64,
                operands: column::row_bits(operands, row),
                expected: vec![due.into()],
                accepted: permitted.iter().map(|&bits| ty.hex(bits)).collect(),
                actual: vec![came.into()],
                words: None,
            };
            simpler(self.diagnoses, aim.shape(), kind, task.asked.sweep(), &mismatch);
            tally.mismatch(kind, mismatch.index, || mismatch.clone());
        }
        Ok(())
    }
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

/// A part of a task that the function did not come to the end of.
fn crashed(tally: &mut Tally, first: u64, operands: &[Column], words: String) {
    let mismatch = Mismatch {
        index: first,
        operands: column::row_bits(operands, 0),
        expected: Vec::new(),
        accepted: Vec::new(),
        actual: Vec::new(),
        words: Some(words),
    };
    tally.vectors += 1;
    tally.mismatch(MismatchKind::Crashed, first, || mismatch);
}
