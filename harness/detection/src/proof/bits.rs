//! Proofs that follow from where the bits of exact results can lie.

use formats::{Format, Specials};
use isa::Rounding::{self, NearestEven};
use model::Fault::{self, *};

use super::exact::ExactBits;
use super::{EquivalenceProof, ProofCase, all, for_faults};

/// Whether `holds` is true of the bits that exact results may have; false where these are not known.
fn exact(case: &ProofCase, holds: impl Fn(ExactBits) -> bool) -> bool {
    case.exact.is_some_and(holds)
}

/// Whether results are floats and `holds` is true of their exact bits; `fraction` also asks that they are not rounded
/// to integral numbers.
fn float(case: &ProofCase, holds: impl Fn(ExactBits) -> bool) -> bool {
    !case.to.is_fixed() && exact(case, holds)
}

/// Whether results are floats that are not rounded to integral numbers, and `holds` is true of their exact bits.
fn fraction(case: &ProofCase, holds: impl Fn(ExactBits) -> bool) -> bool {
    !case.variant.is_integral() && float(case, holds)
}

/// Whether `holds` is true of the exact results and the number of places that the fault leaves to the rounding.
fn holds_for_kept_bits(case: &ProofCase, holds: impl Fn(ExactBits, u32) -> bool) -> bool {
    case.places_kept().is_some_and(|places| exact(case, |exact| holds(exact, places)))
}

/// Whether `holds` is true of the exact results and the format that is rounded to first.
fn first(case: &ProofCase, holds: impl Fn(ExactBits, &Format) -> bool) -> bool {
    case.fault.intermediate_format().is_some_and(|format| exact(case, |exact| holds(exact, format)))
}

/// Whether an integer of at least so many bits is too large for the result's format.
pub(super) fn too_large(case: &ProofCase, bits: u32) -> bool {
    let integer = case.variant.is_from_integer() && !case.to.is_fixed();
    integer && bits as i32 > case.to.exponent_max() + 1
}

/// Whether each exact result that is rounded to the other format first is held there, or is below half of the
/// smallest number and does not get above that half.
fn held_above_zero(case: &ProofCase, exact: ExactBits, first: &Format) -> bool {
    let below = match case.visible_rounding() {
        NearestEven | Rounding::TowardZero => case.to.exponent_of_lsb() - 1,
        Rounding::NearestAway => case.to.exponent_of_lsb() - 2,
        Rounding::Up | Rounding::Down | Rounding::Stochastic => return false,
    };
    exact.is_short(first) && first.exponent_of_lsb() <= below + 1 - exact.bits as i32
}

/// Whether exact results end above a place below the last place of their rounded results.
fn ends_above(case: &ProofCase, exact: ExactBits, place: u32) -> bool {
    let integral = case.variant.is_integral() || case.to.is_fixed();
    let unit = if integral { case.to.exponent_of_lsb().max(0) } else { case.to.exponent_of_lsb() };
    let short = integral || exact.bits < case.to.precision() + place;
    short && exact.low > unit - place as i32
}

/// Whether a sum is rounded to nearest, and so many places tell its side of the middle wherever the wide term is the
/// smaller one, and not too small to bring the sum near the middle.
fn wide_term_is_told(case: &ProofCase, exact: ExactBits, places: u32) -> bool {
    let Some([wide, other]) = exact.terms else { return false };
    let (nearest, precision) = (case.meaning.rounding == NearestEven, case.to.precision());
    let enough = places >= precision + wide.bits + 2 && other.bits <= precision;
    nearest && !case.to.is_fixed() && enough
}

/// Whether so many places tell a sum's side of the middle where the wide term is the larger one, and the sum not too
/// large.
fn sum_is_told(case: &ProofCase, exact: ExactBits, places: u32) -> bool {
    let Some([wide, other]) = exact.terms else { return false };
    places as i32 >= (case.to.exponent_max() - other.low + 1).max(wide.bits as i32 + 1)
}

/// Whether the smaller term of a sum, wherever it has a bit below those that the fault keeps, is less than a quarter of
/// the last place of the larger one: so no bit that is added to the sum in its place brings it to another number.
fn lost_term_is_small(case: &ProofCase, exact: ExactBits) -> bool {
    let kept = case.fault.bits_above_sticky();
    let numbers = exact.terms_fit(case.to) && exact.low >= case.to.exponent_of_lsb();
    numbers && kept.is_some_and(|bits| bits > case.to.precision())
}

/// Whether one term of a sum is smaller than 2 to the power of `log2_units` units of the largest number, as the other
/// term is a number of the result's format.
fn small_term(case: &ProofCase, exact: ExactBits, log2_units: i32) -> bool {
    let unit = case.to.exponent_max() + 1 - case.to.precision() as i32;
    let lowest = exact.terms.map(|[wide, other]| wide.high.min(other.high));
    lowest.is_some_and(|high| high <= unit + log2_units)
}

/// Whether a fault changes subnormal results that have to be rounded, and nothing else.
fn is_subnormal(fault: Fault) -> bool {
    let twice = [SubnormalRoundedTwice, SubnormalThroughDouble, SubnormalStickyLost];
    let once = [SubnormalTruncated, SubnormalTiesAway, TinyIsZero, UnderflowLosesSign];
    let carried = [BoundaryCarryLost, BoundaryCarryZero, FlushedAfterRounding, FlushedAsEncoded];
    [&twice[..], &once, &carried].concat().contains(&fault)
}

