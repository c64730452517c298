//! Operands of a sum X + Y whose exact result lies one bit beside a rounding boundary, and whose leading bit is above
//! those of both terms, because the sum carries, or below, because bits cancel. X is the product of the first two
//! operands, or the first operand of an addition; Y is the last operand. Some implementations lose a bit when they
//! normalise such a sum, and in no other.
//!
//! Each function goes backwards: it takes the bits that the sum is to have, makes one term so that its last bits are
//! theirs, and computes the other term as what is missing. A product gets its last bits by the inverse of one factor
//! modulo a power of two.

use super::Deviation;
use super::terms::{longest, product_ending_in};
use crate::exact::{ExactNumber, SumTerms, length};
use crate::patterns::inverse;
use crate::random::CounterRng;
use crate::shape::Shape;

/// Two terms whose sum or difference is `kept` significand bits and a deviation behind them.
struct Terms {
    /// The larger term, in units of `2^up`.
    larger: u64,
    /// How far the last bit of the larger term stands above that of the smaller one.
    up: i32,
    /// The smaller term: the factors of X, or Y and 1.
    smaller: (u64, u64),
    /// Number of bits of the sum, whose last one is that of the smaller term.
    length: i32,
}

/// Draws an integer from 0 to `most`, shorter ones as often as long ones.
fn up_to(draws: &mut CounterRng, most: u64) -> u64 {
    let width = draws.between(0, length(most.into()));
    draws.bits(width).min(most)
}

/// Draws the smaller term, an integer of about `bits` bits that ends in the low `n` bits of `pattern`: a product if it
/// is X, or one significand.
fn smaller_term(
    shape: &Shape,
    draws: &mut CounterRng,
    is_x: bool,
    bits: i32,
    n: i32,
    pattern: u64,
) -> Option<(u64, u64)> {
    if is_x && shape.multiplies() {
        return product_ending_in(draws, shape.factors.map(|span| span.precision), bits, n, pattern);
    }
    let mask = (1u64 << n) - 1;
    Some((draws.significand(bits) & !mask | pattern & mask, 1))
}

/// Draws whether the smaller term is X: always where X is a product, else if Y has room for the result's precision.
fn smaller_is_x(shape: &Shape, draws: &mut CounterRng) -> Option<bool> {
    let p = shape.destination.precision;
    let x_may_be_larger = !shape.multiplies() && shape.factors[0].precision >= p;
    match (x_may_be_larger, shape.addend.precision >= p) {
        (true, true) => Some(draws.flag()),
        (true, false) => Some(false),
        (false, true) => Some(true),
        (false, false) => None,
    }
}

/// Returns the lowest number of bits of the smaller term whose low `up` bits are given, and the highest one below the
/// larger term's length, if there are any.
fn lengths(shape: &Shape, is_x: bool, up: i32) -> Option<(i32, i32)> {
    let most = if is_x { longest(shape) } else { shape.addend.precision };
    let high = most.min(up + shape.destination.precision);
    (up <= solvable(shape, is_x) && up < high).then_some((up + 1, high))
}

/// Returns how many places below the rounding position the smaller term can be solved for.
fn solvable(shape: &Shape, is_x: bool) -> i32 {
    let spans = shape.factors.map(|span| span.precision);
    if is_x { spans[0].max(spans[1]) } else { shape.addend.precision }
}

/// Draws terms whose terms have one sign, and whose sum has one bit more than the larger one.
pub fn carried(shape: &Shape, draws: &mut CounterRng, deviation: &Deviation) -> Option<SumTerms> {
    let p = shape.destination.precision;
    let is_x = smaller_is_x(shape, draws)?;
    let place = deviation.place(solvable(shape, is_x));
    // The sum's additional bit makes the larger term's last bit a discarded one.
    let up = place - 1;
    let (low, high) = lengths(shape, is_x, up)?;
    let pattern = deviation.pattern(place, place) as u64;
    let bits = draws.between(low, high);
    let smaller = smaller_term(shape, draws, is_x, bits, up, pattern)?;
    let upper = (shape.x(smaller.0, smaller.1) >> up) as u64;
    let first = pattern >> up;
    // The sum's bits from the larger term's last one on: 2^p and more, and the larger term less than that.
    let more = 2 * up_to(draws, upper.checked_sub(1 + first)? / 2) + first;
    let larger = ((1u64 << p) + more).checked_sub(upper)?;
    let terms = Terms { larger, up, smaller, length: p + place };
    Some(placed(shape, draws, &terms, is_x, true))
}

