//! The one rounding of an exact result, the flushing before it and the overflow behind it.

use formats::Scale;
use isa::Rounding;

use super::VariantFacts;
use crate::datum::Datum;
use crate::number::{Cut, Number};

/// The random bits that a stochastic rounding adds to the bits cut off; all other roundings have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StochasticBits {
    pub bits: u64,
    /// How many bits there are.
    pub count: u32,
}

pub trait Round: VariantFacts {
    /// Flushes an exact result, or rounds it.
    fn round(&self, exact: Number, random: StochasticBits) -> Datum {
        if self.flushes(exact) {
            return self.flushed_to(exact.negative);
        }
        let rounded = self.rounded(exact, random);
        match self.overflows(rounded) {
            true => self.overflowed(rounded.negative),
            false => Datum::Finite(rounded),
        }
    }

    /// Whether an exact result is subnormal, and flushed for it.
    fn flushes(&self, exact: Number) -> bool {
        let subnormal = |leading| leading < self.output().exponent_min();
        self.meaning().flush.result && exact.leading().is_some_and(subnormal)
    }

    /// Returns the zero that an exact result is flushed to.
    fn flushed_to(&self, negative: bool) -> Datum {
        Datum::Finite(Number::zero(negative))
    }

    /// Rounds an exact result as if no number were too large.
    fn rounded(&self, exact: Number, random: StochasticBits) -> Number {
        let ((precision, unit), direction) = (self.grid(), self.direction());
        exact.round(precision, unit, |cut| self.rounds_away(direction, cut, random))
    }

    /// Returns the grid that results are rounded to: how many bits they have, and the exponent of 2 below which
    /// they have no bit.
    fn grid(&self) -> (u32, i32) {
        let format = self.output();
        let (precision, unit) = match format.scale {
            Scale::Floating => (format.precision(), format.exponent_of_lsb()),
            // A power of two is one bit in any place; encoding stops at the smallest.
            Scale::Power => (1, i32::MIN),
            // An integer has as many bits as it takes, and is clamped afterwards.
            Scale::Fixed => (u128::BITS, format.exponent_of_lsb()),
        };
        (precision, if self.variant().is_integral() { unit.max(0) } else { unit })
    }

    /// Returns the rounding that is in effect.
    fn direction(&self) -> Rounding {
        self.meaning().rounding
    }

    /// Whether what is cut off makes the magnitude one unit larger.
    fn rounds_away(&self, direction: Rounding, cut: &Cut, random: StochasticBits) -> bool {
        match direction {
            Rounding::NearestEven => cut.is_nearer_above(),
            Rounding::NearestAway => cut.against_half().is_ge(),
            Rounding::TowardZero => false,
            Rounding::Down => cut.negative && !cut.is_exact(),
            Rounding::Up => !cut.negative && !cut.is_exact(),
            Rounding::Stochastic => cut.carries_with(random.bits, random.count),
        }
    }

    /// Whether a rounded number is too large.
    fn overflows(&self, rounded: Number) -> bool {
        rounded.exceeds(self.largest())
    }

    /// Returns the datum that a number too large for the format becomes.
    fn overflowed(&self, negative: bool) -> Datum {
        match self.stops(self.direction(), negative) {
            true => Datum::Finite(self.largest()).with_sign(negative),
            false => Datum::Infinity(negative),
        }
    }

    /// Whether a direction of rounding stops at the largest number.
    fn stops(&self, direction: Rounding, negative: bool) -> bool {
        match direction {
            Rounding::NearestEven | Rounding::NearestAway | Rounding::Stochastic => false,
            Rounding::TowardZero => true,
            Rounding::Down => !negative,
            Rounding::Up => negative,
        }
    }
}
