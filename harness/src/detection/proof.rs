//! Why some mutants cannot be found: their results are the right ones, or may be.
//!
//! A proof is a claim about a flaw in every variant of some shape. The hunt tries each claim on the
//! first vectors of each variant all the same, and one that is wrong is an error.

mod clamped;
mod quotient;
mod small;

use model::{Deviation as D, Deviations, subject};
use vectors::Variant;
use vectors::isa::{Bound, Contract, Modifier as M, Operation as O, Relaxation, Rounding as R};

use super::exact::Exact;
use super::{Flaw, Narrow};

/// The proof for variants of which every input of a lane has been tried.
pub const EXHAUSTED: &str = "every input of a lane was tried";

/// Why a mutant of a variant is no mutant, if that is known beforehand.
pub fn of(flaw: Flaw, variant: &Variant) -> Option<&'static str> {
    match flaw {
        Flaw::Stage(deviation) => clamped::proof(deviation, variant)
            .or_else(|| directed(deviation, variant))
            .or_else(|| compared(deviation, variant))
            .or_else(|| small::proof(deviation, variant))
            .or_else(|| quotient::proof(deviation, variant))
            .or_else(|| special(deviation, variant))
            .or_else(|| Exact::of(variant).and_then(|exact| exact.proof(deviation, variant))),
        Flaw::Range(narrow) => unpromised(narrow, variant),
    }
}

/// Of roundings in a direction.
fn directed(deviation: D, variant: &Variant) -> Option<&'static str> {
    let (rounding, to) = (subject::visible_rounding(variant), variant.outputs()[0].format);
    let enough = if to.is_fixed() { to.width() } else { to.precision() };
    let cut = Deviations::from(deviation).sticky_places().is_some_and(|places| places >= enough);
    let short_terms = || Exact::of(variant).is_some_and(|exact| exact.terms_fit(to));
    match (rounding, deviation) {
        (R::TowardZero, _) if cut => Some("truncated twice is truncated once"),
        (R::NearestAway, _) if cut => {
            Some("the guard bit alone decides where a tie goes the way of what lies beyond")
        }
        (R::TowardZero, D::FlushedAfterRounding) => Some("truncation makes no subnormal number normal"),
        (R::TowardZero, D::BoundaryCarryLost) => Some("truncation never carries"),
        (R::TowardZero, D::OverflowAtMax) => Some("what overflows becomes the largest number, too"),
        (R::Down, D::UnderflowLosesSign) => Some("a negative number that is rounded down is not zero"),
        (R::TowardZero | R::Down | R::Up, D::GuardLost) if short_terms() => Some(
            "after a shift by one place a sticky bit is enough for a direction, and after a longer one \
             nothing was lost",
        ),
        _ => None,
    }
}

/// Of comparisons and choices.
fn compared(deviation: D, variant: &Variant) -> Option<&'static str> {
    let nan_only = variant.has(M::Num) || variant.has(M::IsNan);
    let compares = subject::compares(variant);
    match deviation {
        D::FlushedAnyway | D::InputNotFlushed | D::InputFlushLosesSign | D::NarrowSubnormalLost
            if compares && nan_only =>
        {
            Some("whether an input is NaN does not depend on flushing")
        }
        D::InputFlushLosesSign if compares || variant.operation() == O::Slct => {
            Some("zeros of either sign are equal")
        }
        D::SecondNanMissed if variant.has(M::Eq) || variant.has(M::Neu) => {
            Some("as a number, too, NaN is equal to none")
        }
        D::ZerosEqual if variant.has(M::XorsignAbs) || variant.has(M::Abs) => {
            Some("magnitudes are compared, of which no zero is negative")
        }
        D::InputFlushLosesSign if variant.operation() == O::Abs => Some("a magnitude has no sign"),
        D::InputFlushLosesSign if variant.has(M::XorsignAbs) || variant.has(M::Abs) => Some(
            "a magnitude has no sign, and the sign of the result is taken before inputs are flushed",
        ),
        _ => None,
    }
}

/// Of special values.
fn special(deviation: D, variant: &Variant) -> Option<&'static str> {
    let to = variant.outputs()[0].format;
    let no_nan = || variant.inputs().iter().all(|input| input.format.nan().is_none());
    let largest_is_even = || to.max_finite() & 1 == 0;
    match deviation {
        D::NanKeepsSign if no_nan() => Some("no input is NaN"),
        D::NanIsInfinity if to.infinity().is_none() && !variant.has(M::Satfinite) && !to.is_fixed() => {
            Some("in a format without infinity both become NaN")
        }
        D::OverflowTieKept
            if variant.rounding() == R::NearestEven && largest_is_even() && !to.is_fixed() =>
        {
            Some("the largest number has an even significand: the tie belongs to it")
        }
        D::Unfused if Exact::product(variant).is_some_and(|product| product.fits(to)) => {
            Some("no product has to be rounded")
        }
        D::Unfused
            if variant.rounding() == R::Up
                && subject::saturated(variant)
                && Exact::product(variant).is_some_and(|product| product.is_short(to)) =>
        {
            Some(
                "a product is rounded up to a multiple of the smallest number, of which all numbers are \
                 multiples, so that rounding up again gives the same; but for signs of zeros and negative \
                 results, which are clamped to +0",
            )
        }
        D::TiesTowardZero if subject::integral(variant) && subject::saturated(variant) => {
            Some("the only tie below 1 is 0.5, which goes towards zero to be even")
        }
        D::ReluKeepsPayload if to.nan().is_none() => Some("the format has no NaN"),
        _ => None,
    }
}

/// Of approximations where the manual promises nothing.
fn unpromised(narrow: Narrow, variant: &Variant) -> Option<&'static str> {
    let (Contract::Within(accuracy), [input]) = (variant.form().contract, variant.inputs()) else {
        return None;
    };
    let (from, to) = narrow.span(input.format)?;
    let mut concerned = accuracy.ranges.iter().filter(|range| range.from <= to && range.to >= from);
    // The hyperbolic tangent of a subnormal number is one.
    let tiny = narrow == Narrow::Subnormal && variant.operation() == O::Tanh;
    concerned
        .all(|range| range.bound == Bound::Unstated || tiny && matches!(range.bound, Bound::Relative(_)))
        .then_some("the manual promises nothing there")
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
