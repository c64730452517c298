//! 1/√x, and √n of integers.

use super::{Decision, Estimate, Function, Lookup, SIGNIFICAND, horner, is_normal, multiply_half};
use crate::arithmetic::Unpacked;
use crate::fields::FloatFields;
use crate::word::Word;

/// 1/√x.
#[derive(Clone, Copy, Debug)]
pub struct Rsqrt;

/// 1/√v in Q16 for the upper end of each 64th that v from 1 to 4 lies in, cut off: v y² is below 1, by
/// less than 1/64. Indexed by v in Q6.
const SEEDS: [u64; 256] = {
    let mut seeds = [0; 256];
    let mut v = 64;
    while v < seeds.len() {
        seeds[v] = ((64 << 32) / (v as u64 + 1)).isqrt();
        v += 1;
    }
    seeds
};

/// (1/√(1 − u/64) − 1) × 64 / u = Σ C_k u^k for u < 1, where C_0 = 1/2 and C_k = C_(k−1) (2k + 1) /
/// (2k + 2) / 64, in Q32. The first term left out is below 2^-32.
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

/// (1/√(1 − u/64) − 1) × 64, of u in Q32 and in Q32: short by less than 12 units.
#[inline(always)]
fn excess<W: Word>(u: W) -> W {
    multiply_half(horner(COEFFICIENTS, u), u)
}

/// The integer square root of `n`.
#[inline(always)]
pub fn root<W: Lookup>(n: W) -> W {
    // By an even number of places to v from 1 to 4 in Q62.
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
    let larger = (n - root.times(root)).exceeds(root + root);
    (root - larger) >> (places >> 1)
}

/// In Q62; see [`Rsqrt::estimate`].
pub const BOUND: u64 = 1 << 29;

impl Rsqrt {
    /// Of a positive normal number with at most 24 bits. With a seed of 16 bits what v y² lacks of 1 is
    /// exact. What [`excess`] lacks is divided by 64, multiplied by the seed and doubled: the significand
    /// is below the true one, by less than 12 × 2^25.
    #[inline(always)]
    pub fn estimate<W: Lookup>(self, format: &FloatFields, a: &Unpacked<W>) -> Estimate<W> {
        let exponent = a.exponent - format.bias;
        // x = v × 2^(2 half), where 1 ≤ v < 4, in Q23.
        let v = (a.significand << (23 - format.trailing)) << (exponent & 1);
        let half = exponent.shr_signed(W::from(1));
        let seed = (v >> 17).lookup(&SEEDS);
        // Q55, and then 64 times as much in Q32.
        let lacking = W::of(1 << 55) - v.times(seed.times(seed));
        let u = lacking >> (55 - 32 - 6);
        // Q54, from 1/2 to 1.
        let root = (seed << (54 - 16)) + seed.times(excess(u));
        let bias = W::from(format.bias - 1);
        Estimate { significand: root << (SIGNIFICAND - 54 + 1), exponent: bias - half }
    }
}

impl Function for Rsqrt {
    #[inline(always)]
    fn decide<W: Lookup>(self, format: &FloatFields, _: bool, a: Unpacked<W>) -> Decision<W> {
        let (magnitude, sure) = self.estimate(format, &a).round(format, BOUND);
        Decision {
            negative: W::from(0),
            magnitude,
            nan: a.nan | (a.negative & !a.zero()),
            sure: sure & is_normal(format, &a),
        }
    }
}
