//! Tries a function that a compiler made on the vectors that a run has for an instruction, and reports the results that
//! differ from those that are due.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use findings::diagnosis::{self, Diagnoses};
use findings::report::variants;
use formats::digests::digest;
use formats::{Column, column};
use implementations::Worker;
use isa::results_for;
use judge::{Mismatch, MismatchKind, Tally};
use reports::VariantReport;
use runner::{Block, BlockJudge, Judging, Plan, Progress, RunRequest, Task};
use selection::budget::Tier;
use selection::subject::Subject;
use sweeps::{Length, Sweep};

use super::as_implementation::{AsImplementation, FunctionWorker, LaneFault};
use super::causes::explained;
use super::simplest::keep_simpler;
use super::standard::Standard;
use super::trial::{Aim, Trial};

/// The number of vectors that are tried at a time.
const ROWS: u64 = 1 << 10;

/// The vectors that functions of one shape are tried on.
pub(super) struct TrialVectors {
    /// The plan of a run whose only subject is the instruction with the function's operands.
    pub(super) plan: Plan,
    /// The largest number of vectors of each sweep.
    most: u64,
}

/// Consecutive rows of a task, with their operands.
pub(super) struct TaskRows<'a> {
    pub(super) task: &'a Task,
    /// The number of the first row.
    pub(super) first: u64,
    pub(super) operands: Vec<Column>,
}

impl TrialVectors {
    /// Plans at most `most` vectors of each sweep of the instruction whose operands the trial's function has.
    ///
    /// # Errors
    /// If the plan cannot be made.
    pub(super) fn of(trial: &Trial, most: u64) -> Result<TrialVectors> {
        let names = vec![trial.aim.shape().text().to_owned()];
        let implementation = AsImplementation { trial, vectors: most };
        let plan = Plan::new(RunRequest::of(Tier::Quick, names), &implementation)?;
        Ok(TrialVectors { plan, most })
    }

    /// Returns the task that has every input, if there is one.
    pub(super) fn exhaustive(&self) -> Option<&Task> {
        self.plan.tasks.iter().find(|task| {
            let is_whole = matches!(task.asked.length(), Length::Finite(all) if all <= task.vectors);
            task.asked.sweep() == Sweep::exhaustive().name && is_whole
        })
    }

    /// Returns the vectors of a task, a part at a time.
    pub(super) fn rows<'a>(&'a self, task: &'a Task) -> impl Iterator<Item = TaskRows<'a>> {
        blocks(task).map(move |block| self.rows_of(task, block))
    }

    /// Makes the operands of a part of a task.
    fn rows_of<'a>(&self, task: &'a Task, block: Block) -> TaskRows<'a> {
        let mut operands = task.subject().operands(block.rows);
        task.asked.fill(self.plan.request.seed, block.first, &mut operands);
        TaskRows { task, first: block.first, operands }
    }
}

/// Returns the parts of a task, in order.
fn blocks(task: &Task) -> impl Iterator<Item = Block> {
    let starts = (0..task.vectors).step_by(ROWS as usize);
    starts.zip(0..).map(|(first, number)| {
        let rows = ROWS.min(task.vectors - first) as usize;
        Block { task: 0, number, first, rows }
    })
}

/// Tries a function on some vectors, or on those that come before `stop`, and returns its report. A part in which a
/// lane does what it may not is tried vector by vector, up to the first where a lane does so. That vector is wrong as
/// well, and ends the sweep.
///
/// # Errors
/// If the suite contradicts itself.
pub(super) fn try_function(
    trial: &Trial,
    vectors: &TrialVectors,
    stop: &AtomicBool,
) -> Result<VariantReport> {
    let mut tried = TryFunction::of(trial, vectors);
    let mut progress = Progress::new(vectors.plan.tasks.len());
    for (task, tally) in vectors.plan.tasks.iter().zip(&mut progress.tallies) {
        let goes_on = |_: &Block| !stop.load(Ordering::Relaxed);
        for block in blocks(task).take_while(goes_on) {
            if tried.block(task, block, tally)?.is_ok() {
                continue;
            }
            let each = (block.first..).take(block.rows).map(|first| Block { first, rows: 1, ..block });
            let mut ended = false;
            for block in each.take_while(goes_on) {
                if let Err(words) = tried.block(task, block, tally)? {
                    crashed(tally, &vectors.rows_of(task, block), words);
                    (ended, tried.has_faults) = (true, true);
                    break;
                }
            }
            if ended {
                break;
            }
        }
    }
    let TryFunction { has_faults, simplest, worker, .. } = tried;
    // A function that faults, or whose wrong results were taken from among several, computes no instruction in another
    // way.
    let is_whole = !has_faults && !worker.met_unset();
    let diagnoses = match trial.aim {
        Aim::Instruction(_) if is_whole => diagnosed(trial, vectors, &progress, stop)?,
        _ => None,
    };
    let (plan, planned) = (&vectors.plan, vectors.plan.vectors_per_task());
    let mut reports = variants(plan, &planned, &progress, &diagnoses.unwrap_or(simplest));
    let report = reports.pop().context("a report of the only instruction")?;
    let report = if is_whole { explained(trial, vectors, report, stop) } else { report };
    Ok(VariantReport { variant: trial.aim.text().to_owned(), ..report })
}

