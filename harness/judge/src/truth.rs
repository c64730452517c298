//! What a batch's results should be.

use formats::Column;
use isa::{Contract, Variant, results_for};

use super::interpretation::{Interpretation, OpenPoints};
use super::interval::Interval;

/// One result that the contract accepts where the manual leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Which lane of which row: `row × lanes + lane`.
    pub element: usize,
    /// The result …
    pub bits: u64,
    /// … under this interpretation …
    pub interpretation: Interpretation,
    /// … of these open points.
    pub open: OpenPoints,
}

/// What a batch's results should be.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The result registers, under the first interpretation of every open point. Where the contract is a
    /// bound: what correct rounding gives.
    pub results: Vec<Column>,
    /// What the contract accepts beside them.
    pub accepted: Accepted,
}

/// What a contract accepts beside the results of a [`Truth`], as it promises bits or a bound.
#[derive(Clone, Debug)]
pub enum Accepted {
    /// All results of those elements for which interpretations may differ, in order of elements.
    Exact(Vec<Alternative>),
    /// What the bound allows, element by element.
    Within(Vec<Interval>),
}

impl Truth {
    /// A place for the truth about batches of `variant`: so far, about none of its vectors.
    pub fn new(variant: &Variant) -> Truth {
        let accepted = match variant.form().contract {
            Contract::Exact => Accepted::Exact(Vec::new()),
            Contract::Within(_) => Accepted::Within(Vec::new()),
        };
        Truth { results: results_for(variant, 0), accepted }
    }

    /// The results under all interpretations, of those elements for which they may differ; a bound has
    /// none.
    pub fn alternatives(&self) -> &[Alternative] {
        match &self.accepted {
            Accepted::Exact(alternatives) => alternatives,
            Accepted::Within(_) => &[],
        }
    }

    /// What a bound allows, element by element; nothing where the contract promises bits.
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

/// The alternatives of one element, of a list in order of elements.
pub(super) fn of_element(alternatives: &[Alternative], element: usize) -> &[Alternative] {
    let start = alternatives.partition_point(|alternative| alternative.element < element);
    let rest = &alternatives[start..];
    &rest[..rest.partition_point(|alternative| alternative.element == element)]
}
