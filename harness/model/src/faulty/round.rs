//! Faults of rounding, of flushing results, and of overflow.

use std::cmp::Ordering;

use vectors::format::Scale;
use vectors::isa::Rounding;

use super::Faulty;
use crate::Fault;
use crate::datum::Datum;
use crate::fault::is_directed;
use crate::number::{Cut, Number};
use crate::stages::{Random, Round, Subject};

impl Round for Faulty<'_> {
    fn flushes(&self, exact: Number) -> bool {
        let looked_at = match self.has(Fault::FlushedAfterRounding) {
            true => self.unbounded(exact, Random::default()),
            false => exact,
        };
        let exponent = self.output().exponent_min();
        let min_normal = Number { significand: 1, exponent, negative: false };
        let lowest = looked_at.significand != 0 && !looked_at.exceeds(min_normal);
        self.plain.flushes(looked_at)
            || self.has(Fault::MinNormalFlushed) && self.meaning().flush.result && lowest
    }

    fn flushed_to(&self, negative: bool) -> Datum {
        self.plain.flushed_to(negative && !self.has(Fault::FlushLosesSign))
    }

    fn rounded(&self, exact: Number, random: Random) -> Number {
        let (format, rounding) = (self.output(), self.meaning().rounding);
        let mut first = self.first(exact);
        if self.has(Fault::SubnormalRoundedTwice) && format.has_subnormals() {
            first = self.unbounded(first, random);
        }
        let ((precision, unit), direction) = (self.grid(), self.direction());
        let mut rounded = first.round(precision, unit, |cut| self.away(direction, cut, random));
        let carried = || {
            let (before, after) = (first.leading(), rounded.leading());
            before < after && after == Some(format.exponent_min())
        };
        if self.has(Fault::BoundaryCarryLost) && format.has_subnormals() && carried() {
            let significand = u128::from(format.trailing_mask());
            rounded = Number { significand, exponent: format.exponent_of_lsb(), ..rounded };
        }
        if self.has(Fault::UnderflowLosesSign) && rounded.significand == 0 && first.significand != 0 {
            rounded.negative = false;
        }
        if self.has(Fault::PowerUp) && format.scale == Scale::Power && !rounded.exceeds(first) {
            rounded = rounded.scaled(i32::from(rounding == Rounding::Up));
        }
        let integral = self.variant().is_integral();
        if self.has(Fault::IntegralZeroPositive) && integral && rounded.significand == 0 {
            rounded.negative = false;
        }
        if self.has(Fault::NegativeIsMagnitude) && format.is_integer() && !format.signed {
            rounded.negative = false;
        }
        let (largest, keeps) = (self.largest(), !is_directed(rounding) && !format.is_integer());
        let half_beyond = || Number {
            significand: 2 * largest.significand + 1,
            exponent: largest.exponent - 1,
            ..largest
        };
        if self.has(Fault::OverflowTieKept)
            && keeps
            && rounded.exceeds(largest)
            && !first.exceeds(half_beyond())
        {
            rounded = Number { negative: rounded.negative, ..largest };
        }
        rounded
    }

    fn direction(&self) -> Rounding {
        match self.meaning().rounding {
            directed if is_directed(directed) && self.has(Fault::NearestInstead) => {
                Rounding::NearestEven
            }
            Rounding::TowardZero if self.has(Fault::TowardZeroDown) => Rounding::Down,
            Rounding::Down if self.has(Fault::DownTowardZero) => Rounding::TowardZero,
            Rounding::Up if self.has(Fault::UpTowardZero) => Rounding::TowardZero,
            Rounding::NearestEven if self.has(Fault::Truncated) => Rounding::TowardZero,
            Rounding::NearestEven if self.has(Fault::TiesAway) => Rounding::NearestAway,
            Rounding::NearestAway if self.has(Fault::AwayTiesEven) => Rounding::NearestEven,
            rounding => rounding,
        }
    }

    fn away(&self, direction: Rounding, cut: &Cut, random: Random) -> bool {
        let of_magnitude = self.has(Fault::DirectionOfMagnitude);
        match (direction, cut.against_half()) {
            (Rounding::NearestEven, Ordering::Equal) if self.has(Fault::TiesTowardZero) => false,
            (Rounding::NearestEven, Ordering::Equal) if self.has(Fault::TiesUp) => !cut.negative,
            (Rounding::NearestEven, Ordering::Equal) if self.has(Fault::TiesToOdd) => !cut.odd,
            (Rounding::Down, _) if of_magnitude => false,
            (Rounding::Up, _) if of_magnitude => !cut.is_exact(),
            _ => self.plain.away(direction, cut, random),
        }
    }

    fn overflows(&self, rounded: Number) -> bool {
        match self.has(Fault::OverflowAtMax) {
            true => !self.largest().exceeds(rounded),
            false => self.plain.overflows(rounded),
        }
    }

    fn stops(&self, direction: Rounding, negative: bool) -> bool {
        let other_side = self.has(Fault::OverflowWrongSide);
        match direction {
            Rounding::NearestEven | Rounding::NearestAway => self.has(Fault::OverflowToMax),
            Rounding::TowardZero => !self.has(Fault::OverflowToInfinity),
            Rounding::Down | Rounding::Up => {
                let negative = negative && !self.has(Fault::DirectionOfMagnitude);
                self.plain.stops(direction, negative) != other_side
            }
            Rounding::Stochastic => false,
        }
    }
}

impl Faulty<'_> {
    /// An exact result as it reaches the rounding.
    fn first(&self, exact: Number) -> Number {
        let nearest = |cut: &Cut| self.plain.away(Rounding::NearestEven, cut, Random::default());
        match (self.through, self.sticky_lost) {
            (Some(format), _) => exact.round(format.precision(), format.exponent_of_lsb(), nearest),
            (None, Some(places)) => exact.round(places, i32::MIN, |_| false),
            (None, None) => exact,
        }
    }

    /// Rounded as if there were no smallest number.
    fn unbounded(&self, number: Number, random: Random) -> Number {
        let ((precision, _), direction) = (self.grid(), self.direction());
        number.round(precision, i32::MIN, |cut| self.away(direction, cut, random))
    }
}
