//! The stages with faults of products and scales.

use formats::Class;
use isa::Rounding;
use isa::matrix::DotData;

use super::FaultyDot;
use crate::datum::Datum;
use crate::dot::DotFault;
use crate::dot::stages::{DotFacts, Grid, MatrixSide, Multiply, Read, Round};
use crate::dot::term::{Term, encode};

impl Multiply for FaultyDot {
    fn product_of(&self, data: &DotData, k: usize) -> Term {
        match self.fault {
            DotFault::LastTermDropped if k + 1 == data.a.len() => Term::ZERO,
            // Zero times NaN or infinity is NaN, and one such product is enough.
            DotFault::UnselectedMultiplied if k == 0 && self.meets_specials(data) => {
                Term { datum: Datum::decode(self.dot().d, self.dot().d.canonical_nan()), exponent: None }
            }
            _ => {
                self.product(self.element(data, MatrixSide::A, k), self.element(data, MatrixSide::B, k))
            }
        }
    }

    fn exactly(&self, products: &[Term]) -> Term {
        let negative = |term: &Term| term.datum.is_zero() && term.datum.is_negative();
        match self.has(DotFault::NegativeZeroSum) && products.iter().all(negative) {
            true => Term::ZERO.negated_if(true),
            false => self.plain.exactly(products),
        }
    }

    fn product(&self, a: Term, b: Term) -> Term {
        let product = self.plain.product(a, b);
        match product.datum {
            Datum::Nan(_)
                if self.has(DotFault::InfinityTimesZeroIsZero)
                    && (a.datum.is_zero() || b.datum.is_zero())
                    && ![a, b].iter().any(|factor| matches!(factor.datum, Datum::Nan(_))) =>
            {
                Term::ZERO
            }
            Datum::Finite(number) if self.has(DotFault::ProductsNormalised) => {
                Term { exponent: number.leading(), ..product }
            }
            Datum::Finite(_) if self.has(DotFault::ProductsRounded) => {
                let rounding = self.dot().rounding.unwrap_or(Rounding::NearestEven);
                let unit = self.lowering().unit();
                let grid = unit.map_or(Grid::ieee(self.dot().d, rounding), |unit| self.grid(&unit));
                Term::decode(grid.format, encode(grid.format, self.rounded(product.datum, grid)))
            }
            _ => product,
        }
    }

    fn times_scales(&self, term: Term, scales: [Term; 2]) -> Term {
        match self.has(DotFault::ScaleIgnored) {
            true => term,
            false => self.plain.times_scales(term, scales),
        }
    }
}

impl FaultyDot {
    /// Whether some element of B that belongs to no element of A is NaN or infinite.
    fn meets_specials(&self, data: &DotData) -> bool {
        let special = |bits: u64| matches!(self.dot().b.class(bits), Class::Nan | Class::Infinity);
        let mut all = data.b.iter().enumerate();
        all.any(|(place, &bits)| special(bits) && !data.places.contains(&place))
    }
}