/// Draws terms whose terms have different signs, and whose sum has one bit less than the larger one.
pub fn cancelled(shape: &Shape, draws: &mut CounterRng, deviation: &Deviation) -> Option<SumTerms> {
    let p = shape.destination.precision;
    let is_x = smaller_is_x(shape, draws)?;
    let place = deviation.place(solvable(shape, is_x) - 1);
    // The bit that cancels makes room for one below the larger term's last bit.
    let up = place + 1;
    let (low, high) = lengths(shape, is_x, up)?;
    let pattern = deviation.pattern(place, place) as u64;
    let last = u64::from(draws.flag());
    let below = last << place | pattern;
    // With a bit less than the sum of both, the larger term has no more bits than the precision.
    let bits = draws.between(low, high.min(up + p - 1).max(low));
    let smaller = smaller_term(shape, draws, is_x, bits, up, below.wrapping_neg())?;
    let product = shape.x(smaller.0, smaller.1);
    let most = (2 * (product >> up) as u64).checked_sub(1)?.min((1 << (p - 1)) - 1);
    // The kept bits, less than 2^p by no more than the smaller term; the last of them was drawn.
    let less = up_to(draws, most) & !1 | (1 ^ last);
    let kept = (1u64 << p) - 1 - less;
    let larger = ((u128::from(kept) << place) + u128::from(pattern) + product) >> up;
    let terms = Terms { larger: larger as u64, up, smaller, length: p + place };
    Some(placed(shape, draws, &terms, is_x, false))
}

/// Draws terms of which the larger one is a power of two, and the smaller one lies below its last place. The difference
/// has a bit less than the power, so that its midpoints lie where only the smaller term has bits. An implementation that
/// keeps too few of these, or a sticky bit of the wrong sign, rounds such a difference wrongly and no other.
pub fn borrowed(shape: &Shape, draws: &mut CounterRng, deviation: &Deviation) -> SumTerms {
    let p = shape.destination.precision;
    let is_x = draws.flag();
    let room = solvable(shape, is_x);
    let place = deviation.place(room);
    // One unit of the difference's last place more, where the term has room for it.
    let more = draws.flag() && place < room;
    let pattern = deviation.pattern(place, place) as u64;
    let smaller = (1u64 << (place + i32::from(more))) - pattern;
    let fits_first = length(smaller.into()) <= shape.factors[0].precision;
    let factors = if is_x && !fits_first { (1, smaller) } else { (smaller, 1) };
    let terms = Terms { larger: 1, up: p + place, smaller: factors, length: p + place };
    placed(shape, draws, &terms, is_x, false)
}

/// Draws the exponent and the signs of two terms; `alike` says that the signs are.
fn placed(shape: &Shape, draws: &mut CounterRng, terms: &Terms, is_x: bool, alike: bool) -> SumTerms {
    let Terms { larger, up, smaller: (a, b), length: bits } = *terms;
    let (span, addend) = (shape.destination, shape.addend);
    let at_most = |(low, high): (i32, i32), by: i32| (low - by, high - by);
    // The exponents that the smaller term's last bit may have.
    let ranges = match is_x {
        true => [shape.x_exponents(a, b), at_most(addend.exponents(length(larger.into())), up)],
        false => [addend.exponents(length(a.into())), at_most(shape.x_exponents(larger, 1), up)],
    };
    let exponent = draws.common(&[ranges[0], ranges[1], at_most((span.min(), span.max), bits - 1)]);
    let negative = draws.flag();
    let other = negative == alike;
    if is_x {
        let y = ExactNumber::new(other, larger.into(), exponent + up);
        SumTerms { factors: (a, b), exponent, negative, y }
    } else {
        let y = ExactNumber::new(other, a.into(), exponent);
        SumTerms { factors: (larger, 1), exponent: exponent + up, negative, y }
    }
}

