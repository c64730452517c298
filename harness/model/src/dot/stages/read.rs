//! Bits to terms.

use formats::{Column, F16, Format};
use isa::matrix::{DotData, DotOperand, Lowering};

use super::Subject;
use crate::datum::Datum;
use crate::dot::term::{Term, encode};

/// Of which matrix something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    A,
    B,
}

pub trait Read: Subject {
    /// A row of the operands' columns.
    fn row(&self, data: &mut DotData, operands: &[DotOperand], columns: &[Column], row: usize) {
        data.read(self.dot(), operands, columns, row);
    }

    /// What bits stand for.
    fn read(&self, format: &Format, bits: u64) -> Term {
        Term::decode(format, bits)
    }

    /// What an element stands for.
    fn factor(&self, side: Side, bits: u64) -> Term {
        let format = match side {
            Side::A => self.dot().a,
            Side::B => self.dot().b,
        };
        self.read(format, bits)
    }

    /// A factor of term `k`.
    fn element(&self, data: &DotData, side: Side, k: usize) -> Term {
        let bits = match side {
            Side::A => data.a[k],
            Side::B => data.b[self.place(data, k)],
        };
        let element = match (self.lowering(), self.factor(side, bits)) {
            // As a number of f16, which a subnormal number of 8 bits may be a normal one of.
            (Lowering::ThroughHalf(_), Term { datum, .. }) => Term::decode(&F16, encode(&F16, datum)),
            (_, factor) => factor,
        };
        element.negated_if(self.negates(data, side))
    }

    /// Which of B's elements belongs to A's number `k`.
    fn place(&self, data: &DotData, k: usize) -> usize {
        data.places[k]
    }

    /// Whether the elements of a matrix change their signs.
    fn negates(&self, data: &DotData, side: Side) -> bool {
        match side {
            Side::A => data.controls.negate_a,
            Side::B => data.controls.negate_b,
        }
    }

    /// Whether the addend is added …
    fn accumulates(&self, data: &DotData) -> bool {
        data.controls.accumulate
    }

    /// … which is zero otherwise.
    fn addend(&self, data: &DotData) -> Datum {
        match self.accumulates(data) {
            true => self.accumulator(data.c),
            false => Datum::ZERO,
        }
    }

    /// What an addend stands for.
    fn accumulator(&self, bits: u64) -> Datum {
        self.read(self.dot().c, bits).datum
    }

    /// The scale of a block.
    fn scale(&self, data: &DotData, side: Side, block: usize) -> Term {
        let format = self.dot().scales.expect("a sum with scales").format;
        self.read(format, data.scales[self.scaling(side) as usize][block])
    }

    /// Whose scales a matrix has.
    fn scaling(&self, side: Side) -> Side {
        side
    }

    /// In which block term `k` is.
    fn block(&self, data: &DotData, k: usize) -> usize {
        k * data.scales[0].len() / data.a.len()
    }
}
