//! Of roundings in a direction.

use model::Fault::*;
use vectors::isa::Rounding::{Down, NearestAway, TowardZero, Up};

use super::{Case, Proof, all, these};

/// Whether the bits that get lost are behind the guard bit.
fn behind_the_guard(case: &Case) -> bool {
    let enough = if case.to.is_fixed() { case.to.width() } else { case.to.precision() };
    case.fault.sticky_places().is_some_and(|places| places >= enough)
}

#[rustfmt::skip] // a table
pub const PROOFS: &[Proof] = &[
    all("truncated-twice", |fault| fault.sticky_places().is_some(),
        |c| c.truncates() && behind_the_guard(c),
        "truncated twice is truncated once"),
    all("guard-decides", |fault| fault.sticky_places().is_some(),
        |c| c.meaning.rounding == NearestAway && behind_the_guard(c),
        "the guard bit alone decides where a tie goes the way of what lies beyond"),
    these("truncation-stays-subnormal", &[FlushedAfterRounding],
        |c| c.truncates(),
        "truncation makes no subnormal number normal"),
    these("truncation-never-carries", &[BoundaryCarryLost],
        |c| c.truncates(),
        "truncation never carries"),
    these("truncation-overflows-to-largest", &[OverflowAtMax],
        |c| c.truncates(),
        "what overflows becomes the largest number, too"),
    these("down-is-not-zero", &[UnderflowLosesSign],
        |c| c.visible_rounding() == Down,
        "a negative number that is rounded down is not zero"),
    these("sticky-is-enough", &[GuardLost],
        |c| matches!(c.visible_rounding(), TowardZero | Down | Up)
            && c.exact.is_some_and(|exact| exact.terms_fit(c.to)),
        "after a shift by one place a sticky bit is enough for a direction, and after a longer one \
         nothing was lost"),
];
