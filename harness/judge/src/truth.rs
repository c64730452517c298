//! The truth of a batch: what its results should be.

use formats::Column;
use isa::{Contract, Variant, results_for};

use super::interpretation::{Interpretation, OpenPoints};
use super::interval::Interval;

/// A result that the contract accepts where the manual leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Place of the result's lane and row in the batch: `row × lanes + lane`.
    pub element: usize,
    /// Bits of the result.
    pub bits: u64,
    /// Interpretation that gives the result.
    pub interpretation: Interpretation,
    /// Open points that matter to the result.
    pub open: OpenPoints,
}

/// The right results of a batch.
#[derive(Clone, Debug)]
pub struct Truth {
    /// Result registers under the first interpretation of every open point. Where the contract is a bound, they
    /// hold what correct rounding gives.
    pub results: Vec<Column>,
    /// Results that the contract accepts beside `results`.
    pub accepted: Accepted,
}

/// The results that a contract accepts beside those of a [`Truth`], as it promises bits or a bound.
#[derive(Clone, Debug)]
pub enum Accepted {
    /// All results of those elements for which interpretations may differ, in order of elements.
    Exact(Vec<Alternative>),
    /// Intervals that the bound allows, element by element.
    Within(Vec<Interval>),
}

impl Truth {
    /// Makes a place for the truth about batches of `variant`: so far, about none of its vectors.
    pub fn new(variant: &Variant) -> Truth {
        let accepted = match variant.form().contract {
            Contract::Exact => Accepted::Exact(Vec::new()),
            Contract::Within(_) => Accepted::Within(Vec::new()),
        };
        Truth { results: results_for(variant, 0), accepted }
    }

    /// Returns the results under all interpretations, of those elements for which they may differ; empty where the
    /// contract is a bound.
    pub fn alternatives(&self) -> &[Alternative] {
        match &self.accepted {
            Accepted::Exact(alternatives) => alternatives,
            Accepted::Within(_) => &[],
        }
    }

    /// Returns the intervals that a bound allows, element by element; empty where the contract promises bits.
    pub fn intervals(&self) -> &[Interval] {
        match &self.accepted {
            Accepted::Exact(_) => &[],
            Accepted::Within(intervals) => intervals,
        }
    }
}

impl Accepted {
    /// Forgets the elements, and keeps the memory for others.
    pub fn clear(&mut self) {
        match self {
            Accepted::Exact(alternatives) => alternatives.clear(),
            Accepted::Within(intervals) => intervals.clear(),
        }
    }
}

/// Returns the alternatives of one element, from a list in order of elements.
pub(super) fn of_element(alternatives: &[Alternative], element: usize) -> &[Alternative] {
    let start = alternatives.partition_point(|alternative| alternative.element < element);
    let rest = &alternatives[start..];
    &rest[..rest.partition_point(|alternative| alternative.element == element)]
}
