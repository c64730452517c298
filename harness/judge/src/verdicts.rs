//! The rows of a batch that break the contract, and what judging them adds to a tally.

use formats::column;
use isa::{LaneSlot, Relaxation};

use super::batch::Batch;
use super::judge::Judge;
use super::kind::{MismatchKind, Violation};
use super::tally::Tally;
use super::truth::{Accepted, Truth};

impl Judge {
    /// Judges a batch, and adds what it finds to `tally`.
    pub fn judge(&self, truth: &Truth, batch: Batch, tally: &mut Tally) {
        let rows = batch.results[0].rows() as u64;
        tally.vectors += rows;
        tally.confirmed += rows;
        let violations = self.violations(truth, batch, tally);
        for violation in &violations {
            let kind = self.kind(truth, batch, violation);
            tally.mismatch(kind, batch.number(violation.row), || {
                self.describe(truth, batch, violation.row)
            });
        }
    }

    /// Returns the rows of a batch that break the contract, in order, each with the kind of its mismatch.
    pub fn verdicts(&self, truth: &Truth, batch: Batch) -> Vec<(usize, MismatchKind)> {
        let violations = self.violations(truth, batch, &mut Tally::default());
        violations.iter().map(|violation| (violation.row, self.kind(truth, batch, violation))).collect()
    }

    /// Returns the rows of a batch that break the contract, in order.
    pub fn wrong_rows(&self, truth: &Truth, batch: Batch) -> Vec<usize> {
        let violations = self.violations(truth, batch, &mut Tally::default());
        violations.into_iter().map(|violation| violation.row).collect()
    }

    /// Finds the rows that break the contract, each by its first lane that does, and adds answers to `tally`.
    fn violations(&self, truth: &Truth, batch: Batch, tally: &mut Tally) -> Vec<Violation> {
        let rows = batch.results[0].rows();
        let mut violations = Vec::new();
        let original = self.variant.lane_signature().original();
        for (number, data) in self.variant.outputs().iter().enumerate() {
            match &truth.accepted {
                // A word of memory that is only moved leaves nothing open: its NaNs are those that were there.
                _ if original == Some(number) => {
                    let row = |columns, row| {
                        data.slots.iter().map(move |at: &LaneSlot| {
                            let columns: &[formats::Column] = columns;
                            at.take(columns[at.register].get(row))
                        })
                    };
                    let changed = |&at: &usize| !row(&truth.results, at).eq(row(batch.results, at));
                    let rows = (0..rows).filter(changed);
                    violations.extend(rows.map(|row| Violation { row, kind: MismatchKind::Original }));
                }
                Accepted::Within(intervals) => {
                    self.compare_with_bounds(data, truth, intervals, batch, tally, &mut violations);
                }
                Accepted::Exact(alternatives) => {
                    let exact = match data.format.width() {
                        0..=8 => Judge::exact::<u8>,
                        9..=16 => Judge::exact::<u16>,
                        17..=32 => Judge::exact::<u32>,
                        _ => Judge::exact::<u64>,
                    };
                    exact(self, data, truth, alternatives, batch, tally, &mut violations);
                }
            }
        }
        for ((column, expected), &mask) in batch.results.iter().zip(&truth.results).zip(&self.masks) {
            // The bits of a register that hold no lane.
            let gaps = !mask & u64::MAX >> (64 - 8 * column.row_bytes());
            // These bits are zero in the expected results.
            let dirty = || (0..rows).filter(|&row| column.get(row) & gaps != 0);
            if self.open_layout {
                let dirty = dirty().count() as u64;
                tally.agreement(Relaxation::Tf32Layout, &[0, rows as u64 - dirty, dirty]);
            } else if gaps != 0 && column != expected {
                violations.extend(dirty().map(|row| Violation { row, kind: MismatchKind::Padding }));
            }
        }
        // A row is one vector, whatever is wrong with it: its first lane's violation names the class.
        violations.sort_by_key(|violation| violation.row);
        violations.dedup_by_key(|violation| violation.row);
        violations
    }

    /// Returns the kind of a row's mismatch.
    fn kind(&self, truth: &Truth, batch: Batch, violation: &Violation) -> MismatchKind {
        let [expected, actual] =
            [&truth.results, batch.results].map(|of| column::row(of, violation.row));
        match self.swapped(&expected, &actual) {
            true => MismatchKind::LanesSwapped,
            false => violation.kind,
        }
    }

    /// Whether the lanes of `actual` are those of `expected` in reverse.
    fn swapped(&self, expected: &[u64], actual: &[u64]) -> bool {
        let (expected, mut actual) = (self.lanes_of(expected), self.lanes_of(actual));
        let differ = expected != actual;
        actual.reverse();
        differ && expected == actual
    }
}
