//! Which stages products and sums need, by their formats.
//!
//! A kernel that learns its formats when it runs needs all stages. A kernel that knows its formats leaves out the
//! stages that make no difference to them, which is decided here, and only here, from the formats.

use super::exact::base;
use crate::fields::FloatFields;
use crate::spec::Spec;

/// The treatment of the product of two data of the format `F`, on its way to `R`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductPlan {
    /// Whether both factors have one format, so that the larger and the smaller magnitude tell what is
    /// special about the product.
    pub one_format: bool,
    /// Whether the product's highest bit is brought to the unit.
    pub normalise: bool,
    /// Whether zeros, at least, get an exponent below those of all numbers.
    pub lower_zeros: bool,
}

impl ProductPlan {
    /// Returns the plan for products of the format `F` on their way to `R`, in words of `bits` bits.
    pub const fn of<F: Spec<FloatFields>, R: Spec<FloatFields>>(bits: u32) -> ProductPlan {
        let (Some(f), Some(r)) = (F::KNOWN, R::KNOWN) else {
            return ProductPlan { one_format: F::KNOWN.is_some(), normalise: true, lower_zeros: true };
        };
        let unit = bits - 3;
        assert!(2 * f.trailing < unit, "a product fits a word");
        assert!(r.trailing + 6 <= unit, "rounding knows of six bits below the last place");
        // With one subnormal factor a product has fewer leading zeros than the factor has bits: it may keep them if the
        // bits of the result still have room below them, and if `is_lost` holds, too.
        let has_room = f.precision + r.precision + 2 <= unit;
        // With two subnormal factors the product has to be below half the result's last place.
        let is_lost = 2 * f.bias >= r.bias + r.trailing + 2;
        // Zero times the largest number must not make an addend sticky that has the lowest exponent.
        let distance = f.lowest + (f.max_finite >> f.trailing) as u32 + base(&r) - 2 * f.bias;
        ProductPlan {
            one_format: true,
            normalise: !(has_room && is_lost),
            lower_zeros: distance > unit - r.trailing,
        }
    }
}

/// The treatment of the operands of a sum in the format `R`, and of the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SumPlan {
    /// Whether the operands' highest bits are brought to the unit.
    pub normalise: [bool; 2],
    /// Whether the sum may have an exponent below the smallest normal number's.
    pub denormalise: bool,
}

impl SumPlan {
    /// Returns the plan for the sum of a datum of the format `A` and one of `C`.
    pub const fn of_data<A: Spec<FloatFields>, C: Spec<FloatFields>, R: Spec<FloatFields>>() -> SumPlan {
        let normalise = [!on_scale::<A, R>(), !on_scale::<C, R>()];
        // A sum has the larger exponent of its operands.
        SumPlan { normalise, denormalise: normalise[0] && normalise[1] }
    }

    /// Returns the plan for the sum of a product and a datum of `R`. The product is treated by a plan of its own, and
    /// may be arbitrarily small.
    pub const fn of_product<R: Spec<FloatFields>>() -> SumPlan {
        let normalise = !on_scale::<R, R>();
        SumPlan { normalise: [false, normalise], denormalise: normalise }
    }
}

