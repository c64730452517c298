//! The stages with faults of clamps and of the encoding.

use formats::Specials;
use isa::NanRule;

use super::Faulty;
use crate::Fault;
use crate::datum::Datum;
use crate::number::Number;
use crate::stages::{Finish, Round, StochasticBits, VariantFacts, finish};

impl Finish for Faulty<'_> {
    fn finish(&self, exact: Datum, random: StochasticBits) -> u64 {
        let code = match exact {
            Datum::Finite(exact) => {
                self.shifted_whole(exact, random).or_else(|| self.packed(exact, random))
            }
            _ => None,
        };
        code.unwrap_or_else(|| finish(self, exact, random))
    }

    fn to_finite(&self, datum: Datum) -> Datum {
        let datum = match datum {
            Datum::Infinity(negative) if self.has(Fault::SatfiniteInfinityNan) => Datum::Nan(negative),
            datum => datum,
        };
        let without_nan = matches!(self.meaning().nan, NanRule::Bits(_));
        match datum {
            Datum::Nan(_) if without_nan && self.has(Fault::NanIsZero) => Datum::ZERO,
            Datum::Nan(negative) if without_nan && self.has(Fault::NanNegativeMax) => {
                Datum::Finite(self.largest()).with_sign(negative)
            }
            Datum::Nan(_) if !without_nan && self.has(Fault::SatfiniteNanMax) => {
                Datum::Finite(self.largest())
            }
            _ => self.plain.to_finite(datum),
        }
    }

    fn to_positive(&self, datum: Datum) -> Datum {
        let tiny = match datum {
            Datum::Finite(number) => {
                number.leading().is_some_and(|leading| leading < self.output().exponent_min())
            }
            _ => false,
        };
        match datum {
            Datum::Nan(_) if self.has(Fault::ReluNanToZero) => Datum::ZERO,
            Datum::Infinity(_) if self.has(Fault::ReluKeepsInfinity) => datum,
            _ if tiny && self.has(Fault::ReluKeepsTiny) => datum,
            _ if datum.is_zero() && self.has(Fault::ReluKeepsNegativeZero) => datum,
            _ => self.plain.to_positive(datum),
        }
    }

    fn to_unit(&self, datum: Datum) -> Datum {
        match datum {
            Datum::Nan(_) if self.has(Fault::SatKeepsNan) => datum,
            Datum::Nan(_) if self.has(Fault::SatNanToOne) => Datum::Finite(Number::ONE),
            _ if datum.is_zero() && self.has(Fault::SatKeepsNegativeZero) => datum,
            Datum::Finite(_) | Datum::Infinity(_) if self.has(Fault::SatSigned) => {
                self.plain.to_unit(datum.with_sign(false)).with_sign(datum.is_negative())
            }
            _ => self.plain.to_unit(datum),
        }
    }

    fn encode(&self, datum: Datum) -> u64 {
        let datum = match datum {
            Datum::Nan(_) if self.has(Fault::NanIsMax) => Datum::Finite(self.largest()),
            Datum::Nan(_) => datum,
            Datum::Infinity(negative)
                if self.has(Fault::InfinityOverflows) && self.stops(self.direction(), negative) =>
            {
                Datum::Finite(self.largest()).with_sign(negative)
            }
            _ if self.has(Fault::SignLost) => datum.with_sign(false),
            _ if self.has(Fault::ZeroPositive) && datum.is_zero() => Datum::ZERO,
            _ if self.has(Fault::SignFlipped) => datum.negated(),
            _ => datum,
        };
        let (format, bits) = (self.output(), self.plain.encode(datum));
        let sign = if datum.is_negative() { format.sign_mask() } else { 0 };
        let without_zero = format.specials == Specials::NanNegativeZero;
        match datum {
            Datum::Nan(_) if self.has(Fault::NanKeepsSign) => bits | sign,
            _ if datum.is_zero() && without_zero && self.has(Fault::NegativeZeroKept) => sign,
            _ => bits,
        }
    }
}
