//! Judges batches of which some rows have no results, because the implementation failed to give them, or says that it
//! has none.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use formats::{Column, column};
use implementations::unwritten::{self, PATTERNS};
use implementations::{FailureKind, RowFailure, Worker};
use judge::{Mismatch, MismatchKind, Tally};
use selection::subject::Subject;

use super::BlockJudge;

/// The rows of a batch that have no results.
#[derive(Default)]
pub struct MissingRows {
    /// The rows that the implementation failed on, in order.
    pub faults: Vec<RowFailure>,
    /// The other rows of which the implementation says that it has no result.
    pub unanswered: Vec<usize>,
}

impl MissingRows {
    /// Whether every row has results.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty() && self.unanswered.is_empty()
    }

    /// Returns the numbers of all rows without results.
    pub fn rows(&self) -> BTreeSet<usize> {
        self.faults.iter().map(|fault| fault.row).chain(self.unanswered.iter().copied()).collect()
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
    let (faults, mut unanswered) = (worker.faults(), worker.unanswered());
    // A row that the worker failed on once counts as that failure, whatever the worker said of it afterwards.
    unanswered.retain(|row| faults.binary_search_by_key(row, |fault| fault.row).is_err());
    Ok(MissingRows { faults, unanswered })
}

impl BlockJudge {
    /// Has MPFR judge the rows that have results, and counts each other row by why it has none.
    pub(super) fn judged_with_gaps(&mut self, first: u64) -> Tally {
        let gaps = std::mem::take(&mut self.gaps);
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
        let rows = self.operands[0].rows();
        let sound: Vec<usize> = (0..rows).filter(|row| !without.contains(row)).collect();
        self.judge_rows(&sound, first, &mut tally);
        tally
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
