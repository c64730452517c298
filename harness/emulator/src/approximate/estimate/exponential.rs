//! An estimate of 2^x over lanes.

use super::super::exponential::{COEFFICIENTS, INDEX_BITS, POWERS};
use super::{Decision, Estimate, EstimatedFunction, SIGNIFICAND};
use crate::arithmetic::Unpacked;
use crate::fields::FloatFields;
use crate::word::Lookup;
use crate::word::fixed_point::{horner, multiply_half};

/// The function 2^x.
#[derive(Clone, Copy, Debug)]
pub struct Ex2;

/// The number of fraction bits of x in fixed point.
const FRACTION: u32 = 54;

/// The exponent from which on |x| is not told apart: from 2^8 on, 2^x is beyond every format that is estimated.
const MAX_EXPONENT: u32 = 8;

/// The coefficients of the series that matter, in Q32.
const TERMS: [u64; 4] = {
    let mut terms = [0; 4];
    let mut k = 0;
    while k < terms.len() {
        terms[k] = COEFFICIENTS[k] >> 32;
        k += 1;
    }
    terms
};

/// The bound on the error of an estimate's significand, in Q62; see [`fractional_power`].
pub const BOUND: u64 = 1 << 29;

impl Ex2 {
    /// Estimates 2^x for any number. The exponent is exact; for the error of the significand see [`fractional_power`].
    #[inline(always)]
    pub fn estimate<W: Lookup>(self, format: &FloatFields, a: &Unpacked<W>) -> Estimate<W> {
        let largest = W::from(format.bias + MAX_EXPONENT);
        // Cut off: an error below 2^-54.
        let magnitude =
            (a.significand << (SIGNIFICAND - format.trailing)) >> (largest - a.exponent.min(largest));
        let fixed = (magnitude ^ a.negative) - a.negative;
        let exponent = fixed.shr_signed(W::from(FRACTION)) + format.bias;
        let significand = fractional_power(fixed << (64 - FRACTION)) >> (63 - SIGNIFICAND);
        Estimate { significand, exponent }
    }
}

impl EstimatedFunction for Ex2 {
    #[inline(always)]
    fn decide<W: Lookup>(self, format: &FloatFields, flush: bool, a: Unpacked<W>) -> Decision<W> {
        let estimate = self.estimate(format, &a);
        let (magnitude, sure) = estimate.round(format, BOUND);
        let exponent = estimate.exponent;
        // Subnormal results are not estimated, but for those below half the smallest one.
        let small = (exponent - 2).negative();
        let vanishes = (exponent + if flush { 0 } else { format.precision }).negative();
        Decision {
            negative: W::from(0),
            magnitude: magnitude & !small,
            nan: a.nan,
            sure: (sure & !small) | vanishes,
        }
    }
}

/// Computes 2^`fraction`, from 1 to 2, in Q63; `fraction` is in Q64. The result is exact for 0. Otherwise it is below
/// the true value, by less than 11 × 2^26 units. With u < 1 in Q32 and the first four terms of the series, the sum is
/// short by 8 units of Q32 and its product with u by 10, which is divided by 64 and doubled at most. The lower half of
/// the power, which is left out, would add another one.
#[inline(always)]
pub fn fractional_power<W: Lookup>(fraction: W) -> W {
    let power = (fraction >> (64 - INDEX_BITS)).lookup(&POWERS);
    let u = fraction << INDEX_BITS >> 32;
    power + (multiply_half(horner(TERMS, u), u).times(power >> 32) >> INDEX_BITS)
}
