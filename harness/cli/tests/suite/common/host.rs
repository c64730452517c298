//! Rounding to any format in the host's f64, for tests that implement anew what other projects do.
#![allow(dead_code, reason = "not every test rounds in every way")]

use formats::Format;

/// Returns `value` times 2 to the power `by`, which is split into two factors that f64 has.
pub fn scaled(value: f64, by: i32) -> f64 {
    value * 2f64.powi(by / 2) * 2f64.powi(by - by / 2)
}

/// Returns the exponent of a number that is normal in f64.
pub fn exponent(value: f64) -> i32 {
    (value.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

/// Returns the nearest number with `precision` bits, and with no bits below those of `exponent_min`; ties go to
/// even.
pub fn nearest(value: f64, precision: u32, exponent_min: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let unit = exponent(value).max(exponent_min) - precision as i32 + 1;
    scaled(scaled(value, -unit).round_ties_even(), unit)
}

/// Returns the encoding of a number in a format, or that of infinity for a number that is too large for it.
pub fn encoded(format: &Format, value: f64) -> u64 {
    let sign = if value.is_sign_negative() { format.sign_mask() } else { 0 };
    let (magnitude, trailing) = (value.abs(), format.trailing_bits);
    let field = exponent(magnitude) - format.exponent_min() + 1;
    let bits = match field {
        _ if magnitude == 0.0 => 0,
        _ if magnitude.is_infinite() => u64::MAX >> 1,
        ..=0 => scaled(magnitude, -format.exponent_of_lsb()) as u64,
        _ => {
            let significand = scaled(magnitude, trailing as i32 - exponent(magnitude)) as u64;
            ((field as u64 - 1) << trailing) + significand
        }
    };
    sign | bits.min(format.infinity().unwrap_or(format.magnitude_mask()))
}

pub fn rounded(format: &Format, value: f64) -> u64 {
    encoded(format, nearest(value, format.precision(), format.exponent_min()))
}
