//! An estimate of tanh x, the hyperbolic tangent, over lanes.

use super::super::constant::{self, ONE};
use super::{Decision, Estimate, EstimatedFunction, SIGNIFICAND, is_tiny};
use crate::arithmetic::Unpacked;
use crate::fields::FloatFields;
use crate::word::Lookup;
use crate::word::fixed_point::multiply_high;

/// The function tanh x.
#[derive(Clone, Copy, Debug)]
pub struct Tanh;

/// The table of tanh(i/16) in Q64, cut off: (1 − p) / (1 + p), where p = e^(−i/8).
const TANGENTS: [u64; 256] = {
    let mut tangents = [0; 256];
    let step = constant::quotient(ONE, constant::exp(ONE / 8));
    let mut power = ONE;
    let mut i = 0;
    while i < tangents.len() {
        tangents[i] = constant::fixed(constant::quotient(ONE - power, ONE + power), 64);
        power = constant::product(power, step);
        i += 1;
    }
    tangents
};

/// The coefficients 1/3, 2/15 and 17/315 in Q32: tanh d = d − d³/3 + 2d⁵/15 − 17d⁷/315 and for d < 1/16 less than a
/// relative 2^-37.5 more.
const SERIES: [u64; 3] = [(1 << 32) / 3, (2 << 32) / 15, (17 << 32) / 315];

/// The largest exponent of x that is told apart: from 16 on tanh x is within 2^-45 of 1, and computed as just below 16.
const MAX_EXPONENT: u32 = 3;

/// The bound on the error of an estimate's significand, in Q62; see [`Tanh::estimate`].
pub const BOUND: u64 = 1 << 29;

impl Tanh {
    /// Estimates tanh |x| for a number with at most 24 bits and a magnitude from 2^-12. With |x| = c + d, c a multiple
    /// of 1/16, and T = tanh c:
    ///
    /// tanh(c + d) = T + (1 − T²) tanh d / (1 + T tanh d)
    ///
    /// Where c = 0 that is tanh d, with a relative error below 2^-36. Elsewhere the part that the quotient's
    /// denominator takes from it is off by up to 5 units of Q36, which tanh d < 1/16 makes 5 × 2^-40; the rest of an
    /// upper half adds 2 × 2^-40 where T is near 1. For c = 1/16, the significand has 16 times that error: with the
    /// error of tanh d it is below 6 × 2^26.
    #[inline(always)]
    pub fn estimate<W: Lookup>(self, format: &FloatFields, a: &Unpacked<W>) -> Estimate<W> {
        // Q36, in which every such number is an integer.
        let (exponent, largest) = (a.exponent, W::from(format.bias + MAX_EXPONENT));
        let shift = largest - exponent.min(largest) + (SIGNIFICAND - 36 - MAX_EXPONENT);
        let fixed = (a.significand << (SIGNIFICAND - format.trailing)) >> shift;
        let fixed = fixed | (exponent.exceeds(largest) & W::of((1 << 40) - 1));
        let tangent = (fixed >> 32).lookup(&TANGENTS);

        // Q40, Q32, Q41 and Q64.
        let square = fixed.times(fixed) >> 32;
        let third = W::of(SERIES[1]) - (square.times(W::of(SERIES[2])) >> 40);
        let second = W::of(SERIES[0]) - (square.times(third) >> 40);
        let lost = square.times(second) >> 31;
        let small = (fixed << 32 >> 4) - (fixed.times(lost) >> 13);

        // 1 − 1/(1 + a) = a (1 − a) (1 + a²) (1 + a⁴) …, where a < 1/16; Q36, Q40 and Q48.
        let a = (tangent >> 32).times(small >> 28) >> 32;
        let a2 = a.times(a) >> 32;
        let a4 = a2.times(a2) >> 32;
        let ratio = a - (a2 >> 4);
        let ratio = ratio + (ratio.times(a2) >> 40);
        let ratio = ratio + (ratio.times(a4) >> 48);
        let rest = W::of(1 << 63) - (multiply_high(tangent, tangent) >> 1);
        let factor = rest - ((rest >> 32).times(ratio) >> 4);

        // Q63. The tangent has the exponent of x or the next lower one; from 1 on, that of 1/2.
        let value = (tangent >> 1) + multiply_high(small, factor);
        let half = W::from(format.bias - 1);
        let exponent = exponent.min(half);
        let significand = value << (half - exponent);
        let reaches = (significand << (63 - SIGNIFICAND)).negative();
        Estimate { significand: significand << (reaches + 1), exponent: exponent - reaches - 1 }
    }
}

impl EstimatedFunction for Tanh {
    #[inline(always)]
    fn decide<W: Lookup>(self, format: &FloatFields, _: bool, a: Unpacked<W>) -> Decision<W> {
        let (magnitude, sure) = self.estimate(format, &a).round(format, BOUND);
        let tiny = is_tiny(format, &a);
        Decision {
            negative: a.negative,
            magnitude: tiny.select(a.magnitude, magnitude),
            nan: a.nan,
            sure: sure | tiny,
        }
    }
}
