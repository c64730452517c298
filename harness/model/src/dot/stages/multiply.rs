//! The exact products, and what scales make of them.

use isa::matrix::{DotData, Lowering, SCALED_GROUP};

use super::{MatrixSide, Read};
use crate::datum::Datum;
use crate::dot::term::Term;

pub trait Multiply: Read {
    /// Returns all terms of the sum but the addend, in the order of the elements.
    fn terms(&self, data: &DotData) -> Vec<Term> {
        let products: Vec<Term> = (0..data.a.len()).map(|k| self.product_of(data, k)).collect();
        match self.lowering() {
            Lowering::Scaled(_) => {
                let products = products.into_iter().enumerate();
                products.map(|(k, product)| self.scaled(data, k, product)).collect()
            }
            Lowering::ScaledGroups(_) => {
                let groups = products.chunks(SCALED_GROUP).enumerate();
                groups
                    .map(|(at, group)| self.scaled(data, at * SCALED_GROUP, self.exactly(group)))
                    .collect()
            }
            _ => products,
        }
    }

    /// Returns the product of A's element `k` and the element of B that belongs to it.
    fn product_of(&self, data: &DotData, k: usize) -> Term {
        self.product(self.element(data, MatrixSide::A, k), self.element(data, MatrixSide::B, k))
    }

    /// Returns the product of two factors.
    fn product(&self, a: Term, b: Term) -> Term {
        a.times(b)
    }

    /// Multiplies a product, or a sum of products, by the scales of term `k`.
    fn scaled(&self, data: &DotData, k: usize, term: Term) -> Term {
        let block = self.block(data, k);
        let [a, b] = [MatrixSide::A, MatrixSide::B].map(|side| self.scale(data, side, block));
        self.times_scales(term, [a, b])
    }

    /// Multiplies a product, or a sum of products, by a scale of A and one of B.
    fn times_scales(&self, term: Term, [a, b]: [Term; 2]) -> Term {
        term.times(a).times(b)
    }

    /// Adds products exactly, and aligns their sum by exponent 0, as a number without fraction, not by an exponent of
    /// its own. Where nothing was added, the sum has no exponent.
    fn exactly(&self, products: &[Term]) -> Term {
        let datum = products.iter().fold(Datum::ZERO, |sum, product| sum.plus(product.datum, false));
        let any = products.iter().any(|product| product.exponent.is_some());
        Term { datum, exponent: any.then_some(0) }
    }
}
