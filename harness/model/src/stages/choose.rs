//! Operations that look at bits and move them: signs, classes and a choice.

use isa::{ClassMask, NanRule, Op};

use super::Decode;
use crate::datum::Datum;

pub trait Choose: Decode {
    /// Computes `abs` or `neg` of an input that has been flushed.
    fn signed(&self, bits: u64) -> u64 {
        let format = self.output();
        match self.meaning().op {
            _ if format.is_nan(bits) => self.signed_nan(bits),
            Op::Abs => bits & format.magnitude_mask(),
            _ => bits ^ format.sign_mask(),
        }
    }

    /// Returns what `abs` or `neg` makes of a NaN: another NaN, or this one, with its sign changed or not.
    fn signed_nan(&self, bits: u64) -> u64 {
        match self.meaning().nan {
            NanRule::Unchanged => bits,
            NanRule::Operand => bits ^ self.output().sign_mask(),
            _ => self.nan(bits),
        }
    }

    /// Returns the magnitude of one datum with the sign of another.
    fn copysign(&self, sign: u64, magnitude: u64) -> u64 {
        let format = self.output();
        magnitude & format.magnitude_mask() | sign & format.sign_mask()
    }

    /// Whether the datum of the first input is of one of these classes.
    fn is_of(&self, classes: ClassMask, bits: u64) -> bool {
        classes.contains(self.input(0).class(bits))
    }

    /// Returns the first input or the second, as the third selects.
    fn select(&self, inputs: &[u64]) -> u64 {
        let first = self.selects_first(self.decoded(2, inputs[2]));
        if first { inputs[0] } else { inputs[1] }
    }

    /// Whether a selector is at least 0, as −0 is and NaN is not, so that the first input is selected.
    fn selects_first(&self, selector: Datum) -> bool {
        match selector {
            Datum::Nan(_) => false,
            _ => selector.is_zero() || !selector.is_negative(),
        }
    }
}
