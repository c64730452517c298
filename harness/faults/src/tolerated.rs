//! Faults that a relaxation permits.

use formats::Specials;
use isa::{Relaxation, Variant};
use model::Fault;

use crate::Mutation;

/// Whether the manual leaves open what a mutation of this variant is about, so that a relaxation permits it.
pub fn is_tolerated(mutation: Mutation, variant: &Variant) -> bool {
    let Mutation::Stage(fault) = mutation else { return false };
    let open: &[Relaxation] = match fault {
        Fault::NanKeepsSign
        | Fault::NanKeepsPayload
        | Fault::ReluKeepsPayload
        | Fault::NanKeepsItsSign => {
            &[Relaxation::AnyNan, Relaxation::NanPayload, Relaxation::TruncatedNan]
        }
        // What is left of a NaN that was cut may be an infinity.
        Fault::NanCut => &[Relaxation::TruncatedNan],
        Fault::FlushedAfterRounding | Fault::FlushedAsEncoded | Fault::MinNormalFlushed => {
            &[Relaxation::FtzTininess]
        }
        Fault::OverflowAtMax | Fault::OverflowBeforeRounding | Fault::TopBinadeOverflows => {
            &[Relaxation::OverflowBoundary]
        }
        Fault::ReluKeepsNegativeZero | Fault::SatKeepsNegativeZero => &[Relaxation::ZeroSign],
        Fault::OobAnyNan | Fault::OobCanonical | Fault::OobPositiveOnly => &[Relaxation::OobPattern],
        Fault::OobAddendToo => &[Relaxation::OobAddend],
        Fault::InputNotFlushed | Fault::FlushedAnyway | Fault::NarrowSubnormalLost => {
            &[Relaxation::FtzIgnored, Relaxation::VectorFlush]
        }
        Fault::RandomReversed | Fault::RandomPairsSwapped | Fault::RandomNeverReversed => {
            &[Relaxation::RandomLayout]
        }
        Fault::ResultNotFlushed => &[Relaxation::FtzResult, Relaxation::VectorFlush],
        Fault::MemoryKept => &[Relaxation::VectorFlush],
        Fault::NanWins | Fault::NanGivesSecond | Fault::NanGivesFirst => &[Relaxation::MemoryNan],
        Fault::ZerosEqual | Fault::ZerosEqualFirst => &[Relaxation::MemoryZero],
        Fault::NanIsZero => &[Relaxation::CastNan],
        Fault::InputFlushLosesSign => &[Relaxation::FlushSign],
        Fault::OverflowToInfinity => &[Relaxation::OverflowBoundary],
        // An infinite input is saturated by either interpretation.
        Fault::SatfiniteIgnored if variant.inputs()[0].format.infinity().is_none() => {
            &[Relaxation::ScaleSaturation]
        }
        // What these make of too large a number is NaN, of one sign or the other.
        Fault::OverflowExponentWraps | Fault::LowestIsPositive
            if variant.outputs()[0].format.specials == Specials::NanAllOnes =>
        {
            &[Relaxation::AnyNan, Relaxation::NanPayload, Relaxation::TruncatedNan]
        }
        Fault::OverflowWrongSide => &[Relaxation::OverflowBoundary, Relaxation::OverflowResult],
        Fault::OverflowToMax => &[Relaxation::OverflowResult, Relaxation::InfinityResult],
        // What is too large and becomes the largest number is so rightly in one of two readings.
        Fault::NanPlaceIsMax => &[Relaxation::OverflowResult],
        // For powers of two, truncation changes nothing but overflow.
        Fault::OverflowTieKept | Fault::Truncated => &[Relaxation::OverflowResult],
        _ => &[],
    };
    variant.relaxations().any(|relaxation| open.contains(&relaxation))
}
