//! The sweep `ties`: sums half way between two numbers of the result's format, or next to that.

use super::{DotSweep, Length, Maker};
use crate::ExactNumber;

pub const SWEEP: DotSweep = DotSweep {
    name: "ties",
    targets: "The last rounding: ties, directions, a second rounding, and results with fewer bits than their format.",
    length: |_| Length::Endless,
    make,
};

/// Precision of short accumulators.
const SHORT: i32 = 14;

/// Makes a vector whose sum is a tie or next to one, by an idea that the formats have room for.
fn make(maker: &mut Maker) {
    let base = maker.draws.between(-8, 8);
    maker.scale_all(base);
    let (low, high) = maker.reach(0, 1, 1);
    let wide = high - low > maker.dot.d.precision() as i32 + 2;
    // Kinds 2 and 3 prefer different ideas; where formats have no room for one, the other takes its place.
    match maker.draws.below(4) {
        // Two products are a tie only where their exponents reach a precision apart.
        2 if wide => on_products(maker),
        2 | 3 if maker.addend_precision() > SHORT => short(maker),
        3 if wide => on_products(maker),
        _ => on_addend(maker),
    }
}

/// Writes an addend of the result's precision and a product of half its last bit, or an addend that has that bit of
/// its own.
fn on_addend(maker: &mut Maker) {
    maker.controls.accumulate = true;
    let precision = maker.dot.d.precision() as i32;
    let (c, terms) = (maker.dot.c, maker.terms());
    let place = maker.pick(terms);
    let significand = maker.draws.significand(precision.min(c.precision() as i32));
    let own = c.precision() as i32 > precision && maker.draws.flag();
    let (low, high) = maker.reach(place, 1, 1);
    let top = maker.top() - 1;
    let limits = (c.exponent_min().max(maker.dot.d.exponent_min()), top);
    let range = (limits.0.max(low + precision), limits.1.min(high + precision));
    // As high that a small term has room below, if possible.
    let exponent = maker.draws.common(&[range, (low + precision + 26, high + precision)]);
    let negative = maker.draws.flag();
    let signed = negative ^ maker.controls.negate_a ^ maker.controls.negate_b;
    // The last bit that the result has, and half of that.
    let half = exponent - precision;
    let length = 64 - significand.leading_zeros() as i32;
    let value = match own {
        true => ExactNumber::new(signed, (2 * significand + 1).into(), exponent - length),
        false => ExactNumber::new(signed, significand.into(), exponent + 1 - length),
    };
    maker.c = value.truncate(c);
    if !own {
        let negative = maker.draws.flag();
        maker.put(place, 1, 1, half, negative);
    }
    write_tie_breaker(maker, place, half, own);
}

/// Writes a product that the result holds, and another of half its last bit.
fn on_products(maker: &mut Maker) {
    let (terms, precision) = (maker.terms(), maker.dot.d.precision() as i32);
    let place = maker.pick(terms);
    let other = (place + 1) % terms;
    let [a, b] = maker.precisions();
    let first = maker.draws.between(1, a.min(precision - 1));
    let second = maker.draws.between(1, b.min(precision - first));
    let (a, b) = (maker.draws.significand(first), maker.draws.significand(second));
    let product = u128::from(a) * u128::from(b);
    let exponent = maker.level(&[place], a, b, precision + 8);
    let negative = maker.draws.flag();
    let exponent = maker.put(place, a, b, exponent, negative);
    let carry = 128 - product.leading_zeros() as i32 - first - second + 1;
    let half = exponent + carry - precision;
    let negative = maker.draws.flag();
    maker.put(other, 1, 1, half, negative);
    write_tie_breaker(maker, other, half, false);
}

/// Writes a small term that breaks a tie, or none, in the place behind `place` or, if `free` says that nothing stands
/// there, in `place` itself.
fn write_tie_breaker(maker: &mut Maker, place: usize, half: i32, free: bool) {
    let (kind, distance) = (maker.draws.below(3), maker.draws.between(1, 26));
    let place = if free { place } else { (place + 1) % maker.terms() };
    let (a, b) = maker.pattern();
    match kind {
        0 if !free => {}
        kind => {
            maker.put(place, a, b, half - distance, kind == 1);
        }
    }
}

/// Writes an addend with bits below the 13 of a short accumulator's fraction, and a product well above these bits.
fn short(maker: &mut Maker) {
    maker.controls.accumulate = true;
    let (c, terms) = (maker.dot.c, maker.terms());
    let place = maker.pick(terms);
    let precision = maker.addend_precision();
    let below = precision - SHORT;
    let upper = maker.draws.significand(precision - below);
    let lower = match maker.draws.below(4) {
        0 => 1 << (below - 1),
        1 => (1 << (below - 1)) - 1,
        2 => (1 << (below - 1)) + 1,
        _ => maker.draws.bits(below),
    };
    let (low, high) = maker.reach(place, 1, 1);
    let top = maker.top() - 2;
    let above = maker.draws.between(0, (precision - below).min(12));
    let exponent = maker.draws.common(&[(c.exponent_min(), top), (low + above, high + above)]);
    let negative = maker.draws.flag();
    let value = ExactNumber::new(negative, (upper << below | lower).into(), exponent - precision + 1);
    maker.c = value.truncate(c);
    let negative = maker.draws.flag();
    maker.put(place, 1, 1, exponent - above, negative);
}
