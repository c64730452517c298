//! The digest of all triples of operands of a function of three data of at most 16 bits.
//!
//! The digest is linear, so that it can be computed where results come in runs, and on a device with one
//! multiplication a triple. The result of `a`, `b` and `c`, as an unsigned number, is multiplied by [`pair`] of
//! `a` and `b` and by [`addend`] of `c`; the digest is the sum of these products modulo 2^64. The weights are
//! odd, so that one wrong result among all always shows. Where there are several lanes, lane *l* counts 2*l* +
//! 1 times, so that what is wrong in one is not made up for in another.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::COLUMN;
use crate::Column;

/// Number of all triples of 16-bit data.
pub const ALL: u64 = 1 << 48;

/// The word that stands in the place of the sweep in a line of `digests/proven.txt` about all triples.
pub const TRIPLES: &str = "triples";

/// Computes the weight of two factors: the XXH3-64 of their four bytes, little-endian, its lowest bit set.
pub fn pair(a: u16, b: u16) -> u64 {
    xxh3_64_with_seed(&(u32::from(b) << 16 | u32::from(a)).to_le_bytes(), 0) | 1
}

/// Computes the weight of an addend: the XXH3-64 of its two bytes with the seed [`COLUMN`], its lowest bit set.
pub fn addend(c: u16) -> u64 {
    xxh3_64_with_seed(&c.to_le_bytes(), COLUMN) | 1
}

/// Computes the digest of several lanes that all see the same triples from the digest of one lane.
pub const fn of_lanes(digest: u64, lanes: usize) -> u64 {
    // The sum of the first odd numbers is a square.
    digest.wrapping_mul((lanes * lanes) as u64)
}

/// The weights of the triples of operands in some rows, one for each lane.
pub struct Weights(Vec<u64>);

impl Weights {
    /// Computes the weights of the three operands of a variant that has triples.
    pub fn of(operands: &[Column]) -> Weights {
        let [a, b, c] = operands else { panic!("three operands") };
        let lanes = a.row_bytes() / 2;
        let factors = data(a).zip(data(b)).map(|(a, b)| pair(a, b));
        let weights = factors.zip(data(c)).zip(0..).map(|((pair, c), at)| {
            // An odd factor keeps a weight odd, so that each wrong result still shows.
            let of_lane = 2 * (at % lanes) + 1;
            pair.wrapping_mul(addend(c)).wrapping_mul(of_lane as u64)
        });
        Weights(weights.collect())
    }

    /// Returns the digest of the operands: the sum of the weights modulo 2^64.
    pub fn inputs(&self) -> u64 {
        self.0.iter().fold(0, |sum, weight| sum.wrapping_add(*weight))
    }

    /// Returns the digest of the results of these operands: the weighted sum of all lanes modulo 2^64.
    pub fn results(&self, results: &Column) -> u64 {
        let each = self.0.iter().zip(data(results));
        each.fold(0, |sum, (weight, result)| sum.wrapping_add(weight.wrapping_mul(result.into())))
    }
}

/// Iterates over the 16-bit lanes of a column, row by row.
fn data(column: &Column) -> impl Iterator<Item = u16> {
    // Rows are lanes of two bytes, so nothing is left over.
    let (data, _) = column.bytes().as_chunks();
    data.iter().map(|bytes| u16::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn weights_are_odd_and_unlike() {
        let pairs = (0..1000).map(|at| pair(at, 7)).chain((1..1000).map(|at| pair(7, at + 1000)));
        let weights: Vec<u64> = pairs.chain((0..1000).map(addend)).collect();
        assert!(weights.iter().all(|weight| weight % 2 == 1));
        assert_eq!(weights.iter().collect::<std::collections::HashSet<_>>().len(), weights.len());
    }
}
