//! The exponential function 2^x.

use super::constant::{self, LN_2};
use super::{Approximation, Real, multiply_high};

/// The number of leading bits of the fraction that index a table; the rest of the fraction goes into a series.
pub(super) const INDEX_BITS: u32 = 6;

/// The table of 2^(i/64) in Q63, cut off.
pub(super) const POWERS: [u64; 1 << INDEX_BITS] = {
    let mut powers = [0; 1 << INDEX_BITS];
    let mut i = 0;
    while i < powers.len() {
        powers[i] = constant::fixed(constant::exp((LN_2 * i as u128) >> INDEX_BITS), 63);
        i += 1;
    }
    powers
};

/// The coefficients of (2^(u/64) − 1) × 64 = Σ C_k u^k for u < 1, where C_k = ln(2)^k / k! / 64^(k−1). The entry k − 1
/// is C_k, in Q64. The first term left out, the eighth, is below 2^-61 before the division by 64.
pub(super) const COEFFICIENTS: [u64; 7] = {
    let ln_2 = constant::fixed(LN_2, 64);
    let mut coefficients = [ln_2; 7];
    let mut power = ln_2;
    let mut factorial = 1;
    let mut k = 2;
    while k <= coefficients.len() {
        power = ((power as u128 * ln_2 as u128) >> 64) as u64;
        factorial *= k as u64;
        coefficients[k - 1] = (power / factorial) >> (INDEX_BITS * (k as u32 - 1));
        k += 1;
    }
    coefficients
};

/// The largest exponent of x that is told apart: beyond it, 2^x is beyond every format.
const MAX_EXPONENT: i32 = 20;

/// Computes 2^x. The result is exact for integers. For |x| ≥ 2^21 it is 2^(±2^21) in place of the true value.
#[inline]
pub fn ex2(x: Real) -> Approximation {
    if x.exponent > MAX_EXPONENT {
        let bound = 1 << (MAX_EXPONENT + 1);
        return Approximation::truncated(false, 1 << 63, if x.negative { -bound } else { bound });
    }
    // Q64, towards zero.
    let places = x.exponent + 1;
    let (magnitude, lost) = match places {
        0.. => ((x.significand as u128) << places, false),
        -63..0 => (x.significand as u128 >> -places, x.significand << (64 + places) != 0),
        _ => (0, true),
    };
    // Q64, downwards, since every other error is downwards too.
    let fixed = if x.negative { -((magnitude + lost as u128) as i128) } else { magnitude as i128 };
    let (integer, fraction) = ((fixed >> 64) as i32, fixed as u64);
    let value = Real { negative: false, significand: fractional_power(fraction), exponent: integer };
    // 2^x of a rational number that is no integer is irrational.
    Approximation { value, inexact: fraction != 0 || lost }
}

/// Computes 2^`fraction`, from 1 to 2, in Q63; `fraction` is in Q64. The result is exact for 0. Otherwise it is below
/// the true value, by less than 3 units: one from the table, one from the last product, and the rest from the sum.
#[inline]
pub fn fractional_power(fraction: u64) -> u64 {
    let power = POWERS[(fraction >> (64 - INDEX_BITS)) as usize];
    let u = fraction << INDEX_BITS;
    let [rest @ .., last] = &COEFFICIENTS;
    let sum = rest.iter().rev().fold(*last, |sum, term| term + multiply_high(sum, u));
    power + (multiply_high(multiply_high(sum, u), power) >> INDEX_BITS)
}
