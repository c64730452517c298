//! What a unit does with a group of terms and an addend.

use isa::matrix::{Lowering, SCALED_GROUP, Unit};

use super::{Grid, Round};
use crate::datum::Datum;
use crate::dot::term::{Term, encode};
use crate::number::Number;

pub trait Add: Round {
    /// Terms and an addend.
    fn chained(&self, unit: &Unit, terms: &[Term], addend: Datum) -> Datum {
        self.grouped(unit, terms, addend)
    }

    /// Groups of terms, each added to the result before.
    fn grouped(&self, unit: &Unit, terms: &[Term], addend: Datum) -> Datum {
        let groups = terms.chunks(self.group(unit));
        groups.fold(addend, |sum, group| self.added(unit, group, sum))
    }

    /// How many of the terms are a group.
    fn group(&self, unit: &Unit) -> usize {
        let products = match self.lowering() {
            Lowering::ScaledGroups(_) => SCALED_GROUP,
            _ => 1,
        };
        unit.group as usize / products
    }

    /// One group and an addend, as the unit's accumulator holds the sum.
    fn added(&self, unit: &Unit, terms: &[Term], addend: Datum) -> Datum {
        let grid = self.grid(unit);
        let all = self.arranged([terms, &[self.carried(grid, addend)]].concat());
        self.rounded(self.sum(unit, &all), grid)
    }

    /// A result, or an addend of a narrower format, as the accumulator holds it.
    fn carried(&self, grid: Grid, sum: Datum) -> Term {
        Term::decode(grid.format, encode(grid.format, sum))
    }

    /// The terms of a group in the order in which a unit takes them.
    fn arranged(&self, terms: Vec<Term>) -> Vec<Term> {
        terms
    }

    /// The sum of what is left of terms after alignment. Where some are not numbers, it is theirs.
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

    /// The sign of a sum of zero; one that only rounding makes zero keeps its own.
    fn zero_sum_is_negative(&self, _terms: &[Term]) -> bool {
        false
    }

    /// The exponent that all are aligned to.
    fn largest(&self, unit: &Unit, terms: &[Term]) -> i32 {
        let exponents = terms.iter().filter_map(|term| term.exponent);
        exponents.fold(unit.zero_exponent, i32::max)
    }

    /// How often a number has 2 to this power, cut off toward zero.
    fn cut(&self, number: Number, last: i32) -> i128 {
        let units = number.round(u128::BITS, last, |_| false);
        let up = units.exponent.saturating_sub(last).max(0) as u32;
        let magnitude = (units.significand << if units.significand == 0 { 0 } else { up }) as i128;
        if number.negative { -magnitude } else { magnitude }
    }
}
