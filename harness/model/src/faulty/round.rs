//! The stages with faults of rounding, of flushing results, and of overflow.

use std::cmp::Ordering;

use formats::{F64, Format, Scale};
use isa::Rounding;

use super::Faulty;
use crate::Fault;
use crate::datum::Datum;
use crate::fault::is_directed;
use crate::number::{Cut, Number};
use crate::stages::{Round, StochasticBits, VariantFacts};

impl Round for Faulty<'_> {
    fn round(&self, exact: Number, random: StochasticBits) -> Datum {
        if self.flushes(exact) {
            return self.flushed_to(exact.negative);
        }
        let rounded = self.rounded(exact, random);
        match self.misjudged_size(exact, rounded) {
            Some(datum) => datum,
            None if self.overflows(rounded) => self.overflowed(rounded.negative),
            None => Datum::Finite(rounded),
        }
    }

    fn flushes(&self, exact: Number) -> bool {
        let encoded = self.has(Fault::FlushedAsEncoded) || self.has(Fault::FlushedAsEncodedAnyway);
        let after = self.has(Fault::FlushedAfterRounding) || self.has(Fault::FlushedAfterRoundingAnyway);
        // No integral number is subnormal, whatever comes of a small one by rounding to fewer bits.
        let looked_at = match () {
            () if encoded || after && self.variant().is_integral() => {
                self.rounded(exact, StochasticBits::default())
            }
            () if after => self.unbounded(exact, StochasticBits::default()),
            () => exact,
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

    fn rounded(&self, exact: Number, random: StochasticBits) -> Number {
        let (format, rounding) = (self.output(), self.meaning().rounding);
        let mut first = self.first(exact);
        let stochastic = rounding == Rounding::Stochastic;
        if self.has(Fault::SubnormalRoundedTwice) && format.has_subnormals() && !stochastic {
            first = self.unbounded(first, random);
        }
        let (precision, unit) = self.grid();
        let direction = self.direction_of(first);
        let mut rounded = first.round(precision, unit, |cut| self.rounds_away(direction, cut, random));
        if self.has(Fault::TinyIsZero) && first.leading().is_some_and(|leading| leading < unit) {
            rounded = Number::zero(first.negative);
        }
        if self.has(Fault::HalfAdded) || self.has(Fault::OneHalfUp) {
            rounded = self.with_halves(first, rounded);
        }
        if self.has(Fault::PowerAddedToLarge) {
            rounded = self.with_power_added(first);
        }
        if let Some(width) = self.integral_bits_modulus {
            rounded = self.without_bits_modulo(first, rounded, width, random);
        }
        if self.has(Fault::StepsFurther) {
            rounded = self.one_further(first, rounded);
        }
        if let Some(width) = self.integral_width {
            rounded = self.through_integer(rounded, width);
        }
        let (before, after) = (first.leading(), rounded.leading());
        // A subnormal result that was rounded up to the smallest normal number.
        let carried = format.has_subnormals() && before < after && after == Some(format.exponent_min());
        if carried && self.has(Fault::BoundaryCarryLost) {
            let significand = u128::from(format.trailing_mask());
            rounded = Number { significand, exponent: format.exponent_of_lsb(), ..rounded };
        }
        if carried && self.has(Fault::BoundaryCarryZero) {
            rounded = Number::zero(rounded.negative);
        }
        if let Some(before) = before.filter(|before| after > Some(*before)) {
            rounded = self.without_carry(before, rounded);
        }
        if self.has(Fault::UnderflowLosesSign) && rounded.significand == 0 && first.significand != 0 {
            rounded.negative = false;
        }
        if self.has(Fault::PowerUp) && format.scale == Scale::Power && !rounded.exceeds(first) {
            rounded = rounded.scaled(i32::from(rounding == Rounding::Up));
        }
        if self.has(Fault::PowerNearest) && format.scale == Scale::Power {
            rounded = first.nearest_power();
        }
        let integral = self.variant().is_integral();
        if self.has(Fault::IntegralZeroPositive) && integral && rounded.significand == 0 {
            rounded.negative = false;
        }
        if self.has(Fault::NegativeIsMagnitude) && format.is_integer() && !format.signed {
            rounded.negative = false;
        }
        let (largest, keeps) = (self.largest(), !is_directed(rounding) && !format.is_integer());
        // The middle between the largest number and what overflows.
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
            Rounding::NearestEven if self.has(Fault::TruncatedToInfinity) => Rounding::TowardZero,
            Rounding::NearestEven if self.has(Fault::TiesAway) => Rounding::NearestAway,
            Rounding::NearestAway if self.has(Fault::AwayTiesEven) => Rounding::NearestEven,
            rounding => rounding,
        }
    }

    fn rounds_away(&self, direction: Rounding, cut: &Cut, random: StochasticBits) -> bool {
        let of_magnitude = self.has(Fault::DirectionOfMagnitude);
        match (direction, cut.against_half()) {
            (Rounding::NearestEven, Ordering::Equal) if self.has(Fault::TiesTowardZero) => false,
            (Rounding::NearestEven, Ordering::Equal) if self.has(Fault::TiesUp) => !cut.negative,
            (Rounding::NearestEven, Ordering::Equal) if self.has(Fault::TiesToOdd) => !cut.odd,
            (Rounding::Down, _) if of_magnitude => false,
            (Rounding::Up, _) if of_magnitude => !cut.is_exact(),
            (Rounding::Stochastic, _) if self.has(Fault::RandomLower) => {
                cut.carries_with(random.bits, random.count + 1)
            }
            (Rounding::Stochastic, _) if self.has(Fault::RandomAtBottom) => {
                cut.carries_with_lowest(random.bits)
            }
            _ => self.plain.rounds_away(direction, cut, random),
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
            Rounding::TowardZero => {
                !self.has(Fault::OverflowToInfinity) && !self.has(Fault::TruncatedToInfinity)
            }
            Rounding::Down | Rounding::Up => {
                let negative = negative && !self.has(Fault::DirectionOfMagnitude);
                self.plain.stops(direction, negative) != other_side
            }
            Rounding::Stochastic => false,
        }
    }
}

