//! Bits to data.

use formats::{Class, Format};

use super::Subject;
use crate::datum::Datum;

pub trait Decode: Subject {
    /// An input, flushed and read.
    fn decoded(&self, index: usize, bits: u64) -> Datum {
        self.read(self.input(index), self.flushed(index, bits))
    }

    /// An input as the operation sees its bits: a subnormal number that is flushed is the zero of its
    /// sign.
    fn flushed(&self, index: usize, bits: u64) -> u64 {
        let format = self.input(index);
        match self.meaning().flush.inputs[index] && format.class(bits) == Class::Subnormal {
            true => bits & format.sign_mask(),
            false => bits,
        }
    }

    /// What bits stand for.
    fn read(&self, format: &Format, bits: u64) -> Datum {
        Datum::decode(format, bits)
    }

    /// The NaN that is the result where an operand is this one, or another.
    fn nan(&self, _bits: u64) -> u64 {
        self.output().canonical_nan()
    }
}
