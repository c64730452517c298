//! Digests of the operands and results that were tried last.

use formats::Column;
use formats::digests::digest;
use formats::digests::triples::Weights;

/// A way to digest columns, with the digest of the operands.
pub enum Digests {
    /// Digests by rows: see [`formats::digests::digest`].
    Rows {
        /// The number of the first row.
        first: u64,
        /// The digest of the operands.
        inputs: u64,
    },
    /// Digests by triples: see [`formats::digests::triples`].
    Triples(Weights),
}

impl Default for Digests {
    fn default() -> Digests {
        Digests::Rows { first: 0, inputs: 0 }
    }
}

impl Digests {
    /// Creates digests by rows, for operands whose first row has the number `first`.
    pub fn of_rows(first: u64, operands: &[Column]) -> Digests {
        Digests::Rows { first, inputs: digest(first, operands) }
    }

    /// Returns the digest of the operands.
    pub fn inputs(&self) -> u64 {
        match self {
            Digests::Rows { inputs, .. } => *inputs,
            Digests::Triples(weights) => weights.inputs(),
        }
    }

    /// Returns the digest of results.
    pub fn results(&self, results: &[Column]) -> u64 {
        match self {
            Digests::Rows { first, .. } => digest(*first, results),
            Digests::Triples(weights) => weights.results(&results[0]),
        }
    }
}