/// Draws terms whose X is a product of full length, whose Y begins at X's leading bit or below it, and whose sum has
/// one bit more than both.
pub fn carried_product(
    shape: &Shape,
    draws: &mut CounterRng,
    deviation: &Deviation,
) -> Option<SumTerms> {
    let ([pa, pb], p) = (shape.factors.map(|span| span.precision), shape.destination.precision);
    let (span, addend) = (shape.destination, shape.addend);
    let bits = pa + pb;
    // Number of bits that the sum discards, all of them X's and some Y's.
    let discarded = bits - p + 1;
    if pa < 2 || pb < 2 || discarded < 2 {
        return None;
    }
    let place = deviation.place(discarded.min(pa));
    // The pattern ends above X's last bits where the place is not the last.
    let pattern = deviation.pattern(discarded, place);
    for _ in 0..4 {
        // Y's last bit stands this far above X's, and below it X has the sum's bits.
        let k = draws.between((pa - 1).min(discarded - place + 1), pa - 1);
        let mask = (1u128 << k) - 1;
        let b = draws.odd(pb) | 1 << (pb - 2);
        let low = inverse(b).wrapping_mul((pattern & mask) as u64) & mask as u64;
        let a = 1 << (pa - 1) | draws.patterned(pa - 1 - k) << k | low;
        let x = shape.x(a, b);
        let width = draws.between(0, p - 2);
        let sum = u128::from(1u64 << (p - 1) | draws.bits(width)) << discarded | pattern;
        if length(x) != bits || sum <= x {
            continue;
        }
        let y = sum - x;
        if y & mask != 0 || length(y >> k) > addend.precision {
            continue;
        }
        let (y, above) = (y >> k, bits - k);
        let (low, high) = shape.x_exponents(a, b);
        let y_exponents = addend.exponents(length(y));
        // The leading bit of the sum.
        let leading = draws.common(&[
            (low + bits, high + bits),
            (span.min(), span.max),
            (y_exponents.0 + above, y_exponents.1 + above),
        ]);
        let negative = draws.flag();
        let y = ExactNumber::new(negative, y, leading - above);
        return Some(SumTerms { factors: (a, b), exponent: leading - bits, negative, y });
    }
    None
}

/// Draws terms whose X is a product, and whose Y takes away the bits above those that the result keeps.
pub fn cancelled_product(
    shape: &Shape,
    draws: &mut CounterRng,
    deviation: &Deviation,
) -> Option<SumTerms> {
    let (spans, p) = (shape.factors.map(|span| span.precision), shape.destination.precision);
    let (span, addend) = (shape.destination, shape.addend);
    let longest = longest(shape);
    let place = deviation.place((longest - p - 1).min(spans[0].max(spans[1])));
    let kept = p + place;
    if kept >= longest {
        return None;
    }
    let bits = draws.between(kept + 1, longest);
    let pattern = deviation.pattern(place, place) as u64;
    let (a, b) = product_ending_in(draws, spans, bits, place, pattern)?;
    let x = shape.x(a, b);
    let (top, leads) = (x >> kept, x >> (kept - 1) & 1 == 1);
    // In units of the result's leading bit, which Y gives where X has none there.
    let y = if leads { 2 * top } else { 2 * top - 1 };
    let (low, high) = shape.x_exponents(a, b);
    let y_exponents = addend.exponents(length(y));
    let leading =
        draws.common(&[(low + kept - 1, high + kept - 1), (span.min(), span.max), y_exponents]);
    let negative = draws.flag();
    let y = ExactNumber::new(!negative, y, leading);
    Some(SumTerms { factors: (a, b), exponent: leading - kept + 1, negative, y })
}
