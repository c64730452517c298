//! An estimate of 1/√x over lanes.

use super::{Decision, Estimate, EstimatedFunction, SIGNIFICAND, is_normal};
use crate::arithmetic::Unpacked;
use crate::fields::FloatFields;
use crate::word::Lookup;
use crate::word::root::{SEEDS, excess};

/// The function 1/√x.
#[derive(Clone, Copy, Debug)]
pub struct Rsqrt;

/// The bound on the error of an estimate's significand, in Q62; see [`Rsqrt::estimate`].
pub const BOUND: u64 = 1 << 29;

impl Rsqrt {
    /// Estimates 1/√x for a positive normal number with at most 24 bits. With a seed y of 16 bits, 1 − v y² is exact.
    /// The error of [`excess`] is divided by 64, multiplied by the seed and doubled: the significand is below the true
    /// one, by less than 12 × 2^25.
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

impl EstimatedFunction for Rsqrt {
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
