//! Faults of conversions and of arithmetic that people wrote by hand, implemented anew on bits and on the host's
//! floats: functions from an element's inputs and its right result to the wrong one.

use formats::{E4M3, F16, F32};

use super::wrong::single;
use crate::common::host::{nearest, rounded};

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// Returns the value of a half, which is not NaN.
fn half(bits: u64) -> f64 {
    let (field, trailing) = ((bits >> 10 & 0x1f) as i32, (bits & 0x3ff) as f64);
    let magnitude = match field {
        0 => trailing * 2f64.powi(-24),
        31 => f64::INFINITY,
        _ => (1024.0 + trailing) * 2f64.powi(field - 25),
    };
    if bits & 0x8000 == 0 { magnitude } else { -magnitude }
}

/// Rounds the significand of a half up to the next power of two and forgets the carry.
pub fn half_without_carry(a: &[u64], right: u64) -> u64 {
    let up = f64::from(single(a[0])).abs() < half(right & 0x7fff);
    // Beyond 2^16 it is too large without any carry.
    let normal = right & 0x7c00 > 0x0400 && single(a[0]).abs() < 65536.0;
    if up && normal && right & 0x3ff == 0 { right - 0x400 } else { right }
}

/// Or-s the carry to the exponent, where its lowest bit may be set.
pub fn half_with_carry_ored(a: &[u64], right: u64) -> u64 {
    let without = half_without_carry(a, right);
    // 2^k with an odd field before the carry.
    if without != right && without >> 10 & 1 == 1 { without } else { right }
}

/// Converts to a half by cutting bits off, and rounds that to e4m3.
pub fn e4m3_of_cut_half(a: &[u64], right: u64) -> u64 {
    let value = f64::from(single(a[0]));
    if !value.is_finite() || value.abs() >= 65504.0 {
        return right;
    }
    let unit = 2f64.powi((value.abs().log2().floor() as i32).max(-14) - 10);
    let cut = (value / unit).trunc() * unit;
    let magnitude = rounded(&E4M3, cut.abs()).min(0x7e);
    right & 0x80 | magnitude
}

/// Multiplies with the reciprocal of the divisor.
pub fn divided_by_reciprocal(a: &[u64], right: u64) -> u64 {
    let (dividend, divisor) = (single(a[0]), single(a[1]));
    let quotient = dividend * (1.0 / divisor);
    if quotient.is_nan() && F32.is_nan(right) { right } else { canonical(quotient) }
}

fn canonical(value: f32) -> u64 {
    if value.is_nan() { 0x7fff_ffff } else { value.to_bits().into() }
}

/// Converts to an unsigned integer and takes that for a signed one.
pub fn negative_is_zero(_: &[u64], right: u64) -> u64 {
    if right >> 31 == 1 { 0 } else { right }
}

/// The same of 8 bits.
pub fn negative_byte_is_zero(_: &[u64], right: u64) -> u64 {
    if right >> 7 & 1 == 1 { 0 } else { right }
}

/// Cuts the bits of an integer off that a half has no place for.
pub fn half_of_cut_integer(a: &[u64], _: u64) -> u64 {
    let value = f64::from(a[0] as u16 as i16);
    let unit = 2f64.powi((value.abs().max(1.0).log2().floor() as i32 - 10).max(0));
    rounded(&F16, (value / unit).trunc() * unit)
}

/// Gives the code of −0 for a negative number that is rounded to zero, in a format where that code is NaN.
pub fn fnuz_underflow(a: &[u64], right: u64) -> u64 {
    if right == 0 && single(a[0]) < 0.0 { 0x80 } else { right }
}

/// Or-s infinity to the largest number where rounding carries.
pub fn e5m2_with_infinity_ored(a: &[u64], right: u64) -> u64 {
    if (61440.0..65536.0).contains(&single(a[0]).abs()) { right | 0x7b } else { right }
}

/// Clears the last bit of a significand of ones, where NaN stands.
pub fn e4m3_of_nan_place(a: &[u64], right: u64) -> u64 {
    if (480.0..=496.0).contains(&single(a[0]).abs()) && single(a[0]).abs() < 496.0 {
        (u64::from(single(a[0]) < 0.0) << 7) | 0x7e
    } else {
        right
    }
}

/// Reads the code of NaN as 480.
pub fn e4m3_nan_read_as_number(a: &[u64], right: u64) -> u64 {
    match a[0] & 0xff {
        0x7f => 0x5f80,
        0xff => 0xdf80,
        _ => right,
    }
}

/// Takes what exceeds 65504 for too large before it is rounded.
pub fn half_overflow_before_rounding(a: &[u64], right: u64) -> u64 {
    let value = single(a[0]);
    if value.is_finite() && value.abs() > 65504.0 { right & 0x8000 | 0x7c00 } else { right }
}

