//! Proofs about numbers so small that it does not matter what becomes of them.

use formats::Scale;
use isa::Rounding::{Down, TowardZero, Up};
use model::Fault::*;

use super::{EquivalenceProof, ProofCase, all, for_faults};

/// Whether the variant rounds to an integral number of the same format.
fn integral(case: &ProofCase) -> bool {
    case.from == case.to && case.variant.is_integral()
}

fn up_or_down(case: &ProofCase) -> bool {
    matches!(case.visible_rounding(), Up | Down)
}

/// Whether the variant converts subnormal numbers that lie below a quarter of the result's smallest unit.
fn below_a_quarter(case: &ProofCase) -> bool {
    let (from, to) = (case.from, case.to);
    let unit =
        if case.variant.is_integral() { to.exponent_of_lsb().max(0) } else { to.exponent_of_lsb() };
    let below = from.has_subnormals() && from.exponent_min() <= unit - 2 && to.scale != Scale::Power;
    case.variant.converts() && case.meaning.scale.is_none() && below
}

#[rustfmt::skip] // a table
pub const PROOFS: &[EquivalenceProof] = &[
    for_faults("flushed-before-rounding",
        &[SubnormalRoundedTwice, SubnormalThroughDouble, SubnormalTruncated, SubnormalTiesAway,
          SubnormalStickyLost, TinyIsZero, BoundaryCarryLost, BoundaryCarryZero, UnderflowLosesSign,
          ReluKeepsTiny],
        |c| c.variant.flushes_result() && !c.variant.is_integral(),
        "results that are subnormal before rounding are flushed"),
    all("shifted-and-flushed", |fault| matches!(fault, ShiftModulo(_)),
        |c| c.variant.flushes_result() && !c.variant.is_integral(),
        "results that are subnormal before rounding are flushed, wherever their significand is shifted"),
    for_faults("large-is-integral",
        &[OverflowToMax, OverflowToInfinity, OverflowWrongSide, OverflowTieKept, OverflowBeforeRounding,
          OverflowKeepsSignificand, OverflowOrsInfinity, OverflowExponentWraps, OverflowToZero,
          NextBinadeIsZero],
        integral,
        "large numbers are integral already"),
    for_faults("integral-is-not-subnormal",
        &[SubnormalRoundedTwice, BoundaryCarryLost, BoundaryCarryZero, ResultNotFlushed, FlushLosesSign,
          FlushedAfterRounding, FlushedAsEncoded, FlushedAfterRoundingAnyway, FlushedAsEncodedAnyway],
        integral,
        "no integral number is subnormal"),
    for_faults("integral-is-not-flushed", &[ResultFlushedAnyway, MinNormalFlushed],
        |c| integral(c) && !up_or_down(c),
        "no integral number is subnormal"),
    for_faults("flushed-as-result", &[InputNotFlushed],
        |c| c.variant.converts() && c.from == c.to && !c.variant.is_integral()
            && c.variant.flushes_result(),
        "what is not flushed as an input is flushed as a result"),
    for_faults("smallest-power", &[SubnormalMisscaled, SubnormalAsNormal, ZeroAsNormal, FlushedAnyway],
        |c| c.meaning.rounding == TowardZero && c.to.scale == Scale::Power
            && c.from.exponent_min() <= 1 - c.to.bias,
        "zero and every subnormal number become the smallest power of two"),
    for_faults("far-below-every-power",
        &[FlushedAnyway, SubnormalMisscaled, SubnormalDoubled, SubnormalAsNormal, ZeroAsNormal],
        |c| c.variant.converts() && c.to.scale == Scale::Power && c.from.exponent_min() < -c.to.bias - 2,
        "zero and every number that is about as small as a subnormal one become the smallest power of two"),
    for_faults("zero-in-any-case", &[FlushedAnyway, InputNotFlushed, NarrowSubnormalLost],
        |c| below_a_quarter(c) && (!up_or_down(c) || c.variant.flushes_result()),
        "subnormal inputs become zero in any case"),
    for_faults("zero-is-small", &[ZeroAsNormal],
        |c| (below_a_quarter(c) || integral(c) && c.from.exponent_min() <= -2)
            && (!up_or_down(c) || c.variant.flushes_result()),
        "what is read with a leading bit is so small that it becomes zero in any case"),
    for_faults("twice-as-much", &[SubnormalDoubled], below_a_quarter,
        "twice a subnormal input is below half of the smallest number, and becomes the same as the input"),
    for_faults("half-as-much", &[SubnormalMisscaled, SubnormalAsNormal], below_a_quarter,
        "half a subnormal input becomes the same as a whole one, and so does any other small number"),
];
