//! Exact products and sums.

use super::exact::{Exact, base, denormalise, fixed, infinity_exponent, normalise, shift_right_sticky};
use super::plan::{ProductPlan, SumPlan};
use super::{Unpacked, unit_of};
use crate::fields::FloatFields;
use crate::rules::RoundingRules;
use crate::spec::Spec;
use crate::word::Word;

/// Returns the number of places by which the product of two significands as integers is shifted to fixed point, in
/// words of `bits` bits. The product is below 4, because the significands are below 2: one place is kept free above it.
#[inline(always)]
pub fn product_shift(bits: u32, factors: [FloatFields; 2]) -> u32 {
    unit_of(bits) - 1 - factors[0].trailing - factors[1].trailing
}

/// Computes the product of two data, which loses nothing.
#[inline(always)]
pub fn product<F: Spec<FloatFields>, R: Spec<FloatFields>, W: Word>(
    formats: [F; 2],
    result: R,
    [a, b]: [Unpacked<W>; 2],
) -> Exact<W> {
    let (f, g, r) = (formats[0].get(), formats[1].get(), result.get());
    let plan = const { ProductPlan::of::<F, R>(W::BITS) };
    let (infinite, nan) = if plan.one_format {
        let (larger, smaller) = (a.magnitude.max(b.magnitude), a.magnitude.min(b.magnitude));
        // NaNs are encoded above infinity. An infinity times zero is NaN.
        let infinite = larger.exceeds(W::of(f.max_finite));
        (infinite, larger.exceeds(W::of(f.last)) | (infinite & smaller.equals(0)))
    } else {
        let invalid = (a.infinite & b.zero()) | (a.zero() & b.infinite);
        (a.infinite | b.infinite, a.nan | b.nan | invalid)
    };
    let multiplied = Exact {
        negative: a.negative ^ b.negative,
        significand: a.significand.times(b.significand) << product_shift(W::BITS, [*f, *g]),
        exponent: a.exponent + b.exponent + (base(r) + 1) - (f.bias + g.bias),
        infinite,
        nan,
    };
    let normalised = if plan.normalise {
        normalise(multiplied)
    } else if plan.lower_zeros {
        Exact { exponent: multiplied.exponent & !multiplied.significand.equals(0), ..multiplied }
    } else {
        multiplied
    };
    Exact { exponent: infinite.select(infinity_exponent::<W>(r), normalised.exponent), ..normalised }
}

/// Returns a datum as an operand of a sum, normalised or not.
#[inline(always)]
pub fn operand<F: Spec<FloatFields>, R: Spec<FloatFields>, W: Word>(
    format: F,
    result: R,
    normalised: bool,
    a: Unpacked<W>,
) -> Exact<W> {
    let widened = fixed(format, result, a);
    if normalised { normalise(widened) } else { widened }
}

/// Computes `a + b`, as rounding needs it. An exact zero is positive unless both operands are negative, or one is and
/// the rounding is `.rm`.
#[inline(always)]
pub fn sum<M: Spec<RoundingRules>, W: Word>(
    rules: M,
    plan: SumPlan,
    a: Exact<W>,
    b: Exact<W>,
) -> Exact<W> {
    let signed = |x: Exact<W>| (x.significand ^ x.negative) - x.negative;
    let distance = a.exponent - b.exponent;
    // Exchanges the operands if the second one has the larger exponent.
    let swap = (signed(a) ^ signed(b)) & distance.negative();
    let (higher, lower) = (signed(a) ^ swap, signed(b) ^ swap);
    let total = higher + shift_right_sticky(lower, distance.abs());

    let m = rules.get();
    let down = m.directed && !m.upward;
    // −0 plus −0 is −0, though the word of the sum is zero.
    let mut negative = total.negative() | (a.negative & b.negative);
    if rules.may_apply(down) {
        negative = negative | (total.equals(0) & (a.negative | b.negative) & W::mask(down));
    }
    let opposite_infinities = a.infinite & b.infinite & (a.negative ^ b.negative);
    let exact = Exact {
        negative,
        significand: total.abs(),
        exponent: a.exponent.max_signed(b.exponent),
        infinite: a.infinite | b.infinite,
        nan: a.nan | b.nan | opposite_infinities,
    };
    if plan.denormalise { denormalise(exact) } else { exact }
}
