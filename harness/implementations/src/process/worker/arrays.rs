//! Batches that a program is asked for in arrays of several lengths, one length after the other: a result may not
//! depend on the length of the array that its operands stand in.

use std::collections::BTreeSet;

use anyhow::Result;
use formats::{Column, column};

use super::{ProcessWorker, TRACED, VariantBatch};
use crate::process::lengths::{arrays, place};
use crate::{RowFailure, VaryingRow};

/// Number of faults of a variant after which the first array that fails ends a batch: a program that fails in every
/// array would be started tens of thousands of times.
const FAULTS: usize = 4 * TRACED;

/// Outcome of a batch in arrays of one length.
struct Answers {
    length: usize,
    /// Rows that the program says it has no result of.
    unanswered: BTreeSet<usize>,
}

impl ProcessWorker<'_> {
    /// Has a batch computed in arrays of each length, and notes the rows whose results differ. The results are those
    /// in arrays of the first length.
    pub(super) fn compute_in_arrays(&mut self, batch: &mut VariantBatch, rows: usize) -> Result<()> {
        let mut first: Option<Answers> = None;
        for length in self.program.limits.lengths.of_batch(rows) {
            let Some(first) = &first else {
                first = Some(self.compute_in_arrays_of(length, batch, rows)?);
                continue;
            };
            let mut results = batch.results.to_vec();
            let VariantBatch { variant, operands, .. } = *batch;
            let mut again = VariantBatch { variant, operands, results: &mut results };
            let answers = self.compute_in_arrays_of(length, &mut again, rows)?;
            self.compare([(first, &*batch.results), (&answers, &results[..])]);
        }
        // A row that failed in arrays of several lengths is one failure, and has nothing to compare.
        self.faults.sort_by_key(|fault| fault.row);
        self.faults.dedup_by_key(|fault| fault.row);
        let failed: BTreeSet<usize> = self.faults.iter().map(|fault| fault.row).collect();
        self.varying.retain(|varying| !failed.contains(&varying.row));
        self.varying.sort_by_key(|varying| varying.row);
        let varying: BTreeSet<usize> = self.varying.iter().map(|varying| varying.row).collect();
        let unanswered = first.map_or_else(BTreeSet::new, |first| first.unanswered);
        self.unanswered = unanswered.difference(&varying).copied().collect();
        Ok(())
    }

    /// Has a batch computed in arrays of one length.
    fn compute_in_arrays_of(
        &mut self,
        length: usize,
        batch: &mut VariantBatch,
        rows: usize,
    ) -> Result<Answers> {
        self.unanswered.clear();
        for array in arrays(length, rows) {
            let behind = array.end;
            self.compute(batch, array)?;
            let gives_up = self.traces_no_more() || self.traced >= FAULTS;
            if let Some(failure) = self.whole.clone().filter(|_| gives_up && behind < rows) {
                let words = format!(
                    "{}; the rest of its batch was not asked in arrays of {length}, because arrays before it \
                     had failed",
                    failure.words
                );
                let fault = |row| RowFailure { row, kind: failure.kind, words: words.clone() };
                self.faults.extend((behind..rows).map(fault));
                break;
            }
        }
        Ok(Answers { length, unanswered: self.unanswered.drain(..).collect() })
    }

    /// Notes the rows whose answers differ between arrays of two lengths, unless they are noted already.
    fn compare(&mut self, both: [(&Answers, &[Column]); 2]) {
        let [(first, results), (other, others)] = both;
        let rows = results[0].rows();
        let known: BTreeSet<usize> = self.varying.iter().map(|varying| varying.row).collect();
        let mut differing: BTreeSet<usize> = column::differing(results, others).collect();
        // What stands in the columns of a row without a result is none.
        let either = |row: &usize| first.unanswered.contains(row) || other.unanswered.contains(row);
        differing.retain(|row| !either(row));
        differing.extend(first.unanswered.symmetric_difference(&other.unanswered));
        for row in differing.difference(&known).copied() {
            let answer = |(answers, results): (&Answers, &[Column])| {
                (!answers.unanswered.contains(&row)).then(|| column::row_bits(results, row))
            };
            let told = |(answers, results): (&Answers, &[Column])| {
                let bits = match answers.unanswered.contains(&row) {
                    true => "no result".into(),
                    false => hex(results, row),
                };
                format!("{bits} {}", place(row, answers.length, rows))
            };
            let words = both.map(told).join(", and ");
            self.varying.push(VaryingRow { row, answers: both.map(answer), words });
        }
    }
}

/// Writes one row of some columns in hexadecimal.
fn hex(columns: &[Column], row: usize) -> String {
    let each = columns.iter().map(|column| column.row_bits(row).hex(column.row_bytes()));
    each.collect::<Vec<_>>().join("|")
}
