//! Sums and products that differ from a rounding boundary in one bit, where the larger term has the leading bit.

use super::overlapping::{borrowed, cancelled, cancelled_product, carried, carried_product};
use super::{Arrangement, Deviation};
use crate::exact::{ExactNumber, SumTerms, length};
use crate::midpoint::completed;
use crate::patterns::{inverse, neighbour_of_power, short_factors, tie_factors};
use crate::random::CounterRng;
use crate::shape::{OperandSpan, Shape};

/// Whether sums, or else products, have bits at the second place below the result's last one. The first is a
/// midpoint's.
pub fn applies(shape: &Shape) -> bool {
    let below = shape.destination.unit - shape.x_exponents(1, 1).0;
    shape.adds() || has_long_products(shape) || below >= 2 && longest(shape) > 2
}

/// Whether normal results discard two bits of X or more.
pub fn has_long_products(shape: &Shape) -> bool {
    longest(shape) > shape.destination.precision + 1
}

/// Returns the number of bits of the longest X: as many as both factors together, but a factor of one bit adds none.
pub fn longest(shape: &Shape) -> i32 {
    let [first, second] = shape.factors.map(|span| span.precision);
    first + second - i32::from(first.min(second) == 1)
}

/// Draws terms that lie as the deviation asks; where the formats have no such terms, X is the larger one.
pub fn terms(shape: &Shape, draws: &mut CounterRng, deviation: &Deviation) -> SumTerms {
    if !shape.adds() {
        return product(shape, draws, deviation);
    }
    let long = has_long_products(shape);
    let found = match deviation.arrangement {
        Arrangement::Carries if long && draws.flag() => carried_product(shape, draws, deviation),
        Arrangement::Carries => carried(shape, draws, deviation),
        Arrangement::Cancels if draws.below(4) == 0 => Some(borrowed(shape, draws, deviation)),
        Arrangement::Cancels if long && draws.flag() => cancelled_product(shape, draws, deviation),
        Arrangement::Cancels => cancelled(shape, draws, deviation),
        Arrangement::LargerY => Some(y_rounded(shape, draws, deviation)),
        Arrangement::LargerX => None,
    };
    found.unwrap_or_else(|| match draws.below(4) {
        0 if long => product(shape, draws, deviation),
        0 | 1 => x_completed(shape, draws, deviation),
        _ => x_on_boundary(shape, draws, deviation),
    })
}

/// Draws factors of at most `spans` bits whose product has `length_x` bits and ends in the low `n` bits of `pattern`,
/// which are one or more. Returns `None` where no lengths of factors allow that, or eight attempts fail.
pub fn product_ending_in(
    draws: &mut CounterRng,
    spans: [i32; 2],
    length_x: i32,
    n: i32,
    pattern: u64,
) -> Option<(u64, u64)> {
    // The low bits are solved for in one factor, which must be as long as they are.
    let solves_first = match (n <= spans[0], n <= spans[1]) {
        (true, true) => draws.flag(),
        (fits_first, _) => fits_first,
    };
    let [solved, other] = if solves_first { spans } else { [spans[1], spans[0]] };
    for _ in 0..8 {
        // The product is as long as both factors together, or one bit shorter.
        let lengths = length_x + i32::from(draws.flag());
        let (low, high) = (n.max(lengths - other), solved.min(lengths - 1));
        if low > high {
            continue;
        }
        let length_b = draws.between(low, high);
        let a = draws.odd(lengths - length_b);
        let mask = u64::MAX >> (64 - n);
        // The pattern times the inverse of a: times a it ends in the pattern.
        let b = draws.significand(length_b) & !mask | inverse(a).wrapping_mul(pattern) & mask;
        if length(u128::from(a) * u128::from(b)) == length_x {
            return Some(if solves_first { (b, a) } else { (a, b) });
        }
    }
    None
}

/// Draws terms of which the product alone has the deviation; Y is zero, or a multiple of the result's last place.
fn product(shape: &Shape, draws: &mut CounterRng, deviation: &Deviation) -> SumTerms {
    let spans = shape.factors.map(|span| span.precision);
    let span = shape.destination;
    // A subnormal result has fewer bits, and its last place is the format's smallest number.
    let subnormal = span.precision > 1 && (!has_long_products(shape) || draws.below(4) == 0);
    if subnormal
        && shape.adds()
        && draws.flag()
        && let Some(terms) = whole_product(shape, draws, deviation)
    {
        return terms;
    }
    let most = (span.precision - 1).min(longest(shape) - 2).max(1);
    let kept = if subnormal { draws.between(1, most) } else { span.precision };
    let place = deviation.place((longest(shape) - kept).min(spans[0].max(spans[1])));
    let pattern = deviation.pattern(place, place) as u64;
    let (a, b) = product_ending_in(draws, spans, kept + place, place, pattern)
        .unwrap_or_else(|| (draws.significand(spans[0]), draws.significand(spans[1])));
    let above = length(shape.x(a, b)) - 1;
    let (low, high) = shape.x_exponents(a, b);
    let normal = (span.min(), span.max);
    let wanted = if subnormal { (span.unit + kept - 1, span.unit + kept - 1) } else { normal };
    let leading = draws.common(&[wanted, (low + above, high + above)]);
    let negative = draws.flag();
    let width = draws.between(0, shape.addend.precision.min(kept - 1).max(0));
    let whole = if draws.flag() { draws.bits(width) } else { 0 };
    let y = ExactNumber::new(draws.flag(), whole.into(), leading - kept + 1);
    SumTerms { factors: (a, b), exponent: leading - above, negative, y }
}

