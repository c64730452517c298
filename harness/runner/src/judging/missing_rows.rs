//! Judges batches of which some rows have no results, because the implementation failed to give them, or says that it
//! has none; or have several, because the implementation was asked more than once.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use formats::{Column, RowBits, column};
use implementations::unwritten::{self, PATTERNS};
use implementations::{FailureKind, RowFailure, VaryingRow, Worker};
use judge::{Batch, Mismatch, MismatchKind, Tally};
use selection::subject::Subject;

use super::BlockJudge;

/// The rows of a batch that have no results, or not one.
#[derive(Default)]
pub struct MissingRows {
    /// The rows that the implementation failed on, in order.
    pub faults: Vec<RowFailure>,
    /// The other rows of which the implementation says that it has no result, in order.
    pub unanswered: Vec<usize>,
    /// The other rows that have different results in arrays of different lengths.
    pub varying: Vec<VaryingRow>,
}

impl MissingRows {
    /// Whether every row has one result.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty() && self.unanswered.is_empty() && self.varying.is_empty()
    }

    /// Whether each row that has not one result is one of which the implementation says that it has none.
    pub fn are_unanswered(&self) -> bool {
        self.faults.is_empty() && self.varying.is_empty()
    }

    /// Returns the numbers of all rows without one result.
    pub fn rows(&self) -> BTreeSet<usize> {
        let faults = self.faults.iter().map(|fault| fault.row);
        let varying = self.varying.iter().map(|varying| varying.row);
        faults.chain(varying).chain(self.unanswered.iter().copied()).collect()
    }

    /// Returns the words that say why a row has no result, or not one; `None` where there are none.
    pub fn words(&self, row: usize) -> Option<&str> {
        let fault = self.faults.iter().find(|fault| fault.row == row).map(|fault| &*fault.words);
        fault.or_else(|| {
            self.varying.iter().find(|varying| varying.row == row).map(|varying| &*varying.words)
        })
    }
}

/// Makes room for the results of so many rows, filled with a pattern: results that an implementation leaves out must
/// not look like the answers of the batch before.
pub(super) fn clear(results: &mut [Column], rows: usize) {
    results.iter_mut().for_each(|column| column.resize(rows));
    unwritten::fill(results, PATTERNS[0]);
}

/// Has a worker compute a batch, and returns the rows without results. `results` may have any number of rows before;
/// rows without a result hold anything afterwards.
///
/// # Errors
/// If the worker breaks as a whole, or gives another number of results than it was given vectors.
pub fn compute(
    worker: &mut dyn Worker,
    subject: Subject,
    operands: &[Column],
    results: &mut [Column],
) -> Result<MissingRows> {
    let rows = operands[0].rows();
    clear(results, rows);
    worker.run_subject(subject, operands, results)?;
    if let Some(column) = results.iter().find(|column| column.rows() != rows) {
        bail!("it gave {} results for {rows} vectors", column.rows());
    }
    let (faults, mut unanswered, varying) = (worker.faults(), worker.unanswered(), worker.varying());
    // A row that the worker failed on once counts as that failure, whatever the worker said of it afterwards.
    unanswered.retain(|row| faults.binary_search_by_key(row, |fault| fault.row).is_err());
    unanswered.sort_unstable();
    Ok(MissingRows { faults, unanswered, varying })
}

impl BlockJudge {
    /// Has MPFR judge the rows that have one result, and counts each other row by why it has none. A row with several
    /// results that are all permitted counts as right.
    pub(super) fn judged_with_gaps(&mut self, first: u64) -> Tally {
        let mut gaps = std::mem::take(&mut self.gaps);
        gaps.varying.retain(|varying| !self.permits_all(varying));
        let without = gaps.rows();
        // Whatever was written for these rows is not a result.
        for column in &mut self.results {
            without.iter().for_each(|&row| column.bytes_of_mut(row..row + 1).fill(PATTERNS[0]));
        }
        self.batch_judge.expect(&self.operands);
        let mut tally = Tally {
            unanswered: gaps.unanswered.len() as u64,
            inputs: self.digests.inputs(),
            results: self.digests.results(&self.results),
            expected: self.digests.results(self.batch_judge.expected()),
            ..Tally::default()
        };
        for RowFailure { row, kind, words } in &gaps.faults {
            let index = first.wrapping_add(*row as u64);
            tally.mismatch(kind_of(*kind), index, || Mismatch {
                index,
                operands: column::row_bits(&self.operands, *row),
                expected: column::row_bits(self.batch_judge.expected(), *row),
                accepted: Vec::new(),
                actual: Vec::new(),
                words: Some(words.clone()),
            });
        }
        for VaryingRow { row, answers, words } in &gaps.varying {
            let index = first.wrapping_add(*row as u64);
            tally.mismatch(MismatchKind::BatchDependent, index, || {
                let expected = column::row_bits(self.batch_judge.expected(), *row);
                let other = answers.iter().flatten().find(|answer| **answer != expected);
                Mismatch {
                    index,
                    operands: column::row_bits(&self.operands, *row),
                    accepted: Vec::new(),
                    actual: other.cloned().unwrap_or_default(),
                    expected,
                    words: Some(words.clone()),
                }
            });
        }
        let rows = self.operands[0].rows();
        let sound: Vec<usize> = (0..rows).filter(|row| !without.contains(row)).collect();
        self.judge_rows(&sound, first, &mut tally);
        tally
    }

    /// Whether a row has a result each time, and the contract permits each.
    fn permits_all(&mut self, varying: &VaryingRow) -> bool {
        let answers: Vec<&Vec<RowBits>> = varying.answers.iter().flatten().collect();
        if answers.len() < varying.answers.len() {
            return false;
        }
        let rows = vec![varying.row; answers.len()];
        let [operands, mut results] =
            [&self.operands, &self.results].map(|columns| column::select(columns, &rows));
        for (row, answer) in answers.into_iter().enumerate() {
            column::set_row_bits(&mut results, row, answer);
        }
        self.batch_judge.expect(&operands);
        let mut tally = Tally::default();
        let batch = Batch { first: 0, offsets: None, operands: &operands, results: &results };
        self.batch_judge.judge(batch, &mut tally);
        tally.mismatches == 0
    }
}

/// Returns the kind of mismatch that a row counts as on which the implementation failed.
fn kind_of(fault: FailureKind) -> MismatchKind {
    match fault {
        FailureKind::Crashed => MismatchKind::Crashed,
        FailureKind::Timeout => MismatchKind::Timeout,
        FailureKind::Nonsense => MismatchKind::Nonsense,
        FailureKind::Failed => MismatchKind::Failed,
        FailureKind::Unwritten => MismatchKind::Unwritten,
    }
}
