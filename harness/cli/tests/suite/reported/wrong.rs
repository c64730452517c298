//! Reported faults, implemented anew from the reports: functions from an element's inputs and its right result to
//! the wrong one.
//!
//! NaNs stay right where the report is not about them.

use formats::{E4M3, F16, F32};

use crate::common::host::{encoded, exponent, nearest, rounded, scaled};

pub fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// Returns the bits of a number; where it and the right result are NaN, the bits of the right result.
fn result(right: u64, value: f32) -> u64 {
    if value.is_nan() && F32.is_nan(right) { right } else { value.to_bits().into() }
}

fn zero_of(value: f32) -> f32 {
    0f32.copysign(value)
}

fn denormals_are_zero(value: f32) -> f32 {
    if value.is_subnormal() { zero_of(value) } else { value }
}

/// The smallest positive normal number of f32.
const LEAST: f64 = f32::MIN_POSITIVE as f64;

/// Multiplies with DAZ and FTZ of the control register, which flushes what is too small with all its bits rounded.
pub fn fast_math_registers(a: &[u64], right: u64) -> u64 {
    let [a, b] = [a[0], a[1]].map(|bits| f64::from(denormals_are_zero(single(bits))));
    let product = a * b;
    let tiny = nearest(product, 24, i32::MIN / 2).abs() < LEAST;
    result(right, if tiny { zero_of(product as f32) } else { product as f32 })
}

/// Divides as `__fdivsf3` did: "Flush denormals to zero."
pub fn quotients_flushed(a: &[u64], right: u64) -> u64 {
    let quotient = f64::from(single(a[0])) / f64::from(single(a[1]));
    if quotient.abs() < LEAST { result(right, zero_of(quotient as f32)) } else { right }
}

/// Returns zero for a quotient that rounds up to the smallest normal number: all its bits are carried out.
pub fn carry_lost(a: &[u64], right: u64) -> u64 {
    let quotient = f64::from(single(a[0])) / f64::from(single(a[1]));
    let carried = single(right).abs() == f32::MIN_POSITIVE && quotient.abs() < LEAST;
    if carried { right & F32.sign_mask() } else { right }
}

/// Multiplies without regard to `.ftz`.
pub fn flush_not_looked_at(a: &[u64], right: u64) -> u64 {
    result(right, single(a[0]) * single(a[1]))
}

/// Returns zero for every product that is smaller than the smallest number, also where it is rounded up.
pub fn tiny_products(a: &[u64], right: u64) -> u64 {
    let product = f64::from(single(a[0])) * f64::from(single(a[1]));
    let tiny = product != 0.0 && product.abs() < LEAST / 2f64.powi(23);
    if tiny { result(right, zero_of(product as f32)) } else { right }
}

/// Converts to f16 as `npy_floatbits_to_halfbits` did: the shift of a subnormal significand loses bits.
pub fn half_shifted(a: &[u64], right: u64) -> u64 {
    let (magnitude, sign) = (a[0] & F32.magnitude_mask(), a[0] >> 16 & 0x8000);
    if !(0x3300_0000..0x3880_0000).contains(&magnitude) {
        return right;
    }
    let mut significand = (0x80_0000 | magnitude & 0x7f_ffff) >> (113 - (magnitude >> 23));
    if significand & 0x3fff != 0x1000 {
        significand += 0x1000;
    }
    sign | significand >> 13
}

/// Rounds to f16 by the guard bit alone.
pub fn half_ties_away(a: &[u64], right: u64) -> u64 {
    let value = f64::from(single(a[0]));
    if value.is_nan() || !value.is_normal() {
        return right;
    }
    let unit = exponent(value).max(-14) - 10;
    encoded(&F16, scaled(scaled(value, -unit).round(), unit))
}

/// Converts f64 to f16 by way of single precision.
pub fn half_of_single(a: &[u64], right: u64) -> u64 {
    let value = double(a[0]);
    if value.is_nan() { right } else { rounded(&F16, f64::from(value as f32)) }
}

