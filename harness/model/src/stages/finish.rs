//! The way from an exact result to bits: it is rounded, clamped and encoded.

use isa::{Clamp, NanRule};

use super::{Round, StochasticBits};
use crate::datum::Datum;
use crate::number::Number;

pub trait Finish: Round {
    /// Rounds, clamps and encodes an exact result.
    fn finish(&self, exact: Datum, random: StochasticBits) -> u64 {
        let rounded = match exact {
            Datum::Finite(exact) => self.round(exact, random),
            special => special,
        };
        let finite = if self.meaning().satfinite { self.to_finite(rounded) } else { rounded };
        let clamped = match self.meaning().clamp {
            Clamp::None => finite,
            Clamp::Positive => self.to_positive(finite),
            Clamp::Unit => self.to_unit(finite),
        };
        let positive = self.meaning().positive_zero && clamped.is_zero();
        self.encode(if positive { Datum::ZERO } else { clamped })
    }

    /// Applies `.satfinite`: no infinity, and a number in the place of NaN where the format has none.
    fn to_finite(&self, datum: Datum) -> Datum {
        match (datum, self.meaning().nan) {
            (Datum::Infinity(negative), _) => Datum::Finite(self.largest()).with_sign(negative),
            (Datum::Nan(_), NanRule::Bits(bits)) => Datum::decode(self.output(), bits),
            _ => datum,
        }
    }

    /// Applies `.relu`: a negative value becomes +0.
    fn to_positive(&self, datum: Datum) -> Datum {
        match datum {
            Datum::Nan(_) => datum,
            _ if datum.is_negative() => Datum::ZERO,
            _ => datum,
        }
    }

    /// Applies `.sat`: values are clamped to [0, 1], and NaN becomes +0.
    fn to_unit(&self, datum: Datum) -> Datum {
        match datum {
            Datum::Nan(_) => Datum::ZERO,
            _ if datum.is_negative() => Datum::ZERO,
            Datum::Finite(number) if !number.exceeds(Number::ONE) => datum,
            _ => Datum::Finite(Number::ONE),
        }
    }

    /// Encodes a datum that has been rounded. A format without infinity has NaN in its place.
    fn encode(&self, datum: Datum) -> u64 {
        let format = self.output();
        // Where there is no NaN either, `.satfinite` is mandatory.
        let nan = format.nan().unwrap_or(format.max_finite());
        match (datum, format.infinity()) {
            (Datum::Finite(number), _) => number.encode(format),
            (Datum::Infinity(true), Some(infinity)) => infinity | format.sign_mask(),
            (Datum::Infinity(false), Some(infinity)) => infinity,
            _ => nan,
        }
    }
}
