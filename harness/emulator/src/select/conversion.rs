//! Conversions and casts.

use vectors::Variant;
use vectors::isa::{Clamp, Conversion, NanRule};

use super::{alone, is_wide};
use crate::elements::{Columns, Elements, Preparation};
use crate::instruction::{Convert, Fixed, FromInteger, Scalable, Scaled, Stochastic};
use crate::instruction::{ToInteger, ToIntegral};
use crate::layout::Layout;
use crate::machine::{Machine, program};
use crate::rules::Rules;

/// `cvt`, and casts that PTX does not have.
pub fn select(variant: &Variant, conversion: Conversion, machine: Machine) -> Option<Box<dyn Columns>> {
    let (source, result) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let rules = Rules::of(result, variant.meaning());
    if conversion == Conversion::Fixed {
        return scalable(variant, to_integer(variant, rules)?, machine);
    }
    let result = Layout::new(result);
    if source.is_fixed() {
        return scalable(variant, FromInteger { source: Fixed::new(source), result, rules }, machine);
    }
    let convert = Convert { source: Layout::new(source), result, rules };
    match conversion {
        Conversion::Integral if is_wide(variant) => {
            alone::<u64>(program::<u64, _, _, _>(machine, ToIntegral(convert)))
        }
        Conversion::Integral => alone::<u32>(program::<u32, _, _, _>(machine, ToIntegral(convert))),
        Conversion::Stochastic(random) => {
            let stochastic = Stochastic { convert, random_bits: random.count };
            Some(Box::new(Elements {
                programs: vec![program::<u32, _, u32, _>(machine, stochastic)?],
                last: Some(Preparation::Deal(random)),
            }))
        }
        Conversion::Rounded | Conversion::Fixed => scalable(variant, convert, machine),
    }
}

/// A conversion with the scale that the variant has, or none.
fn scalable(variant: &Variant, conversion: impl Scalable, machine: Machine) -> Option<Box<dyn Columns>> {
    match variant.meaning().scale {
        // Scaled data are of 32 bits at most.
        Some(scaling) => alone::<u32>(program::<u32, _, _, 2>(machine, Scaled { conversion, scaling })),
        None if is_wide(variant) => alone::<u64>(program::<u64, _, _, 1>(machine, conversion)),
        None => alone::<u32>(program::<u32, _, _, 1>(machine, conversion)),
    }
}

/// To an integer, or another fixed-point format; from one there is none.
fn to_integer(variant: &Variant, rules: Rules) -> Option<ToInteger> {
    let (source, result) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let meaning = variant.meaning();
    let NanRule::Bits(nan) = meaning.nan else { return None };
    let largest = result.max_finite();
    (!source.is_fixed()).then(|| ToInteger {
        source: Layout::new(source),
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
