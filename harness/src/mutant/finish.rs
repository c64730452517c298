//! The stages behind an exact result: round, flush, overflow, clamp, encode.

use std::cmp::Ordering;

use vectors::Format;
use vectors::format::{Scale, Specials};
use vectors::isa::{Modifier, Rounding};

use super::datum::Datum;
use super::number::{Cut, Number};
use super::{Deviation, Model};

/// The random bits that a stochastic rounding adds to the bits cut off; all other roundings have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Random {
    pub bits: u64,
    /// How many bits there are.
    pub count: u32,
}

impl Model {
    /// The bits of an exact result.
    pub(super) fn finish(&self, exact: Datum, random: Random) -> u64 {
        let rounded = match exact {
            Datum::Finite(exact) => self.round(exact, random),
            special => special,
        };
        let clamped = [Model::clamp_to_finite, Model::clamp_to_positive, Model::clamp_to_one]
            .iter()
            .fold(rounded, |datum, clamp| clamp(self, datum));
        self.encode(clamped)
    }

    /// Rounds and flushes an exact result.
    pub(super) fn round(&self, exact: Number, random: Random) -> Datum {
        if self.flushes_result(exact) {
            return Datum::Finite(Number::zero(
                exact.negative && !self.deviates(Deviation::FlushLosesSign),
            ));
        }
        let away = |cut: &Cut| self.rounds_away(cut, random);
        let first = match self.deviation() {
            Some(Deviation::ThroughF32) => exact.round(24, i32::MIN, away),
            Some(Deviation::ThroughF64) => exact.round(53, i32::MIN, away),
            Some(Deviation::StickyLost(places)) => exact.round(places.into(), i32::MIN, |_| false),
            _ => exact,
        };
        let format = self.output();
        let (precision, unit) = match format.scale {
            Scale::Floating => (format.precision(), format.unit()),
            Scale::Power => (1, i32::MIN),
            Scale::Fixed => (u128::BITS, format.unit()),
        };
        let integral = self.variant.modifiers().iter().any(|modifier| modifier.is_integral());
        let unit = if integral { unit.max(0) } else { unit };
        let mut rounded = first.round(precision, unit, away);
        if self.deviates(Deviation::PowerUp) && format.scale == Scale::Power && !rounded.exceeds(first) {
            rounded = rounded.scaled(i32::from(self.variant.rounding() == Rounding::Up));
        }
        if self.deviates(Deviation::IntegralZeroPositive) && integral && rounded.significand == 0 {
            rounded.negative = false;
        }
        let Datum::Finite(limit) = largest(format) else { unreachable!("finite, by its name") };
        if rounded.exceeds(limit) { self.overflowed(rounded.negative) } else { Datum::Finite(rounded) }
    }

    /// The rounding that is in effect.
    fn direction(&self) -> Rounding {
        match self.variant.rounding() {
            Rounding::Down if self.deviates(Deviation::DownTowardZero) => Rounding::TowardZero,
            Rounding::NearestEven if self.deviates(Deviation::Truncated) => Rounding::TowardZero,
            Rounding::NearestEven if self.deviates(Deviation::TiesAway) => Rounding::NearestAway,
            Rounding::NearestAway if self.deviates(Deviation::AwayTiesEven) => Rounding::NearestEven,
            rounding => rounding,
        }
    }

    /// Whether what is cut off makes the magnitude one unit larger.
    pub(super) fn rounds_away(&self, cut: &Cut, random: Random) -> bool {
        match self.direction() {
            Rounding::NearestEven => match cut.against_half() {
                Ordering::Less => false,
                Ordering::Equal => cut.odd,
                Ordering::Greater => true,
            },
            Rounding::NearestAway => cut.against_half().is_ge(),
            Rounding::TowardZero => false,
            Rounding::Down => cut.negative && !cut.is_exact(),
            Rounding::Up => !cut.negative && !cut.is_exact(),
            Rounding::Stochastic => {
                (cut.first_bits(random.count) + u128::from(random.bits)) >> random.count != 0
            }
        }
    }

    /// A result beyond the largest finite number.
    fn overflowed(&self, negative: bool) -> Datum {
        let inwards = match self.direction() {
            Rounding::NearestEven | Rounding::NearestAway => self.deviates(Deviation::OverflowToMax),
            Rounding::TowardZero => !self.deviates(Deviation::OverflowToInfinity),
            Rounding::Down => !negative,
            Rounding::Up => negative,
            Rounding::Stochastic => false,
        };
        if inwards { largest(self.output()).with_sign(negative) } else { Datum::Infinity(negative) }
    }

    /// `.satfinite`.
    fn clamp_to_finite(&self, datum: Datum) -> Datum {
        let format = self.output();
        let without_nan = format.specials == Specials::None;
        match datum {
            _ if !self.has(Modifier::Satfinite) || self.deviates(Deviation::SatfiniteIgnored) => datum,
            Datum::Infinity(negative) => largest(format).with_sign(negative),
            Datum::Nan(negative) if without_nan => {
                largest(format).with_sign(negative && self.deviates(Deviation::NanNegativeMax))
            }
            Datum::Nan(_) if self.deviates(Deviation::SatfiniteNanMax) => largest(format),
            datum => datum,
        }
    }

    /// `.relu`, then `.pzo`.
    fn clamp_to_positive(&self, datum: Datum) -> Datum {
        let Datum::Finite(number) = datum else {
            let clamped = self.has(Modifier::Relu) && datum == Datum::Infinity(true);
            return if clamped { Datum::Finite(Number::zero(false)) } else { datum };
        };
        let tiny = number.leading().is_none_or(|leading| leading < self.output().exponent_min());
        let relu = self.has(Modifier::Relu) && !(tiny && self.deviates(Deviation::ReluKeepsTiny));
        let pzo = self.has(Modifier::Pzo) && !self.deviates(Deviation::PzoIgnored) && datum.is_zero();
        if number.negative && (relu || pzo) { Datum::Finite(Number::zero(false)) } else { datum }
    }

    /// `.sat`.
    fn clamp_to_one(&self, datum: Datum) -> Datum {
        let beyond_one = match datum {
            Datum::Finite(number) => number.exceeds(Number::ONE),
            Datum::Infinity(_) => true,
            Datum::Nan(_) => false,
        };
        match datum {
            _ if !self.has(Modifier::Sat) => datum,
            Datum::Nan(_) if self.deviates(Deviation::SatKeepsNan) => datum,
            Datum::Nan(_) => Datum::Finite(Number::zero(false)),
            _ if datum.is_negative() && !self.deviates(Deviation::SatSigned) => {
                Datum::Finite(Number::zero(false))
            }
            _ if beyond_one => Datum::Finite(Number::ONE).with_sign(datum.is_negative()),
            _ => datum,
        }
    }

    fn encode(&self, datum: Datum) -> u64 {
        let format = self.output();
        let sign = |negative| if negative { format.sign_mask() } else { 0 };
        // Where a format has no NaN either, `.satfinite` is mandatory.
        let nan = format.nan().unwrap_or(format.max_finite());
        match datum {
            Datum::Nan(negative) => nan | sign(negative && self.deviates(Deviation::NanKeepsSign)),
            Datum::Infinity(negative) => format.infinity().map_or(nan, |bits| bits | sign(negative)),
            Datum::Finite(number)
                if self.deviates(Deviation::NegativeZeroKept) && number.significand == 0 =>
            {
                sign(number.negative)
            }
            Datum::Finite(number) => number.encode(format),
        }
    }
}

/// The largest finite number of a format.
pub(super) fn largest(format: &Format) -> Datum {
    Datum::decode(format, format.max_finite())
}
