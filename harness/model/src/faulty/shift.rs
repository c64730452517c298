//! Faults of shifts, whose count of places is taken modulo the width of a word.

use super::Faulty;
use crate::Fault;
use crate::datum::Datum;
use crate::number::Number;
use crate::stages::{Round, StochasticBits, VariantFacts};

impl Faulty<'_> {
    /// Returns how many places a conversion shifts the significand of a float down: those of a number's fraction where
    /// the result is integral, and else those by which the number is too small to be normal.
    pub(super) fn places_to_shift(&self, number: Number) -> i32 {
        if self.variant().is_integral() {
            return self.grid().1 - number.exponent;
        }
        // A subnormal input has the exponent of the smallest normal one.
        let exponent = number.exponent + self.input(0).precision() as i32 - 1;
        self.output().exponent_min() - exponent
    }

    /// Whether a fault takes the count of places modulo a number by which a significand is shifted to the last place of a
    /// subnormal result.
    pub(super) fn shifts_whole(&self) -> bool {
        self.has(Fault::WholeShiftModulo(32)) || self.has(Fault::WholeShiftModulo(64))
    }

    /// Returns the low bits of a significand that was shifted to the last place of a subnormal result by too few places, with
    /// the sign; `None` where no fault does so.
    pub(super) fn shifted_whole(&self, exact: Number, random: StochasticBits) -> Option<u64> {
        if !self.shifts_whole() || !self.is_subnormal(exact) {
            return None;
        }
        let unit = self.output().exponent_of_lsb();
        let forgotten = self.places_forgotten(unit - exact.exponent);
        if forgotten == 0 {
            return None;
        }
        let direction = self.direction_of(exact);
        let moved = exact.scaled(forgotten);
        let whole = moved.round(u128::BITS, unit, |cut| self.rounds_away(direction, cut, random));
        let shift = u32::try_from(whole.exponent - unit).unwrap_or(0);
        let sign = if exact.negative { self.output().sign_mask() } else { 0 };
        let code = (whole.significand << shift) as u64 & self.output().mask();
        Some(code | sign)
    }

    /// Returns two terms, of which the one with the lower exponent was shifted by too few places if a fault takes the
    /// count modulo a number.
    pub(super) fn misaligned(&self, a: Number, b: Number) -> (Datum, Datum) {
        let shifted = |number: Number, other: Number| {
            let places = self.places_forgotten(other.exponent - number.exponent);
            Datum::Finite(number.scaled(if other.significand == 0 { 0 } else { places }))
        };
        (shifted(a, b), shifted(b, a))
    }

    /// Returns how many of the places that a significand should be shifted down by are forgotten, where a fault takes the
    /// count modulo a number.
    pub(super) fn places_forgotten(&self, places: i32) -> i32 {
        match self.shift_modulus {
            Some(modulus) if places > 0 => places - places % modulus as i32,
            _ => 0,
        }
    }
}
