//! The stages around an operation that decode and flush.

use vectors::Format;
use vectors::format::{BF16, Class, F16, F32};
use vectors::isa::{Modifier, Operation};

use super::datum::Datum;
use super::number::Number;
use super::{Deviation, Model};

impl Model {
    /// An input as the operation sees its bits: flushed if that is asked.
    pub(super) fn flushed(&self, format: &Format, bits: u64) -> u64 {
        let subnormal = format.class(bits) == Class::Subnormal;
        if subnormal && (self.flushes_input(format) || self.loses_input(format)) {
            bits & format.sign_mask()
        } else {
            bits
        }
    }

    /// An input, flushed and decoded.
    pub(super) fn decoded(&self, format: &Format, bits: u64) -> Datum {
        Datum::decode(format, self.flushed(format, bits))
    }

    fn flushes_input(&self, format: &Format) -> bool {
        // Scaling down flushes every float that it takes, without `.ftz`.
        let scaling = self.has(Modifier::ScaledDown) && [F32, F16, BF16].contains(format);
        let ftz = self.has(Modifier::Ftz)
            && match self.variant.operation() {
                Operation::Cvt => *format == F32 && *self.output() != F16,
                _ => [F32, F16].contains(format),
            };
        (ftz || scaling) && !self.deviates(Deviation::InputNotFlushed)
    }

    /// Whether a deviation flushes an input that should stay.
    fn loses_input(&self, format: &Format) -> bool {
        let narrow = format.width() < self.output().width();
        self.deviates(Deviation::FlushedAnyway)
            || narrow && self.deviates(Deviation::NarrowSubnormalLost)
    }

    /// Whether an exact result becomes the zero of its sign before it is rounded.
    pub(super) fn flushes_result(&self, exact: Number) -> bool {
        let format = *self.output();
        let tiny = exact.leading().is_some_and(|leading| leading < format.exponent_min());
        let ftz = self.has(Modifier::Ftz)
            && match self.variant.operation() {
                Operation::Cvt => format == F32,
                _ => [F32, F16].contains(&format),
            };
        let quotient = matches!(self.variant.operation(), Operation::Div | Operation::Rcp);
        tiny && (ftz && !self.deviates(Deviation::ResultNotFlushed)
            || quotient && self.deviates(Deviation::QuotientFlushed))
    }
}
