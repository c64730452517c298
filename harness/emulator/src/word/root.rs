//! The integer square root, from a table of 1/√v and a series.

use super::fixed_point::{horner, multiply_half};
use super::{Lookup, Word};

/// The seeds y of 1/√v: 1/√v in Q16 for the upper end of each 64th that v from 1 to 4 lies in, cut off. So v y² is
/// below 1, by less than 1/64. The index is v in Q6.
pub const SEEDS: [u64; 256] = {
    let mut seeds = [0; 256];
    let mut v = 64;
    while v < seeds.len() {
        seeds[v] = ((64 << 32) / (v as u64 + 1)).isqrt();
        v += 1;
    }
    seeds
};

/// The coefficients C_k, in Q32, of (1/√(1 − u/64) − 1) × 64 / u = Σ C_k u^k for u < 1, where C_0 = 1/2 and C_k =
/// C_(k−1) (2k + 1) / (2k + 2) / 64. The first term left out is below 2^-32.
const COEFFICIENTS: [u64; 5] = {
    let mut coefficients = [0; 5];
    let mut coefficient = 1 << 61;
    let mut k = 0;
    while k < coefficients.len() {
        coefficients[k] = coefficient >> 30;
        k += 1;
        coefficient = coefficient / (128 * (k as u64 + 1)) * (2 * k as u64 + 1);
    }
    coefficients
};

/// Computes (1/√(1 − u/64) − 1) × 64 in Q32, for u in Q32. The result is short by less than 12 units.
#[inline(always)]
pub fn excess<W: Word>(u: W) -> W {
    multiply_half(horner(COEFFICIENTS, u), u)
}

/// Returns the integer square root of `n`.
#[inline(always)]
pub fn root<W: Lookup>(n: W) -> W {
    // A shift by an even number of places gives v from 1 to 4 in Q62.
    let places = n.leading_zeros() & 62;
    let n = n << places;
    let (upper, seed) = (n >> 32, (n >> 56).lookup(&SEEDS));
    let square = seed.times(seed);
    // Q62, and then 64 times as much in Q32.
    let lacking = W::of(1 << 62) - (upper.times(square) + (n.times(square) >> 32));
    let excess = excess(lacking >> (62 - 32 - 6));
    // √v = v y / √(v y²) in Q46, less a few units of Q36, and so at most one too small in Q31.
    let near = upper.times(seed) + (n.times(seed) >> 32);
    let root = (near + ((near >> 16).times(excess) >> (16 + 6))) >> (46 - 31);
    // n is (root + 1)² or more exactly if n − root² exceeds 2 root. The mask is −1, and subtracting it adds one.
    let larger = (n - root.times(root)).exceeds(root + root);
    (root - larger) >> (places >> 1)
}

#[cfg(test)]
mod tests {
    use sweeps::CounterRng;

    use super::*;
    use crate::words::Words;

    #[test]
    fn roots_are_those_of_integers() {
        let mut random = CounterRng::new(8, 0);
        let mut numbers = vec![0, 1, 2, 3, 4, u64::MAX];
        for _ in 0..1 << 20 {
            let draw = random.next() >> (random.next() % 64);
            let square = (draw >> 32).pow(2);
            numbers.extend([draw, square, square.saturating_sub(1), square + 1]);
        }
        // The radicands that `sqrt` of f32 asks for.
        let single = (1 << 52..1 << 54).step_by(1 << 29);
        for n in numbers.into_iter().chain(single) {
            assert_eq!(root(Words([n])).0[0], n.isqrt(), "{n}");
        }
    }
}
