//! What a deviation can be about: whether a variant has it.
//!
//! Public for the proofs of `harness` that a deviation changes nothing.

use vectors::Variant;
use vectors::format::{BF16, F16, F32, F64, Format, S2F6, Scale, Specials};
use vectors::isa::{Modifier, Operation, Rounding};

use super::Model;

/// Whether some input is flushed.
pub fn input_flushed(variant: &Variant) -> bool {
    variant.inputs().iter().any(|input| flushes_input(variant, input.format))
}

/// Whether some input may be subnormal and is not flushed, where its value matters.
pub fn input_kept(variant: &Variant) -> bool {
    // What moves bits has no stage that decodes them.
    let moves = matches!(variant.operation(), Operation::Copysign | Operation::Testp);
    let kept = |format| has_subnormals(format) && !flushes_input(variant, format);
    let inputs = match variant.operation() {
        Operation::Slct => &variant.inputs()[2..],
        _ => variant.inputs(),
    };
    !moves && inputs.iter().any(|input| kept(input.format))
}

/// Whether an input of this format is flushed.
pub fn flushes_input(variant: &Variant, format: &Format) -> bool {
    // Scaling down flushes every float that it takes, without `.ftz`.
    let scaling = variant.has(Modifier::ScaledDown) && [F32, F16, BF16].contains(format);
    let ftz = variant.has(Modifier::Ftz)
        && match variant.operation() {
            Operation::Cvt => *format == F32 && *variant.outputs()[0].format != F16,
            _ => [F32, F16].contains(format),
        };
    ftz || scaling
}

/// Whether a subnormal result is flushed.
pub fn result_flushed(variant: &Variant) -> bool {
    let format = *variant.outputs()[0].format;
    decodes(variant)
        && variant.has(Modifier::Ftz)
        && match variant.operation() {
            Operation::Cvt => format == F32,
            _ => [F32, F16].contains(&format),
        }
}

/// Whether a format has numbers below its smallest normal one.
pub fn has_subnormals(format: &Format) -> bool {
    format.scale == Scale::Floating && format.trailing_bits > 0
}

/// Whether a format without infinity has numbers with the highest exponent.
pub fn top_exponent_is_finite(format: &Format) -> bool {
    has_subnormals(format) && format.specials != Specials::Ieee
}

/// Whether some input is narrower than the result.
pub fn narrow(variant: &Variant) -> bool {
    let width = variant.outputs()[0].format.width();
    variant.inputs().iter().any(|input| has_subnormals(input.format) && input.format.width() < width)
}

/// One of these operations, and no approximation of it.
pub fn exactly(variant: &Variant, operations: &[Operation]) -> bool {
    Model::covers(variant) && operations.contains(&variant.operation())
}

/// What rounds one exact result of arithmetic.
pub fn arithmetic(variant: &Variant) -> bool {
    use Operation::*;
    exactly(variant, &[Add, Sub, Mul, Fma, Mad, Div, Rcp, Sqrt])
}

/// What changes the sign of NaN as that of any other datum.
pub fn passes_nan(variant: &Variant) -> bool {
    use Operation::*;
    matches!(variant.operation(), Abs | Neg) && *variant.outputs()[0].format == F64
}

/// Whether an input of this format is converted to the result's before it is computed with, as the
/// second factor of `mul.f16x2.f16x2.bf16x2` and its like.
pub fn converted_first(variant: &Variant, format: &Format) -> bool {
    let other = [(F16, BF16), (BF16, F16)].contains(&(*format, *variant.outputs()[0].format));
    other && arithmetic(variant)
}

/// What adds.
pub fn sums(variant: &Variant) -> bool {
    use Operation::*;
    exactly(variant, &[Add, Sub, Fma, Mad])
}

/// What multiplies.
pub fn products(variant: &Variant) -> bool {
    use Operation::*;
    exactly(variant, &[Mul, Fma, Mad])
}

/// What multiplies and adds.
pub fn fused(variant: &Variant) -> bool {
    use Operation::*;
    exactly(variant, &[Fma, Mad])
}

/// `min` and `max`.
pub fn extremum(variant: &Variant) -> bool {
    matches!(variant.operation(), Operation::Min | Operation::Max)
}

/// `set` and `setp`.
pub fn compares(variant: &Variant) -> bool {
    matches!(variant.operation(), Operation::Set | Operation::Setp)
}

/// What asks which of two numbers is the larger.
pub fn compares_order(variant: &Variant) -> bool {
    use Modifier::*;
    compares(variant) && [Lt, Le, Gt, Ge, Ltu, Leu, Gtu, Geu].into_iter().any(|m| variant.has(m))
}

/// A comparison that holds where there is a NaN.
pub fn unordered(variant: &Variant) -> bool {
    use Modifier::*;
    compares(variant) && [Equ, Neu, Ltu, Leu, Gtu, Geu, IsNan].into_iter().any(|m| variant.has(m))
}

