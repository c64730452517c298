//! Which products and sums may be rounded once.

use super::permitted::Evaluation;
use super::{Node, Operation};

/// Two values whose product a sum may take as it is, and whether with the other sign.
type Product = (usize, usize, bool);

impl Evaluation<'_> {
    /// The fused operations that an operation may be, of which operands with the other sign.
    pub(super) fn contractions(
        &self,
        operation: Operation,
        operands: &[usize],
    ) -> Vec<([usize; 3], [bool; 3])> {
        if !self.rules.contract {
            return Vec::new();
        }
        let (sum, difference) = match (operation, operands) {
            (Operation::Add, _) => ([operands[0], operands[1]], false),
            (Operation::Sub, _) => ([operands[0], operands[1]], true),
            // x · 1 + y is a sum, and so x may be a product.
            (Operation::Fma, &[a, b, c]) if self.is_one(b) => ([a, c], false),
            (Operation::Fma, &[a, b, c]) if self.is_one(a) => ([b, c], false),
            _ => return Vec::new(),
        };
        let [a, b] = sum;
        let of_first =
            self.products(a).into_iter().map(|(x, y, negate)| ([x, y, b], [negate, false, difference]));
        let of_second = self.products(b).into_iter();
        let of_second =
            of_second.map(|(x, y, negate)| ([x, y, a], [negate != difference, false, false]));
        of_first.chain(of_second).collect()
    }

    /// The factors of a value that is a product, or one with another sign, or one that was multiplied by one or
    /// widened and narrowed again; of one that is selected, those of both.
    fn products(&self, place: usize) -> Vec<Product> {
        let (ty, Node::Apply(operation, operands)) = &self.program.values()[place] else {
            return Vec::new();
        };
        match (operation, &operands[..]) {
            (Operation::Mul, &[a, b]) => {
                let inner = [(a, b), (b, a)].into_iter().filter(|&(_, one)| self.is_one(one));
                let inner = inner.flat_map(|(product, _)| self.products(product));
                inner.chain([(a, b, false)]).collect()
            }
            (Operation::Neg, &[of]) => {
                self.products(of).into_iter().map(|(a, b, negate)| (a, b, !negate)).collect()
            }
            (Operation::Cast, &[of]) => {
                let (wide, Node::Apply(Operation::Cast, inner)) = &self.program.values()[of] else {
                    return Vec::new();
                };
                let same = self.program.values()[inner[0]].0 == *ty;
                let wider = wide.format().width() > ty.format().width();
                if same && wider { self.products(inner[0]) } else { Vec::new() }
            }
            (Operation::Select(_), &[_, _, a, b]) => [self.products(a), self.products(b)].concat(),
            _ => Vec::new(),
        }
    }

    fn is_one(&self, place: usize) -> bool {
        let (ty, node) = &self.program.values()[place];
        *node == Node::Constant(ty.format().one())
    }
}