/// Diagnoses the mismatches with an instruction; `None` where a lane does what it may not on the vectors that only the
/// diagnosis has.
fn diagnosed(
    trial: &Trial,
    vectors: &TrialVectors,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<Option<Diagnoses>> {
    let implementation = AsImplementation { trial, vectors: vectors.most };
    // One thread, because the trials themselves are run in parallel.
    let (diagnoses, ended) = diagnosis::diagnose(&vectors.plan, progress, &implementation, 1, stop);
    match ended {
        Ok(()) => Ok(Some(diagnoses)),
        Err(error) => LaneFault::fault_words(error).map(|_| None),
    }
}

/// A function that is tried.
struct TryFunction<'a> {
    trial: &'a Trial,
    vectors: &'a TrialVectors,
    worker: FunctionWorker<'a>,
    /// The judge of a run, where an instruction is due: MPFR judges the function's results, even if they are the
    /// emulator's.
    contract: Option<Box<BlockJudge>>,
    standard: Standard,
    /// Whether a lane did what it may not.
    has_faults: bool,
    /// The simplest mismatch of each kind.
    simplest: Diagnoses,
}

impl<'a> TryFunction<'a> {
    /// Makes what a trial needs that has not begun.
    fn of(trial: &'a Trial, vectors: &'a TrialVectors) -> TryFunction<'a> {
        let judge = |variant| BlockJudge::new(Subject::Variant(variant), Judging::Screened);
        let contract = match trial.aim {
            Aim::Instruction(variant) => Some(Box::new(judge(variant))),
            Aim::Expected(_) => None,
        };
        TryFunction {
            trial,
            vectors,
            worker: FunctionWorker::of(trial),
            contract,
            standard: Standard::of(&trial.aim, trial.approximation),
            has_faults: false,
            simplest: Diagnoses::new(),
        }
    }

    /// Tries a part of a task, and adds what comes of it to the task's tally. The inner error says in words what a lane
    /// may not do; then nothing of the part is counted.
    fn block(&mut self, task: &Task, block: Block, tally: &mut Tally) -> Result<Result<(), String>> {
        let judged = match self.contract.is_some() {
            true => self.by_contract(task, block),
            false => self.by_expected(&self.vectors.rows_of(task, block)),
        };
        match judged {
            Ok(new) => tally.add(new),
            Err(error) => return LaneFault::fault_words(error).map(Err),
        }
        Ok(Ok(()))
    }

    /// Judges rows as a run does.
    fn by_contract(&mut self, task: &Task, block: Block) -> Result<Tally> {
        let judge = self.contract.as_mut().context("an instruction is due")?;
        let tally = judge.run_block(task, block, self.vectors.plan.request.seed, &mut self.worker)?;
        if tally.mismatches > 0 {
            let (operands, results) = (judge.operands(), judge.results());
            let wrong = self.standard.mismatches(&self.trial.aim, block.first, operands, results);
            wrong.iter().for_each(|(kind, one)| self.keep_simpler(task, *kind, one));
        }
        Ok(tally)
    }

    /// Judges rows by the results that an expression, or one of several, gives for them.
    fn by_expected(&mut self, rows: &TaskRows) -> Result<Tally> {
        let TaskRows { task, first, operands } = rows;
        let (shape, count) = (self.trial.aim.shape(), operands[0].rows());
        let mut results = results_for(shape, count);
        self.worker.run(shape, operands, &mut results)?;
        let mut tally = Tally {
            vectors: count as u64,
            inputs: digest(*first, operands),
            results: digest(*first, &results),
            ..Tally::default()
        };
        for (kind, mismatch) in self.standard.mismatches(&self.trial.aim, *first, operands, &results) {
            self.keep_simpler(task, kind, &mismatch);
            tally.mismatch(kind, mismatch.index, || mismatch);
        }
        Ok(tally)
    }

    /// Keeps a mismatch if it is simpler than the one of its kind that is kept.
    fn keep_simpler(&mut self, task: &Task, kind: MismatchKind, mismatch: &Mismatch) {
        let shape = self.trial.aim.shape();
        let kept = &mut self.simplest.entry((shape.text(), kind)).or_default().simplest;
        keep_simpler(kept, shape, task.asked.sweep(), mismatch);
    }
}

/// Counts the vector at which a function does what it may not.
fn crashed(tally: &mut Tally, rows: &TaskRows, words: String) {
    let mismatch = Mismatch {
        index: rows.first,
        operands: column::row_bits(&rows.operands, 0),
        expected: Vec::new(),
        accepted: Vec::new(),
        actual: Vec::new(),
        words: Some(words),
    };
    tally.vectors += 1;
    tally.mismatch(MismatchKind::Crashed, rows.first, || mismatch);
}
