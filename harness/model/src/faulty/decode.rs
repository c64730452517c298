//! Faults of decoding.

use vectors::Format;
use vectors::format::Scale;

use super::Faulty;
use crate::Fault;
use crate::datum::Datum;
use crate::fault::top_exponent_is_finite;
use crate::number::Number;
use crate::stages::{Decode, Subject};

impl Decode for Faulty<'_> {
    fn flushed(&self, index: usize, bits: u64) -> u64 {
        let flushed = self.plain.flushed(index, bits);
        if flushed != bits && self.has(Fault::InputFlushLosesSign) { 0 } else { flushed }
    }

    fn read(&self, format: &Format, bits: u64) -> Datum {
        let magnitude = bits & format.magnitude_mask();
        let top = || magnitude >> format.trailing_bits == format.exponent_mask() >> format.trailing_bits;
        let subnormal = || format.has_subnormals() && magnitude < format.min_normal();
        match Datum::decode(format, bits) {
            Datum::Nan(negative) if self.has(Fault::NanIsInfinity) && format.infinity().is_some() => {
                Datum::Infinity(negative)
            }
            Datum::Finite(number) if format.scale == Scale::Fixed => {
                Datum::Finite(self.integer_read(format, bits, number))
            }
            Datum::Finite(number)
                if self.has(Fault::TopExponentIsNan) && top_exponent_is_finite(format) && top() =>
            {
                Datum::Nan(number.negative)
            }
            Datum::Finite(number) if self.has(Fault::SubnormalMisscaled) && subnormal() => {
                Datum::Finite(number.scaled(-1))
            }
            datum => datum,
        }
    }

    fn nan(&self, bits: u64) -> u64 {
        match self.has(Fault::NanKeepsPayload) {
            true => bits | self.output().quiet_bit(),
            false => self.plain.nan(bits),
        }
    }
}

impl Faulty<'_> {
    fn integer_read(&self, format: &Format, bits: u64, number: Number) -> Number {
        let top = 1 << (format.width() - 1);
        match format.signed {
            true if bits == top && self.has(Fault::LowestIsPositive) => {
                Number { negative: false, ..number }
            }
            false if bits & top != 0 && self.has(Fault::UnsignedIsSigned) => {
                let significand = (1u128 << format.width()) - u128::from(bits);
                Number { negative: true, significand, exponent: 0 }
            }
            _ => number,
        }
    }
}
