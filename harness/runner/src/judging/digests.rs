//! Digests of what was tried last.

use formats::Column;
use formats::digests::digest;
use formats::digests::triples::Weights;

/// How columns are digested, and the digest of the operands.
pub enum Digests {
    /// By rows: see [`formats::digests::digest`].
    Rows {
        /// The number of the first.
        first: u64,
        /// Of the operands.
        inputs: u64,
    },
    /// By triples: see [`formats::digests::triples`].
    Triples(Weights),
}

impl Default for Digests {
    fn default() -> Digests {
        Digests::Rows { first: 0, inputs: 0 }
    }
}

impl Digests {
    /// By rows, of operands the first of which has this number.
    pub fn of_rows(first: u64, operands: &[Column]) -> Digests {
        Digests::Rows { first, inputs: digest(first, operands) }
    }

    /// The digest of the operands.
    pub fn inputs(&self) -> u64 {
        match self {
            Digests::Rows { inputs, .. } => *inputs,
            Digests::Triples(weights) => weights.inputs(),
        }
    }

    /// The digest of results.
    pub fn results(&self, results: &[Column]) -> u64 {
        match self {
            Digests::Rows { first, .. } => digest(*first, results),
            Digests::Triples(weights) => weights.results(&results[0]),
        }
    }
}