/// Draws terms with a subnormal result whose X is a product of full length, down to its last bits; Y is a multiple of the
/// format's smallest number. Returns `None` where the factors have different precisions, or where such a product would be
/// too small for its format.
///
/// The factors are 2^n + i and 2^n ± j, or 2^n - i and 2^n - j. Their product is 2^2n and a multiple of 2^n, which ends on
/// the boundary, and ±ij, which is the deviation: one bit if i and j are powers of two, and else the last bits of X.
/// Implementations may align such a product with a subnormal Y, and so lose its last bits though it is the larger term.
fn whole_product(shape: &Shape, draws: &mut CounterRng, deviation: &Deviation) -> Option<SumTerms> {
    let ([pa, pb], span) = (shape.factors.map(|span| span.precision), shape.destination);
    if pa != pb || pa < 4 {
        return None;
    }
    // Low bits more often than high ones.
    let low_bit = |draws: &mut CounterRng| {
        let most = draws.between(0, pa - 3);
        draws.between(0, most)
    };
    let (i, j): (u64, u64) = match (draws.flag(), deviation.above) {
        (true, true) => (1, (2 << low_bit(draws)) - 1),
        (true, false) => ((2 << low_bit(draws)) + 1, 1),
        (false, _) => {
            let [i, j] = [0; 2].map(|_| low_bit(draws));
            // The difference of two equal ones would leave no boundary but 2^2n.
            (1 << if i == j && !deviation.above { j + 1 } else { i }, 1 << j)
        }
    };
    let full = deviation.above && draws.flag();
    let n = if full { pa } else { pa - 1 };
    let base = 1u64 << n;
    let (a, b, sum) = match (full, deviation.above) {
        (true, _) => (base - i, base - j, i + j),
        (false, true) => (base + i, base + j, i + j),
        (false, false) => (base + i, base - j, i.abs_diff(j)),
    };
    let exponent = span.unit - n - sum.trailing_zeros() as i32 - i32::from(deviation.midpoint);
    let (low, high) = shape.x_exponents(a, b);
    if !(low..=high).contains(&exponent) {
        return None;
    }
    let width = draws.between(0, shape.addend.precision.min(span.precision) - 1);
    let y = ExactNumber::new(draws.flag(), draws.bits(width).into(), span.unit);
    Some(SumTerms { factors: (a, b), exponent, negative: draws.flag(), y })
}

/// Draws terms whose Y takes away what X has below the rounding position, and puts the deviation there.
fn x_completed(shape: &Shape, draws: &mut CounterRng, deviation: &Deviation) -> SumTerms {
    let factors = shape.factors.map(|span| draws.significand(span.precision));
    let discarded = length(shape.x(factors[0], factors[1])) - shape.destination.precision;
    let place = deviation.place(shape.addend.precision);
    // Number of bits below the rounding position: those of X, and those down to the deviation.
    let places = discarded.max(place);
    completed(shape, draws, factors.into(), places, deviation.pattern(places, place))
}

/// Draws terms whose Y is a number of the result's format, and whose X is the deviation: half a last place and the
/// bit, or the bit alone.
fn y_rounded(shape: &Shape, draws: &mut CounterRng, deviation: &Deviation) -> SumTerms {
    let spans = shape.factors.map(|span| span.precision);
    let (span, p) = (shape.addend.common(&shape.destination), shape.destination.precision);
    let y = draws.significand(span.precision);
    // The last place of the result lies at the last bit of the smallest X, or above.
    let depth = span.max - p + 1 - shape.x_exponents(1, 1).0;
    let place = deviation.place(match deviation.midpoint {
        true => spans[0] + spans[1],
        false => deep(draws, depth, span),
    });
    // As an integer, in units of the place.
    let (a, b) = match deviation.midpoint {
        true => neighbour_of_power(draws, spans, place - 1, deviation.above),
        false => (1, 1),
    };
    let (low, high) = shape.x_exponents(a, b);
    let below = p - 1 + place;
    let leading = draws.common(&[(span.min(), span.max), (low + below, high + below)]);
    let y_negative = draws.flag();
    // A midpoint's deviation is in X; that of a number is X.
    let negative = if deviation.midpoint { draws.flag() } else { y_negative == deviation.above };
    let y = ExactNumber::new(y_negative, y.into(), leading - span.precision + 1);
    SumTerms { factors: (a, b), exponent: leading - below, negative, y }
}

/// Draws terms whose X is a midpoint or a number, and whose Y is the bit.
fn x_on_boundary(shape: &Shape, draws: &mut CounterRng, deviation: &Deviation) -> SumTerms {
    let (span, addend) = (shape.destination, shape.addend);
    let midpoint = if deviation.midpoint { tie_factors(shape, draws) } else { None };
    let (a, b) = midpoint.unwrap_or_else(|| short_factors(shape, draws));
    let depth = span.max - span.precision + 1 - addend.unit;
    let place = deviation.place(deep(draws, depth, span));
    let above = length(shape.x(a, b)) - 1;
    let (low, high) = shape.x_exponents(a, b);
    // How far the bit lies below the leading one.
    let below = span.precision - 1 + place;
    let leading = draws.common(&[
        (low + above, high + above),
        (span.min(), span.max),
        (addend.unit + below, addend.max + below),
    ]);
    let negative = draws.flag();
    let y = ExactNumber::power(negative == deviation.above, leading - below);
    SumTerms { factors: (a, b), exponent: leading - above, negative, y }
}

/// Draws how many places are walked through where a term can lie `depth` places below the rounding position: all, or
/// those within three precisions, where implementations keep bits.
fn deep(draws: &mut CounterRng, depth: i32, span: OperandSpan) -> i32 {
    let near = 3 * span.precision + 4;
    if draws.flag() { depth } else { depth.min(near) }.max(2)
}
