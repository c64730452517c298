//! Values of operands, and the kinds that a condition can name.

use std::cmp::Ordering;

use formats::{Class, Format};

/// A value that can be compared. Integers are kept apart, because f64 does not have all of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Real(f64),
    Integer(i128),
}

/// A kind of operands that a condition can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Finite,
    Infinite,
    Integer,
    Nan,
    Negative,
    Normal,
    Subnormal,
    Zero,
}

/// Bits of one lane of an operand, with their format.
#[derive(Clone, Copy)]
pub struct Datum<'a> {
    pub format: &'a Format,
    pub bits: u64,
}

impl Number {
    /// Returns the magnitude.
    pub fn magnitude(self) -> Number {
        match self {
            Number::Real(value) => Number::Real(value.abs()),
            Number::Integer(value) => Number::Integer(value.abs()),
        }
    }

    /// Returns the value as a number of f64, rounded.
    pub fn real(self) -> f64 {
        match self {
            Number::Real(value) => value,
            Number::Integer(value) => value as f64,
        }
    }

    /// Compares two values; `None` if the order is not defined.
    pub fn order(self, other: Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Integer(one), Number::Integer(other)) => Some(one.cmp(&other)),
            _ => self.real().partial_cmp(&other.real()),
        }
    }
}

impl Datum<'_> {
    /// Returns the value of the datum; `None` for a NaN.
    pub fn value(self) -> Option<Number> {
        let Datum { format, bits } = self;
        if format.is_integer() {
            let (magnitude, _) = format.decode(bits)?;
            let magnitude = i128::from(magnitude);
            return Some(Number::Integer(if format.is_negative(bits) { -magnitude } else { magnitude }));
        }
        match format.class(bits) {
            Class::Nan => None,
            Class::Infinity if format.is_negative(bits) => Some(Number::Real(f64::NEG_INFINITY)),
            Class::Infinity => Some(Number::Real(f64::INFINITY)),
            _ => format.value(bits).map(Number::Real),
        }
    }

    /// Whether the datum is of a kind.
    pub fn is(self, kind: Kind) -> bool {
        let class = self.format.class(self.bits);
        match kind {
            Kind::Finite => !matches!(class, Class::Infinity | Class::Nan),
            Kind::Infinite => class == Class::Infinity,
            Kind::Nan => class == Class::Nan,
            Kind::Normal => class == Class::Normal,
            Kind::Subnormal => class == Class::Subnormal,
            Kind::Zero => class == Class::Zero,
            Kind::Negative => self.format.is_negative(self.bits),
            Kind::Integer => match self.value() {
                Some(Number::Integer(_)) => true,
                Some(Number::Real(value)) => value.is_finite() && value.fract() == 0.0,
                None => false,
            },
        }
    }
}
