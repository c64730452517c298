//! Tries the first mismatch of each class once more, in its batch and alone. That tells answers that depend on the
//! time, or on what else is in a batch, from those that are wrong and stay so.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use base::pool::Pool;
use formats::{Column, RowBits, column};
use implementations::{Implementation, Worker};
use judge::{Mismatch, MismatchKind};
use selection::subject::{Subject, VectorSource};

use super::compute;
use super::plan::{BLOCK, Plan};
use super::state::{Departure, Progress};

/// Number of classes that are each tried by a worker that has answered nothing before, which takes a start. By then
/// an implementation that answers by what it was asked before has shown it.
const FRESH: usize = 32;

/// A vector by its number in a sweep, with the batch that it comes in.
#[derive(Clone, Copy)]
pub struct VectorPlace {
    /// The sweep, and the subject whose vectors it has.
    pub asked: VectorSource,
    /// The seed of the sweep.
    pub seed: u64,
    /// The number of vectors of the sweep that were planned.
    pub vectors: u64,
    /// The number of the vector in the sweep.
    pub index: u64,
}

/// The answer of an implementation for a vector; `None` where it has no result.
pub type VectorAnswer = Option<Vec<RowBits>>;

impl VectorPlace {
    /// Returns the number of the first vector of the batch.
    pub fn first(&self) -> u64 {
        self.index / BLOCK * BLOCK
    }

    /// Generates the operands of the batch.
    pub fn batch(&self) -> Vec<Column> {
        let rows = BLOCK.min(self.vectors.saturating_sub(self.first())) as usize;
        let mut operands = self.asked.subject().operands(rows);
        self.asked.fill(self.seed, self.first(), &mut operands);
        operands
    }

    /// Asks a worker for the vector again, alone and in its batch.
    ///
    /// # Errors
    /// If the implementation breaks as a whole.
    pub fn answers(&self, worker: &mut dyn Worker) -> Result<RepeatedAnswers> {
        let (batch, subject) = (self.batch(), self.asked.subject());
        let row = (self.index - self.first()) as usize;
        let single = column::select(&batch, &[row]);
        let mut alone = || answer(subject, &single, 0, worker);
        // Alone before anything else, for a worker that answers wrongly only then or only not then; and twice, for a
        // worker that does so every second time.
        let [(first, _), (second, _)] = [alone()?, alone()?];
        let (batch, words) = answer(subject, &batch, row, worker)?;
        let (third, _) = answer(subject, &single, 0, worker)?;
        Ok(RepeatedAnswers { alone: [first, second, third], batch, words })
    }
}

/// Returns a worker's answer for one row of some operands, and the words that say why there is none, or not one.
fn answer(
    subject: Subject,
    operands: &[Column],
    row: usize,
    worker: &mut dyn Worker,
) -> Result<(VectorAnswer, Option<String>)> {
    let mut results = subject.results(0);
    let gaps = compute(worker, subject, operands, &mut results)?;
    let words = gaps.words(row).map(str::to_owned);
    Ok(((!gaps.rows().contains(&row)).then(|| column::row_bits(&results, row)), words))
}

/// The answers that came for a vector, each time it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedAnswers {
    /// The answers for the vector alone, twice before the batch and once after it.
    pub alone: [VectorAnswer; 3],
    /// The answer for the vector in its batch.
    pub batch: VectorAnswer,
    /// The words that say why there is no answer in the batch, or why there are several.
    pub words: Option<String>,
}

/// Returns the kind of mismatch of answers that are not all the same; `None` if they are. `before` came in the batch
/// at another time.
pub fn departure(before: &VectorAnswer, now: &RepeatedAnswers) -> Option<MismatchKind> {
    match () {
        () if now.batch != *before || now.alone[1..].iter().any(|one| *one != now.alone[0]) => {
            Some(MismatchKind::Unstable)
        }
        () if now.alone[0] != *before => Some(MismatchKind::BatchDependent),
        () => None,
    }
}

/// Tries the first mismatch of each class of each variant again, until `stop` is set or the implementation breaks as
/// a whole. Returns those that come out otherwise, which are mismatches of kinds of their own.
pub fn recheck(
    plan: &Plan,
    progress: &Progress,
    implementation: &dyn Implementation,
    jobs: usize,
    stop: &AtomicBool,
) -> (Vec<Departure>, Result<()>) {
    let firsts = first_mismatches(plan, progress);
    // Each thread has a worker, and the number of mismatches that the thread has tried.
    let start = || Ok((None::<Box<dyn Worker + '_>>, 0));
    let done = Pool::new(jobs).stopped_by(stop).run_on_each(
        &firsts,
        start,
        |(worker, tried), (task, mismatch)| {
            // The first classes have a new worker each, and all later ones share the last of these.
            if (1..FRESH).contains(tried) {
                *worker = None;
            }
            *tried += 1;
            let worker = match worker {
                Some(worker) => worker,
                none => none.insert(implementation.worker()?),
            };
            let of = &plan.tasks[*task];
            let seed = plan.request.seed;
            let place =
                VectorPlace { asked: of.asked, seed, vectors: of.vectors, index: mismatch.index };
            let answers = place.answers(worker.as_mut());
            let answers = answers.with_context(|| format!("{} could not be run again", of.subject()))?;
            let before = Some(mismatch.actual.clone());
            Ok(departure(&before, &answers).map(|kind| {
                // The departure shows the answer that came first, and the first other one that came now.
                let all = [answers.batch].into_iter().chain(answers.alone);
                let then = all.into_iter().find(|answer| *answer != before).flatten();
                let words = then.is_none().then(|| "the next time there was no result".into());
                let changed = Mismatch {
                    expected: mismatch.actual.clone(),
                    accepted: Vec::new(),
                    actual: then.unwrap_or_default(),
                    words,
                    ..mismatch.clone()
                };
                Departure { task: *task, kind, mismatch: changed }
            }))
        },
    );
    let mut found: Vec<Departure> = done.results.into_iter().flatten().flatten().collect();
    // Threads finish in any order, and the report is to be the same each time.
    found.sort_by_key(|departure| (departure.task, departure.kind, departure.mismatch.index));
    (found, done.error.map_or(Ok(()), Err))
}

/// Returns the first mismatch with results of each class of each variant, with the number of its task; those of
/// answers that change are left out, because they were asked more than once.
fn first_mismatches(plan: &Plan, progress: &Progress) -> Vec<(usize, Mismatch)> {
    let mut firsts: BTreeMap<(&str, MismatchKind), (usize, Mismatch)> = BTreeMap::new();
    for (number, (task, tally)) in plan.tasks.iter().zip(&progress.tallies).enumerate() {
        for (kind, class) in &tally.classes {
            if let Some(first) = class.examples.first().filter(|first| !first.actual.is_empty())
                && !matches!(kind, MismatchKind::Unstable | MismatchKind::BatchDependent)
            {
                let id = (task.subject().id(), *kind);
                firsts.entry(id).or_insert_with(|| (number, first.clone()));
            }
        }
    }
    firsts.into_values().collect()
}

#[cfg(test)]
mod tests;
