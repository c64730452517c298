//! Faults that pack a subnormal result as a normal one.

use super::Faulty;
use crate::Fault;
use crate::datum::Datum;
use crate::number::Number;
use crate::stages::{Finish, StochasticBits, VariantFacts};

impl Faulty<'_> {
    /// Returns the code of a subnormal result that is packed as a normal one: the significand without its leading bit, under
    /// an exponent field that is too small for a normal number. Returns `None` where no fault does so, and where rounding
    /// makes the result normal.
    pub(super) fn packed(&self, exact: Number, random: StochasticBits) -> Option<u64> {
        let early = self.has(Fault::SubnormalPackedEarly);
        let binades = match () {
            () if self.has(Fault::SubnormalPacked(1)) => Some(1),
            () if early || self.has(Fault::SubnormalPacked(2)) => Some(2),
            () => None,
        };
        let wraps = self.has(Fault::UnderflowExponentWraps);
        let at_zero = self.has(Fault::SubnormalExponentZero);
        if !(binades.is_some() || wraps || at_zero) || !self.is_subnormal(exact) {
            return None;
        }
        let format = self.output();
        let rounded = self.unbounded(exact, random);
        let field_of = |number: Number| Some(number.leading()? - format.exponent_min() + 1);
        let field = field_of(rounded)?;
        if field > 0 {
            return None;
        }
        let looked_at = if early { field_of(exact)? } else { field };
        if binades.is_some_and(|binades| looked_at <= -binades) {
            return Some(self.encode(Datum::Finite(Number::zero(exact.negative))));
        }
        let exponent = ((if at_zero { 0 } else { field }) as u64) << format.trailing_bits;
        // A field that is negative reaches the sign, unless it is cut to its own bits.
        let exponent = exponent & if wraps { format.exponent_mask() } else { format.mask() };
        let sign = if exact.negative { format.sign_mask() } else { 0 };
        Some(sign | exponent | format.trailing_mask() & self.significand_of(rounded))
    }

    /// Returns a rounded number's significand with as many bits as the format has, the leading one among them.
    fn significand_of(&self, rounded: Number) -> u64 {
        let up = rounded.significand.leading_zeros();
        // The leading bit moves to the top and then to its place.
        (rounded.significand << up >> (u128::BITS - self.output().precision())) as u64
    }
}
