//! The addition of groups of terms and an addend by a unit.

use isa::matrix::{Lowering, SCALED_GROUP, Unit};

use super::{Grid, Round};
use crate::datum::Datum;
use crate::dot::term::{Term, encode};
use crate::number::Number;

pub trait Add: Round {
    /// Adds terms to an addend by a unit, group after group.
    fn chained(&self, unit: &Unit, terms: &[Term], addend: Datum) -> Datum {
        self.grouped(unit, terms, addend)
    }

    /// Cuts terms into groups, and adds each group to the result before.
    fn grouped(&self, unit: &Unit, terms: &[Term], addend: Datum) -> Datum {
        let groups = terms.chunks(self.group(unit));
        groups.fold(addend, |sum, group| self.added(unit, group, sum))
    }

    /// Returns how many terms make a group.
    fn group(&self, unit: &Unit) -> usize {
        let products = match self.lowering() {
            Lowering::ScaledGroups(_) => SCALED_GROUP,
            _ => 1,
        };
        unit.group as usize / products
    }

    /// Adds one group of terms and an addend, and rounds the sum to what the unit's accumulator holds.
    fn added(&self, unit: &Unit, terms: &[Term], addend: Datum) -> Datum {
        let grid = self.grid(unit);
        let all = self.arranged([terms, &[self.carried(grid, addend)]].concat());
        self.rounded(self.sum(unit, &all), grid)
    }

    /// Returns a result, or an addend of a narrower format, as the accumulator holds it.
    fn carried(&self, grid: Grid, sum: Datum) -> Term {
        Term::decode(grid.format, encode(grid.format, sum))
    }

    /// Returns the terms of a group in the order in which a unit takes them.
    fn arranged(&self, terms: Vec<Term>) -> Vec<Term> {
        terms
    }

    /// Returns the sum of what alignment leaves of the terms. Where some terms are infinite or NaN, it is the sum of
    /// those.
    fn sum(&self, unit: &Unit, terms: &[Term]) -> Datum {
        let special = |term: &Term| !matches!(term.datum, Datum::Finite(_));
        let specials = terms.iter().filter(|term| special(term)).map(|term| term.datum);
        if let Some(sum) = specials.reduce(|a, b| a.plus(b, false)) {
            return sum;
        }
        let last = self.largest(unit, terms) - unit.fraction_bits as i32;
        let cut = |term: &Term| match term.datum {
            Datum::Finite(number) => self.cut(number, last),
            _ => unreachable!("there are numbers alone"),
        };
        let sum: i128 = terms.iter().map(cut).sum();
        let negative = if sum == 0 { self.zero_sum_is_negative(terms) } else { sum < 0 };
        Datum::Finite(Number { negative, significand: sum.unsigned_abs(), exponent: last })
    }

    /// Whether a sum of zero is negative. A sum that only rounding makes zero keeps its own sign.
    fn zero_sum_is_negative(&self, _terms: &[Term]) -> bool {
        false
    }

    /// Returns the exponent that all terms are aligned to: the largest of theirs and of the unit's for zero.
    fn largest(&self, unit: &Unit, terms: &[Term]) -> i32 {
        let exponents = terms.iter().filter_map(|term| term.exponent);
        exponents.fold(unit.zero_exponent, i32::max)
    }

    /// Returns a number in units of 2 to the power of `last`, cut off toward zero.
    fn cut(&self, number: Number, last: i32) -> i128 {
        let units = number.round(u128::BITS, last, |_| false);
        let up = units.exponent.saturating_sub(last).max(0) as u32;
        // A zero may have any exponent, and be too far above for a shift.
        let magnitude = (units.significand << if units.significand == 0 { 0 } else { up }) as i128;
        if number.negative { -magnitude } else { magnitude }
    }
}
