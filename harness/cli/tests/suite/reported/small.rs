//! Faults of small results, of sums that cancel and of large numbers, implemented anew on bits and on the
//! host's floats: functions from an element's inputs and its right result to the wrong one.

use formats::{E5M2, F16, Format};

use super::wrong::single;

const F32_MAGNITUDE: u64 = 0x7fff_ffff;
const F32_INFINITY: u64 = 0x7f80_0000;

/// Returns 0 in the place of −0.
pub fn zero_of_conversion(_: &[u64], right: u64) -> u64 {
    if right == 0x8000 { 0 } else { right }
}

/// Returns 0 in the place of −0.
pub fn zero_of_product(_: &[u64], right: u64) -> u64 {
    if right == 1 << 31 { 0 } else { right }
}

/// Rounds the significand of a single to a narrow float, ties to even, and moves the exponent; returns the field of the
/// exponent and the code without a sign. Both are those of a normal number.
fn moved(a: u64, format: &Format) -> (i64, i64) {
    let cut = 23 - format.trailing_bits;
    let magnitude = a & F32_MAGNITUDE;
    let rounded = (magnitude + (1 << (cut - 1)) - 1 + (magnitude >> cut & 1)) >> cut;
    let code = rounded as i64 - ((127 - i64::from(format.bias)) << format.trailing_bits);
    (code >> format.trailing_bits, code)
}

/// Converts a single to a half as if it were normal, from 2^-16 on.
pub fn half_packed(a: &[u64], right: u64) -> u64 {
    let value = single(a[0]);
    let sign = a[0] >> 16 & 0x8000;
    match value.abs() {
        // Where it is rounded up to the smallest normal number, that is right.
        of if of.is_nan() || of >= 2f32.powi(-14) || value == 0.0 => right,
        of if of < 2f32.powi(-16) => sign,
        _ => (sign as i64 | moved(a[0], &F16).1) as u64 & 0xffff,
    }
}

/// Converts a single to e5m2 as if it were normal, from 2^-15 on.
pub fn e5m2_packed(a: &[u64], right: u64) -> u64 {
    let sign = a[0] >> 24 & 0x80;
    if single(a[0]).is_nan() || single(a[0]).abs() >= 2f32.powi(-14) {
        return right;
    }
    let (field, code) = moved(a[0], &E5M2);
    if field < 0 { sign } else { sign | code as u64 }
}

/// Rounds a product that is subnormal from its highest 24 bits alone.
pub fn product_cut(a: &[u64], right: u64) -> u64 {
    let exact = f64::from(single(a[0])) * f64::from(single(a[1]));
    if exact == 0.0 || exact.abs() >= 2f64.powi(-126) || exact.is_nan() {
        return right;
    }
    // The product of two singles is exact in a double, but for those far below the smallest number.
    let cut = f64::from_bits(exact.to_bits() & !((1 << 29) - 1));
    (cut as f32).to_bits().into()
}

/// Subtracts nothing that is smaller than half the last place of the minuend.
pub fn difference_of_small(a: &[u64], right: u64) -> u64 {
    let (a, b) = (single(a[0]), single(a[1]));
    let (larger, smaller) = if a.abs() > b.abs() { (a, b) } else { (-b, a) };
    let exponent = (larger.to_bits() >> 23 & 0xff) as i32 - 127;
    let half = 2f64.powi(exponent - 24);
    let small = larger.is_normal() && smaller != 0.0 && f64::from(smaller.abs()) < half;
    if small { larger.to_bits().into() } else { right }
}

/// Leaves the magnitude of numbers that cancel.
pub fn cancelled(a: &[u64], right: u64) -> u64 {
    let opposite = a[0] ^ a[1] == 0x8000;
    let finite = a[0] & 0x7fff < 0x7c00 && a[0] & 0x7fff > 0;
    if opposite && finite { a[0] & 0x7fff } else { right }
}

/// Clamps a sum by comparisons that NaN fails.
pub fn clamped_nan(a: &[u64], _: u64) -> u64 {
    let sum = single(a[0]) + single(a[1]);
    let upper = if sum < 1.0 { sum } else { 1.0 };
    (if upper > 0.0 { upper } else { 0.0f32 }).to_bits().into()
}

/// Converts to a signed integer, of which x86 gives the lowest for all that does not fit.
pub fn unsigned_by_signed(a: &[u64], _: u64) -> u64 {
    let value = single(a[0]);
    match value.abs() < 2f32.powi(63) {
        true => value as i64 as u64,
        false => 1 << 63,
    }
}

/// Adds 2^52 with the number's sign and subtracts it again.
pub fn power_added(a: &[u64], right: u64) -> u64 {
    let value = f64::from_bits(a[0]);
    let power = 2f64.powi(52).copysign(value);
    if value.is_finite() { (value + power - power).copysign(value).to_bits() } else { right }
}

/// Clears bits by a mask that is shifted by the exponent modulo 32.
pub fn cleared_modulo(a: &[u64], right: u64) -> u64 {
    let exponent = (a[0] >> 23 & 0xff) as i32 - 127;
    if exponent < 0 || a[0] & F32_MAGNITUDE >= F32_INFINITY {
        return right;
    }
    let mask = (0xff80_0000_u32 as i32) >> (exponent & 31);
    a[0] & u64::from(mask as u32)
}
