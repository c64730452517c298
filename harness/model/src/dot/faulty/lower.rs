//! The stages with faults of whole sequences, and of what is stored.

use formats::{Class, F32};
use isa::Rounding;

use super::FaultyDot;
use crate::datum::Datum;
use crate::dot::DotFault;
use crate::dot::stages::{DotFacts, Grid, Lower, Round};
use crate::dot::term::Term;
use crate::dot::wide::Wide;
use crate::number::Number;

impl Lower for FaultyDot {
    fn ordered(&self, mut terms: Vec<Term>) -> Vec<Term> {
        if self.has(DotFault::TermsReversed) {
            terms.reverse();
        }
        terms
    }

    fn divided(&self, addend: Datum, by: u8) -> Datum {
        self.plain.divided(addend, if self.has(DotFault::AddendScaleIgnored) { 0 } else { by })
    }

    fn lowered(&self, terms: &[Term], addend: Datum) -> Datum {
        match self.fault {
            DotFault::AlwaysZero => Datum::ZERO,
            DotFault::FusedChain => {
                self.nearest(self.fused(terms, addend, &F32, Rounding::NearestEven), self.dot().d)
            }
            DotFault::WideSumRoundedOnce => {
                self.exact(terms, addend).unwrap_or_else(|| self.sequence(terms, addend))
            }
            _ => self.sequence(terms, addend),
        }
    }

    fn joined(&self, product: Datum, sum: Datum, grid: Grid) -> Datum {
        let exact = match self.plain.joined(product, sum, grid) {
            Datum::Finite(exact) => exact,
            special => return special,
        };
        Datum::Finite(match (self.fault, self.fault.lost_place()) {
            (DotFault::StickyLost106, _) => exact.round(107, i32::MIN, |_| false),
            (_, Some(place)) if !product.is_zero() && !sum.is_zero() => without_bit(exact, grid, place),
            _ => exact,
        })
    }

    fn stored(&self, bits: u64, row: usize) -> u64 {
        let number = matches!(self.dot().d.class(bits), Class::Normal | Class::Subnormal);
        let wrong = self.has(DotFault::RowOffByOne) && row % 8 == 7 && number;
        bits ^ u64::from(wrong)
    }
}

/// Returns a number without its bit so many places below the last place that a grid keeps of it.
fn without_bit(exact: Number, grid: Grid, place: i32) -> Number {
    let Some(leading) = exact.leading() else { return exact };
    let last = grid.unit().max(leading - grid.precision as i32 + 1);
    let at = u32::try_from(last - place - exact.exponent).ok();
    let bit = at.and_then(|at| 1u128.checked_shl(at)).unwrap_or(0);
    Number { significand: exact.significand & !bit, ..exact }
}

impl FaultyDot {
    /// Returns the exact sum, rounded once; `None` where a term or the addend is infinite or NaN, or all are zero.
    fn exact(&self, terms: &[Term], addend: Datum) -> Option<Datum> {
        let mut sum = Wide::ZERO;
        let mut nonzero = false;
        for datum in terms.iter().map(|term| term.datum).chain([addend]) {
            let Datum::Finite(number) = datum else { return None };
            nonzero |= number.significand != 0;
            sum.add(number);
        }
        let rounding = self.dot().rounding.unwrap_or(Rounding::NearestEven);
        nonzero.then(|| self.rounded(Datum::Finite(sum.total()), Grid::ieee(self.dot().d, rounding)))
    }
}
