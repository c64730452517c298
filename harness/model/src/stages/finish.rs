//! The way from an exact result to bits: it is rounded, clamped and encoded.

use isa::{Clamp, NanRule};

use super::{Round, StochasticBits};
use crate::datum::Datum;
use crate::number::Number;

pub trait Finish: Round {
    /// Rounds, clamps and encodes an exact result.
    fn finish(&self, exact: Datum, random: StochasticBits) -> u64 {
        finish(self, exact, random)
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

/// Rounds, clamps and encodes an exact result, stage by stage.
pub fn finish(stages: &(impl Finish + ?Sized), exact: Datum, random: StochasticBits) -> u64 {
    let rounded = match exact {
        Datum::Finite(exact) => stages.round(exact, random),
        special => special,
    };
    let finite = if stages.meaning().satfinite { stages.to_finite(rounded) } else { rounded };
    let clamped = match stages.meaning().clamp {
        Clamp::None => finite,
        Clamp::Positive => stages.to_positive(finite),
        Clamp::Unit => stages.to_unit(finite),
    };
    let positive = stages.meaning().positive_zero && clamped.is_zero();
    stages.encode(if positive { Datum::ZERO } else { clamped })
}
