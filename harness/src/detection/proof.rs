//! Why some mutants cannot be found: their results are the right ones, or may be.
//!
//! A proof is a claim about a flaw in every variant of some shape. The hunt tries each claim on the
//! first vectors of each variant all the same, and one that is wrong is an error.

use vectors::Variant;
use vectors::isa::{Modifier as M, Operation as O, Relaxation, Rounding as R};

use super::exact::Exact;
use super::{Flaw, Narrow};
use crate::mutant::Deviation as D;

/// The proof for variants of which every input of a lane has been tried.
pub const EXHAUSTED: &str = "every input of a lane was tried";

/// Why a mutant of a variant is no mutant, if that is known beforehand.
pub fn of(flaw: Flaw, variant: &Variant) -> Option<&'static str> {
    match flaw {
        Flaw::Stage(deviation) => of_stage(deviation, variant),
        Flaw::Range(narrow) => of_range(narrow, variant),
    }
}

fn of_stage(deviation: D, variant: &Variant) -> Option<&'static str> {
    let clamped = variant.has(M::Sat) || variant.has(M::Relu);
    let ftz = crate::mutant::result_flushed(variant);
    let exact = Exact::of(variant);
    let reason = match deviation {
        D::UnderflowLosesSign
        | D::FlushLosesSign
        | D::ZeroSumNegative
        | D::ZeroSumPositive
        | D::ZeroProductPositive
        | D::TowardZeroDown
        | D::DownTowardZero
        | D::DirectionOfMagnitude
            if clamped =>
        {
            "it changes negative results and the signs of zeros, and those are clamped to +0"
        }
        D::InputFlushLosesSign
            if clamped && !matches!(variant.operation(), O::Div | O::Rcp | O::Cvt) =>
        {
            "it changes the signs of zeros, and those are clamped to +0"
        }
        D::NanKeepsSign | D::NanKeepsPayload | D::LaneNanSpreads if variant.has(M::Sat) => {
            "`.sat` makes NaN +0"
        }
        D::ZeroTimesInfinity if variant.has(M::Sat) && variant.operation() == O::Mul => {
            "`.sat` makes NaN +0"
        }
        D::OverflowToMax
        | D::OverflowToInfinity
        | D::OverflowWrongSide
        | D::OverflowTieKept
        | D::OverflowAtMax
            if variant.has(M::Satfinite) =>
        {
            "`.satfinite` makes infinity the largest finite number"
        }
        D::ZerosEqual if variant.has(M::XorsignAbs) || variant.has(M::Abs) => {
            "magnitudes are compared, of which no zero is negative"
        }
        D::InputFlushLosesSign if variant.has(M::XorsignAbs) || variant.has(M::Abs) => {
            "a magnitude has no sign, and the sign of the result is taken before inputs are flushed"
        }
        D::SubnormalRoundedTwice | D::BoundaryCarryLost | D::UnderflowLosesSign if ftz => {
            "results that are subnormal before rounding are flushed"
        }
        D::NanKeepsSign if variant.inputs().iter().all(|input| input.format.nan().is_none()) => {
            "no input is NaN"
        }
        _ => {
            return root(deviation, variant)
                .or_else(|| quotient(deviation, variant))
                .or_else(|| integral(deviation, variant))
                .or_else(|| exact.and_then(|exact| exact.proof(deviation, variant)));
        }
    };
    Some(reason)
}

/// Of square roots.
fn root(deviation: D, variant: &Variant) -> Option<&'static str> {
    let format = variant.outputs()[0].format;
    let precision = format.precision();
    match deviation {
        _ if variant.operation() != O::Sqrt => None,
        D::TiesAway | D::TiesToOdd | D::TiesTowardZero | D::TiesUp => {
            Some("a root half-way between two numbers would have a square of more bits than the operand")
        }
        D::OverflowToMax
        | D::OverflowToInfinity
        | D::OverflowWrongSide
        | D::OverflowTieKept
        | D::OverflowAtMax => Some("the root of a number is never too large"),
        D::SubnormalRoundedTwice
        | D::BoundaryCarryLost
        | D::UnderflowLosesSign
        | D::ResultFlushedAnyway
        | D::ResultNotFlushed
        | D::FlushLosesSign
        | D::FlushedAfterRounding
        | D::MinNormalFlushed => Some("the root of a number is never subnormal"),
        D::TowardZeroDown | D::DownTowardZero | D::DirectionOfMagnitude => {
            Some("no root that is rounded is negative")
        }
        _ => {
            let enough = 2 * precision + 4;
            let kept = crate::mutant::Deviations::from(deviation);
            let through = kept.through().filter(|_| variant.rounding() == R::NearestEven);
            match (kept.sticky_places(), through) {
                (Some(places), _) if places >= enough => Some(FAR_FROM_HALF),
                (_, Some(first)) if first.precision() >= 2 * precision + 2 => Some(FAR_FROM_HALF),
                _ => None,
            }
        }
    }
}

