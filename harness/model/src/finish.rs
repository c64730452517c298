//! The stages behind an exact result: round, flush, overflow, clamp, encode.

use std::cmp::Ordering;

use vectors::Format;
use vectors::format::{Scale, Specials};
use vectors::isa::{Modifier, Rounding};

use super::datum::Datum;
use super::number::{Cut, Number};
use super::subject::{self, has_subnormals};
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
        let format = self.output();
        let away = |cut: &Cut| self.rounds_away(cut, random);
        let (precision, unit) = self.grid();
        let flushed = match self.deviates(Deviation::FlushedAfterRounding) {
            true => exact.round(precision, i32::MIN, away),
            false => exact,
        };
        if self.flushes_result(flushed) {
            return Datum::Finite(Number::zero(
                exact.negative && !self.deviates(Deviation::FlushLosesSign),
            ));
        }
        let mut first = self.rounded_first(exact);
        if self.deviates(Deviation::SubnormalRoundedTwice) && has_subnormals(format) {
            first = first.round(precision, i32::MIN, away);
        }
        let mut rounded = first.round(precision, unit, away);
        let integral = subject::integral(&self.variant);
        let carried = |rounded: Number| {
            let (before, after) = (first.leading(), rounded.leading());
            before < after && after == Some(format.exponent_min())
        };
        if self.deviates(Deviation::BoundaryCarryLost) && has_subnormals(format) && carried(rounded) {
            let significand = u128::from(format.trailing_mask());
            rounded = Number { significand, exponent: format.unit(), ..rounded };
        }
        if self.deviates(Deviation::UnderflowLosesSign)
            && rounded.significand == 0
            && first.significand != 0
        {
            rounded.negative = false;
        }
        if self.deviates(Deviation::PowerUp) && format.scale == Scale::Power && !rounded.exceeds(first) {
            rounded = rounded.scaled(i32::from(self.variant.rounding() == Rounding::Up));
        }
        if self.deviates(Deviation::IntegralZeroPositive) && integral && rounded.significand == 0 {
            rounded.negative = false;
        }
        let Datum::Finite(limit) = largest(format) else { unreachable!("finite, by its name") };
        let half_beyond =
            Number { significand: 2 * limit.significand + 1, exponent: limit.exponent - 1, ..limit };
        match rounded.exceeds(limit) {
            true if self.deviates(Deviation::OverflowTieKept)
                && !subject::directed(&self.variant)
                && !first.exceeds(half_beyond) =>
            {
                Datum::Finite(limit).with_sign(rounded.negative)
            }
            false if self.deviates(Deviation::OverflowAtMax) && !limit.exceeds(rounded) => {
                self.overflowed(rounded.negative)
            }
            true => self.overflowed(rounded.negative),
            false => Datum::Finite(rounded),
        }
    }

    /// What is rounded to: how many bits, and no bit below 2 to the power of the second.
    pub(super) fn grid(&self) -> (u32, i32) {
        let format = self.output();
        let (precision, unit) = match format.scale {
            Scale::Floating => (format.precision(), format.unit()),
            Scale::Power => (1, i32::MIN),
            Scale::Fixed => (u128::BITS, format.unit()),
        };
        (precision, if subject::integral(&self.variant) { unit.max(0) } else { unit })
    }

    /// An exact result as it reaches the rounding.
    pub(super) fn rounded_first(&self, exact: Number) -> Number {
        let nearest = |cut: &Cut| match cut.against_half() {
            Ordering::Equal => cut.odd,
            half => half.is_gt(),
        };
        let through = self.deviations.through();
        if let Some(format) = through.filter(|format| subject::through(&self.variant, format)) {
            return exact.round(format.precision(), format.unit(), nearest);
        }
        match self.deviations.sticky_places() {
            Some(places) if subject::sticky_beyond(&self.variant, places) => {
                exact.round(places, i32::MIN, |_| false)
            }
            _ => exact,
        }
    }

    /// The rounding that is in effect.
    fn direction(&self) -> Rounding {
        match self.variant.rounding() {
            Rounding::TowardZero | Rounding::Down | Rounding::Up
                if self.deviates(Deviation::NearestInstead) =>
            {
                Rounding::NearestEven
            }
            Rounding::TowardZero if self.deviates(Deviation::TowardZeroDown) => Rounding::Down,
            Rounding::Down if self.deviates(Deviation::DownTowardZero) => Rounding::TowardZero,
            Rounding::Up if self.deviates(Deviation::UpTowardZero) => Rounding::TowardZero,
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
                Ordering::Equal if self.deviates(Deviation::TiesTowardZero) => false,
                Ordering::Equal if self.deviates(Deviation::TiesUp) => !cut.negative,
                Ordering::Equal => cut.odd != self.deviates(Deviation::TiesToOdd),
                Ordering::Greater => true,
            },
            Rounding::NearestAway => cut.against_half().is_ge(),
            Rounding::TowardZero => false,
            Rounding::Down => cut.negative && !self.of_magnitude() && !cut.is_exact(),
            Rounding::Up => (!cut.negative || self.of_magnitude()) && !cut.is_exact(),
            Rounding::Stochastic => {
                (cut.first_bits(random.count) + u128::from(random.bits)) >> random.count != 0
            }
        }
    }

    fn of_magnitude(&self) -> bool {
        self.deviates(Deviation::DirectionOfMagnitude)
    }

    /// A result beyond the largest finite number.
    fn overflowed(&self, negative: bool) -> Datum {
        let other = self.deviates(Deviation::OverflowWrongSide);
        let inwards = match self.direction() {
            Rounding::NearestEven | Rounding::NearestAway => self.deviates(Deviation::OverflowToMax),
            Rounding::TowardZero => !self.deviates(Deviation::OverflowToInfinity),
            Rounding::Down => (!negative || self.of_magnitude()) != other,
            Rounding::Up => (negative && !self.of_magnitude()) != other,
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
            Datum::Infinity(negative) if self.deviates(Deviation::SatfiniteInfinityNan) => {
                self.clamp_to_finite(Datum::Nan(negative))
            }
            Datum::Infinity(negative) => largest(format).with_sign(negative),
            Datum::Nan(_) if without_nan && self.deviates(Deviation::NanIsZero) => {
                Datum::Finite(Number::zero(false))
            }
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
            let clamped = self.has(Modifier::Relu)
                && match datum {
                    Datum::Infinity(negative) => {
                        negative && !self.deviates(Deviation::ReluKeepsInfinity)
                    }
                    _ => self.deviates(Deviation::ReluNanToZero),
                };
            return if clamped { Datum::Finite(Number::zero(false)) } else { datum };
        };
        let tiny = number.leading().is_some_and(|leading| leading < self.output().exponent_min());
        let spared = tiny && self.deviates(Deviation::ReluKeepsTiny)
            || datum.is_zero() && self.deviates(Deviation::ReluKeepsNegativeZero);
        let relu = self.has(Modifier::Relu) && !spared;
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
            _ if datum.is_zero() && self.deviates(Deviation::SatKeepsNegativeZero) => datum,
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
