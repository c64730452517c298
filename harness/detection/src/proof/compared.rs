//! Proofs about comparisons and choices.

use isa::{Op, Relation};
use model::Fault::*;

use super::{EquivalenceProof, ProofCase, for_faults};

fn relation(case: &ProofCase) -> Option<Relation> {
    match case.op() {
        Op::Compare(comparison) => Some(comparison.relation),
        _ => None,
    }
}

/// Whether the comparison asks for NaN and nothing else.
fn asks_for_nan(case: &ProofCase) -> bool {
    relation(case).is_some_and(|of| of.less == of.equal && of.equal == of.greater)
}

/// Whether the comparison asks for equality, or for the opposite of it.
fn asks_for_equality(case: &ProofCase) -> bool {
    relation(case)
        .is_some_and(|of| of.less == of.greater && of.less == of.unordered && of.equal != of.unordered)
}

fn of_magnitudes(case: &ProofCase) -> bool {
    matches!(case.op(), Op::Extremum(extremum) if extremum.of_magnitudes)
}

#[rustfmt::skip] // a table
pub const PROOFS: &[EquivalenceProof] = &[
    for_faults("nan-is-not-flushed",
        &[FlushedAnyway, InputNotFlushed, InputFlushLosesSign, NarrowSubnormalLost],
        asks_for_nan,
        "whether an input is NaN does not depend on flushing"),
    for_faults("zeros-are-equal", &[InputFlushLosesSign],
        |c| c.variant.compares() || c.op() == Op::Select,
        "zeros of either sign are equal"),
    for_faults("nan-equals-none", &[SecondNanMissed], asks_for_equality,
        "as a number, too, NaN is equal to none"),
    for_faults("zeros-of-magnitudes", &[ZerosEqual, ZerosEqualFirst], of_magnitudes,
        "magnitudes are compared, of which no zero is negative"),
    for_faults("magnitude-without-sign", &[InputFlushLosesSign],
        |c| c.op() == Op::Abs,
        "a magnitude has no sign"),
    for_faults("sign-before-flush", &[InputFlushLosesSign], of_magnitudes,
        "a magnitude has no sign, and the sign of the result is taken before inputs are flushed"),
];
