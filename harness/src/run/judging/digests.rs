//! Digests of what was tried last.

use vectors::Column;
use vectors::digests::digest;
use vectors::digests::triples::Weights;

use crate::run::plan::Task;

/// How columns are digested.
pub enum Digests {
    /// By rows, the first of this number: see [`vectors::digests::digest`].
    Rows(u64),
    /// By triples: see [`vectors::digests::triples`].
    Triples(Weights),
}

impl Default for Digests {
    fn default() -> Digests {
        Digests::Rows(0)
    }
}

impl Digests {
    /// Those of operands, the first of this number.
    pub fn of(task: &Task, first: u64, operands: &[Column]) -> Digests {
        match task.is_of_triples() {
            true => Digests::Triples(Weights::of(operands)),
            false => Digests::Rows(first),
        }
    }

    /// The digest of the operands.
    pub fn inputs(&self, operands: &[Column]) -> u64 {
        match self {
            Digests::Rows(first) => digest(*first, operands),
            Digests::Triples(weights) => weights.inputs(),
        }
    }

    /// The digest of results.
    pub fn results(&self, results: &[Column]) -> u64 {
        match self {
            Digests::Rows(first) => digest(*first, results),
            Digests::Triples(weights) => weights.results(&results[0]),
        }
    }
}
