//! The stages with faults of alignment, and of which terms are added when.

use isa::matrix::Unit;

use super::FaultyDot;
use crate::datum::Datum;
use crate::dot::DotFault;
use crate::dot::stages::{Add, Grid, Round};
use crate::dot::term::Term;
use crate::number::Number;

impl Add for FaultyDot {
    fn chained(&self, unit: &Unit, terms: &[Term], addend: Datum) -> Datum {
        match (self.fault, terms) {
            (DotFault::AddendFirst, [first, others @ ..]) => {
                // A zero takes the place of the first term, so that the groups stay as they are.
                let begun = self.added(unit, &[*first], addend);
                self.grouped(unit, &[&[Term::ZERO], others].concat(), begun)
            }
            (DotFault::AddendLast, _) => {
                let sum = self.grouped(unit, terms, Datum::ZERO);
                self.added(unit, &[self.carried(self.grid(unit), sum)], addend)
            }
            _ => self.grouped(unit, terms, addend),
        }
    }

    fn carried(&self, grid: Grid, sum: Datum) -> Term {
        match sum {
            // A NaN that is read as a number stays one, though no accumulator holds it.
            Datum::Finite(number) if number.leading() > Some(grid.format.exponent_max()) => {
                Term { datum: sum, exponent: number.leading() }
            }
            _ => self.plain.carried(grid, sum),
        }
    }

    fn arranged(&self, mut terms: Vec<Term>) -> Vec<Term> {
        if self.has(DotFault::TermsPermutedWithinGroup) {
            terms.reverse();
        }
        terms
    }

    fn zero_sum_is_negative(&self, terms: &[Term]) -> bool {
        let negative = |term: &Term| term.datum.is_zero() && term.datum.is_negative();
        self.has(DotFault::NegativeZeroSum) && terms.iter().all(negative)
    }

    fn cut(&self, number: Number, last: i32) -> i128 {
        let whole = self.plain.cut(number, last);
        let away = number.round(u128::BITS, last, |cut| !cut.is_exact());
        let inexact = number.exponent < last && away.significand != whole.unsigned_abs();
        match self.fault {
            DotFault::FloorInsteadOfTruncation if number.negative && inexact => whole - 1,
            DotFault::StickyBit if inexact => (whole.abs() | 1) * if number.negative { -1 } else { 1 },
            _ => whole,
        }
    }
}
