//! Conversions between floating-point formats.

use super::Instruction;
use crate::arithmetic::{Exact, denormalise, finish, fixed, integral, round, round_with, scale, unpack};
use crate::layout::Layout;
use crate::rules::Rules;
use crate::word::Word;

/// `cvt` from one floating-point format to another, and casts that PTX does not have
/// (PTX ISA 9.7.10.24).
#[derive(Clone, Copy, Debug)]
pub struct Convert {
    /// The format of the operand.
    pub source: Layout,
    /// The format of the result.
    pub result: Layout,
    /// The modifiers.
    pub rules: Rules,
}

impl Convert {
    #[inline(always)]
    fn exact<W: Word>(&self, bits: W) -> Exact<W> {
        fixed(self.source, self.result, unpack(self.source, self.rules.flush_operands, bits))
    }
}

impl Instruction<1> for Convert {
    #[inline(always)]
    fn compute<W: Word>(&self, [a]: [W; 1]) -> W {
        finish(self.rules, round(self.result, self.rules, denormalise(self.exact(a))))
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
        finish(rules, round(result, rules, denormalise(exact)))
    }
}

/// A datum of ue8m0 that scales another: the power of two, and the mask of NaN.
#[inline(always)]
pub fn power<W: Word>(scale: W, divide: bool) -> (W, W) {
    let down = W::mask(divide);
    let power = ((scale - 127) ^ down) - down;
    (power, scale.equals(0xff))
}

/// `cvt.scaled::n1` and `cvt.scaled::n2`: times or divided by a power of two of the format ue8m0
/// (PTX ISA 9.7.10.24).
#[derive(Clone, Copy, Debug)]
pub struct Scaled {
    /// The conversion.
    pub convert: Convert,
    /// Whether the number is divided.
    pub divide: bool,
}

impl Instruction<2> for Scaled {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, by]: [W; 2]) -> W {
        let Convert { result, rules, .. } = self.convert;
        let (power, nan) = power(by, self.divide);
        let exact = self.convert.exact(a);
        let exact = scale(Exact { nan: exact.nan | nan, ..exact }, power);
        finish(rules, round(result, rules, denormalise(exact)))
    }
}

/// `cvt.rs`: the second input is the lane's random bits (PTX ISA 9.7.10.24).
#[derive(Clone, Copy, Debug)]
pub struct Stochastic {
    /// The conversion.
    pub convert: Convert,
    /// Number of random bits.
    pub random_bits: u32,
}

impl Instruction<2> for Stochastic {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, random]: [W; 2]) -> W {
        let Convert { result, rules, .. } = self.convert;
        let exact = denormalise(self.convert.exact(a));
        finish(rules, round_with(result, rules, exact, random, self.random_bits))
    }
}
