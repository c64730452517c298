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

/// Whether products of these factors may be computed in words of `bits` bits: each significand fits half a word, as
/// [`Word::times`] wants it, and [`product_shift`] is not negative.
pub const fn product_fits(bits: u32, factors: [FloatFields; 2]) -> bool {
    let [a, b] = factors;
    let fit_halves = a.precision <= bits / 2 && b.precision <= bits / 2;
    fit_halves && a.trailing + b.trailing < unit_of(bits)
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

#[cfg(test)]
mod tests {
    use corner_operands::datum;
    use formats::{BF16, E4M3, E5M2, F16, F32, Format};
    use sweeps::CounterRng;

    use super::*;
    use crate::instruction::{Instruction, Mul};
    use crate::rules::Rules;
    use crate::words::{Unsigned, Words};

    /// Returns the product of two data of any formats in f32, computed in words of `U`.
    fn product_in<U: Unsigned>(factors: [FloatFields; 2], data: [u64; 2]) -> u64 {
        let mul = Mul { factors, result: FloatFields::new(&F32), rules: Rules::plain(&F32) };
        let words = data.map(|bits| Words::<U, 1>([U::of(bits)]));
        mul.compute(words).0[0].low()
    }

    /// Words of 32 bits have room for significands of 16 bits each, and of 30 bits together.
    #[test]
    fn a_product_that_fits_is_that_of_wider_words() {
        let formats: [&Format; 5] = [&F32, &F16, &BF16, &E5M2, &E4M3];
        let mut random = CounterRng::new(14, 0);
        for (a, b) in formats.iter().flat_map(|a| formats.map(|b| (*a, b))) {
            let factors = [a, b].map(FloatFields::new);
            let fits = product_fits(u32::BITS, factors);
            assert_eq!(fits, a != &F32 && b != &F32, "{a:?} {b:?}");
            for _ in 0..1000 {
                let data = [a, b].map(|format| datum(&mut random, format));
                let wide = product_in::<u64>(factors, data);
                assert!(!fits || product_in::<u32>(factors, data) == wide, "{a:?} {b:?} {data:x?}");
            }
        }
        let with = |precision: u32| {
            let trailing = precision - 1;
            FloatFields { precision, trailing, ..FloatFields::new(&F16) }
        };
        for (precisions, fits) in
            [([16, 14], true), ([15, 15], true), ([16, 15], false), ([17, 3], false)]
        {
            assert_eq!(product_fits(u32::BITS, precisions.map(with)), fits, "{precisions:?}");
        }
    }
}
