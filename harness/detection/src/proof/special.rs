//! Proofs about special values, and about products that are added to.

use formats::{F64, Scale};
use isa::Rounding::{NearestEven, Up};
use model::Fault::*;

use super::exact::ExactBits;
use super::{EquivalenceProof, ProofCase, for_faults};

/// Whether `holds` is true of the bits of exact products in a variant that adds to one.
fn product(case: &ProofCase, holds: impl Fn(ExactBits) -> bool) -> bool {
    ExactBits::product(case.variant).is_some_and(holds)
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
