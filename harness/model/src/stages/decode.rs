//! The decoding of a lane's inputs: from bits to data, flushed where the variant asks for it.

use formats::{Class, Format};

use super::VariantFacts;
use crate::datum::Datum;

pub trait Decode: VariantFacts {
    /// Decodes an input, after flushing it.
    fn decoded(&self, index: usize, bits: u64) -> Datum {
        self.read(self.input(index), self.flushed(index, bits))
    }

    /// Returns the bits of an input as the operation sees them: a subnormal number that is flushed becomes the zero of
    /// its sign.
    fn flushed(&self, index: usize, bits: u64) -> u64 {
        let format = self.input(index);
        match self.meaning().flush.inputs[index] && format.class(bits) == Class::Subnormal {
            true => bits & format.sign_mask(),
            false => bits,
        }
    }

    /// Returns the datum that bits of a format stand for.
    fn read(&self, format: &Format, bits: u64) -> Datum {
        Datum::decode(format, bits)
    }

    /// Returns the NaN that is the result where an operand is this NaN, or another one.
    fn nan(&self, _bits: u64) -> u64 {
        self.output().canonical_nan()
    }
}
