//! The terms that a unit adds: data, with the exponents that they are aligned by.

use formats::Format;

use crate::datum::Datum;
use crate::number::Number;

/// A datum on its way into a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The exact value of the term.
    pub datum: Datum,
    /// The exponent that the term is aligned by, which is not that of its leading bit: a subnormal number has the
    /// smallest normal one, and a product the sum of its factors'. A zero has none of its own.
    pub exponent: Option<i32>,
}

impl Term {
    /// The zero term: +0, which has no exponent.
    pub const ZERO: Term = Term { datum: Datum::ZERO, exponent: None };

    /// Decodes bits of a format; bits above the format's width do not count.
    pub fn decode(format: &Format, bits: u64) -> Term {
        let datum = Datum::decode(format, bits & format.mask());
        let exponent = match datum {
            Datum::Finite(number) if number.significand != 0 => {
                Some(number.exponent + format.trailing_bits as i32)
            }
            _ => None,
        };
        Term { datum, exponent }
    }

    /// Returns the product, not normalised.
    pub fn times(self, other: Term) -> Term {
        let exponents = self.exponent.zip(other.exponent);
        Term { datum: self.datum.times(other.datum), exponent: exponents.map(|(a, b)| a + b) }
    }

    /// Returns half of the term, aligned as such: by an exponent that is smaller by one.
    pub fn halved(self) -> Term {
        let datum = match self.datum {
            Datum::Finite(number) => Datum::Finite(Number { exponent: number.exponent - 1, ..number }),
            special => special,
        };
        Term { datum, exponent: self.exponent.map(|exponent| exponent - 1) }
    }

    /// Returns the term, with the other sign if `negate` is set.
    pub fn negated_if(self, negate: bool) -> Term {
        Term { datum: if negate { self.datum.negated() } else { self.datum }, ..self }
    }
}

/// Encodes a datum that a format has; every NaN becomes the canonical one.
pub fn encode(format: &Format, datum: Datum) -> u64 {
    let sign = if datum.is_negative() { format.sign_mask() } else { 0 };
    match datum {
        Datum::Nan(_) => format.canonical_nan(),
        Datum::Infinity(_) => sign | format.infinity().expect("accumulators have infinities"),
        Datum::Finite(number) => number.encode(format),
    }
}
