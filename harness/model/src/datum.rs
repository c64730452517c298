//! Data: exact numbers, infinities and NaNs, and the operations on them without any rounding.

use formats::Format;

use super::number::Number;

/// A datum of a format, or an exact result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Datum {
    /// A NaN; `true` has the sign bit set.
    Nan(bool),
    /// ±∞; `true` is negative.
    Infinity(bool),
    Finite(Number),
}

impl Datum {
    /// The NaN of an invalid operation.
    pub const INVALID: Datum = Datum::Nan(false);
    /// +0.
    pub const ZERO: Datum = Datum::Finite(Number::zero(false));

    /// Returns the datum that bits of a format stand for.
    pub fn decode(format: &Format, bits: u64) -> Datum {
        let negative = format.is_negative(bits);
        match format.decode(bits) {
            Some((significand, exponent)) => {
                Datum::Finite(Number { negative, significand: significand.into(), exponent })
            }
            None if format.is_nan(bits) => Datum::Nan(negative),
            None => Datum::Infinity(negative),
        }
    }

    /// Whether the sign is set.
    pub fn is_negative(self) -> bool {
        match self {
            Datum::Nan(negative) | Datum::Infinity(negative) => negative,
            Datum::Finite(number) => number.negative,
        }
    }

    /// Whether the datum is ±0.
    pub fn is_zero(self) -> bool {
        matches!(self, Datum::Finite(Number { significand: 0, .. }))
    }

    /// Returns the datum with this sign; `true` is negative.
    pub fn with_sign(self, negative: bool) -> Datum {
        match self {
            Datum::Nan(_) => Datum::Nan(negative),
            Datum::Infinity(_) => Datum::Infinity(negative),
            Datum::Finite(number) => Datum::Finite(Number { negative, ..number }),
        }
    }

    /// Returns the datum with the other sign.
    pub fn negated(self) -> Datum {
        self.with_sign(!self.is_negative())
    }

    /// Returns the sum, with the precision of [`Number::plus`]; an exact zero from opposite signs is negative if
    /// `zero_is_negative`.
    pub fn plus(self, other: Datum, zero_is_negative: bool) -> Datum {
        match (self, other) {
            (Datum::Nan(_), _) => self,
            (_, Datum::Nan(_)) => other,
            (Datum::Infinity(a), Datum::Infinity(b)) if a != b => Datum::INVALID,
            (Datum::Infinity(_), _) => self,
            (_, Datum::Infinity(_)) => other,
            (Datum::Finite(a), Datum::Finite(b)) => Datum::Finite(a.plus(b, zero_is_negative)),
        }
    }

    /// Returns the exact product.
    pub fn times(self, other: Datum) -> Datum {
        match (self, other) {
            (Datum::Nan(_), _) => self,
            (_, Datum::Nan(_)) => other,
            (Datum::Infinity(_), finite) | (finite, Datum::Infinity(_)) if finite.is_zero() => {
                Datum::INVALID
            }
            (Datum::Infinity(_), _) | (_, Datum::Infinity(_)) => {
                Datum::Infinity(self.is_negative() != other.is_negative())
            }
            (Datum::Finite(a), Datum::Finite(b)) => Datum::Finite(a.times(b)),
        }
    }

    /// Returns the quotient, with the precision of [`Number::divided_by`].
    pub fn divided_by(self, divisor: Datum) -> Datum {
        let negative = self.is_negative() != divisor.is_negative();
        match (self, divisor) {
            (Datum::Nan(_), _) => self,
            (_, Datum::Nan(_)) => divisor,
            (Datum::Infinity(_), Datum::Infinity(_)) => Datum::INVALID,
            _ if self.is_zero() && divisor.is_zero() => Datum::INVALID,
            (Datum::Infinity(_), _) => Datum::Infinity(negative),
            (_, Datum::Infinity(_)) => Datum::Finite(Number::zero(negative)),
            _ if divisor.is_zero() => Datum::Infinity(negative),
            (Datum::Finite(a), Datum::Finite(b)) => Datum::Finite(a.divided_by(b)),
        }
    }

    /// Returns the square root, with the precision of [`Number::root`].
    pub fn root(self) -> Datum {
        match self {
            Datum::Nan(_) => self,
            _ if self.is_negative() && !self.is_zero() => Datum::INVALID,
            Datum::Infinity(_) => self,
            Datum::Finite(number) => Datum::Finite(number.root()),
        }
    }

    /// Multiplies a number by 2 to the power of `by`; infinities and NaN stay.
    pub fn scaled(self, by: i32) -> Datum {
        match self {
            Datum::Finite(number) => Datum::Finite(number.scaled(by)),
            special => special,
        }
    }
}