/// Keeps the significand under the exponent of infinity.
pub fn half_overflow_with_significand(a: &[u64], right: u64) -> u64 {
    let value = f64::from(single(a[0]));
    if !value.is_finite() || right & 0x7fff != 0x7c00 {
        return right;
    }
    let significand = nearest(value, 11, -14).abs().to_bits() >> 42 & 0x3ff;
    right | significand
}

/// Gives zero in the binade above the largest number.
pub fn half_zero_above(a: &[u64], right: u64) -> u64 {
    if (65536.0..131072.0).contains(&single(a[0]).abs()) { right & 0x8000 } else { right }
}

/// Adds halves after shifting the smaller one without a guard bit.
pub fn half_sum_without_guard(a: &[u64], right: u64) -> u64 {
    let [x, y] = [half(a[0]), half(a[1])];
    if !x.is_finite() || !y.is_finite() || right & 0x7c00 == 0x7c00 && right & 0x3ff != 0 {
        return right;
    }
    let larger = x.abs().max(y.abs());
    if larger == 0.0 {
        return right;
    }
    let unit = 2f64.powi((larger.log2().floor() as i32).max(-14) - 10);
    let cut = |term: f64| (term / unit).trunc() * unit;
    let sum = cut(x) + cut(y);
    if sum == 0.0 { if right & 0x7fff == 0 { right } else { 0 } } else { rounded(&F16, sum) }
}

/// Adds in double, and nudges an inexact even sum by its bits as if it were positive.
pub fn fused_and_nudged(a: &[u64], right: u64) -> u64 {
    let [x, y, z] = [0, 1, 2].map(|index| f64::from(single(a[index])));
    let product = x * y;
    let sum = product + z;
    if !sum.is_finite() || F32.is_nan(right) {
        return right;
    }
    let back = sum - product;
    let error = (product - (sum - back)) + (z - back);
    let bits = sum.to_bits();
    let nudged = match (error != 0.0 && bits & 1 == 0, error > 0.0) {
        (false, _) => sum,
        (true, true) => double(bits + 1),
        (true, false) => double(bits - 1),
    };
    if nudged == 0.0 { right } else { u64::from((nudged as f32).to_bits()) }
}

/// Reads a subnormal number of e5m2 one place too high.
pub fn e5m2_subnormal_doubled(a: &[u64], right: u64) -> u64 {
    if a[0] & 0x7c == 0 { right & 0x8000 | ((right & 0x7fff) * 2) } else { right }
}

/// Takes the exponent of ones for that of infinity and NaN.
pub fn ue5m3_as_ieee(a: &[u64], right: u64) -> u64 {
    match a[0] & 0xff {
        0xf8 => 0x7f80,
        0xf9..=0xfe => 0x7fff,
        _ => right,
    }
}

/// Puts the code of a power of two into the exponent of bfloat16.
pub fn power_as_exponent(a: &[u64], _: u64) -> u64 {
    (a[0] & 0xff) << 7
}

/// Converts the halves of an integer, and adds them.
pub fn integer_in_halves(a: &[u64], _: u64) -> u64 {
    let sum = (a[0] >> 32) as f32 * 4_294_967_296.0 + a[0] as u32 as f32;
    sum.to_bits().into()
}

/// Clamps to 32 bits and keeps the low byte.
pub fn low_byte_of_clamped(a: &[u64], right: u64) -> u64 {
    let value = single(a[0]);
    if value.is_nan() { right } else { u64::from(value as i32 as u8) }
}

/// Forgets the sign.
pub fn half_without_sign(_: &[u64], right: u64) -> u64 {
    if right & 0x7fff > 0x7c00 { right } else { right & 0x7fff }
}

/// Gives the largest number for NaN.
pub fn e4m3_nan_is_largest(a: &[u64], right: u64) -> u64 {
    if single(a[0]).is_nan() { 0x7e } else { right }
}

/// Halves a subnormal term that is added to a normal one, by an exponent that is one too low.
pub fn half_sum_of_halved_subnormal(a: &[u64], right: u64) -> u64 {
    let subnormal = |bits: u64| bits & 0x7c00 == 0 && bits & 0x3ff != 0;
    let normal = |bits: u64| bits & 0x7c00 != 0 && bits & 0x7c00 != 0x7c00;
    match (subnormal(a[0]) && normal(a[1]), normal(a[0]) && subnormal(a[1])) {
        (true, _) => rounded(&F16, half(a[0]) / 2.0 + half(a[1])),
        (_, true) => rounded(&F16, half(a[0]) + half(a[1]) / 2.0),
        _ => right,
    }
}

/// Gives NaN where one operand is a signalling NaN, and the other is a number.
pub fn smaller_with_signalling_nan(a: &[u64], right: u64) -> u64 {
    let signalling = |bits: u64| single(bits).is_nan() && bits & 0x40_0000 == 0;
    if signalling(a[0]) || signalling(a[1]) { 0x7fff_ffff } else { right }
}
