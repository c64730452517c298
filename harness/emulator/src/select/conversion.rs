//! Selects the kernels of conversions and casts.

use isa::{Clamp, Conversion, NanRule, Variant};

use super::kernel::{is_wide, single_kernel};
use crate::backend::{Backend, lane_kernel};
use crate::elements::{ColumnKernel, Elements, Preparation};
use crate::fields::FloatFields;
use crate::instruction::{Convert, Fixed, FromInteger, Scalable, Scaled, Stochastic};
use crate::instruction::{ToInteger, ToIntegral};
use crate::rules::Rules;

/// Returns the kernel of a `cvt`, or of a cast that PTX does not have.
pub fn select(
    variant: &Variant,
    conversion: Conversion,
    backend: Backend,
) -> Option<Box<dyn ColumnKernel>> {
    let (source, result) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let rules = Rules::of(result, variant.meaning());
    if conversion == Conversion::Fixed {
        return scalable(variant, to_integer(variant, rules)?, backend);
    }
    let result = FloatFields::new(result);
    if source.is_fixed() {
        return scalable(variant, FromInteger { source: Fixed::new(source), result, rules }, backend);
    }
    let convert = Convert { source: FloatFields::new(source), result, rules };
    match conversion {
        Conversion::Integral if is_wide(variant) => {
            single_kernel::<u64>(lane_kernel::<u64, _, _, _>(backend, ToIntegral(convert)))
        }
        Conversion::Integral => {
            single_kernel::<u32>(lane_kernel::<u32, _, _, _>(backend, ToIntegral(convert)))
        }
        Conversion::Stochastic(random) => {
            let stochastic = Stochastic { convert, random_bits: random.count };
            Some(Box::new(Elements {
                kernels: vec![lane_kernel::<u32, _, u32, _>(backend, stochastic)?],
                last: Some(Preparation::Deal(random)),
            }))
        }
        Conversion::Rounded | Conversion::Fixed => scalable(variant, convert, backend),
    }
}

/// Returns the kernel of a conversion with the scale that the variant has, or with none.
fn scalable(
    variant: &Variant,
    conversion: impl Scalable,
    backend: Backend,
) -> Option<Box<dyn ColumnKernel>> {
    match variant.meaning().scale {
        // Scaled data are of 32 bits at most.
        Some(scaling) => {
            single_kernel::<u32>(lane_kernel::<u32, _, _, 2>(backend, Scaled { conversion, scaling }))
        }
        None if is_wide(variant) => {
            single_kernel::<u64>(lane_kernel::<u64, _, _, 1>(backend, conversion))
        }
        None => single_kernel::<u32>(lane_kernel::<u32, _, _, 1>(backend, conversion)),
    }
}

/// Returns the conversion to an integer or another fixed-point format; there is none from a fixed-point format.
fn to_integer(variant: &Variant, rules: Rules) -> Option<ToInteger> {
    let (source, result) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let meaning = variant.meaning();
    let NanRule::Bits(nan) = meaning.nan else { return None };
    let largest = result.max_finite();
    (!source.is_fixed()).then(|| ToInteger {
        source: FloatFields::new(source),
        result: Fixed::new(result),
        rules,
        largest,
        lowest: match () {
            () if meaning.clamp == Clamp::Positive || !result.signed => 0,
            // `.satfinite` keeps to magnitudes that have both signs.
            () if meaning.satfinite => largest,
            () => largest + 1,
        },
        nan,
    })
}
