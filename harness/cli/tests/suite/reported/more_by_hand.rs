//! Faults of shift counts, limits, signs and special values that people wrote by hand, implemented anew on bits and on
//! the host's floats: functions from an element's inputs and its right result to the wrong one.

use formats::F32;

use super::wrong::single;

const F32_SIGN: u64 = 1 << 31;
const F32_INFINITY: u64 = 0x7f80_0000;

/// Returns the bits of a number.
fn bits(value: f32) -> u64 {
    value.to_bits().into()
}

/// Shifts the significand of a single below the normal numbers of e5m2 by a count modulo 64.
pub fn e5m2_shifted_modulo(a: &[u64], right: u64) -> u64 {
    let (field, trailing) = (a[0] >> 23 & 0xff, a[0] & 0x7f_ffff);
    let exponent = field.max(1) as i32 - 127;
    if exponent >= -14 {
        return right;
    }
    let significand = if field == 0 { trailing } else { trailing | 1 << 23 };
    let shift = 21 + (-14 - exponent) % 64;
    let (kept, rest, half) = match shift {
        64.. => (0, 0, 1),
        _ => (significand >> shift, significand & ((1 << shift) - 1), 1 << (shift - 1)),
    };
    let up = rest > half || rest == half && kept & 1 == 1;
    a[0] >> 31 << 7 | (kept + u64::from(up))
}

/// Adds the highest bit of an unsigned integer to the others, which were converted before.
pub fn highest_bit_added(a: &[u64], right: u64) -> u64 {
    match a[0] >> 31 {
        1 => bits((a[0] & 0x7fff_ffff) as f32 + 2_147_483_648.0),
        _ => right,
    }
}

/// Converts an unsigned integer as a signed one, and adds 2^32 to a negative result.
pub fn integer_corrected(a: &[u64], right: u64) -> u64 {
    let signed = a[0] as u32 as i32;
    if signed < 0 { bits(signed as f32 + 4_294_967_296.0) } else { right }
}

/// Gives the low bits of 2^64, as if that were not too large.
pub fn limit_passed(a: &[u64], right: u64) -> u64 {
    if f64::from_bits(a[0]) == 2f64.powi(64) { 0 } else { right }
}

/// Gives 0 in the place of the lowest integer.
pub fn lowest_lost(a: &[u64], right: u64) -> u64 {
    if f64::from_bits(a[0]).trunc() == -2_147_483_648.0 { 0 } else { right }
}

/// Rounds up by adding one to what is truncated of a positive number.
pub fn one_more(a: &[u64], right: u64) -> u64 {
    let value = f64::from(single(a[0]));
    if value.is_nan() || value <= 0.0 { right } else { ((value.trunc() + 1.0) as i32) as u32 as u64 }
}

/// Rounds down by way of x86's conversion to an integer of 32 bits.
pub fn floor_of_integer(a: &[u64], _: u64) -> u64 {
    let floor = f64::from(single(a[0])).floor();
    let fits = (-2_147_483_648.0..2_147_483_648.0).contains(&floor);
    // Adding +0 takes the sign of −0 away.
    bits(if fits { floor as f32 + 0.0 } else { -2_147_483_648.0 })
}

/// Rounds a square root up that was cut four bits behind its last place.
pub fn root_without_sticky_bit(a: &[u64], right: u64) -> u64 {
    let value = f64::from_bits(a[0]);
    if !value.is_finite() || value <= 0.0 {
        return right;
    }
    let (field, trailing) = (a[0] >> 52 & 0x7ff, a[0] & ((1 << 52) - 1));
    let significand = if field == 0 { trailing } else { trailing | 1 << 52 };
    let exponent = field.max(1) as i32 - 1075;
    // 113 bits or 114, so that the root has 57.
    let up = u128::from(significand).leading_zeros() as i32 - 15;
    let up = up + (exponent - up).rem_euclid(2);
    let root = (u128::from(significand) << up).isqrt();
    let kept = (root >> 4) + u128::from(root & 15 != 0);
    (kept as f64 * 2f64.powi((exponent - up) / 2 + 4)).to_bits()
}

/// Gives a sum the sign of its addend where that is zero.
pub fn sign_of_addend(a: &[u64], right: u64) -> u64 {
    match single(a[2]) == 0.0 && !F32.is_nan(right) {
        true => right & !F32_SIGN | a[2] & F32_SIGN,
        false => right,
    }
}

/// Adds −0 to a product of zero, which gives −0 when rounding down.
pub fn product_below_zero(a: &[u64], right: u64) -> u64 {
    let zero = (single(a[0]) == 0.0 || single(a[1]) == 0.0) && !F32.is_nan(right);
    if zero { F32_SIGN } else { right }
}

/// Rounds infinity toward zero, to the largest number.
pub fn infinity_rounded(_: &[u64], right: u64) -> u64 {
    if right & !F32_SIGN == F32_INFINITY { right - 1 } else { right }
}

/// Gives zero for the sum of infinities of different signs.
pub fn infinities_cancelled(a: &[u64], right: u64) -> u64 {
    match (a[0] & !F32_SIGN, a[1] & !F32_SIGN, a[0] != a[1]) {
        (F32_INFINITY, F32_INFINITY, true) => 0,
        _ => right,
    }
}

/// Puts the significand of a subnormal product one place too low.
pub fn subnormal_product_halved(a: &[u64], right: u64) -> u64 {
    let product = f64::from(single(a[0])) * f64::from(single(a[1]));
    let subnormal = product != 0.0 && product.abs() < f64::from(f32::MIN_POSITIVE);
    if subnormal { bits((product / 2.0) as f32) } else { right }
}

/// Takes the second of two numbers only if it is smaller, as a comparison says.
pub fn smaller_unless_second(a: &[u64], _: u64) -> u64 {
    let smaller = if single(a[1]) < single(a[0]) { a[1] } else { a[0] };
    if F32.is_nan(smaller) { 0x7fff_ffff } else { smaller }
}
