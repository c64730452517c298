//! Proofs about quotients, reciprocals and square roots.

use isa::{Op, Rounding};
use model::Fault::{self, *};

use super::{EquivalenceProof, ProofCase, all, for_faults};

const TIES: &[Fault] = &[TiesAway, TiesToOdd, TiesTowardZero, TiesUp, SubnormalTiesAway];

const NO_MIDPOINT: &str = "a quotient half-way between two numbers, times the divisor, would have more bits \
    than the dividend";

fn root(case: &ProofCase) -> bool {
    case.op() == Op::Sqrt
}

fn reciprocal(case: &ProofCase) -> bool {
    case.op() == Op::Rcp
}

fn quotient(case: &ProofCase) -> bool {
    matches!(case.op(), Op::Div | Op::Rcp)
}

/// Whether so many places are kept that no quotient or root gets to another side of what decides its rounding.
fn is_far(case: &ProofCase) -> bool {
    let enough = 2 * case.to.precision() + if root(case) { 4 } else { 2 };
    case.places_kept().is_some_and(|kept| kept >= enough)
}

#[rustfmt::skip] // a table
pub const PROOFS: &[EquivalenceProof] = &[
    for_faults("no-tie-of-roots", TIES, root,
        "a root half-way between two numbers would have a square of more bits than the operand"),
    all("roots-are-not-large", Fault::overflows, root,
        "the root of a number is never too large"),
    for_faults("roots-are-not-subnormal",
        &[SubnormalRoundedTwice, SubnormalTruncated, TinyIsZero, BoundaryCarryLost, BoundaryCarryZero,
          UnderflowLosesSign, ResultFlushedAnyway, FlushedAfterRoundingAnyway, FlushedAsEncodedAnyway,
          ResultNotFlushed, FlushLosesSign, FlushedAfterRounding, FlushedAsEncoded, MinNormalFlushed,
          SubnormalResultHalved, SubnormalResultDoubled],
        root,
        "the root of a number is never subnormal"),
    all("reciprocals-are-not-large", Fault::overflows,
        |c| reciprocal(c) && c.meaning.flush.inputs[0],
        "the reciprocal of a normal number is never too large"),
    for_faults("reciprocals-do-not-carry", &[BoundaryCarryLost, BoundaryCarryZero, FlushedAsEncoded],
        |c| reciprocal(c) && c.meaning.rounding == Rounding::NearestEven,
        "a reciprocal below a power of two is so by almost a unit at least"),
    for_faults("no-tie-of-reciprocals", TIES, reciprocal,
        "1/b has finitely many bits only if b is a power of two, and is then a number"),
    for_faults("no-tie-of-quotients", TIES,
        |c| quotient(c) && c.variant.flushes_result(),
        NO_MIDPOINT),
    for_faults("no-tie-beyond-the-largest", &[OverflowTieKept], quotient, NO_MIDPOINT),
    for_faults("no-quotient-next-to-a-power", &[CarryLost, CarryOred, OverflowBeforeRounding, OverflowOrsInfinity],
        |c| quotient(c) && c.from == c.to,
        "a quotient of normal numbers below a power of two is so by more than a unit, and is not rounded up to it"),
    for_faults("no-root-next-to-a-power", &[CarryLost, CarryOred],
        |c| root(c) && c.meaning.rounding == Rounding::NearestEven,
        "a root below a power of two is so by more than half a unit"),
    for_faults("quotients-below-normal", &[FlushedAfterRounding], quotient,
        "a quotient of normal numbers below a power of two is so by more than a unit"),
    for_faults("largest-is-no-reciprocal", &[OverflowAtMax], reciprocal,
        "the reciprocal of a power of two is none, and that of its neighbour is smaller by far more than \
         a unit of the largest number"),
    for_faults("reciprocals-do-not-underflow", &[UnderflowLosesSign, TinyIsZero], reciprocal,
        "the reciprocal of the largest number is larger than the smallest subnormal one"),
    all("far-from-both", |fault| fault.sticky_places().is_some() || fault.intermediate_format().is_some(),
        |c| (root(c) || quotient(c)) && is_far(c),
        "a quotient or root that is not a number or half-way between two differs from each by a \
         part in 2 to the power of both precisions, and so stays on its side"),
];
