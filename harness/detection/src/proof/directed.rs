//! Proofs about rounding in a direction, and about rounding by random bits.

use formats::Scale;
use isa::Rounding::{Down, NearestAway, NearestEven, TowardZero, Up};
use isa::{Conversion, Op};
use model::Fault::{self, *};

use super::bits::too_large;
use super::{EquivalenceProof, ProofCase, all, for_faults};

/// Whether the bits that the fault loses are behind the guard bit.
fn behind_the_guard(case: &ProofCase) -> bool {
    let enough = if case.to.is_fixed() { case.to.width() } else { case.to.precision() };
    case.fault.sticky_places().is_some_and(|places| places >= enough)
}

/// Whether the bits that the fault loses are behind all that random bits are added to.
fn behind_the_random_bits(case: &ProofCase) -> bool {
    let Op::Convert(Conversion::Stochastic(random)) = case.op() else { return false };
    case.fault.sticky_places().is_some_and(|places| places >= case.to.precision() + random.count)
}

#[rustfmt::skip] // a table
pub const PROOFS: &[EquivalenceProof] = &[
    all("truncated-twice", |fault| fault.sticky_places().is_some(),
        |c| c.truncates() && behind_the_guard(c),
        "truncated twice is truncated once"),
    all("bits-cut-off", Fault::only_loses_bits,
        |c| c.truncates(),
        "bits below the last place are cut off in any case"),
    all("truncated-before", |fault| matches!(fault, ThroughTruncated(_)),
        |c| c.truncates() && !c.variant.is_integral() && !c.to.is_fixed(),
        "truncated twice is truncated once"),
    all("truncated-integer", |fault| matches!(fault, ThroughTruncated(_)),
        |c| c.truncates() && c.to.is_integer() && !c.to.signed
            && c.fault.intermediate_format().is_some_and(|first| first.precision() >= c.to.width()),
        "an integer that fits has no more bits than the other format, and a larger one stays too large"),
    all("half-decides",
        |fault| fault.only_loses_bits() || fault.sticky_places().is_some()
            || matches!(fault, ThroughTruncated(_) | TiesAway | TiesUp),
        |c| c.variant.converts() && c.to.scale == Scale::Power && c.meaning.rounding == NearestEven
            && c.fault.intermediate_format().is_none_or(|first| first.exponent_of_lsb() < c.to.exponent_of_lsb()),
        "the middle between two powers of two goes up, as the significand 1 is odd, so that the bit of one half \
         decides alone"),
    for_faults("low-word-decides-nothing", &[LowWordLost],
        |c| c.to.scale == Scale::Power && c.meaning.rounding == NearestEven && !c.meaning.satfinite,
        "the bit of one half decides alone, and infinity becomes NaN as well"),
    all("guard-decides", |fault| fault.sticky_places().is_some(),
        |c| c.meaning.rounding == NearestAway && behind_the_guard(c),
        "the guard bit alone decides where a tie goes the way of what lies beyond"),
    all("random-bits-decide", |fault| fault.sticky_places().is_some(), behind_the_random_bits,
        "random bits are added to bits above those that get lost, and what lies below does not count"),
    all("last-bit-makes-no-more", |fault| matches!(fault, BitTwice(_)),
        |c| c.visible_rounding() == Up && !c.from.signed && c.fault.bits_lost().is_some_and(|places| {
            let (integer, bits) = (c.variant.is_from_integer(), c.to.precision() + places.0);
            integer && (too_large(c, bits + 1) || c.exact.is_some_and(|exact| exact.bits <= bits))
        }),
        "the last bit of an integer makes it larger by no more than rounding does, as none is behind it"),
    all("last-bit-of-product-makes-no-more", |fault| matches!(fault, BitTwice(_)),
        |c| c.op() == Op::Mul && c.visible_rounding() == Up && c.saturated() && c.variant.flushes_result()
            && c.fault.bits_lost().is_some_and(|places| {
                c.exact.is_some_and(|exact| exact.bits <= c.to.precision() + places.0)
            }),
        "the last bit of a product makes it larger by no more than rounding does, as none is behind it; a subnormal \
         product, which has bits behind that place, is flushed, and a negative one becomes zero"),
    for_faults("truncation-stays-subnormal", &[FlushedAfterRounding, FlushedAsEncoded],
        |c| c.truncates(),
        "truncation makes no subnormal number normal"),
    for_faults("truncation-never-carries", &[BoundaryCarryLost, BoundaryCarryZero, CarryLost, CarryOred],
        |c| c.truncates(),
        "truncation never carries"),
    for_faults("truncated-to-zero", &[TinyIsZero],
        |c| c.truncates(),
        "truncation makes it zero, too"),
    for_faults("truncation-overflows-to-largest", &[OverflowAtMax],
        |c| c.truncates(),
        "what overflows becomes the largest number, too"),
    for_faults("down-is-not-zero", &[UnderflowLosesSign],
        |c| c.visible_rounding() == Down,
        "a negative number that is rounded down is not zero"),
    for_faults("sticky-is-enough", &[GuardLost],
        |c| matches!(c.visible_rounding(), TowardZero | Down | Up)
            && c.exact.is_some_and(|exact| exact.terms_fit(c.to)),
        "after a shift by one place a sticky bit is enough for a direction, and after a longer one \
         nothing was lost"),
];
