//! The faults that misjudge the size of a result: overflow that is found too early or too late, or that gives something
//! else; and what is too small for a format without −0.

use super::Faulty;
use crate::Fault;
use crate::datum::Datum;
use crate::number::Number;
use crate::stages::{Round, VariantFacts};

impl Faulty<'_> {
    /// Returns the datum that a fault takes an exact result for, given its rounded one; `None` where no fault misjudges
    /// its size.
    pub(super) fn misjudged_size(&self, exact: Number, rounded: Number) -> Option<Datum> {
        let (negative, highest) = (rounded.negative, self.output().exponent_max());
        let Some(leading) = rounded.leading() else {
            let code = negative && exact.significand != 0 && self.has(Fault::UnderflowNegativeZero);
            return code.then_some(Datum::Nan(negative));
        };
        let before = exact.leading();
        match () {
            () if self.has(Fault::OverflowBeforeRounding) && exact.exceeds(self.largest()) => {
                Some(self.overflowed(negative))
            }
            () if self.has(Fault::TopBinadeOverflows) && leading == highest => {
                Some(self.overflowed(negative))
            }
            () if self.has(Fault::NextBinadeIsZero) && before == Some(highest + 1) => {
                Some(Datum::Finite(Number::zero(negative)))
            }
            () if !self.overflows(rounded) => None,
            () if self.has(Fault::OverflowToZero) => Some(Datum::Finite(Number::zero(negative))),
            () if self.has(Fault::OverflowKeepsSignificand) => {
                Some(Datum::Finite(rounded.scaled(highest + 1 - leading)))
            }
            () if self.has(Fault::OverflowOrsInfinity) && before == Some(highest) => {
                // The codes of infinity and of the largest number have all bits but the sign together.
                let exponent = highest + 2 - self.output().precision() as i32;
                let significand = (1 << self.output().precision()) - 1;
                Some(Datum::Finite(Number { negative, significand, exponent }))
            }
            () if self.has(Fault::NanPlaceIsMax) && self.is_place_of_nan(exact, rounded) => {
                Some(Datum::Finite(self.largest()).with_sign(negative))
            }
            () if self.has(Fault::OverflowExponentWraps) => Some(Datum::Finite(self.wrapped(rounded))),
            () => None,
        }
    }

    /// Whether a number that is too large was rounded down to the number after the largest one, in its binade.
    fn is_place_of_nan(&self, exact: Number, rounded: Number) -> bool {
        let largest = self.largest();
        let next = Number { significand: largest.significand + 1, ..largest };
        !rounded.exceeds(next) && !rounded.exceeds(exact) && next.leading() == largest.leading()
    }

    /// Returns the number that has the low bits of a number's exponent field, and its significand.
    fn wrapped(&self, rounded: Number) -> Number {
        let format = self.output();
        let Some(leading) = rounded.leading() else { return rounded };
        let field = (leading - format.exponent_min() + 1) & ((1 << format.exponent_bits) - 1);
        let moved = rounded.scaled(field + format.exponent_min() - 1 - leading);
        match field {
            // Without its leading bit, in the place of the subnormal numbers.
            0 => Number {
                significand: moved.significand & !(1 << (moved.significand.ilog2())),
                exponent: moved.exponent + 1,
                ..moved
            },
            _ => moved,
        }
    }
}
