//! Records which bytes behind the addresses that are passed a run reads and writes.

use std::cell::RefCell;
use std::ops::Range;

/// The bytes behind one parameter that a run has touched, in any of its rows: of all bytes from the first to the last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// The bytes that were read.
    pub read: Range<usize>,
    /// The bytes that were written.
    pub written: Range<usize>,
}

/// The record of a run: what is behind each parameter, by its number.
#[derive(Debug, Default)]
pub(super) struct TouchedRecord(RefCell<Vec<Touched>>);

impl TouchedRecord {
    /// Makes a record for so many parameters, of which nothing has been touched.
    pub fn new(parameters: usize) -> TouchedRecord {
        TouchedRecord(RefCell::new(vec![Touched::default(); parameters]))
    }

    /// Adds bytes behind a parameter to those that were read, or to those that were written.
    pub fn add(&self, parameter: usize, bytes: Range<usize>, writes: bool) {
        if let Some(touched) = self.0.borrow_mut().get_mut(parameter) {
            let range = if writes { &mut touched.written } else { &mut touched.read };
            *range = match range.start == range.end {
                true => bytes,
                false => range.start.min(bytes.start)..range.end.max(bytes.end),
            };
        }
    }

    /// Returns what was touched.
    pub fn into_touched(self) -> Vec<Touched> {
        self.0.into_inner()
    }
}
