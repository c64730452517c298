//! The instructions `div`, `rcp` and `sqrt`.

use super::Instruction;
use crate::arithmetic::{Exact, Unpacked, denormalise, finish, quotient, root, round, unpack};
use crate::fields::FloatFields;
use crate::rules::{OfRounding, Rules};
use crate::spec::Spec;
use crate::word::Word;

/// `div` (PTX ISA 9.7.3.8). The approximate forms are rounded correctly too.
#[derive(Clone, Copy, Debug)]
pub struct Divide<F, M> {
    /// The format of the operands and the result.
    pub format: F,
    /// The modifiers.
    pub rules: M,
}

/// `div.approx` (PTX ISA 9.7.3.8): a product with the reciprocal of the divisor, which is zero for a divisor beyond
/// 2^126.
#[derive(Clone, Copy, Debug)]
pub struct TimesReciprocal<F, M>(pub Divide<F, M>);

/// `rcp` (PTX ISA 9.7.3.13).
#[derive(Clone, Copy, Debug)]
pub struct Reciprocal<F, M>(pub Divide<F, M>);

/// `sqrt` (PTX ISA 9.7.3.15).
#[derive(Clone, Copy, Debug)]
pub struct Root<F, M>(pub Divide<F, M>);

impl<F: Spec<FloatFields>, M: Spec<Rules>> Divide<F, M> {
    #[inline(always)]
    fn unpack<W: Word>(&self, bits: W) -> Unpacked<W> {
        unpack(self.format, self.rules.get().flush_operands, bits)
    }

    #[inline(always)]
    fn finish<W: Word>(&self, exact: Exact<W>) -> W {
        finish(self.rules, round(self.format, OfRounding(self.rules), denormalise(exact)))
    }
}

impl<F: Spec<FloatFields>, M: Spec<Rules>> Instruction<2> for Divide<F, M> {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b]: [W; 2]) -> W {
        self.finish(quotient(self.format, self.unpack(a), self.unpack(b)))
    }
}

impl<F: Spec<FloatFields>, M: Spec<Rules>> Instruction<2> for TimesReciprocal<F, M> {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b]: [W; 2]) -> W {
        let (format, rules) = (self.0.format.get(), self.0.rules.get());
        let (dividend, divisor) = (self.0.unpack(a), self.0.unpack(b));
        let bound = W::from(format.bias + 126) << format.trailing;
        let beyond = divisor.magnitude.exceeds(bound) & !divisor.nan;
        let sign = (dividend.negative ^ divisor.negative) & W::of(rules.sign);
        // "If a is infinity, div.approx.f32 returns NaN, otherwise a sign-preserving zero"; `infinite` includes NaN.
        let product = dividend.infinite.select(W::of(rules.nan), sign);
        beyond.select(product, self.0.compute([a, b]))
    }
}

impl<F: Spec<FloatFields>, M: Spec<Rules>> Instruction<1> for Reciprocal<F, M> {
    #[inline(always)]
    fn compute<W: Word>(&self, [a]: [W; 1]) -> W {
        let format = self.0.format.get();
        self.0.compute([W::from(format.bias) << format.trailing, a])
    }
}

impl<F: Spec<FloatFields>, M: Spec<Rules>> Instruction<1> for Root<F, M> {
    #[inline(always)]
    fn compute<W: Word>(&self, [a]: [W; 1]) -> W {
        self.0.finish(root(self.0.format, self.0.unpack(a)))
    }
}
