//! Proofs about clamps, which make right results of wrong ones.

use formats::Specials;
use isa::{Op, Rounding};
use model::Fault::{self, *};

use super::{EquivalenceProof, ProofCase, all, for_faults};

/// Whether the result's format has no −0, or `.pzo` leaves none.
fn no_negative_zero(case: &ProofCase) -> bool {
    let without = case.to.specials == Specials::NanNegativeZero;
    case.meaning.positive_zero || without || !case.to.signed || case.to.is_fixed()
}

fn saturated_integer(case: &ProofCase) -> bool {
    case.saturated() && case.variant.is_from_integer()
}

#[rustfmt::skip] // a table
pub const PROOFS: &[EquivalenceProof] = &[
    for_faults("sign-clamped",
        &[UnderflowLosesSign, IntegralZeroPositive, FlushLosesSign, ZeroSumNegative, ZeroSumPositive,
          ZeroSumOfFirst, ZeroProductPositive, ZeroProductNegative, TowardZeroDown, DownTowardZero, DirectionOfMagnitude],
        |c| c.positive() || !c.to.signed,
        "it changes negative results and the signs of zeros, and those are clamped to +0"),
    all("negative-sums-clamped", |fault| matches!(fault, NudgedWrongWay(_)),
        |c| c.positive(),
        "it changes negative results, and those are clamped to +0"),
    for_faults("never-negative", &[TowardZeroDown, DownTowardZero, DirectionOfMagnitude],
        |c| c.never_negative(),
        "no number is negative"),
    for_faults("zero-sign-clamped", &[InputFlushLosesSign],
        |c| c.positive() && !matches!(c.op(), Op::Div | Op::Rcp),
        "it changes the signs of zeros, and those are clamped to +0"),
    for_faults("zero-without-sign", &[UnderflowLosesSign, InputFlushLosesSign],
        |c| no_negative_zero(c) && c.variant.converts(),
        "it changes the sign of zero, which the result does not have"),
    for_faults("sat-of-nan", &[NanKeepsSign, NanKeepsPayload, LaneNanSpreads, InfiniteDifferenceZero, NanIsMax],
        |c| c.saturated(),
        "`.sat` makes NaN +0"),
    for_faults("sat-of-nan-product", &[ZeroTimesInfinity],
        |c| c.saturated() && c.op() == Op::Mul,
        "`.sat` makes NaN +0"),
    for_faults("nan-without-sign", &[NanKeepsSign],
        |c| !c.to.signed || c.to.specials == Specials::NanNegativeZero,
        "the NaN of the format has no sign"),
    all("satfinite-of-infinity", Fault::overflows,
        |c| c.meaning.satfinite,
        "`.satfinite` makes infinity the largest finite number"),
    for_faults("satfinite-of-nan", &[ReluNanToZero],
        |c| c.meaning.satfinite && c.to.nan().is_none(),
        "`.satfinite` makes NaN a number before"),
    for_faults("finite-anyway", &[SatfiniteIgnored],
        |c| c.relu() && c.to.nan().is_none() && c.to.infinity().is_none(),
        "the format has nothing else to give"),
    for_faults("format-without-negative-zero", &[ReluKeepsNegativeZero],
        |c| no_negative_zero(c) && !c.meaning.positive_zero,
        "the format has no −0"),
    for_faults("relu-and-pzo", &[ReluKeepsNegativeZero, PzoIgnored],
        |c| c.relu() && c.meaning.positive_zero,
        "the other modifier makes −0 positive"),
    all("up-to-one", |fault| matches!(fault, BitTwice(_) | ShiftModulo(_)),
        |c| c.saturated() && c.variant.is_integral() && c.meaning.rounding == Rounding::Up,
        "every positive number is rounded up to 1 or more, and so is a number that is larger"),
    all("sat-of-integer", Fault::only_rounds, saturated_integer,
        "integers are clamped to 0 and 1, which need no rounding"),
    for_faults("integer-is-no-nan", &[SatKeepsNan], saturated_integer,
        "no input is NaN"),
    for_faults("integer-is-no-negative-zero", &[SatKeepsNegativeZero], saturated_integer,
        "no integer is −0"),
    for_faults("unsigned-is-not-negative", &[SatSigned],
        |c| saturated_integer(c) && !c.from.signed,
        "no input is negative"),
];
