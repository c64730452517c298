//! The functions 1/x and 1/√x, cut off after exactly 64 bits.

use super::{Approximation, Real, multiply_high};

/// Computes 1/x. The result is exact for powers of two, and otherwise cut off after 64 bits, so that `inexact` is a
/// sticky bit.
#[inline]
pub fn rcp(x: Real) -> Approximation {
    if x.significand == 1 << 63 {
        return Approximation::exact(Real { exponent: -x.exponent, ..x });
    }
    // The divisor is above 2^63 and below 2^64, so that the quotient has 64 bits, its leading one among them.
    let significand = ((1 << 127) / x.significand as u128) as u64;
    Approximation::truncated(x.negative, significand, -x.exponent - 1)
}

/// The table of 1/√v in Q64 for v in the middle of each 64th from 1 to 4. An entry is within a relative 2^-7.9 of 1/√v
/// for every other v in its 64th.
const SEEDS: [u64; 192] = {
    let mut seeds = [0; 192];
    let mut i = 0;
    while i < seeds.len() {
        // v = odd / 128, and √(2^128 / v) = √(2^128 × 128 / odd).
        let odd = 2 * (64 + i as u128) + 1;
        seeds[i] = ((u128::MAX / odd) << 7).isqrt() as u64;
        i += 1;
    }
    seeds
};

/// Computes 1/√x, for positive x. The result is exact for even powers of two, and otherwise cut off after 64 bits, so
/// that `inexact` is a sticky bit.
#[inline]
pub fn rsqrt(x: Real) -> Approximation {
    debug_assert!(!x.negative, "positive");
    let odd = x.exponent & 1;
    let half = x.exponent >> 1;
    if x.significand == 1 << 63 && odd == 0 {
        return Approximation::exact(Real { exponent: -half, ..x });
    }
    // x = v × 2^(2 half), where 1 < v < 4. In Q62 v may lose its last bit. 1/√v < 1 is in Q64.
    let v = x.significand >> (1 - odd);
    // The upper eight bits are v in 64ths, from 64 to 255.
    let mut y = SEEDS[(v >> 56) as usize - 64];
    // Newton: y + y (1 − v y²) / 2. The relative error goes from 2^-7.9 to 2^-15, 2^-29 and 2^-58.
    for _ in 0..3 {
        let excess = (1 << 62) - multiply_high(v, multiply_high(y, y)) as i64;
        y = y.saturating_add_signed(((y as i128 * excess as i128) >> 63) as i64);
    }
    // Once more, from an excess with 2^127 as the unit, which leaves an error of one unit or so.
    let one = (1u128 << 127) >> odd;
    let excess = (one.wrapping_sub(square_times(y, x.significand)) as i128) << odd;
    y = y.saturating_add_signed((((excess >> 40) * y as i128) >> 88) as i64);
    // y² v = 1 would make v a power of four, so that it suffices to compare the integer parts.
    while square_times(y, x.significand) >= one {
        y -= 1;
    }
    while y != u64::MAX && square_times(y + 1, x.significand) < one {
        y += 1;
    }
    Approximation::truncated(false, y, -half - 1)
}

/// Computes a² b / 2^64, cut off.
#[inline]
fn square_times(a: u64, b: u64) -> u128 {
    let square = a as u128 * a as u128;
    (square >> 64) * b as u128 + (((square as u64) as u128 * b as u128) >> 64)
}
