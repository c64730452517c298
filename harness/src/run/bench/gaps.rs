//! Batches of which some rows have no results, because the implementation failed to give them, or says
//! that it has none.

use std::collections::BTreeSet;

use vectors::Column;
use vectors::digests::digest;

use super::{Bench, UNWRITTEN};
use crate::implementation::{Fault, FaultKind};
use crate::judge::{Kind, Mismatch, Tally};

impl Bench {
    /// Has MPFR judge the rows that have results, and counts the others as what became of them. A row
    /// that the implementation failed on once is that fault, whatever it said of it afterwards.
    pub(super) fn judged_with_gaps(&mut self, first: u64) -> Tally {
        let faults = std::mem::take(&mut self.faults);
        let faulty: BTreeSet<usize> = faults.iter().map(|fault| fault.row).collect();
        let mut gaps = faulty.clone();
        gaps.extend(self.unanswered.drain(..));
        // Whatever was written of them is not a result.
        for column in &mut self.results {
            gaps.iter().for_each(|&row| column.bytes_of_mut(row..row + 1).fill(UNWRITTEN));
        }
        self.oracle.expect(&self.operands, &mut self.truth);
        let mut tally = Tally {
            unanswered: (gaps.len() - faulty.len()) as u64,
            inputs: digest(first, &self.operands),
            results: digest(first, &self.results),
            expected: digest(first, &self.truth.results),
            ..Tally::default()
        };
        let row_of = |columns: &[Column], row| columns.iter().map(|column| column.get(row)).collect();
        for Fault { row, kind, words } in &faults {
            let index = first.wrapping_add(*row as u64);
            tally.mismatch(kind_of(*kind), index, || Mismatch {
                index,
                operands: row_of(&self.operands, *row),
                expected: row_of(&self.truth.results, *row),
                accepted: Vec::new(),
                actual: Vec::new(),
                words: Some(words.clone()),
            });
        }
        let rows = self.operands[0].rows();
        let sound: Vec<usize> = (0..rows).filter(|row| !gaps.contains(row)).collect();
        self.judge_rows(&sound, first, &mut tally);
        tally
    }
}

fn kind_of(fault: FaultKind) -> Kind {
    match fault {
        FaultKind::Crashed => Kind::Crashed,
        FaultKind::Timeout => Kind::Timeout,
        FaultKind::Nonsense => Kind::Nonsense,
    }
}