const FAR_FROM_HALF: &str = "a quotient or root that is not a number or half-way between two differs from each \
    by a part in 2 to the power of both precisions, and so stays on its side";

/// Of quotients and reciprocals.
fn quotient(deviation: D, variant: &Variant) -> Option<&'static str> {
    let format = variant.outputs()[0].format;
    let reciprocal = variant.operation() == O::Rcp;
    let flushed = crate::mutant::result_flushed(variant);
    match deviation {
        _ if !matches!(variant.operation(), O::Div | O::Rcp) => None,
        D::TiesAway | D::TiesToOdd | D::TiesTowardZero | D::TiesUp if reciprocal => {
            Some("1/b has finitely many bits only if b is a power of two, and is then a number")
        }
        D::TiesAway | D::TiesToOdd | D::TiesTowardZero | D::TiesUp if flushed => Some(
            "a normal quotient half-way between two numbers, times the divisor, would have more bits than the dividend",
        ),
        D::OverflowTieKept => Some(
            "a quotient half-way between two numbers, times the divisor, would have more bits than the dividend",
        ),
        D::UnderflowLosesSign if reciprocal => {
            Some("the reciprocal of the largest number is no smaller than a subnormal one")
        }
        _ => {
            let enough = 2 * format.precision() + 2;
            let kept = crate::mutant::Deviations::from(deviation);
            let through = kept.through().filter(|_| variant.rounding() == R::NearestEven);
            match (kept.sticky_places(), through) {
                (Some(places), _) if places >= enough => Some(FAR_FROM_HALF),
                (_, Some(first)) if first.precision() >= enough => Some(FAR_FROM_HALF),
                _ => None,
            }
        }
    }
}

/// Of roundings to integral numbers of the same format.
fn integral(deviation: D, variant: &Variant) -> Option<&'static str> {
    let same = variant.inputs()[0].format == variant.outputs()[0].format;
    let integral = variant.modifiers().iter().any(|modifier| modifier.is_integral());
    match deviation {
        _ if !(same && integral) => None,
        D::OverflowToMax | D::OverflowToInfinity | D::OverflowWrongSide | D::OverflowTieKept => {
            Some("large numbers are integral already")
        }
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

fn of_range(_narrow: Narrow, _variant: &Variant) -> Option<&'static str> {
    None
}

/// Whether the manual leaves open what a flaw is about, in this variant.
pub fn permits(flaw: Flaw, variant: &Variant) -> bool {
    let Flaw::Stage(deviation) = flaw else { return false };
    let open: &[Relaxation] = match deviation {
        D::NanKeepsSign | D::NanKeepsPayload | D::ReluKeepsPayload | D::NanKeepsItsSign => {
            &[Relaxation::AnyNan, Relaxation::TruncatedNan]
        }
        D::FlushedAfterRounding | D::MinNormalFlushed => &[Relaxation::FtzTininess],
        D::ReluKeepsNegativeZero | D::SatKeepsNegativeZero => &[Relaxation::ZeroSign],
        D::OobAnyNan | D::OobCanonical | D::OobPositiveOnly => &[Relaxation::OobPattern],
        D::OobAddendToo => &[Relaxation::OobAddend],
        D::InputNotFlushed | D::FlushedAnyway | D::NarrowSubnormalLost => &[Relaxation::FtzIgnored],
        D::RandomReversed | D::RandomPairsSwapped => &[Relaxation::RandomLayout],
        _ => &[],
    };
    variant.relaxations().any(|relaxation| open.contains(&relaxation))
}
