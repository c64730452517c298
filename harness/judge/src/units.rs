//! Units of the last place, and the values of data as numbers of f64.

use formats::{Format, FormatId};

/// The unit that errors are counted in: one in the last place of a format, or in a higher place.
#[derive(Clone, Copy)]
pub struct ErrorUnit<'a> {
    /// The format of the results.
    pub format: &'a Format,
    /// Number of the format's last bits that do not count.
    pub cut: i32,
}

impl<'a> ErrorUnit<'a> {
    /// Returns the unit of results in `format`. Some instructions of f64 give the upper half only (PTX ISA 9.7.3.14 and
    /// 9.7.3.17), and "zero the least significant 32 mantissa bits".
    #[inline(always)]
    pub fn of(format: &'a Format, upper_half: bool) -> ErrorUnit<'a> {
        ErrorUnit { format, cut: if upper_half { 32 } else { 0 } }
    }

    /// Returns the exponent of the power of two that the unit is for results with this exact value.
    #[inline(always)]
    pub fn exponent(self, exact: f64) -> i32 {
        let ErrorUnit { format, cut } = self;
        format.ulp_exponent(exponent_of(exact)) + cut
    }
}

/// Whether the magnitude of a value is below the smallest normal number of a format, or would be had f64 room for it.
/// The sine of the smallest normal number is such a value: f64 rounds it to that number.
pub fn tiny(format: &Format, exact: f64) -> bool {
    exact.abs() <= power(format.exponent_min())
}

/// Returns the exponent that a number of f64 is written with; for subnormal ones it is −1023, below all others.
#[inline(always)]
pub fn exponent_of(value: f64) -> i32 {
    ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

/// Returns the value of a datum as a number of f64; `None` if it is not finite.
#[inline(always)]
pub fn value(format: &Format, bits: u64) -> Option<f64> {
    if format.id == FormatId::F32 {
        // The processor converts f32 by itself.
        let value = f32::from_bits(bits as u32);
        return value.is_finite().then_some(value.into());
    }
    let (significand, exponent) = format.decode(bits)?;
    let magnitude = significand as f64 * power(exponent);
    Some(if format.is_negative(bits) { -magnitude } else { magnitude })
}

/// Computes 2 to a power, where f64 has the result; in two steps where the result is subnormal.
#[inline]
pub fn power(exponent: i32) -> f64 {
    if (-1022..=1023).contains(&exponent) {
        return f64::from_bits(((exponent + 1023) as u64) << 52);
    }
    2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}