/// A conversion.
pub fn converts(variant: &Variant) -> bool {
    matches!(variant.operation(), Operation::Cvt | Operation::Cast)
}

/// A conversion to an integer.
pub fn to_integer(variant: &Variant) -> bool {
    let to = variant.outputs()[0].format;
    converts(variant) && to.is_fixed() && *to != S2F6
}

/// Whether NaN becomes another integer than 0.
pub fn wide_integer(variant: &Variant) -> bool {
    *variant.inputs()[0].format == F64 || variant.outputs()[0].format.width() == 64
}

/// A conversion from an integer.
pub fn from_integer(variant: &Variant) -> bool {
    let from = variant.inputs()[0].format;
    converts(variant) && from.is_fixed() && *from != S2F6
}

/// A conversion to an integral number, be it an integer or not.
pub fn integral(variant: &Variant) -> bool {
    variant.modifiers().iter().any(|modifier| modifier.is_integral())
}

/// Whether inputs are decoded to numbers that are computed with.
pub fn decodes(variant: &Variant) -> bool {
    arithmetic(variant) || converts(variant)
}

/// Whether a result may have to be rounded.
pub fn rounded(variant: &Variant) -> bool {
    arithmetic(variant) || converts(variant) && !is_exact(variant)
}

/// Whether every number of the input's format is one of the result's.
fn is_exact(variant: &Variant) -> bool {
    let (from, to) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let floats = !from.is_fixed() && !to.is_fixed();
    let wider = floats
        && to.precision() >= from.precision()
        && to.unit() <= from.unit()
        && to.exponent_max() >= from.exponent_max();
    wider && !integral(variant) && !variant.has(Modifier::ScaledUp) && !variant.has(Modifier::ScaledDown)
}

/// What is rounded in this way.
pub fn rounds(variant: &Variant, rounding: Rounding) -> bool {
    rounded(variant) && variant.rounding() == rounding
}

/// Whether no number is negative where it is rounded, or none is where the result is read.
pub fn never_negative(variant: &Variant) -> bool {
    let clamped =
        saturated(variant) || variant.has(Modifier::Relu) || !variant.outputs()[0].format.signed;
    let natural = from_integer(variant) && !variant.inputs()[0].format.signed;
    clamped || natural || variant.operation() == Operation::Sqrt
}

/// The rounding as results show it.
pub fn visible_rounding(variant: &Variant) -> Rounding {
    match variant.rounding() {
        Rounding::Down if never_negative(variant) => Rounding::TowardZero,
        rounding => rounding,
    }
}

/// What is rounded to nearest, ties to even.
pub fn nearest(variant: &Variant) -> bool {
    rounds(variant, Rounding::NearestEven)
}

/// Whether rounding has a direction.
pub fn directed(variant: &Variant) -> bool {
    matches!(variant.rounding(), Rounding::TowardZero | Rounding::Down | Rounding::Up)
}

/// Whether an exact result may have bits below so many places that count for its rounding.
pub fn sticky_beyond(variant: &Variant, places: u32) -> bool {
    let to = variant.outputs()[0].format;
    // Of quotients and roots the model has 62 bits and a sticky one.
    let kept = places <= 60 || !exactly(variant, &[Operation::Div, Operation::Rcp, Operation::Sqrt]);
    rounded(variant) && kept && (to.is_fixed() || to.precision() < places)
}

/// Whether a result might be rounded to another float on its way, of a higher precision.
pub fn through(variant: &Variant, first: &Format) -> bool {
    let to = variant.outputs()[0].format;
    let integer = to.is_fixed() && *to != S2F6;
    // Nothing is rounded to the format that it comes from.
    let from = converts(variant) && variant.inputs()[0].format == first;
    rounded(variant) && !from && (integer || to.precision() < first.precision())
}

/// Whether a result may be too large.
pub fn overflows(variant: &Variant) -> bool {
    let to = variant.outputs()[0].format;
    !to.is_fixed() && !variant.has(Modifier::Sat)
}

/// A result clamped to [0, 1].
pub fn saturated(variant: &Variant) -> bool {
    variant.has(Modifier::Sat) && !variant.outputs()[0].format.is_fixed()
}

/// A conversion with a scale.
pub fn scaled(variant: &Variant) -> bool {
    let scale = variant.has(Modifier::ScaledDown) || variant.has(Modifier::ScaledUp);
    scale && Model::covers(variant)
}

/// Whether it matters which operand is the first.
pub fn ordered(variant: &Variant) -> bool {
    use Operation::*;
    let alike = variant.inputs().len() > 1 && variant.inputs()[0].format == variant.inputs()[1].format;
    let order = match variant.operation() {
        Sub | Div | Copysign | Slct => true,
        Set | Setp => compares_order(variant),
        _ => false,
    };
    alike && order && Model::covers(variant)
}
