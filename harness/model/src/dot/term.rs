//! What a unit adds: data, and the exponents that they are aligned by.

use formats::Format;

use crate::datum::Datum;
use crate::number::Number;

/// A datum on its way into a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its exact value.
    pub datum: Datum,
    /// The exponent that it is aligned by, which is not that of its leading bit: a subnormal number has the
    /// smallest normal one, and a product the sum of its factors'. A zero has none of its own.
    pub exponent: Option<i32>,
}

impl Term {
    /// +0.
    pub const ZERO: Term = Term { datum: Datum::ZERO, exponent: None };

    /// What bits of a format stand for.
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

    /// The product, not normalised.
    pub fn times(self, other: Term) -> Term {
        let exponents = self.exponent.zip(other.exponent);
        Term { datum: self.datum.times(other.datum), exponent: exponents.map(|(a, b)| a + b) }
    }

    /// A number half as large, aligned as such.
    pub fn halved(self) -> Term {
        let datum = match self.datum {
            Datum::Finite(number) => Datum::Finite(Number { exponent: number.exponent - 1, ..number }),
            special => special,
        };
        Term { datum, exponent: self.exponent.map(|exponent| exponent - 1) }
    }

    /// With the other sign, if that is so.
    pub fn negated_if(self, negate: bool) -> Term {
        Term { datum: if negate { self.datum.negated() } else { self.datum }, ..self }
    }
}

/// The bits of a datum that a format has; every NaN is the canonical one.
pub fn encode(format: &Format, datum: Datum) -> u64 {
    let sign = if datum.is_negative() { format.sign_mask() } else { 0 };
    match datum {
        Datum::Nan(_) => format.canonical_nan(),
        Datum::Infinity(_) => sign | format.infinity().expect("accumulators have infinities"),
        Datum::Finite(number) => number.encode(format),
    }
}
