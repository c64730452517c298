//! The instructions `add`, `sub` and `mul`, and sums of three.

use super::{Convert, Instruction};
use crate::arithmetic::{SumPlan, denormalise, finish, operand, product, round, sum, unpack};
use crate::fields::FloatFields;
use crate::rules::{OfRounding, Rules};
use crate::spec::Spec;
use crate::word::Word;

/// `mul` (PTX ISA 9.7.3.5, 9.7.4.3, 9.7.5, 9.7.6).
#[derive(Clone, Copy, Debug)]
pub struct Mul<F, R, M> {
    /// The formats of the factors.
    pub factors: [F; 2],
    /// The format of the result.
    pub result: R,
    /// The modifiers.
    pub rules: M,
}

impl<F: Spec<FloatFields>, R: Spec<FloatFields>, M: Spec<Rules>> Instruction<2> for Mul<F, R, M> {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b]: [W; 2]) -> W {
        let flush = self.rules.get().flush_operands;
        let factors = [unpack(self.factors[0], flush, a), unpack(self.factors[1], flush, b)];
        let exact = denormalise(product(self.factors, self.result, factors));
        finish(self.rules, round(self.result, OfRounding(self.rules), exact))
    }
}

/// `add` and `sub` (PTX ISA 9.7.3.3, 9.7.3.4, 9.7.4.1, 9.7.4.2, 9.7.5.1, 9.7.5.2, 9.7.6).
#[derive(Clone, Copy, Debug)]
pub struct Add<A, C, R, M> {
    /// The formats of the operands.
    pub operands: (A, C),
    /// Whether the second operand is subtracted.
    pub subtract: bool,
    /// The format of the result.
    pub result: R,
    /// The modifiers.
    pub rules: M,
}

impl<A, C, R, M> Instruction<2> for Add<A, C, R, M>
where
    A: Spec<FloatFields>,
    C: Spec<FloatFields>,
    R: Spec<FloatFields>,
    M: Spec<Rules>,
{
    #[inline(always)]
    fn compute<W: Word>(&self, [a, c]: [W; 2]) -> W {
        let flush = self.rules.get().flush_operands;
        let (first, second) = self.operands;
        let a = unpack(first, flush, a);
        let c = unpack(second, flush, c ^ (W::of(second.get().sign) & W::mask(self.subtract)));
        let plan = const { SumPlan::of_data::<A, C, R>() };
        let a = operand(first, self.result, plan.normalise[0], a);
        let c = operand(second, self.result, plan.normalise[1], c);
        let exact = sum(OfRounding(self.rules), plan, a, c);
        finish(self.rules, round(self.result, OfRounding(self.rules), exact))
    }
}

/// The sum of three numbers in another format than theirs: the sum of the first two, and then of that and the third
/// (PTX ISA 9.7.10.15).
#[derive(Clone, Copy, Debug)]
pub struct Accumulate<F, S> {
    /// The sum of the first two operands.
    pub first: F,
    /// The sum of the first sum and the third operand.
    pub second: S,
    /// The conversion of the second sum to the format of the result.
    pub last: Convert,
}

impl<F: Instruction<2>, S: Instruction<2>> Instruction<3> for Accumulate<F, S> {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b, c]: [W; 3]) -> W {
        self.last.compute([self.second.compute([self.first.compute([a, b]), c])])
    }
}