/// Converts f64 to f16 without regard to the lower word of the f64.
pub fn half_of_upper_word(a: &[u64], right: u64) -> u64 {
    let value = double(a[0] & !0xffff_ffff);
    if value.is_nan() || !value.is_normal() { right } else { rounded(&F16, value) }
}

/// Converts f32 to bf16 by cutting off the lower half.
pub fn brain_float_cut(a: &[u64], right: u64) -> u64 {
    if F32.is_nan(a[0]) { right } else { a[0] >> 16 }
}

/// Converts f32 to bf16 and cuts off the lower half of a NaN, which may make it infinite.
pub fn brain_float_nan_cut(a: &[u64], right: u64) -> u64 {
    let infinite = F32.is_nan(a[0]) && a[0] >> 16 & 0x7f == 0;
    if infinite { a[0] >> 16 } else { right }
}

/// Converts f32 to bf16 and rounds NaNs as numbers are rounded.
pub fn brain_float_nan_rounded(a: &[u64], right: u64) -> u64 {
    let bits = (a[0] as u32).wrapping_add(0x7fff + (a[0] as u32 >> 16 & 1)) >> 16;
    let still_nan = bits & 0x7fff > 0x7f80;
    if F32.is_nan(a[0]) && !still_nan { bits.into() } else { right }
}

/// Converts a subnormal f16 to f32 as `CreateSingle` did: the significand is or-ed to the exponent.
pub fn half_or_ed(a: &[u64], right: u64) -> u64 {
    let magnitude = a[0] & 0x7fff;
    if magnitude == 0 || magnitude >= 0x400 {
        return right;
    }
    let shift = magnitude.leading_zeros() - (u64::BITS - 11);
    (a[0] & 0x8000) << 16 | u64::from(112 - shift) << 23 | magnitude << shift << 13
}

/// Converts f16 to f32 and decodes subnormal numbers as normal ones.
pub fn half_without_subnormals(a: &[u64], right: u64) -> u64 {
    let magnitude = a[0] & 0x7fff;
    if magnitude == 0 || magnitude >= 0x400 {
        return right;
    }
    (a[0] & 0x8000) << 16 | ((magnitude << 13) + (112 << 23))
}

/// Converts e4m3 to f16 and decodes subnormal numbers as normal ones: "hardcodes exponent".
pub fn e4m3_without_subnormals(a: &[u64], right: u64) -> u64 {
    let magnitude = a[0] & 0x7f;
    if magnitude == 0 || magnitude >= 8 {
        return right;
    }
    (a[0] & 0x80) << 8 | (15 - 7) << 10 | magnitude << 7
}

/// Converts f16 to e4m3 and rounds a subnormal result twice: as a normal number, and then as a subnormal one.
pub fn e4m3_rounded_twice(a: &[u64], right: u64) -> u64 {
    let (significand, unit) = match F16.decode(a[0]) {
        Some(decoded) => decoded,
        None => return right,
    };
    let value = scaled(significand as f64, unit);
    if value >= scaled(1.0, E4M3.exponent_min()) {
        return right;
    }
    let bits = rounded(&E4M3, nearest(value, E4M3.precision(), i32::MIN / 2));
    bits | (a[0] & 0x8000) >> 8
}

/// Converts f32 to e4m3 and gives NaN for numbers that are too large.
pub fn e4m3_not_saturated(a: &[u64], right: u64) -> u64 {
    let value = single(a[0]).abs();
    if value > 464.0 { 0x7f } else { right }
}

/// Computes a fused multiply-add in double precision, and rounds that.
pub fn fused_in_double(a: &[u64], right: u64) -> u64 {
    let [a, b, c] = [a[0], a[1], a[2]].map(|bits| f64::from(single(bits)));
    result(right, a.mul_add(b, c) as f32)
}

