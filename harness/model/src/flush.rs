//! The stages around an operation that decode and flush.

use vectors::Format;
use vectors::format::{Class, Scale};

use super::datum::Datum;
use super::number::Number;
use super::subject::{self, has_subnormals, top_exponent_is_finite};
use super::{Deviation, Model};

impl Model {
    /// An input as the operation sees its bits: flushed if that is asked.
    pub(super) fn flushed(&self, format: &Format, bits: u64) -> u64 {
        let subnormal = format.class(bits) == Class::Subnormal;
        if subnormal && (self.flushes_input(format) || self.loses_input(format)) {
            if self.deviates(Deviation::InputFlushLosesSign) { 0 } else { bits & format.sign_mask() }
        } else {
            bits
        }
    }

    /// An input, flushed and decoded.
    pub(super) fn decoded(&self, format: &Format, bits: u64) -> Datum {
        let bits = self.flushed(format, bits);
        let datum = Datum::decode(format, bits);
        let magnitude = bits & format.magnitude_mask();
        match datum {
            Datum::Nan(negative)
                if self.deviates(Deviation::NanIsInfinity) && format.infinity().is_some() =>
            {
                Datum::Infinity(negative)
            }
            Datum::Finite(number) if format.scale == Scale::Fixed => {
                Datum::Finite(self.integer_read(format, bits, number))
            }
            Datum::Finite(_)
                if self.deviates(Deviation::TopExponentIsNan)
                    && top_exponent_is_finite(format)
                    && magnitude >> format.trailing_bits
                        == format.exponent_mask() >> format.trailing_bits =>
            {
                Datum::Nan(datum.is_negative())
            }
            Datum::Finite(number)
                if self.deviates(Deviation::SubnormalMisscaled)
                    && has_subnormals(format)
                    && magnitude < format.min_normal() =>
            {
                Datum::Finite(number.scaled(-1))
            }
            _ => datum,
        }
    }

    /// An integer, as deviations read it.
    fn integer_read(&self, format: &Format, bits: u64, number: Number) -> Number {
        let top = 1 << (format.width() - 1);
        let opposite = match format.signed {
            true => bits == top && self.deviates(Deviation::LowestIsPositive),
            false => bits & top != 0 && self.deviates(Deviation::UnsignedIsSigned),
        };
        match opposite {
            true if format.signed => Number { negative: false, ..number },
            true => {
                let significand = (1u128 << format.width()) - u128::from(bits);
                Number { negative: true, significand, exponent: 0 }
            }
            false => number,
        }
    }

    fn flushes_input(&self, format: &Format) -> bool {
        subject::flushes_input(&self.variant, format) && !self.deviates(Deviation::InputNotFlushed)
    }

    /// Whether a deviation flushes an input that should stay.
    fn loses_input(&self, format: &Format) -> bool {
        let narrow = format.width() < self.output().width();
        self.deviates(Deviation::FlushedAnyway)
            || narrow && self.deviates(Deviation::NarrowSubnormalLost)
    }

    /// Whether an exact result becomes the zero of its sign before it is rounded.
    pub(super) fn flushes_result(&self, exact: Number) -> bool {
        let format = self.output();
        let limit = Number { significand: 1, exponent: format.exponent_min(), negative: false };
        let tiny = exact.leading().is_some_and(|leading| leading < format.exponent_min())
            || self.deviates(Deviation::MinNormalFlushed)
                && exact.significand != 0
                && !exact.exceeds(limit);
        tiny && if subject::result_flushed(&self.variant) {
            !self.deviates(Deviation::ResultNotFlushed)
        } else {
            self.deviates(Deviation::ResultFlushedAnyway) && has_subnormals(format)
        }
    }
}