/// Whether a fault changes subnormal results alone.
fn is_tiny(fault: Fault) -> bool {
    let kept = [ResultNotFlushed, FlushLosesSign, ReluKeepsTiny];
    let flushed = [ResultFlushedAnyway, FlushedAfterRoundingAnyway, FlushedAsEncodedAnyway];
    let misplaced = [SubnormalResultHalved, SubnormalResultDoubled];
    is_subnormal(fault) || [&kept[..], &flushed, &misplaced].concat().contains(&fault)
}

/// Whether a fault leaves fewer bits of an exact result to the rounding.
fn loses_places(fault: Fault) -> bool {
    fault.sticky_places().is_some() || fault.intermediate_format().is_some()
}

#[rustfmt::skip] // a table
pub const PROOFS: &[EquivalenceProof] = &[
    all("nothing-to-round", |fault| fault.only_rounds() || fault == TruncatedToInfinity,
        |c| !c.variant.is_integral() && exact(c, |exact| exact.fits(c.to)),
        "no result has to be rounded"),
    all("not-so-many-bits", |fault| fault.sticky_places().is_some(),
        |c| holds_for_kept_bits(c, |exact, places| exact.bits <= places),
        "no exact result has so many bits"),
    all("no-bit-at-the-place", |fault| fault.bits_lost().is_some(),
        |c| c.fault.bits_lost().is_some_and(|places| exact(c, |exact| ends_above(c, exact, places.0))),
        "no exact result has a bit so far below the last place of the result"),
    all("too-large-to-have-the-bit", |fault| fault.bits_lost().is_some(),
        |c| c.fault.bits_lost().is_some_and(|places| too_large(c, c.to.precision() + places.0)),
        "an integer that has a bit so far below the last place of the result is too large for the format"),
    all("held-by-the-other", |fault| fault.intermediate_format().is_some(),
        |c| first(c, |exact, first| exact.is_short(first) && exact.low >= first.exponent_of_lsb()),
        "the other format holds every exact result"),
    all("too-large-in-any-case", loses_places,
        |c| holds_for_kept_bits(c, |_, places| too_large(c, places + 1)),
        "integers of more bits are too large for the format in any case"),
    all("held-above-zero", |fault| fault.intermediate_format().is_some(),
        |c| first(c, |exact, first| held_above_zero(c, exact, first)),
        "the other format holds every exact result that does not become zero"),
    all("terms-apart", loses_places,
        |c| holds_for_kept_bits(c, |exact, places| wide_term_is_told(c, exact, places) && exact.terms_fit(c.to)),
        "if the terms of a sum lie so far apart, the smaller is too small to bring the sum near \
         the middle between two numbers"),
    all("sum-told", loses_places,
        |c| holds_for_kept_bits(c, |exact, places| {
            wide_term_is_told(c, exact, places) && sum_is_told(c, exact, places)
        }),
        "a sum of more bits is too large, or its product is too small to bring it near the middle \
         between two numbers"),
    all("lost-term-is-small", |fault| fault.bits_above_sticky().is_some(),
        |c| c.meaning.rounding == NearestEven && float(c, |exact| lost_term_is_small(c, exact)),
        "a term with bits so far below the larger one is less than a quarter of that one's last place, and changes no \
         sum that is rounded to nearest"),
    for_faults("integers-fit", &[Wraps],
        |c| c.to.is_fixed() && c.to.signed && exact(c, |exact| exact.high < c.to.width() as i32),
        "no finite number is too large"),
    all("multiple-of-smallest", is_subnormal,
        |c| fraction(c, |exact| exact.low >= c.to.exponent_of_lsb()),
        "an exact result is a multiple of the smallest subnormal number"),
    all("never-subnormal", is_tiny,
        |c| fraction(c, |exact| exact.least >= c.to.exponent_min()),
        "no result is subnormal"),
    for_faults("never-smallest", &[MinNormalFlushed],
        |c| float(c, |exact| exact.least > c.to.exponent_min()),
        "no result is so small"),
    all("never-large", Fault::overflows,
        |c| float(c, |exact| exact.high <= c.to.exponent_max()),
        "no result is too large"),
    for_faults("no-binade-above", &[NextBinadeIsZero],
        |c| float(c, |exact| exact.high <= c.to.exponent_max() + 1),
        "no result lies in the binade above the largest number"),
    all("truncated-to-largest", Fault::overflows,
        |c| c.truncates() && float(c, |exact| exact.high <= c.to.exponent_max() + 1),
        "what is larger than the largest number is truncated to it"),
    all("less-than-a-unit", Fault::overflows,
        |c| c.truncates() && float(c, |exact| small_term(c, exact, 0)),
        "one term is smaller than a unit of the largest number, and the rest is cut off"),
    for_faults("less-than-half-a-unit",
        &[OverflowToMax, OverflowTieKept, OverflowKeepsSignificand, OverflowOrsInfinity,
          OverflowExponentWraps, OverflowToZero, NextBinadeIsZero],
        |c| c.meaning.rounding == NearestEven && float(c, |exact| small_term(c, exact, -1)),
        "one term is less than half a unit of the largest number"),
    for_faults("overflow-by-carry", &[OverflowKeepsSignificand, OverflowExponentWraps],
        |c| c.to.specials == Specials::Ieee && float(c, |exact| exact.high <= c.to.exponent_max() + 1),
        "only what is rounded up from the largest binade overflows, and then has the exponent of infinity and no \
         significand"),
    for_faults("wraps-to-nan", &[OverflowExponentWraps],
        |c| c.meaning.rounding == NearestEven && !c.meaning.satfinite
            && c.to.specials == Specials::NanAllOnes && float(c, |exact| small_term(c, exact, 0)),
        "a sum that is too large stays in the binade of the largest number, where its code is that of NaN"),
];
