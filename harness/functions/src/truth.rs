//! The true results of a function for many inputs: by f64 where that is sure, else by MPFR.

use formats::{Format, FormatId};
use oracle::{FunctionValue, Mathematics, Real};

use super::real::{MARGIN, in_double, scale};

/// A source of the true results of one function.
pub struct Truths {
    real: Real,
    format: &'static Format,
    mathematics: Mathematics,
    /// How many inputs MPFR was asked about.
    pub asked: u64,
}

impl Truths {
    /// Returns the truths about a function with operands and results of a format.
    pub fn new(real: Real, format: &'static Format) -> Truths {
        Truths { real, format, mathematics: Mathematics::new(real, format), asked: 0 }
    }

    /// Returns the correctly rounded result and the value, by f64 where that is sure, else by MPFR.
    #[inline]
    pub fn of(&mut self, inputs: [f64; 2]) -> FunctionValue {
        let value = in_double(self.real, inputs);
        let size = value.abs() + scale(self.real, inputs[0]);
        // Infinity less an infinite margin would be NaN.
        let margin = if size < f64::INFINITY { size * MARGIN } else { 0.0 };
        let nearest = nearest(self.format, value - margin);
        // Zero has the right sign, which adding zero would take from it.
        if margin == 0.0 || nearest == self::nearest(self.format, value + margin) {
            return FunctionValue { nearest, value };
        }
        self.asked += 1;
        self.exact(inputs)
    }

    /// Returns the correctly rounded result and the value, by MPFR.
    pub fn exact(&mut self, inputs: [f64; 2]) -> FunctionValue {
        self.mathematics.of(inputs)
    }
}

/// Returns the bits of the number of a format that is nearest to a value, and of two such numbers the even one; NaN is
/// the canonical one.
#[inline]
pub fn nearest(format: &Format, value: f64) -> u64 {
    if format.id == FormatId::F32 {
        let single = value as f32;
        return if single.is_nan() { format.canonical_nan() } else { single.to_bits().into() };
    }
    if value.is_nan() {
        return format.canonical_nan();
    }
    let sign = if value.is_sign_negative() { format.sign_mask() } else { 0 };
    let size = value.abs();
    let exponent = ((size.to_bits() >> 52) as i32 - 1023).max(format.exponent_min());
    if exponent > format.exponent_max() {
        return sign | format.infinity().unwrap_or(format.max_finite());
    }
    // The size is in units of the last place of its binade; a sum that reaches the next binade has the right bits, too.
    let units = (size * power(format.trailing_bits as i32 - exponent)).round_ties_even() as u64;
    let binade = (exponent - format.exponent_min()) as u64;
    sign | ((binade << format.trailing_bits) + units)
}

/// Returns the value of a datum, which may be infinite or NaN.
#[inline]
pub fn value(format: &Format, bits: u64) -> f64 {
    match format.value(bits) {
        Some(value) => value,
        None if format.is_nan(bits) => f64::NAN,
        None if format.is_negative(bits) => f64::NEG_INFINITY,
        None => f64::INFINITY,
    }
}

/// Returns 2 to a power, which must be an exponent of normal numbers of f64.
#[inline]
pub fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
