//! Records which bytes behind the addresses that are passed a run reads and writes.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

/// The bytes behind one parameter that a run has touched, in any of its rows: of all bytes from the first to the last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// The bytes that were read.
    pub read: Range<usize>,
    /// The bytes that were written.
    pub written: Range<usize>,
    /// Whether bytes between the first and the last that were written were not.
    pub has_gaps: bool,
}

impl Touched {
    /// Adds what another run has touched.
    pub fn add(&mut self, other: Touched) {
        join(&mut self.read, other.read);
        join(&mut self.written, other.written);
        self.has_gaps |= other.has_gaps;
    }
}

/// Makes a range of bytes one that has those of another, too.
fn join(range: &mut Range<usize>, bytes: Range<usize>) {
    if range.start == range.end {
        *range = bytes;
    } else if bytes.start < bytes.end {
        *range = range.start.min(bytes.start)..range.end.max(bytes.end);
    }
}

/// The record of a run: what is behind each parameter, by its number.
#[derive(Debug, Default)]
pub(super) struct TouchedRecord(RefCell<Vec<(Touched, BTreeSet<usize>)>>);

impl TouchedRecord {
    /// Makes a record for so many parameters, of which nothing has been touched.
    pub fn new(parameters: usize) -> TouchedRecord {
        TouchedRecord(RefCell::new(vec![Default::default(); parameters]))
    }

    /// Adds bytes behind a parameter to those that were read, or to those that were written.
    pub fn add(&self, parameter: usize, bytes: Range<usize>, writes: bool) {
        if let Some((touched, written)) = self.0.borrow_mut().get_mut(parameter) {
            if writes {
                written.extend(bytes.clone());
            }
            join(if writes { &mut touched.written } else { &mut touched.read }, bytes);
        }
    }

    /// Returns what was touched.
    pub fn into_touched(self) -> Vec<Touched> {
        let each = self.0.into_inner().into_iter();
        let settled = each.map(|(touched, written)| Touched {
            has_gaps: written.len() < touched.written.len(),
            ..touched
        });
        settled.collect()
    }
}
