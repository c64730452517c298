//! The instructions `fma` and `mad`, in stages that can be asked one by one.

use super::Instruction;
use crate::arithmetic::{
    Exact, Rounded, SumPlan, base, finish, operand, product, product_shift, round, sum, unit_of, unpack,
};
use crate::fields::FloatFields;
use crate::rules::{OfRounding, RoundingRules, Rules};
use crate::spec::Spec;
use crate::word::Word;

/// The part of a result that is known before the addend is.
#[derive(Clone, Copy)]
pub struct Product<W> {
    /// The product of the factors.
    pub exact: Exact<W>,
    /// The mask of results that are zero whatever is added.
    pub cleared: W,
}

/// An instruction that multiplies two of its operands, adds the third, and ends the result.
///
/// The instruction is nothing but those three stages one after the other: what is true of each of them is true of the
/// instruction. [`crate::stages`] asks them one by one.
pub trait Fused: Copy + Send + Sync + 'static {
    /// Returns all that [`Fused::add`] depends on, but for what is cleared.
    fn basis(&self) -> Basis;

    /// Takes the factors apart and multiplies them, which loses nothing.
    fn multiply<W: Word>(&self, factors: [W; 2]) -> Product<W>;

    /// Takes the addend apart, adds it and rounds.
    fn add<W: Word>(&self, product: Product<W>, addend: W) -> Rounded<W>;

    /// Clamps the result, and chooses NaN and the sign of zero.
    fn end<W: Word>(&self, sum: Rounded<W>) -> W;
}

/// The properties of an instruction that `Fused::add` depends on: two instructions with the same basis add
/// alike, but for what is cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    factors: [FloatFields; 2],
    result: FloatFields,
    flush_operands: bool,
    rounding: RoundingRules,
}

impl Basis {
    /// Returns how many of the lowest bits of a product's significand are zero, in words of 32 bits.
    pub fn spare_bits(&self) -> u32 {
        product_shift(u32::BITS, self.factors)
    }

    /// Returns the scale of products: the magnitude is `significand × 2^(exponent − scale)`, in words of 32 bits.
    pub fn scale(&self) -> i32 {
        (unit_of(u32::BITS) + base(&self.result)).cast_signed()
    }
}

impl<I: Fused> Instruction<3> for I {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b, c]: [W; 3]) -> W {
        self.end(self.add(self.multiply([a, b]), c))
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

impl<F: Spec<FloatFields>, R: Spec<FloatFields>, M: Spec<Rules>> Fused for Fma<F, R, M> {
    fn basis(&self) -> Basis {
        let Rules { flush_operands, rounding, .. } = *self.rules.get();
        Basis {
            factors: self.factors.map(|f| *f.get()),
            result: *self.result.get(),
            flush_operands,
            rounding,
        }
    }

    #[inline(always)]
    fn multiply<W: Word>(&self, [a, b]: [W; 2]) -> Product<W> {
        let flush = self.rules.get().flush_operands;
        let factors = [unpack(self.factors[0], flush, a), unpack(self.factors[1], flush, b)];
        Product { exact: product(self.factors, self.result, factors), cleared: W::from(0) }
    }

    #[inline(always)]
    fn add<W: Word>(&self, product: Product<W>, addend: W) -> Rounded<W> {
        let plan = const { SumPlan::of_product::<R>() };
        let c = unpack(self.result, self.rules.get().flush_operands, addend);
        let addend = operand(self.result, self.result, plan.normalise[1], c);
        // These rules hold nothing but what the basis has.
        let rules = OfRounding(self.rules);
        round(self.result, rules, sum(rules, plan, product.exact, addend))
    }

    #[inline(always)]
    fn end<W: Word>(&self, sum: Rounded<W>) -> W {
        finish(self.rules, sum)
    }
}

/// `fma.oob` (PTX ISA 9.7.4.4): the result is zero where a multiplicand is the out-of-bounds NaN that tensor copies
/// fill with, of either sign. A datum is that NaN if its bits under the mask `MAGNITUDE` are `NAN`.
#[derive(Clone, Copy, Debug)]
pub struct OutOfBounds<I, const MAGNITUDE: u32, const NAN: u32>(pub I);

impl<I: Fused, const MAGNITUDE: u32, const NAN: u32> Fused for OutOfBounds<I, MAGNITUDE, NAN> {
    fn basis(&self) -> Basis {
        self.0.basis()
    }

    #[inline(always)]
    fn multiply<W: Word>(&self, [a, b]: [W; 2]) -> Product<W> {
        let out_of_bounds = |bits: W| (bits & MAGNITUDE).equals(NAN);
        Product { cleared: out_of_bounds(a) | out_of_bounds(b), ..self.0.multiply([a, b]) }
    }

    #[inline(always)]
    fn add<W: Word>(&self, product: Product<W>, addend: W) -> Rounded<W> {
        let Rounded { negative, magnitude, nan } = self.0.add(product, addend);
        let kept = !product.cleared;
        Rounded { negative: negative & kept, magnitude: magnitude & kept, nan: nan & kept }
    }

    #[inline(always)]
    fn end<W: Word>(&self, sum: Rounded<W>) -> W {
        self.0.end(sum)
    }
}
