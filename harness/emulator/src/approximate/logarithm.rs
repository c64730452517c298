//! The binary logarithm, log₂ x.

use super::constant::{self, LN_2, LOG2_E, ONE};
use super::{Approximation, Real};

/// An entry of the table of logarithms, for x near i/128, from 1 to 2.
#[derive(Clone, Copy)]
pub(super) struct Near {
    /// The reciprocal, about 128/i, in Q16.
    pub reciprocal: u64,
    /// The negated logarithm, −log₂ of `reciprocal`, in Q100.
    pub logarithm: i128,
}

/// The table of [`Near`] for i from 128 to 256. The first and the last entry are exact: near 1 nothing but the small
/// term of the logarithm remains, and keeps its relative precision.
pub(super) const NEAR: [Near; 129] = {
    let mut table = [Near { reciprocal: 1 << 16, logarithm: 0 }; 129];
    let mut i = 1;
    while i < 128 {
        let reciprocal = (1 << 23) / (128 + i as u64);
        // −ln r = 2 artanh((1 − r) / (1 + r))
        let (numerator, denominator) = ((1 << 16) - reciprocal, (1 << 16) + reciprocal);
        let ln = 2 * constant::artanh(numerator as u128, denominator as u128);
        table[i] = Near { reciprocal, logarithm: constant::quotient(ln, LN_2) as i128 };
        i += 1;
    }
    table[128] = Near { reciprocal: 1 << 15, logarithm: ONE as i128 };
    table
};

/// The coefficients C_k of log₂(1 + z) / z = Σ C_k (−z)^k, where C_k = log₂(e) / (k + 1), in Q62. The first term left
/// out, of z^8, is below 2^-65 for the |z| < 2^-7.9 that remain.
pub(super) const COEFFICIENTS: [i64; 8] = {
    let mut coefficients = [0; 8];
    let mut k = 0;
    while k < coefficients.len() {
        coefficients[k] = constant::fixed(LOG2_E / (k as u128 + 1), 62) as i64;
        k += 1;
    }
    coefficients
};

/// Computes log₂ x, for positive x. The result is exact for powers of two.
#[inline]
pub fn lg2(x: Real) -> Approximation {
    debug_assert!(!x.negative, "positive");
    if x.significand == 1 << 63 {
        // Otherwise it is irrational.
        let integer = x.exponent.unsigned_abs();
        return Approximation::exact(Real::new(x.exponent < 0, integer as u64, 0));
    }
    // The nearest 128th, from 128 to 256.
    let i = ((x.significand >> 55) + 1) >> 1;
    let near = NEAR[i as usize - 128];
    // x × reciprocal = 1 + z, in Q79; z alone has room in Q70, and is exact near 1.
    let z = ((x.significand as i128 * near.reciprocal as i128 - (1 << 79)) >> 9) as i64;
    let [rest @ .., last] = &COEFFICIENTS;
    let ratio = rest.iter().rev().fold(*last, |sum, term| term - times(sum, z));
    // Q132
    let small = ratio as i128 * z as i128;
    let large = ((x.exponent as i128) << 100) + near.logarithm;
    if large == 0 {
        Approximation::within_margin(small < 0, small.unsigned_abs(), 127 - 132)
    } else {
        // No cancellation here: the small term is at most about half the large one.
        let sum = large + (small >> 32);
        Approximation::within_margin(sum < 0, sum.unsigned_abs(), 127 - 100)
    }
}

/// Multiplies Q62 by Q70; the result is in Q62.
#[inline]
fn times(a: i64, z: i64) -> i64 {
    ((a as i128 * z as i128) >> 70) as i64
}
