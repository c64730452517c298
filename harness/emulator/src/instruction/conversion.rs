//! Conversions between floating-point formats.

use isa::Scaling;

use super::Instruction;
use crate::arithmetic::{Exact, denormalise, finish, fixed, integral, round, round_with, scale, unpack};
use crate::fields::FloatFields;
use crate::rules::{OfRounding, Rules};
use crate::word::Word;

/// `cvt` from one floating-point format to another, and casts that PTX does not have
/// (PTX ISA 9.7.10.24).
#[derive(Clone, Copy, Debug)]
pub struct Convert {
    /// The format of the operand.
    pub source: FloatFields,
    /// The format of the result.
    pub result: FloatFields,
    /// The modifiers.
    pub rules: Rules,
}

impl Convert {
    #[inline(always)]
    fn exact<W: Word>(&self, bits: W) -> Exact<W> {
        fixed(self.source, self.result, unpack(self.source, self.rules.flush_operands, bits))
    }
}

impl Scalable for Convert {
    #[inline(always)]
    fn convert<W: Word>(&self, bits: W, by: Option<Power<W>>) -> W {
        let mut exact = self.exact(bits);
        if let Some(Power { exponent, nan }) = by {
            exact = scale(Exact { nan: exact.nan | nan, ..exact }, exponent);
        }
        finish(self.rules, round(self.result, OfRounding(self.rules), denormalise(exact)))
    }
}

/// `cvt` with `.rni` and its like to a floating-point format: the number is rounded to an integer
/// first, which must be one of the format's (PTX ISA 9.7.10.24).
#[derive(Clone, Copy, Debug)]
pub struct ToIntegral(pub Convert);

impl Instruction<1> for ToIntegral {
    #[inline(always)]
    fn compute<W: Word>(&self, [a]: [W; 1]) -> W {
        let Convert { result, rules, .. } = self.0;
        let exact = integral(result, rules, self.0.exact(a));
        finish(rules, round(result, OfRounding(rules), denormalise(exact)))
    }
}

/// A power of two that a number is multiplied by.
#[derive(Clone, Copy)]
pub struct Power<W> {
    /// The exponent of the power of two, a signed word.
    pub exponent: W,
    /// The mask of NaN, whatever the exponent says.
    pub nan: W,
}

/// A conversion that may have a scale.
pub trait Scalable: Copy + Send + Sync + 'static {
    /// Converts a number, times a power of two if one is given.
    fn convert<W: Word>(&self, bits: W, by: Option<Power<W>>) -> W;
}

impl<C: Scalable> Instruction<1> for C {
    #[inline(always)]
    fn compute<W: Word>(&self, [a]: [W; 1]) -> W {
        self.convert(a, None)
    }
}

/// `cvt.scaled::n1` and `cvt.scaled::n2`: a conversion of a number times or divided by a power of two of the format
/// ue8m0 (PTX ISA 9.7.10.24).
#[derive(Clone, Copy, Debug)]
pub struct Scaled<C> {
    /// The conversion that is scaled.
    pub conversion: C,
    /// The direction of the scale: whether the number is multiplied or divided by it.
    pub scaling: Scaling,
}

impl<C: Scalable> Instruction<2> for Scaled<C> {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, by]: [W; 2]) -> W {
        let down = W::mask(self.scaling == Scaling::Divide);
        // ue8m0 is an exponent alone: 127 stands for 2^0, and 0xff for NaN.
        let exponent = ((by - 127) ^ down) - down;
        self.conversion.convert(a, Some(Power { exponent, nan: by.equals(0xff) }))
    }
}

/// `cvt.rs`: the second input is the lane's random bits (PTX ISA 9.7.10.24).
#[derive(Clone, Copy, Debug)]
pub struct Stochastic {
    /// The conversion that rounds by the random bits.
    pub convert: Convert,
    /// The number of random bits.
    pub random_bits: u32,
}

impl Instruction<2> for Stochastic {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, random]: [W; 2]) -> W {
        let Convert { result, rules, .. } = self.convert;
        let exact = denormalise(self.convert.exact(a));
        finish(rules, round_with(result, OfRounding(rules), exact, random, self.random_bits))
    }
}
