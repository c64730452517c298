//! An estimate of log₂ x over lanes.

use super::super::logarithm::{COEFFICIENTS, NEAR};
use super::{Decision, Estimate, EstimatedFunction, SIGNIFICAND, is_normal};
use crate::arithmetic::Unpacked;
use crate::fields::FloatFields;
use crate::word::Lookup;

/// The function log₂ x.
#[derive(Clone, Copy, Debug)]
pub struct Lg2;

/// The reciprocals of [`NEAR`] in Q16, by the low bits of i.
const RECIPROCALS: [u64; 256] = {
    let mut reciprocals = [0; 256];
    let mut i = 0;
    while i < NEAR.len() {
        // The entry for 256 is at index 0, since a lookup counts the low eight bits alone.
        reciprocals[(128 + i) % 256] = NEAR[i].reciprocal;
        i += 1;
    }
    reciprocals
};

/// The negated logarithms of the reciprocals of [`NEAR`] in Q54, cut off.
const LOGARITHMS: [u64; 256] = {
    let mut logarithms = [0; 256];
    let mut i = 0;
    while i < NEAR.len() {
        logarithms[(128 + i) % 256] = (NEAR[i].logarithm >> (100 - LARGE)) as u64;
        i += 1;
    }
    logarithms
};

/// The number of fraction bits of a logarithm with its integer part.
const LARGE: u32 = 54;

/// The bound on the error of an estimate's significand, in Q62; see [`Lg2::estimate`].
pub const BOUND: u64 = 1 << 27;

impl Lg2 {
    /// Estimates log₂ x for a positive normal number with at most 24 bits; returns the mask of the sign, and the
    /// magnitude.
    ///
    /// The computation is that of the definition, the `lg2` of one element at a time, with the terms of the series up
    /// to z^4, but in 32 bits for all terms other than the first: then the factor of z has an error of at most 6 units
    /// of Q40. Near 1, where |z| may be 2^-24 and nothing is added, the four units of Q62 that are lost are relative
    /// 2^-36.5. Elsewhere the logarithm is above 2^-8, and relative to that all errors together are less.
    #[inline(always)]
    pub fn estimate<W: Lookup>(self, format: &FloatFields, a: &Unpacked<W>) -> (W, Estimate<W>) {
        let significand = a.significand << (23 - format.trailing);
        let near = ((significand >> 15) + 1) >> 1;
        // x × reciprocal = 1 + z, in Q39. |z| < 2^-7.9 has room in 32 bits.
        let z = significand.times(near.lookup(&RECIPROCALS)) - W::of(1 << 39);
        let (below, z) = (z.negative(), z.abs());
        let coefficient = |k: usize| W::of(COEFFICIENTS[k] as u64 >> 30);
        // Q47, Q32 and, from here on, Q40: of the series without its first term the even powers, and
        // the odd ones, which are larger.
        let square = z.times(z) >> 31;
        let even = square.times(coefficient(2) + (square.times(coefficient(4)) >> 47)) >> 39;
        let odd = z.times(coefficient(1) + (square.times(coefficient(3)) >> 47)) >> 31;
        let rest = odd - ((even ^ below) - below);
        // Q62
        let first = (z.times(W::of(COEFFICIENTS[0] as u64 >> 31)) >> 8)
            + (z.times(W::of(COEFFICIENTS[0] as u64 & (u64::MAX >> 33))) >> 39);
        let others = z.times(rest) >> 17;
        let small = first + ((others ^ !below) - !below);

        let integer = (a.exponent - format.bias) << LARGE;
        let large = integer + near.lookup(&LOGARITHMS);
        let signed = (small ^ below) - below;
        let sum = large + signed.shr_signed(W::from(SIGNIFICAND - LARGE));
        let alone = large.equals(0);
        let magnitude = alone.select(small, sum.abs());
        let exponent = W::from(format.bias) + (!alone & (SIGNIFICAND - LARGE));
        (alone.select(below, sum.negative()), Estimate::normalised(magnitude, exponent))
    }
}

impl EstimatedFunction for Lg2 {
    #[inline(always)]
    fn decide<W: Lookup>(self, format: &FloatFields, _: bool, a: Unpacked<W>) -> Decision<W> {
        let (negative, estimate) = self.estimate(format, &a);
        let (magnitude, sure) = estimate.round(format, BOUND);
        // The logarithm of 1 has no leading bit.
        let zero = estimate.significand.equals(0);
        Decision {
            negative,
            magnitude: magnitude & !zero,
            nan: a.nan | (a.negative & !a.zero()),
            sure: (sure | zero) & is_normal(format, &a),
        }
    }
}