/// Computes the exact product and the sum in double precision, corrected where the sum looks like a tie between
/// normal numbers.
pub fn fused_wide(a: &[u64], right: u64) -> u64 {
    let [x, y, z] = [a[0], a[1], a[2]].map(|bits| f64::from(single(bits)));
    let product = x * y;
    let sum = product + z;
    let halfway = sum.to_bits() & 0x1fff_ffff == 0x1000_0000;
    if !halfway || !sum.is_finite() || sum - product == z && sum - z == product {
        return result(right, sum as f32);
    }
    let negative = sum.is_sign_negative();
    let error = if negative == (z > product) { product - sum + z } else { z - sum + product };
    let away = negative == (error < 0.0);
    let adjusted = if away { sum.to_bits() + 1 } else { sum.to_bits() - 1 };
    result(right, f64::from_bits(adjusted) as f32)
}

/// Computes a product and a sum, each of them rounded.
pub fn not_fused(a: &[u64], right: u64) -> u64 {
    result(right, single(a[0]) * single(a[1]) + single(a[2]))
}

/// Computes a fused multiply-add rounded to nearest, without regard to the direction in the instruction.
pub fn direction_not_looked_at(a: &[u64], right: u64) -> u64 {
    result(right, single(a[0]).mul_add(single(a[1]), single(a[2])))
}

/// Returns +0 for every sum that cancels.
pub fn cancelled_to_plus_zero(a: &[u64], right: u64) -> u64 {
    let [a, b] = [a[0], a[1]].map(single);
    let negative = a.is_sign_negative() && b.is_sign_negative();
    if a + b == 0.0 && !negative { 0 } else { right }
}

/// Computes the minimum as `minss` does, by a comparison.
pub fn smaller_by_comparison(a: &[u64], right: u64) -> u64 {
    let [a, b] = [a[0], a[1]].map(single);
    let smaller = if a < b { a } else { b };
    if smaller.is_nan() { F32.canonical_nan() } else { result(right, smaller) }
}

/// Rounds to an integral number by `floor(x + 0.5)`.
pub fn half_added(a: &[u64], right: u64) -> u64 {
    let value = double(a[0]);
    if value.is_nan() { right } else { (value + 0.5).floor().to_bits() }
}

/// Rounds halves away from zero: `round`, where `rint` was meant.
pub fn halves_away(a: &[u64], right: u64) -> u64 {
    let value = double(a[0]);
    if value.is_nan() { right } else { value.round().to_bits() }
}

/// Converts to an integer by `cvttss2si`, which has 0x80000000 for whatever does not fit.
pub fn integer_indefinite(a: &[u64], _: u64) -> u64 {
    let value = single(a[0]);
    let fits = (-2147483648.0..2147483648.0).contains(&value);
    u64::from(if fits { value as i32 } else { i32::MIN } as u32)
}

/// Converts to an integer of 64 bits and keeps its low half; all numbers that do not fit become 2^63 before that.
pub fn low_half_of_integer(a: &[u64], _: u64) -> u64 {
    let value = single(a[0]);
    let fits = value.abs() < 9223372036854775808.0;
    u64::from(if fits { value as i64 } else { i64::MIN } as u32)
}

/// Converts NaN to zero, also in integers of 64 bits.
pub fn nan_is_zero(a: &[u64], right: u64) -> u64 {
    if F32.is_nan(a[0]) { 0 } else { right }
}

/// Rounds subnormal numbers to zero, also where they are rounded down.
pub fn floor_of_subnormal(a: &[u64], right: u64) -> u64 {
    if single(a[0]).is_subnormal() { 0 } else { right }
}

/// Converts an integer to f32 by way of double precision.
pub fn integer_by_double(a: &[u64], _: u64) -> u64 {
    (a[0] as f64 as f32).to_bits().into()
}

/// Converts unsigned integers as if they were signed.
pub fn integer_is_signed(a: &[u64], _: u64) -> u64 {
    (a[0] as u32 as i32 as f32).to_bits().into()
}
