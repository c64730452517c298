//! Proofs about special values, and about products that are added to.

use formats::{F64, Scale};
use isa::Op;
use isa::Rounding::{NearestEven, Up};
use model::Fault::*;

use super::exact::ExactBits;
use super::{EquivalenceProof, ProofCase, for_faults};

/// Whether `holds` is true of the bits of exact products in a variant that adds to one.
fn product(case: &ProofCase, holds: impl Fn(ExactBits) -> bool) -> bool {
    ExactBits::product(case.variant).is_some_and(holds)
}

/// Whether an input may be infinite: its format has infinity, or the one has that it is converted to first.
fn may_be_infinite(case: &ProofCase, input: usize) -> bool {
    let converted = case.meaning.converted == Some(input) && case.to.infinity().is_some();
    case.variant.inputs().get(input).is_some_and(|of| of.format.infinity().is_some()) || converted
}

/// Whether an input may be zero: powers of two alone are not.
fn may_be_zero(case: &ProofCase, input: usize) -> bool {
    case.variant.inputs().get(input).is_some_and(|of| of.format.scale != Scale::Power)
}

/// Whether a factor of a product may be infinite while the other one is zero.
fn may_multiply_infinity_by_zero(case: &ProofCase) -> bool {
    [(0, 1), (1, 0)].iter().any(|&(one, other)| may_be_infinite(case, one) && may_be_zero(case, other))
}

/// Whether both terms of a sum of two may be infinite; a product is infinite only if a factor is.
fn may_add_infinities(case: &ProofCase) -> bool {
    match (case.op(), case.variant.inputs().len()) {
        (Op::Add | Op::Sub, 2) => may_be_infinite(case, 0) && may_be_infinite(case, 1),
        (Op::Fma, 3) => {
            (may_be_infinite(case, 0) || may_be_infinite(case, 1)) && may_be_infinite(case, 2)
        }
        _ => true,
    }
}

#[rustfmt::skip] // a table
pub const PROOFS: &[EquivalenceProof] = &[
    for_faults("input-is-no-nan", &[NanKeepsSign],
        |c| c.variant.inputs().iter().all(|input| input.format.nan().is_none()),
        "no input is NaN"),
    for_faults("infinity-becomes-nan", &[NanIsInfinity],
        |c| c.to.infinity().is_none() && !c.meaning.satfinite && !c.to.is_fixed(),
        "in a format without infinity both become NaN"),
    for_faults("nothing-is-infinite", &[InfiniteDifference, InfiniteDifferenceZero],
        |c| c.variant.inputs().iter().all(|input| input.format.infinity().is_none())
            && c.meaning.accumulator.is_none_or(|wide| wide.exponent_max() > c.from.exponent_max() + 1),
        "no input is infinite, and no sum of inputs is"),
    for_faults("not-two-infinities", &[InfiniteDifference, InfiniteDifferenceZero],
        |c| !may_add_infinities(c) && c.meaning.accumulator.is_none(),
        "one of the terms is never infinite"),
    for_faults("no-infinite-factor", &[ZeroTimesInfinity],
        |c| matches!(c.op(), Op::Mul | Op::Fma) && !may_multiply_infinity_by_zero(c),
        "no factor is infinite while the other one may be zero"),
    for_faults("largest-is-even", &[OverflowTieKept],
        |c| c.meaning.rounding == NearestEven && c.to.max_finite() & 1 == 0 && c.to.scale == Scale::Floating,
        "the largest number has an even significand: the tie belongs to it"),
    for_faults("products-are-numbers", &[Unfused],
        |c| product(c, |product| product.fits(c.to)),
        "no product has to be rounded"),
    for_faults("sums-held-by-double", &[SubnormalThroughDouble],
        |c| product(c, |product| product.bits + c.to.precision() <= F64.precision())
            && c.variant.inputs()[2].format.exponent_of_lsb() >= c.to.exponent_of_lsb(),
        "where a product is large enough to decide between two subnormal numbers, f64 holds all of \
         the sum"),
    for_faults("products-are-short", &[Unfused],
        |c| c.meaning.rounding == Up && c.saturated() && product(c, |product| product.is_short(c.to)),
        "a product is rounded up to a multiple of the smallest number, of which all numbers are \
         multiples, so that rounding up again gives the same; but for signs of zeros and negative \
         results, which are clamped to +0"),
    for_faults("tie-below-one", &[TiesTowardZero],
        |c| c.variant.is_integral() && c.saturated(),
        "the only tie below 1 is 0.5, which goes towards zero to be even"),
    for_faults("format-without-nan", &[ReluKeepsPayload],
        |c| c.to.nan().is_none(),
        "the format has no NaN"),
];
