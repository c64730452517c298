//! The stages with faults of reading elements, scales, and whatever else operands say.

use formats::{Class, Column, Format};
use isa::matrix::{DotData, DotOperand, Role, Sparsity};

use super::FaultyDot;
use crate::datum::Datum;
use crate::dot::DotFault;
use crate::dot::stages::{DotFacts, MatrixSide, Read};
use crate::dot::term::Term;
use crate::number::Number;

impl Read for FaultyDot {
    fn row(&self, data: &mut DotData, operands: &[DotOperand], columns: &[Column], row: usize) {
        self.plain.row(data, operands, columns, row);
        if !self.has(DotFault::Tf32Rounded) {
            return;
        }
        for (operand, column) in operands.iter().zip(columns) {
            let elements = match operand.role {
                Role::A => &mut data.a,
                Role::B => &mut data.b,
                _ => continue,
            };
            for (at, bits) in
                elements.iter_mut().enumerate().filter(|(_, bits)| !self.dot().a.is_nan(**bits))
            {
                // To nearest even by the 13 bits below the element: adds one less than half, and one more if it is odd.
                let register = operand.register(column.row_bytes_of(row), at);
                *bits = (register + 0xfff + (*bits & 1)) >> operand.below;
            }
        }
    }

    fn read(&self, format: &Format, bits: u64) -> Term {
        if self.has(DotFault::NanIgnored) && format.is_nan(bits & format.mask()) {
            let significand = u128::from((bits & format.trailing_mask()) + format.trailing_mask() + 1);
            let exponent = format.exponent_max() + 1;
            let lowest = exponent - format.trailing_bits as i32;
            let number = Number { negative: format.is_negative(bits), significand, exponent: lowest };
            return Term { datum: Datum::Finite(number), exponent: Some(exponent) };
        }
        self.plain.read(format, bits)
    }

    fn factor(&self, side: MatrixSide, bits: u64) -> Term {
        let format = match side {
            MatrixSide::A => self.dot().a,
            MatrixSide::B => self.dot().b,
        };
        let subnormal = format.class(bits) == Class::Subnormal;
        match (side, self.fault) {
            (_, DotFault::SubnormalOperandsFlushed) if subnormal => {
                Term::ZERO.negated_if(format.is_negative(bits))
            }
            (_, DotFault::SubnormalElementsHalved) if subnormal => self.read(format, bits).halved(),
            (MatrixSide::B, DotFault::SignOfBIgnored) => {
                self.read(format, bits & format.magnitude_mask())
            }
            _ => self.read(format, bits),
        }
    }

    fn place(&self, data: &DotData, k: usize) -> usize {
        // The number of elements that an index of metadata selects.
        let each = if self.dot().sparsity == Some(Sparsity::PairsOfEight) { 2 } else { 1 };
        match self.fault {
            DotFault::MetadataPairSwapped => self.plain.place(data, k ^ each),
            DotFault::MetadataIgnored => DotData::new(self.dot()).places[k],
            _ => self.plain.place(data, k),
        }
    }

    fn negates(&self, data: &DotData, side: MatrixSide) -> bool {
        !self.has(DotFault::NegationIgnored) && self.plain.negates(data, side)
    }

    fn accumulates(&self, data: &DotData) -> bool {
        match self.fault {
            DotFault::AccumulateIgnored => true,
            DotFault::AddendIgnored => false,
            _ => self.plain.accumulates(data),
        }
    }

    fn accumulator(&self, bits: u64) -> Datum {
        let format = self.dot().c;
        let subnormal = format.class(bits) == Class::Subnormal;
        let addend = match self.fault {
            DotFault::SubnormalAddendFlushed if subnormal => {
                self.read(format, bits & format.sign_mask())
            }
            DotFault::SubnormalAddendHalved if subnormal => self.read(format, bits).halved(),
            _ => self.read(format, bits),
        };
        addend.datum
    }

    fn scaling(&self, side: MatrixSide) -> MatrixSide {
        if self.has(DotFault::ScaleOfOtherSide) { MatrixSide::A } else { side }
    }

    fn block(&self, data: &DotData, k: usize) -> usize {
        let (block, count) = (self.plain.block(data, k), data.scales[0].len());
        match self.fault {
            DotFault::ScaleOfWrongBlock => (block + 1) % count,
            DotFault::ScaleBytesSwapped => count - 1 - block,
            DotFault::ScaleAppliedToTheSum => 0,
            _ => block,
        }
    }
}
