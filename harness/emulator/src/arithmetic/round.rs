//! Rounding to a format, and what modifiers then do to the result.

use super::exact::Exact;
use crate::fields::FloatFields;
use crate::rules::{RoundingRules, Rules};
use crate::spec::Spec;
use crate::word::Word;

/// A result that has been rounded, still without its sign.
#[derive(Clone, Copy)]
pub struct Rounded<W> {
    /// The mask of the sign.
    pub negative: W,
    /// The encoding without its sign. The encoding above the largest finite number's is infinity, or NaN where the
    /// format has no infinity.
    pub magnitude: W,
    /// The mask of NaN.
    pub nan: W,
}

/// Rounds to a format, once. Underflow is gradual, overflow goes by the rounding, and `.ftz` by the exact value.
#[inline(always)]
pub fn round<R: Spec<FloatFields>, M: Spec<RoundingRules>, W: Word>(
    result: R,
    rules: M,
    a: Exact<W>,
) -> Rounded<W> {
    round_with(result, rules, a, W::from(0), 0)
}

/// Rounds as [`round`] does, with `random_bits` random bits added to the highest discarded ones: `.rs`.
#[inline(always)]
pub fn round_with<R: Spec<FloatFields>, M: Spec<RoundingRules>, W: Word>(
    result: R,
    rules: M,
    a: Exact<W>,
    random: W,
    random_bits: u32,
) -> Rounded<W> {
    let (r, m) = (result.get(), rules.get());
    // A format without a sign has magnitudes rounded.
    let negative = if result.may_apply(!r.signed) { a.negative & W::mask(r.signed) } else { a.negative };

    // The highest bit goes to the second of the word, so that rounding may carry into the first; but
    // not below the smallest exponent: there the number is subnormal, and its leading zeros remain.
    let places = a.significand.leading_zeros().min(a.exponent + 1);
    let significand = a.significand << (places - 1);
    let exponent = a.exponent + 1 - places;

    let excess = W::BITS - 1 - r.precision;
    let remainder = (W::from(1) << excess) - 1;
    let away = (negative ^ W::mask(m.upward)) & W::mask(m.directed);
    // To nearest even adds just less than half, and one more to an odd number; with ties away, half. A directed
    // rounding away from zero adds all ones, which carry unless the rest is zero.
    let increment = ((significand >> excess) & u32::from(m.ties_to_even))
        + ((remainder >> 1) & W::mask(m.ties_to_even | m.ties_away))
        + u32::from(m.ties_away)
        + (away & remainder)
        + (random << (excess - random_bits));
    // The implicit bit adds one to the exponent of a normal number, and so does a carry.
    let unbounded = (exponent << r.trailing) + ((significand + increment) >> excess);

    // Infinity is the encoding that follows the largest finite number's.
    // Where the smallest number has the exponent field 0, encodings are one too large up to the end of this function.
    let without_subnormals = 1 - r.lowest;
    let overflows = a.infinite | away | W::mask(m.overflows);
    let bounded = unbounded.min(W::of(r.max_finite) + without_subnormals - overflows);
    let tiny = if m.flush_results { (W::from(1) << (W::BITS - 2)) - 1 } else { W::from(0) };
    let mut magnitude = bounded & significand.exceeds(tiny);
    if result.may_apply(without_subnormals > 0) {
        // A number that was below the smallest one becomes the smallest.
        magnitude = magnitude.max(without_subnormals) - without_subnormals;
    }
    Rounded { negative, magnitude, nan: a.nan }
}

/// Returns the result's bits: clamped, and with the NaN and the zeros that the modifiers ask for.
#[inline(always)]
pub fn finish<M: Spec<Rules>, W: Word>(rules: M, a: Rounded<W>) -> W {
    let m = rules.get();
    let Rounded { negative, mut magnitude, mut nan } = a;
    // Before `last`, since a result that saturates is a number and not NaN.
    if rules.may_apply(m.limit.is_some()) {
        magnitude = magnitude.min(W::of(m.limit.unwrap_or(u64::MAX)));
    }
    if rules.may_apply(m.last.is_some()) {
        nan = nan | magnitude.exceeds(W::of(m.last.unwrap_or(u64::MAX)));
    }
    if rules.may_apply(m.positive) {
        magnitude = magnitude & !(negative & W::mask(m.positive));
    }
    let mut sign = negative & W::of(m.sign);
    if rules.may_apply(m.positive_zero) {
        sign = sign & !(magnitude.equals(0) & W::mask(m.positive_zero));
    }
    nan.select(W::of(m.nan), magnitude | sign)
}
