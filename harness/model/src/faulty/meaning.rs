//! The faults that read a variant wrongly, and compute rightly what they read.

use formats::{F16, F32};
use isa::{Clamp, Meaning, NanRule, Op, Rounding, Variant};

use crate::{Fault, Faults};

/// The faults that flush results where nobody asked for it. Whether they do so before the rounding or after it is
/// left to the stage of rounding.
const FLUSHED_ANYWAY: [Fault; 3] =
    [Fault::ResultFlushedAnyway, Fault::FlushedAfterRoundingAnyway, Fault::FlushedAsEncodedAnyway];

/// Returns the meaning that a variant has to a reader with these faults.
pub fn misread(variant: &Variant, faults: Faults) -> Meaning {
    let has = |fault| faults.has(fault);
    let (mut meaning, output) = (*variant.meaning(), variant.outputs()[0].format);
    for (flushed, input) in meaning.flush.inputs.iter_mut().zip(variant.inputs()) {
        let narrow = input.format.width() < output.width();
        *flushed = *flushed && !has(Fault::InputNotFlushed)
            || has(Fault::FlushedAnyway)
            || narrow && has(Fault::NarrowSubnormalLost);
    }
    meaning.flush.result = match variant.flushes_result() {
        true => !has(Fault::ResultNotFlushed),
        false => FLUSHED_ANYWAY.into_iter().any(has) && output.has_subnormals(),
    };
    if has(Fault::MemoryKept) || has(Fault::MemoryFlushed) {
        let flushed = has(Fault::MemoryFlushed);
        meaning.flush.inputs = [flushed; 3];
        meaning.flush.result = flushed;
    }
    if has(Fault::AccumulatorIgnored) {
        meaning.accumulator = None;
    }
    if has(Fault::AccumulatorWider) {
        meaning.accumulator = Some(if output.width() == 8 { &F16 } else { &F32 });
    }
    meaning.out_of_bounds &= !has(Fault::OobIgnored);
    meaning.satfinite &= !has(Fault::SatfiniteIgnored);
    meaning.positive_zero &= !has(Fault::PzoIgnored);
    if has(Fault::SatIgnored) || has(Fault::ReluIgnored) {
        meaning.clamp = Clamp::None;
    }
    if has(Fault::DownIgnored) {
        meaning.rounding = Rounding::NearestEven;
    }
    match &mut meaning.op {
        Op::Extremum(extremum) => {
            extremum.propagates_nan = match extremum.propagates_nan {
                true => !has(Fault::NanLoses),
                false => has(Fault::NanWins),
            };
            extremum.of_magnitudes &= extremum.with_product_of_signs || !has(Fault::MagnitudesIgnored);
            extremum.with_product_of_signs &= !has(Fault::XorsignIgnored);
        }
        Op::Compare(comparison) => {
            let relation = &mut comparison.relation;
            let (ordered, by_order) = (!relation.unordered, relation.less != relation.greater);
            let differ = ordered && relation.less && relation.greater && !relation.equal;
            relation.unordered = relation.unordered && !has(Fault::UnorderedFalse)
                || differ && has(Fault::NeUnordered)
                || ordered && by_order && has(Fault::OrderedTrue);
            if has(Fault::PredicateIgnored) {
                comparison.combination = None;
            }
        }
        Op::Convert(_) if output.is_integer() => match () {
            () if has(Fault::Indefinite) => meaning.nan = NanRule::Bits(output.min_finite()),
            () if has(Fault::UnsignedIndefinite) => {
                meaning.nan = NanRule::Bits(1 << (output.width() - 1));
            }
            () if has(Fault::WrapsFrom64) => meaning.nan = NanRule::Bits(0),
            () if has(Fault::NanToMax) => meaning.nan = NanRule::Bits(output.max_finite()),
            () if has(Fault::NanToZero) => meaning.nan = NanRule::Bits(0),
            () => {}
        },
        _ => {}
    }
    meaning
}
