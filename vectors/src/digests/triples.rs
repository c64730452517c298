//! The digest of all triples of a function of three data of at most 16 bits.
//!
//! It is linear, so that it can be computed where results come in runs, and on a device with one
//! multiplication a triple: the result of `a`, `b` and `c`, as an unsigned number, adds itself times
//! [`pair`] of `a` and `b` times [`addend`] of `c`, all modulo 2^64. The weights are odd, so that one
//! wrong result among all always shows.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::COLUMN;

/// What stands in a line's place of the sweep.
pub const TRIPLES: &str = "triples";

/// The weight of two factors: the XXH3-64 of their four bytes, little-endian, its lowest bit set.
pub fn pair(a: u16, b: u16) -> u64 {
    xxh3_64_with_seed(&(u32::from(b) << 16 | u32::from(a)).to_le_bytes(), 0) | 1
}

/// The weight of an addend: the XXH3-64 of its two bytes with the seed [`COLUMN`], its lowest bit set.
pub fn addend(c: u16) -> u64 {
    xxh3_64_with_seed(&c.to_le_bytes(), COLUMN) | 1
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
