//! Texts that show a datum to a person: hexadecimal, decimal, or sign, exponent and significand.

use std::fmt;

use crate::{Class, Format};

/// A datum with its format, to be shown to a person; see [`Format::show`].
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub(super) format: &'a Format,
    pub(super) bits: u64,
}

impl Shown<'_> {
    /// Returns the bits as `0x…`, at the format's full width.
    pub fn hex(&self) -> String {
        let digits = self.format.width().div_ceil(4) as usize;
        format!("0x{:0digits$x}", self.bits & self.format.mask())
    }

    /// Returns the value in decimal (the shortest text that names it among the numbers of f64).
    pub fn decimal(&self) -> String {
        let sign = if self.format.is_negative(self.bits) { "-" } else { "" };
        match self.format.decode(self.bits) {
            None if self.format.is_nan(self.bits) => "NaN".into(),
            None => format!("{sign}inf"),
            Some((significand, 0)) if self.format.is_fixed() => format!("{sign}{significand}"),
            Some((significand, exponent)) => {
                // The product is exact: a significand of at most 53 bits, scaled in two steps that stay normal
                // until the last.
                let half = exponent / 2;
                let value = significand as f64 * 2f64.powi(half) * 2f64.powi(exponent - half);
                if value == 0.0 || (1e-4..1e6).contains(&value) {
                    format!("{sign}{value}")
                } else {
                    format!("{sign}{value:e}")
                }
            }
        }
    }

    /// Returns sign, exponent and significand: `-1.0110000000×2^-3`, `+0.0000000001×2^-14` for a subnormal.
    pub fn fields(&self) -> String {
        if let Some((significand, exponent)) = self.scaled() {
            return format!("{significand}×2^{exponent}");
        }
        let (sign, format) = (self.sign(), self.format);
        let (trailing, width) = (self.bits & format.trailing_mask(), format.trailing_bits as usize);
        match format.class(self.bits) {
            Class::Infinity => format!("{sign}inf"),
            Class::Nan => format!("{sign}nan, payload {trailing:0width$b}"),
            _ => format!("{sign}0"),
        }
    }

    /// Returns a number's significand in binary, with its sign and all its digits, and its exponent:
    /// `-1.0110000000` and -3. `None` for zero, infinity and NaN.
    pub fn scaled(&self) -> Option<(String, i32)> {
        let format = self.format;
        let class = format.class(self.bits);
        if !matches!(class, Class::Normal | Class::Subnormal) {
            return None;
        }
        let (sign, (significand, exponent)) = (self.sign(), format.decode(self.bits)?);
        let width = format.trailing_bits as usize;
        Some(match () {
            () if format.is_fixed() => (format!("{sign}{significand:b}"), exponent),
            () if width == 0 => (format!("{sign}1"), exponent),
            () => {
                let trailing = self.bits & format.trailing_mask();
                let leading = u32::from(class == Class::Normal);
                (format!("{sign}{leading}.{trailing:0width$b}"), exponent + format.trailing_bits as i32)
            }
        })
    }

    fn sign(&self) -> char {
        if self.format.is_negative(self.bits) { '-' } else { '+' }
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}  {}", self.hex(), self.decimal(), self.fields())
    }
}
