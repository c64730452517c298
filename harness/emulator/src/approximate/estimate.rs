//! Estimates of the approximate functions, over words of 64 bits side by side, that say of themselves whether they
//! suffice.
//!
//! The test is Ziv's rounding test. An estimate with a known bound on its error is rounded; where it is farther than
//! that bound from every number at which rounding changes, its result is the one that any better value rounds to. Less
//! than one estimate in a hundred fails the test; those are left to the functions of [`approximate`](super), which stay
//! the definition. Errors here are differences from the *definition's* values, before the sticky bit: those are within
//! 2^-59 of the true ones, which no bound here notices.
//!
//! Products are of 32 bits by 32, for which there is an instruction over lanes, and nothing branches.
//! Inputs that ask for more than the common path (some subnormals, results below the normal numbers)
//! count as undecided.

mod exponential;
mod logarithm;
mod reciprocal_root;
mod tangent;
#[cfg(test)]
mod tests;
mod trigonometric;

use isa::Variant;

pub use exponential::Ex2;
pub use logarithm::Lg2;
pub use reciprocal_root::Rsqrt;
pub use tangent::Tanh;
pub use trigonometric::{Cos, Sin};

use crate::arithmetic::{Unpacked, unpack};
use crate::backend::Compute;
use crate::fields::FloatFields;
use crate::rules::Rules;
use crate::spec::Spec;
use crate::word::{Lookup, Word};
use crate::words::Words;

/// The result of a function, where it is decided.
#[derive(Clone, Copy)]
pub struct Decision<W> {
    /// The mask of the sign.
    pub negative: W,
    /// The encoding without its sign.
    pub magnitude: W,
    /// The mask of results that are no number, whatever the rest says.
    pub nan: W,
    /// The mask of where the magnitude is the right one.
    pub sure: W,
}

/// A function that can be estimated.
pub trait EstimatedFunction: Copy + Send + Sync + 'static {
    /// Computes the function of `a`, rounded to nearest. With `flush`, results below the normal numbers are zeros.
    fn decide<W: Lookup>(self, format: &FloatFields, flush: bool, a: Unpacked<W>) -> Decision<W>;
}

/// A positive number near a function's value: `significand` × 2^(`exponent` − bias).
#[derive(Clone, Copy)]
pub struct Estimate<W> {
    /// The significand, from 1 to 2 in Q62 ([`SIGNIFICAND`]).
    significand: W,
    /// The exponent, biased for the format.
    exponent: W,
}

/// The number of fraction bits of a significand. In Q62, the bit above is for what rounds to 2.
const SIGNIFICAND: u32 = 62;

impl<W: Word> Estimate<W> {
    /// Normalises `value`, below 2 in Q62 ([`SIGNIFICAND`]), times the power of two of `exponent`.
    #[inline(always)]
    fn normalised(value: W, exponent: W) -> Estimate<W> {
        let zeros = value.leading_zeros();
        Estimate { significand: value << (zeros - 1), exponent: exponent + 1 - zeros }
    }

    /// Returns the encoding of the nearest number, and a mask of where every value within less than `bound` of the
    /// significand has that encoding. The mask is right for normal numbers with an exponent of 2 and more: within the
    /// bound of the smallest normal number the value may be on its other side. Above the largest number the encoding is
    /// that of infinity.
    #[inline(always)]
    fn round(self, format: &FloatFields, bound: u64) -> (W, W) {
        let drop = SIGNIFICAND - format.trailing;
        let sum = self.significand + W::of(1 << (drop - 1));
        // The distance above the middle between two numbers, plus the bound, less the distance between two middles if
        // it is that much: no middle is nearer than the bound if this is twice the bound or more.
        let above = (sum + W::of(bound)) & W::of((1 << drop) - 1);
        // The implicit bit adds one to the exponent, and so does a carry.
        let encoding = ((self.exponent - 1) << format.trailing) + (sum >> drop);
        (encoding.min(W::of(format.max_finite + 1)), above.exceeds(W::of(2 * bound - 1)))
    }
}

/// Returns the mask of normal numbers.
#[inline(always)]
fn is_normal<W: Word>(format: &FloatFields, a: &Unpacked<W>) -> W {
    a.significand.exceeds(W::of(format.implicit - 1)) & !a.infinite
}

/// Returns the mask of numbers so small that f(x) rounds to x where f(x) = ±x (1 − x²/3 …) or nearer. With p bits of
/// precision these are |x| < 2^-(p/2): x²/3 is less than the relative 2^-(p+1) by which a middle between two numbers
/// differs from them at least.
#[inline(always)]
fn is_tiny<W: Word>(format: &FloatFields, a: &Unpacked<W>) -> W {
    W::from(format.bias - format.precision.div_ceil(2)).exceeds(a.exponent)
}

/// A function of one operand as a kernel, which gives the result, or [`UNDECIDED`].
#[derive(Clone, Copy)]
pub struct Estimated<F, R> {
    /// The function.
    pub function: F,
    /// The format of operand and result.
    pub format: R,
    /// The treatment of subnormals and NaN.
    pub rules: Rules,
}

impl<F, R> Estimated<F, R> {
    /// Returns the kernel of a variant's function, whose operand and result have `format`.
    pub fn of(variant: &Variant, function: F, format: R) -> Estimated<F, R> {
        let rules = Rules::of(variant.outputs()[0].format, variant.meaning());
        Estimated { function, format, rules: Rules { nan: variant.nan(), ..rules } }
    }
}

/// The encoding that stands for a result that is not decided: a NaN that no instruction gives.
pub const UNDECIDED: u64 = !0;

impl<F: EstimatedFunction, R: Spec<FloatFields>, const L: usize> Compute<u64, L, 1> for Estimated<F, R> {
    #[inline(always)]
    fn of_words(&self, [bits]: [Words<u64, L>; 1]) -> Words<u64, L> {
        let a = unpack(self.format, self.rules.flush_operands, bits);
        let format = self.format.get();
        let decision = self.function.decide(format, self.rules.rounding.flush_results, a);
        let Decision { negative, magnitude, nan, sure } = decision;
        let number = magnitude | (negative & Words::of(format.sign)) | !sure;
        nan.select(Words::of(self.rules.nan), number)
    }
}
