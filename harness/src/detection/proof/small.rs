//! Of numbers so small that it does not matter what becomes of them.

use model::{Deviation as D, subject};
use vectors::Variant;
use vectors::format::Scale;
use vectors::isa::{Modifier as M, Rounding as R};

/// Why a deviation about small numbers does not show in a variant.
pub fn proof(deviation: D, variant: &Variant) -> Option<&'static str> {
    let flushed = subject::result_flushed(variant);
    match deviation {
        D::SubnormalRoundedTwice | D::BoundaryCarryLost | D::UnderflowLosesSign | D::ReluKeepsTiny
            if flushed && !subject::integral(variant) =>
        {
            Some("results that are subnormal before rounding are flushed")
        }
        _ => integral(deviation, variant).or_else(|| converted(deviation, variant)),
    }
}

/// Of roundings to integral numbers of the same format.
fn integral(deviation: D, variant: &Variant) -> Option<&'static str> {
    let same = variant.inputs()[0].format == variant.outputs()[0].format;
    let rounding = subject::visible_rounding(variant);
    match deviation {
        _ if !(same && subject::integral(variant)) => None,
        D::OverflowToMax | D::OverflowToInfinity | D::OverflowWrongSide | D::OverflowTieKept => {
            Some("large numbers are integral already")
        }
        D::ResultFlushedAnyway | D::MinNormalFlushed if matches!(rounding, R::Up | R::Down) => None,
        D::SubnormalRoundedTwice
        | D::BoundaryCarryLost
        | D::ResultFlushedAnyway
        | D::ResultNotFlushed
        | D::FlushLosesSign
        | D::FlushedAfterRounding
        | D::MinNormalFlushed => Some("no integral number is subnormal"),
        _ => None,
    }
}

/// Of conversions of subnormal numbers that lie below a quarter of the result's smallest unit.
fn converted(deviation: D, variant: &Variant) -> Option<&'static str> {
    let (from, to) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let same = subject::converts(variant) && from == to && !subject::integral(variant);
    if deviation == D::InputNotFlushed && same && subject::result_flushed(variant) {
        return Some("what is not flushed as an input is flushed as a result");
    }
    let truncated = variant.rounding() == R::TowardZero;
    let smaller = matches!(deviation, D::SubnormalMisscaled | D::FlushedAnyway);
    if smaller && truncated && to.scale == Scale::Power {
        let least = from.exponent_min() <= 1 - to.bias;
        return least.then_some("zero and every subnormal number become the smallest power of two");
    }
    let scaled = variant.has(M::ScaledDown) || variant.has(M::ScaledUp);
    let integral = subject::integral(variant);
    let unit = if integral { to.unit().max(0) } else { to.unit() };
    let below =
        subject::has_subnormals(from) && from.exponent_min() <= unit - 2 && to.scale != Scale::Power;
    if !subject::converts(variant) || scaled || !below {
        return None;
    }
    let rounding = subject::visible_rounding(variant);
    let to_zero = !matches!(rounding, R::Up | R::Down) || subject::result_flushed(variant);
    match deviation {
        D::FlushedAnyway | D::InputNotFlushed | D::NarrowSubnormalLost if to_zero => {
            Some("subnormal inputs become zero in any case")
        }
        D::SubnormalMisscaled => Some("half a subnormal input becomes the same as a whole one"),
        _ => None,
    }
}
