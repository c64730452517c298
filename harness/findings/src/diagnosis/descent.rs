//! Descends from a mismatch to the simplest one like it, step by step: each step makes it simpler, and the simplest
//! vector that is still a mismatch of the same kind is the next to begin with.

use anyhow::Result;
use formats::RowBits;
use judge::Mismatch;

/// The vectors of one subject and one kind of mismatch, as a descent needs to know them.
pub trait Descent {
    /// The measure of how far operands are from being simple; less is simpler.
    type Key: Ord;

    /// The most steps of a descent.
    const STEPS: usize;

    /// Returns how far operands are from being simple.
    fn key(&self, operands: &[RowBits]) -> Self::Key;

    /// Returns the operands that are one step away.
    fn steps(&self, operands: &[RowBits]) -> Vec<Vec<RowBits>>;

    /// Runs vectors, and returns the first of them that is a mismatch of the kind.
    fn first(&mut self, vectors: &[Vec<RowBits>]) -> Result<Option<Mismatch>>;
}

/// Descends to the simplest mismatch that can be reached from `from`, and returns it with the index of `from`. An
/// implementation that takes `most` vectors of a sweep is given no more than that.
pub fn descend<D: Descent>(from: &Mismatch, most: Option<u64>, mut descent: D) -> Result<Mismatch> {
    let mut best = from.clone();
    let mut left = most.unwrap_or(u64::MAX);
    for _ in 0..D::STEPS {
        let now = descent.key(&best.operands);
        let mut simpler: Vec<(D::Key, Vec<RowBits>)> = descent
            .steps(&best.operands)
            .into_iter()
            .map(|operands| (descent.key(&operands), operands))
            .filter(|(key, _)| *key < now)
            .collect();
        // `first` returns the first mismatch of a batch, which is to be the simplest.
        simpler.sort();
        simpler.dedup();
        if simpler.is_empty() || simpler.len() as u64 > left {
            break;
        }
        left -= simpler.len() as u64;
        let simpler: Vec<Vec<RowBits>> = simpler.into_iter().map(|(_, operands)| operands).collect();
        let Some(first) = descent.first(&simpler)? else { break };
        best = Mismatch { index: from.index, ..first };
    }
    Ok(best)
}
