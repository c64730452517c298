//! Conversions to integers and other fixed-point numbers, and back.

use formats::Format;

use super::conversion::{Power, Scalable};
use crate::arithmetic::{Exact, denormalise, finish, from_integer, round, scale, to_integer, unpack};
use crate::fields::FloatFields;
use crate::rules::{OfRounding, Rules};
use crate::word::Word;

/// A fixed-point format as kernels see it.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    /// The width in bits.
    pub width: u32,
    /// Whether the format is two's complement.
    pub signed: bool,
    /// The number of bits behind the point.
    pub fraction: u32,
}

impl Fixed {
    /// Returns a fixed-point format as kernels see it.
    pub const fn new(format: &Format) -> Fixed {
        assert!(format.is_fixed(), "floating-point numbers have an exponent");
        Fixed { width: format.width(), signed: format.signed, fraction: format.bias as u32 }
    }
}

/// `cvt` from a floating-point format to a fixed-point one (PTX ISA 9.7.10.24).
#[derive(Clone, Copy, Debug)]
pub struct ToInteger {
    /// The format of the operand.
    pub source: FloatFields,
    /// The format of the result.
    pub result: Fixed,
    /// The rules of rounding, and of flushing subnormal operands.
    pub rules: Rules,
    /// The largest result.
    pub largest: u64,
    /// The magnitude of the lowest result.
    pub lowest: u64,
    /// The encoding that stands for NaN.
    pub nan: u64,
}

impl Scalable for ToInteger {
    #[inline(always)]
    fn convert<W: Word>(&self, bits: W, by: Option<Power<W>>) -> W {
        let a = unpack(self.source, self.rules.flush_operands, bits);
        let significand = a.significand << (W::BITS - 3 - self.source.trailing);
        let mut exponent = a.exponent + self.result.fraction - self.source.bias;
        let mut nan = a.nan;
        if let Some(power) = by {
            exponent = exponent + power.exponent;
            nan = nan | power.nan;
        }
        // Far enough above the unit for `to_integer` to take the largest integer.
        let exponent = a.infinite.select(W::BITS, exponent);
        let largest = a.negative.select(W::of(self.lowest), W::of(self.largest));
        let magnitude = to_integer(self.rules, a.negative, significand, exponent, largest);
        let integer = (magnitude ^ a.negative) - a.negative;
        nan.select(W::of(self.nan), integer) & (W::mask(true) >> (W::BITS - self.result.width))
    }
}

/// `cvt` from a fixed-point format to a floating-point one (PTX ISA 9.7.10.24).
#[derive(Clone, Copy, Debug)]
pub struct FromInteger {
    /// The format of the operand.
    pub source: Fixed,
    /// The format of the result.
    pub result: FloatFields,
    /// The modifiers.
    pub rules: Rules,
}

impl Scalable for FromInteger {
    #[inline(always)]
    fn convert<W: Word>(&self, bits: W, by: Option<Power<W>>) -> W {
        let places = W::BITS - self.source.width;
        // The sign is extended in any case, and counts only where the format has one.
        let extended = (bits << places).shr_signed(W::from(places));
        let negative = extended.negative() & W::mask(self.source.signed);
        let magnitude = negative.select(extended.abs(), bits);
        let mut exact = from_integer(self.result, negative, magnitude, self.source.fraction);
        if let Some(Power { exponent, nan }) = by {
            exact = scale(Exact { nan, ..exact }, exponent);
        }
        finish(self.rules, round(self.result, OfRounding(self.rules), denormalise(exact)))
    }
}
