//! Faults of products and scales.

use vectors::matrix::DotData;

use super::Faulty;
use crate::datum::Datum;
use crate::dot::DotFault;
use crate::dot::stages::{Multiply, Read, Side};
use crate::dot::term::Term;

impl Multiply for Faulty {
    fn product_of(&self, data: &DotData, k: usize) -> Term {
        match self.has(DotFault::LastTermDropped) && k + 1 == data.a.len() {
            true => Term::ZERO,
            false => self.product(self.element(data, Side::A, k), self.element(data, Side::B, k)),
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
