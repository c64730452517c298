//! Rounding to integers, and numbers from them.

use super::exact::{Exact, base};
use super::unit;
use crate::fields::FloatFields;
use crate::rules::Rules;
use crate::spec::Spec;
use crate::word::Word;

/// Rounds `significand / 2^count` to an integer; `count` is less than the width.
#[inline(always)]
fn rounded_shift<M: Spec<Rules>, W: Word>(rules: M, negative: W, significand: W, count: W) -> W {
    let m = &rules.get().rounding;
    let floor = significand >> count;
    let whole = W::from(1) << count;
    let rest = significand & (whole - 1);
    let nearest = W::mask(m.ties_to_even | m.ties_away);
    // On a tie this decides; where the rest is not half of the last place, it is too small to matter.
    let tie = (floor & u32::from(m.ties_to_even)) + u32::from(m.ties_away);
    let up = ((rest << 1) + tie).exceeds(whole) & nearest;
    let away = (negative ^ W::mask(m.upward)) & W::mask(m.directed);
    floor - (up | (rest.exceeds(0) & away))
}

/// Rounds a significand in fixed point times `2^exponent` to an integer of at most the magnitude `largest`.
#[inline(always)]
pub fn to_integer<M: Spec<Rules>, W: Word>(
    rules: M,
    negative: W,
    significand: W,
    exponent: W,
    largest: W,
) -> W {
    let right = W::from(unit::<W>()) - exponent;
    let left = exponent - unit::<W>();
    // A number below 1/2 rounds like any other.
    let count = right.max_signed(0).min(W::BITS - 1);
    let left = left.max_signed(0);
    let integer = rounded_shift(rules, negative, significand, count) << left;
    // Below 4 and shifted by 2 places more than to an integer, it fits a word.
    left.exceeds(2).select(largest, integer.min(largest))
}

/// Rounds a number to an integer, on its way to the format that it came from.
#[inline(always)]
pub fn integral<R: Spec<FloatFields>, M: Spec<Rules>, W: Word>(
    result: R,
    rules: M,
    a: Exact<W>,
) -> Exact<W> {
    let r = result.get();
    // From this exponent on, every number is an integer.
    let whole = base(r) + r.trailing;
    let right = W::from(base(r) + unit::<W>()) - a.exponent;
    let count = right.max_signed(0).min(W::BITS - 1);
    let integer = rounded_shift(rules, a.negative, a.significand, count);
    let fraction = (W::from(whole) - a.exponent).max_signed(0).exceeds(0);
    Exact {
        significand: fraction.select(integer << (unit::<W>() - r.trailing), a.significand),
        exponent: fraction.select(whole, a.exponent),
        ..a
    }
}

/// Returns an integer times `2^-fraction`, on its way to a format.
#[inline(always)]
pub fn from_integer<R: Spec<FloatFields>, W: Word>(
    result: R,
    negative: W,
    magnitude: W,
    fraction: u32,
) -> Exact<W> {
    let places = magnitude.leading_zeros();
    let highest = magnitude << places;
    // The unit is two places below the highest bit: the two bits that are shifted out leave the sticky bit.
    let lost = (highest & 3).exceeds(0);
    Exact {
        negative,
        significand: (highest >> 2) | (lost & 1),
        exponent: W::from(base(result.get()) + W::BITS - 1) - places - fraction,
        infinite: W::from(0),
        nan: W::from(0),
    }
}
