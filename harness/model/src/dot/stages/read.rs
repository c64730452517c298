//! The reading of operands: from bits to terms.

use formats::{Column, F16, Format};
use isa::matrix::{DotData, DotOperand, Lowering};

use super::DotFacts;
use crate::datum::Datum;
use crate::dot::term::{Term, encode};

/// The matrix that an element or a scale belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixSide {
    A,
    B,
}

pub trait Read: DotFacts {
    /// Reads a row of the operands' columns into `data`.
    fn row(&self, data: &mut DotData, operands: &[DotOperand], columns: &[Column], row: usize) {
        data.read(self.dot(), operands, columns, row);
    }

    /// Returns the term that bits of a format stand for.
    fn read(&self, format: &Format, bits: u64) -> Term {
        Term::decode(format, bits)
    }

    /// Returns the factor that an element of a matrix stands for, before any negation.
    fn factor(&self, side: MatrixSide, bits: u64) -> Term {
        let format = match side {
            MatrixSide::A => self.dot().a,
            MatrixSide::B => self.dot().b,
        };
        self.read(format, bits)
    }

    /// Returns a factor of term `k`.
    fn element(&self, data: &DotData, side: MatrixSide, k: usize) -> Term {
        let bits = match side {
            MatrixSide::A => data.a[k],
            MatrixSide::B => data.b[self.place(data, k)],
        };
        let element = match (self.lowering(), self.factor(side, bits)) {
            // Elements become numbers of f16, among which a subnormal number of 8 bits may be a normal one.
            (Lowering::ThroughHalf(_), Term { datum, .. }) => Term::decode(&F16, encode(&F16, datum)),
            (_, factor) => factor,
        };
        element.negated_if(self.negates(data, side))
    }

    /// Returns which of B's elements belongs to A's element `k`.
    fn place(&self, data: &DotData, k: usize) -> usize {
        data.places[k]
    }

    /// Whether the elements of a matrix change their signs.
    fn negates(&self, data: &DotData, side: MatrixSide) -> bool {
        match side {
            MatrixSide::A => data.controls.negate_a,
            MatrixSide::B => data.controls.negate_b,
        }
    }

    /// Whether the addend is added.
    fn accumulates(&self, data: &DotData) -> bool {
        data.controls.accumulate
    }

    /// Returns the addend, which is zero where operands say that none is added.
    fn addend(&self, data: &DotData) -> Datum {
        match self.accumulates(data) {
            true => self.accumulator(data.c),
            false => Datum::ZERO,
        }
    }

    /// Returns the datum that the bits of an addend stand for.
    fn accumulator(&self, bits: u64) -> Datum {
        self.read(self.dot().c, bits).datum
    }

    /// Returns the scale of a block of a matrix.
    fn scale(&self, data: &DotData, side: MatrixSide, block: usize) -> Term {
        let format = self.dot().scales.expect("a sum with scales").format;
        self.read(format, data.scales[self.scaling(side) as usize][block])
    }

    /// Returns the matrix whose scales the elements of `side` have.
    fn scaling(&self, side: MatrixSide) -> MatrixSide {
        side
    }

    /// Returns the block that term `k` is in.
    fn block(&self, data: &DotData, k: usize) -> usize {
        k * data.scales[0].len() / data.a.len()
    }
}