impl Faulty<'_> {
    /// Returns an exact result as it reaches the rounding.
    fn first(&self, exact: Number) -> Number {
        let subnormal = self.is_subnormal(exact);
        let exact = match subnormal {
            true if self.has(Fault::SubnormalResultHalved) => exact.scaled(-1),
            true if self.has(Fault::SubnormalResultDoubled) => exact.scaled(1),
            _ => exact,
        };
        let through = |format: &Format, away: fn(&Cut) -> bool| {
            exact.round(format.precision(), format.exponent_of_lsb(), away)
        };
        match (self.through, self.sticky_lost) {
            (Some(Fault::Through(format)), _) => through(format, Cut::is_nearer_above),
            (Some(Fault::ThroughTruncated(format)), _) => through(format, |_| false),
            (Some(Fault::NudgedWrongWay(format)), _) => through(format, Cut::is_nearer_above).nudged(
                exact,
                format.precision(),
                format.exponent_of_lsb(),
            ),
            (_, Some(places)) => exact.round(places, i32::MIN, |_| false),
            _ if self.discarded[0].is_some() => self.without_bits(exact),
            _ if self.shift_modulus.is_some() && self.variant().converts() && !self.shifts_whole() => {
                exact.scaled(self.places_forgotten(self.places_to_shift(exact)))
            }
            _ if self.has(Fault::CutFirst) => self.cut_to_precision(exact, 0),
            _ if !subnormal => exact,
            _ if self.has(Fault::SubnormalCutFirst) => self.cut_to_precision(exact, 0),
            _ if self.has(Fault::SubnormalCutShort) => self.cut_to_precision(exact, 1),
            _ if self.has(Fault::SubnormalThroughDouble) => through(&F64, Cut::is_nearer_above),
            _ if self.has(Fault::SubnormalStickyLost) => {
                let last = self.output().exponent_min() + 1 - self.input(0).precision() as i32;
                exact.round(u128::BITS, last, |_| false)
            }
            _ => exact,
        }
    }

    /// Returns an exact result without its bits below those that a normal result has, less `fewer` of these.
    fn cut_to_precision(&self, exact: Number, fewer: u32) -> Number {
        exact.round(self.output().precision() - fewer, i32::MIN, |_| false)
    }

    /// Whether an exact result is below the smallest normal number, where results have subnormal numbers.
    pub(super) fn is_subnormal(&self, exact: Number) -> bool {
        let fractional = self.output().has_subnormals() && !self.variant().is_integral();
        fractional && exact.leading().is_some_and(|leading| leading < self.output().exponent_min())
    }

    /// Returns the rounding that is in effect for a number as it reaches the rounding.
    pub(super) fn direction_of(&self, first: Number) -> Rounding {
        match self.direction() {
            Rounding::NearestEven if self.has(Fault::SubnormalTruncated) && self.is_subnormal(first) => {
                Rounding::TowardZero
            }
            Rounding::NearestEven if self.has(Fault::SubnormalTiesAway) && self.is_subnormal(first) => {
                Rounding::NearestAway
            }
            direction => direction,
        }
    }

    /// Returns a result that was rounded up from exponent `before` to a power of two, without the carry into the exponent
    /// where a fault loses it.
    fn without_carry(&self, before: i32, rounded: Number) -> Number {
        let (format, integral) = (self.output(), self.variant().is_integral());
        let normal = format.scale == Scale::Floating && !integral && before >= format.exponent_min();
        let odd = (before - format.exponent_min()) % 2 == 0;
        let lost = self.has(Fault::CarryLost) || self.has(Fault::CarryOred) && odd;
        if normal && lost { Number { significand: 1, exponent: before, ..rounded } } else { rounded }
    }

    /// Rounds a number as if there were no smallest number.
    pub(super) fn unbounded(&self, number: Number, random: StochasticBits) -> Number {
        let ((precision, _), direction) = (self.grid(), self.direction());
        number.round(precision, i32::MIN, |cut| self.rounds_away(direction, cut, random))
    }
}
