//! Faults of roundings to integral numbers.

use isa::Rounding;

use super::Faulty;
use crate::Fault;
use crate::number::{Cut, Number};
use crate::stages::{Round, StochasticBits, VariantFacts};

impl Faulty<'_> {
    /// Rounds a number to an integral one by adding ½ and rounding down. With `Fault::OneHalfUp` it returns `rounded`,
    /// but 1 for ½ itself.
    pub(super) fn with_halves(&self, first: Number, rounded: Number) -> Number {
        let (half, from) = (Number { negative: false, significand: 1, exponent: -1 }, self.input(0));
        let is_half = !first.exceeds(half) && !half.exceeds(first);
        if self.has(Fault::OneHalfUp) {
            return if is_half { Number { negative: first.negative, ..Number::ONE } } else { rounded };
        }
        let sum = first.plus(half, false).round(
            from.precision(),
            from.exponent_of_lsb(),
            Cut::is_nearer_above,
        );
        sum.round(u128::BITS, 0, |cut| {
            self.plain.rounds_away(Rounding::Down, cut, StochasticBits::default())
        })
    }

    /// Rounds a number to an integral one by adding the power of two whose last place is 1, with the number's sign, and
    /// subtracting it again. Both sums are rounded to the input's format.
    pub(super) fn with_power_added(&self, first: Number) -> Number {
        let from = self.input(0);
        let power =
            |negative| Number { negative, significand: 1, exponent: from.precision() as i32 - 1 };
        let nearest =
            |sum: Number| sum.round(from.precision(), from.exponent_of_lsb(), Cut::is_nearer_above);
        let sum = nearest(first.plus(power(first.negative), false));
        let rounded = nearest(sum.plus(power(!first.negative), false));
        Number { negative: first.negative, ..rounded }
    }

    /// Returns a number that was rounded to an integral one, and has lost bits above the point where it is so large that
    /// the count of its integral bits is taken modulo `width`.
    pub(super) fn without_bits_modulo(
        &self,
        first: Number,
        rounded: Number,
        width: u32,
        random: StochasticBits,
    ) -> Number {
        let direction = self.direction();
        match first.leading() {
            Some(leading) if leading >= width as i32 => {
                let bits = 1 + leading as u32 % width;
                first.round(bits, i32::MIN, |cut| self.rounds_away(direction, cut, random))
            }
            _ => rounded,
        }
    }

    /// Returns a number that was rounded to an integral one, and one more in the direction of rounding if it was integral
    /// before.
    pub(super) fn one_further(&self, first: Number, rounded: Number) -> Number {
        let toward = match self.direction() {
            Rounding::Up => !rounded.negative,
            Rounding::Down => rounded.negative,
            _ => false,
        };
        if !toward || rounded.significand == 0 || !first.equals(rounded) {
            return rounded;
        }
        let next = rounded.plus(Number { negative: rounded.negative, ..Number::ONE }, false);
        match self.output().is_fixed() {
            true => next,
            false => next.round(self.output().precision(), i32::MIN, Cut::is_nearer_above),
        }
    }

    /// Returns an integral number as it comes out of a signed integer of a width: without the sign of zero.
    pub(super) fn through_integer(&self, number: Number, width: u32) -> Number {
        match number.leading() {
            None => Number::zero(false),
            Some(leading)
                if leading >= width as i32 - 1 && !number.equals(Number::lowest_integer(width)) =>
            {
                self.integer_beyond(width, number.negative)
            }
            _ => number,
        }
    }

    /// Returns the integer of a width in whose place a number is that does not fit, as a float.
    pub(super) fn integer_beyond(&self, width: u32, negative: bool) -> Number {
        let lowest = Number::lowest_integer(width);
        match self.has(Fault::IntegralClamped(32)) || self.has(Fault::IntegralClamped(64)) {
            true => Number { negative, ..lowest },
            false => lowest,
        }
    }
}
