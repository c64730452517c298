//! `add`, `sub`, `mul` and `fma`.

use super::Instruction;
use crate::arithmetic::{SumPlan, denormalise, finish, operand, product, round, sum, unpack};
use crate::fields::FloatFields;
use crate::rules::Rules;
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
        finish(self.rules, round(self.result, self.rules, exact))
    }
}

/// `fma` and `mad` (PTX ISA 9.7.3.6, 9.7.4.4, 9.7.5.3, 9.7.6).
#[derive(Clone, Copy, Debug)]
pub struct Fma<F, R, M> {
    /// The formats of the factors.
    pub factors: [F; 2],
    /// The format of the addend and the result.
    pub result: R,
    /// The modifiers.
    pub rules: M,
}

impl<F: Spec<FloatFields>, R: Spec<FloatFields>, M: Spec<Rules>> Instruction<3> for Fma<F, R, M> {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b, c]: [W; 3]) -> W {
        let flush = self.rules.get().flush_operands;
        let factors = [unpack(self.factors[0], flush, a), unpack(self.factors[1], flush, b)];
        let product = product(self.factors, self.result, factors);
        let plan = const { SumPlan::of_product::<R>() };
        let c = unpack(self.result, flush, c);
        let addend = operand(self.result, self.result, plan.normalise[1], c);
        let exact = sum(self.rules, plan, product, addend);
        finish(self.rules, round(self.result, self.rules, exact))
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
        let exact = sum(self.rules, plan, a, c);
        finish(self.rules, round(self.result, self.rules, exact))
    }
}

/// `fma.oob`: zero where a multiplicand is the out-of-bounds NaN that tensor copies fill with, of
/// either sign (PTX ISA 9.7.4.4). The manual does not print its pattern; this one was measured.
#[derive(Clone, Copy, Debug)]
pub struct OutOfBounds<I>(pub I);

impl<I: Instruction<3>> Instruction<3> for OutOfBounds<I> {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b, c]: [W; 3]) -> W {
        let out_of_bounds = |bits: W| (bits & 0x7fff).equals(0x7ff7);
        self.0.compute([a, b, c]) & !(out_of_bounds(a) | out_of_bounds(b))
    }
}
