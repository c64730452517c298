//! The hyperbolic tangent, tanh x.

use super::constant::{self, LOG2_E};
use super::exponential::fractional_power;
use super::series::{hyperbolic_cosine, hyperbolic_sine_ratio};
use super::{Approximation, Real, multiply_high};

/// The constant log₂ e in Q63, cut off.
const LOG2_E_Q63: u64 = constant::fixed(LOG2_E, 63);

/// Computes tanh x.
#[inline]
pub fn tanh(x: Real) -> Approximation {
    match x.exponent {
        // Within 2^-64 of 1 already for |x| > 22.6.
        5.. => Approximation::truncated(x.negative, u64::MAX, -1),
        0..5 => by_exponential(x),
        _ => by_series(x),
    }
}

/// Computes tanh x for 1 ≤ |x| < 32 as (1 − t) / (1 + t), where t = e^(−2|x|).
fn by_exponential(x: Real) -> Approximation {
    // −log₂ t, in Q126 scaled by 2^(exponent + 1), then in Q64.
    let product = x.significand as u128 * LOG2_E_Q63 as u128;
    let logarithm = product >> (126 - 64 - (x.exponent + 1));
    // The next integer up less a fraction.
    let integer = (logarithm.wrapping_neg() >> 64) as i64;
    let power = fractional_power((logarithm as u64).wrapping_neg());
    let t = power.unbounded_shr(-integer as u32);
    // Q63
    let quotient = ((((1 << 63) - t) as u128) << 63) / ((1 << 63) + t) as u128;
    Approximation::within_margin(x.negative, quotient << 64, 0)
}

/// Computes tanh x for |x| < 1 as x × (sinh x / x) / cosh x.
fn by_series(x: Real) -> Approximation {
    // Q64, and zero where it no longer matters.
    let square =
        multiply_high(x.significand, x.significand).unbounded_shr((-2 * (x.exponent + 1)) as u32);
    let (sine, cosine) = (hyperbolic_sine_ratio(square), hyperbolic_cosine(square));
    let ratio = ((sine as u128) << 63) / cosine as u128;
    Approximation::within_margin(x.negative, x.significand as u128 * ratio, x.exponent + 1)
}
