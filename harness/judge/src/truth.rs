//! What a batch's results should be.

use vectors::Column;

use super::interval::Interval;
use super::reading::{Open, Reading};

/// One result that the contract accepts where the manual leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Which lane of which row: `row × lanes + lane`.
    pub element: usize,
    /// The result …
    pub bits: u64,
    /// … under this reading …
    pub reading: Reading,
    /// … of these open points.
    pub open: Open,
}

/// What a batch's results should be.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The result registers, under the first reading of every open point. Where the contract is a
    /// bound: what correct rounding gives.
    pub results: Vec<Column>,
    /// All results of those elements for which readings may differ, in order of elements.
    pub alternatives: Vec<Alternative>,
    /// Where the contract is a bound: what it allows, element by element; else empty.
    pub intervals: Vec<Interval>,
}