/// Whether subnormal data of `F` have the exponent of the result's. Then they may stay as they are: what a sum with
/// them loses lies below the result's last place.
const fn on_scale<F: Spec<FloatFields>, R: Spec<FloatFields>>() -> bool {
    match (F::KNOWN, R::KNOWN) {
        (Some(f), Some(r)) => f.lowest + base(&r) == f.bias + 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use corner_operands::datum;
    use formats::Format;
    use sweeps::CounterRng;

    use super::*;
    use crate::fields::{BF16, E5M2, F16, F32, F64};
    use crate::instruction::{Add, Fma, Instruction, Mul};
    use crate::rules::Rules;
    use crate::words::{Unsigned, Words};

    /// Checks that a kernel that leaves stages out gives the same bits as one that has all stages.
    fn check_same_bits<U: Unsigned, F: Spec<FloatFields>, R: Spec<FloatFields>>(
        known: (F, R),
        formats: [&Format; 2],
    ) {
        let (factor, result) = known;
        let (f, r) = (*factor.get(), *result.get());
        let rules = Rules::plain(formats[1]);
        let mut random = CounterRng::new(9, 0);
        for _ in 0..100_000 {
            let [a, b] = [(); 2].map(|()| datum(&mut random, formats[0]));
            let c = datum(&mut random, formats[1]);
            let words = [a, b, c].map(|bits| Words::<U, 1>([U::of(bits)]));
            let [x, y, z] = words;
            let fma = Fma { factors: [factor; 2], result, rules }.compute(words);
            let all = Fma { factors: [f; 2], result: r, rules }.compute(words);
            assert_eq!(fma.0[0].low(), all.0[0].low(), "{formats:?} fma {a:#x} {b:#x} {c:#x}");
            let mul = Mul { factors: [factor; 2], result, rules }.compute([x, y]);
            let all = Mul { factors: [f; 2], result: r, rules }.compute([x, y]);
            assert_eq!(mul.0[0].low(), all.0[0].low(), "{formats:?} mul {a:#x} {b:#x}");
            let add = Add { operands: (factor, result), subtract: false, result, rules };
            let all = Add { operands: (f, r), subtract: false, result: r, rules };
            let [add, all] = [add.compute([x, z]), all.compute([x, z])];
            assert_eq!(add.0[0].low(), all.0[0].low(), "{formats:?} add {a:#x} {c:#x}");
        }
    }

    #[test]
    fn what_is_left_out_makes_no_difference() {
        check_same_bits::<u32, _, _>((E5M2, E5M2), [&formats::E5M2; 2]);
        check_same_bits::<u32, _, _>((F16, F16), [&formats::F16; 2]);
        check_same_bits::<u32, _, _>((BF16, BF16), [&formats::BF16; 2]);
        check_same_bits::<u64, _, _>((F32, F32), [&formats::F32; 2]);
        check_same_bits::<u128, _, _>((F64, F64), [&formats::F64; 2]);
        check_same_bits::<u32, _, _>((F16, F32), [&formats::F16, &formats::F32]);
        check_same_bits::<u32, _, _>((BF16, F32), [&formats::BF16, &formats::F32]);
        check_same_bits::<u64, _, _>((F16, F32), [&formats::F16, &formats::F32]);
        check_same_bits::<u64, _, _>((BF16, F32), [&formats::BF16, &formats::F32]);
    }

    /// Checks that kernels of known formats leave stages out: the hot kernels are hot because of it.
    #[test]
    fn formats_that_are_known_need_less() {
        let keeps = |lower_zeros| ProductPlan { one_format: true, normalise: false, lower_zeros };
        assert_eq!(ProductPlan::of::<F16, F16>(32), keeps(false));
        assert_eq!(ProductPlan::of::<E5M2, E5M2>(32), keeps(false));
        assert_eq!(ProductPlan::of::<BF16, BF16>(32), keeps(true));
        assert_eq!(ProductPlan::of::<F32, F32>(64), keeps(true));
        assert_eq!(ProductPlan::of::<F64, F64>(128), keeps(true));
        assert!(ProductPlan::of::<F16, F32>(32).normalise);
        let plain = SumPlan { normalise: [false; 2], denormalise: false };
        assert_eq!(SumPlan::of_data::<F16, F16, F16>(), plain);
        assert_eq!(SumPlan::of_product::<BF16>(), plain);
        let mixed = SumPlan { normalise: [true, false], denormalise: false };
        assert_eq!(SumPlan::of_data::<F16, F32, F32>(), mixed);
        let all = SumPlan { normalise: [true; 2], denormalise: true };
        assert_eq!(SumPlan::of_data::<F16, FloatFields, F32>(), all);
        assert_eq!(SumPlan::of_data::<FloatFields, FloatFields, FloatFields>(), all);
    }
}
