//! What a clamp makes of wrong results: the right ones.

use model::{Deviation as D, Deviations, subject};
use vectors::Variant;
use vectors::format::Specials;
use vectors::isa::{Modifier as M, Operation as O};

/// Why a deviation does not show behind the clamps of a variant.
pub fn proof(deviation: D, variant: &Variant) -> Option<&'static str> {
    let to = variant.outputs()[0].format;
    let saturated = subject::saturated(variant);
    let positive = saturated || variant.has(M::Relu);
    let no_negative_zero =
        variant.has(M::Pzo) || to.specials == Specials::NanNegativeZero || !to.signed || to.is_fixed();
    let limited = to.nan().is_none() && to.infinity().is_none();
    match deviation {
        D::UnderflowLosesSign
        | D::IntegralZeroPositive
        | D::FlushLosesSign
        | D::ZeroSumNegative
        | D::ZeroSumPositive
        | D::ZeroProductPositive
        | D::TowardZeroDown
        | D::DownTowardZero
        | D::DirectionOfMagnitude
            if positive || !to.signed =>
        {
            Some("it changes negative results and the signs of zeros, and those are clamped to +0")
        }
        D::TowardZeroDown | D::DownTowardZero | D::DirectionOfMagnitude
            if subject::never_negative(variant) =>
        {
            Some("no number is negative")
        }
        D::InputFlushLosesSign if positive && !matches!(variant.operation(), O::Div | O::Rcp) => {
            Some("it changes the signs of zeros, and those are clamped to +0")
        }
        D::UnderflowLosesSign | D::InputFlushLosesSign
            if no_negative_zero && subject::converts(variant) =>
        {
            Some("it changes the sign of zero, which the result does not have")
        }
        D::NanKeepsSign | D::NanKeepsPayload | D::LaneNanSpreads if saturated => {
            Some("`.sat` makes NaN +0")
        }
        D::ZeroTimesInfinity if saturated && variant.operation() == O::Mul => {
            Some("`.sat` makes NaN +0")
        }
        D::NanKeepsSign if !to.signed || to.specials == Specials::NanNegativeZero => {
            Some("the NaN of the format has no sign")
        }
        _ if deviation.overflows() && variant.has(M::Satfinite) => {
            Some("`.satfinite` makes infinity the largest finite number")
        }
        D::ReluNanToZero if variant.has(M::Satfinite) && to.nan().is_none() => {
            Some("`.satfinite` makes NaN a number before")
        }
        D::SatfiniteIgnored if limited && variant.has(M::Relu) => {
            Some("the format has nothing else to give")
        }
        D::ReluKeepsNegativeZero if no_negative_zero && !variant.has(M::Pzo) => {
            Some("the format has no −0")
        }
        D::ReluKeepsNegativeZero | D::PzoIgnored if variant.has(M::Relu) && variant.has(M::Pzo) => {
            Some("the other modifier makes −0 positive")
        }
        _ if saturated && subject::from_integer(variant) => integer(deviation, variant),
        _ => None,
    }
}

/// Of integers that are clamped to [0, 1].
fn integer(deviation: D, variant: &Variant) -> Option<&'static str> {
    match deviation {
        _ if Deviations::from(deviation).only_round() => {
            Some("integers are clamped to 0 and 1, which need no rounding")
        }
        D::SatKeepsNan => Some("no input is NaN"),
        D::SatKeepsNegativeZero => Some("no integer is −0"),
        D::SatSigned if !variant.inputs()[0].format.signed => Some("no input is negative"),
        _ => None,
    }
}
