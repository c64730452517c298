//! The sequences that targets make of an instruction, of units or of operations on single numbers.

use formats::{F16, F32, F64, Format};
use isa::Rounding;
use isa::matrix::{DotData, Lowering};

use super::{Add, Grid, Multiply};
use crate::datum::Datum;
use crate::dot::term::{Term, encode};
use crate::number::Number;

/// −0, to which anything may be added without a trace.
const NOTHING: Datum = Datum::Finite(Number::zero(true));

pub trait Lower: Multiply + Add {
    /// Computes the bits of a sum of products.
    fn computed(&self, data: &DotData) -> u64 {
        let terms = self.ordered(self.terms(data));
        let addend = self.divided(self.addend(data), data.controls.addend_scale);
        encode(self.dot().d, self.lowered(&terms, addend))
    }

    /// Divides an addend by 2 to the power of `by`, as operands ask: in its own format, rounded to nearest where it
    /// becomes subnormal.
    fn divided(&self, addend: Datum, by: u8) -> Datum {
        match addend {
            Datum::Finite(number) if by > 0 => {
                self.nearest(Datum::Finite(number.scaled(-i32::from(by))), self.dot().c)
            }
            _ => addend,
        }
    }

    /// Returns the terms in the order in which they are added.
    fn ordered(&self, terms: Vec<Term>) -> Vec<Term> {
        terms
    }

    /// Computes the sum of the terms and the addend, in the format of the result.
    fn lowered(&self, terms: &[Term], addend: Datum) -> Datum {
        self.sequence(terms, addend)
    }

    /// Computes the sum of the terms and the addend by the sequence that the target has for the instruction.
    fn sequence(&self, terms: &[Term], addend: Datum) -> Datum {
        match self.lowering() {
            Lowering::Unit(unit) | Lowering::Scaled(unit) | Lowering::ScaledGroups(unit) => {
                self.chained(&unit, terms, addend)
            }
            Lowering::Narrowed(unit) => self.nearest(self.chained(&unit, terms, addend), &F16),
            Lowering::ThroughHalf(unit) => {
                let half = |second: bool| -> Vec<Term> {
                    let chosen = terms.iter().enumerate().filter(|(k, _)| (k % 4 >= 2) == second);
                    chosen.map(|(_, &term)| term).collect()
                };
                let first = self.chained(&unit, &half(false), Datum::ZERO);
                let both = self.chained(&unit, &half(true), first);
                self.nearest(both.plus(addend, false), self.dot().d)
            }
            Lowering::SingleSoftware => {
                let sum = self.fused(terms, NOTHING, &F32, Rounding::NearestEven);
                self.nearest(sum.plus(addend, false), &F32)
            }
            Lowering::HalfSoftware => {
                let [low, high] = [&terms[..2], &terms[2..]]
                    .map(|pair| self.fused(pair, NOTHING, &F32, Rounding::NearestEven));
                let first = self.nearest(addend.plus(low, false), &F32);
                self.nearest(self.nearest(first.plus(high, false), &F32), &F16)
            }
            Lowering::Fused => {
                self.fused(terms, addend, &F64, self.dot().rounding.unwrap_or(Rounding::NearestEven))
            }
        }
    }

    /// Adds each term to the sum before, starting with `first`, and rounds every sum to `format`.
    fn fused(&self, terms: &[Term], first: Datum, format: &'static Format, rounding: Rounding) -> Datum {
        let grid = Grid::ieee(format, rounding);
        let add = |sum: Datum, term: &Term| self.rounded(self.joined(term.datum, sum, grid), grid);
        terms.iter().fold(first, add)
    }

    /// Adds a product to the sum before, exactly, of which a fused operation makes a number of a grid.
    fn joined(&self, product: Datum, sum: Datum, grid: Grid) -> Datum {
        product.plus(sum, grid.rounding == Rounding::Down)
    }

    /// Rounds a datum to a format, to nearest even.
    fn nearest(&self, exact: Datum, format: &'static Format) -> Datum {
        self.rounded(exact, Grid::ieee(format, Rounding::NearestEven))
    }

    /// Returns the bits that are stored in a row of the result.
    fn stored(&self, bits: u64, _row: usize) -> u64 {
        bits
    }
}
