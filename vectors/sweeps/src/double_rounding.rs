//! The sweep `double-rounding`: exact results that come out wrong when they are rounded twice.

use formats::Column;

use super::exact::{ExactNumber, length, quotient};
use super::fill::FillJob;
use super::patterns::{near_factors, near_power, tie_factors};
use super::random::CounterRng;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "double-rounding",
    targets: "Arithmetic in a wider format with a second rounding, or rounding to full precision before \
            a subnormal result: ties with a last bit so far below that the first rounding loses it.",
    length: |shape| if shape.has_terms() { Length::Endless } else { Length::None },
    fill,
};

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    job.lanes(columns, |draws, _| lane(&shape, draws));
}

/// Draws a lane by one of the ideas below that the operation has the operands for.
fn lane(shape: &Shape, draws: &mut CounterRng) -> Lane {
    match (shape.multiplies(), shape.adds()) {
        // A product alone has no far smaller term: only its own last bits can lie beside a tie.
        (true, false) => match draws.below(4) {
            0 => near_tie(shape, draws),
            _ => subnormal(shape, draws),
        },
        (false, _) => match draws.below(2) {
            0 => far_x(shape, draws),
            _ => half_unit(shape, draws),
        },
        (true, true) => match draws.below(8) {
            0..=2 => far_y(shape, draws),
            3 => far_x(shape, draws),
            4 | 5 => subnormal(shape, draws),
            _ => half_unit(shape, draws),
        },
    }
}

/// Draws how far below the leading bit the last bit is: around the precisions of f32 and f64, anywhere near them, or
/// anywhere up to `range`. The distance is at least beyond the rounding point.
fn distance(shape: &Shape, draws: &mut CounterRng, range: i32) -> i32 {
    let p = shape.destination.precision;
    let distance = match draws.below(4) {
        0 => draws.between(10, 60),
        1 => 24 + draws.between(-2, 3),
        2 => 53 + draws.between(-2, 3),
        _ => draws.between(p + 1, range.max(p + 1)),
    };
    distance.max(p + 1).min(range)
}

/// Draws a lane whose X is a tie, and whose Y brings the sum a small amount above or below it.
fn far_y(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let Some((a, b)) = tie_factors(shape, draws) else {
        return far_x(shape, draws);
    };
    let (span, destination) = (shape.addend, shape.destination);
    let above = length(shape.x(a, b)) - 1;
    let (low, high) = shape.x_exponents(a, b);
    // The farthest bit that Y may have is the addend's smallest subnormal.
    let highest = (high + above).min(destination.max);
    let distance = distance(shape, draws, highest - span.unit);
    let leading = draws.common(&[
        (low + above, high + above),
        (destination.min(), destination.max),
        (span.unit + distance, span.max + distance),
    ]);
    let y = draw_with_leading_bit(draws, span.precision, leading - distance);
    let negative = draws.flag();
    shape.lane(draws, a, b, leading - above, negative, y)
}

/// Draws a power of two or another number of either sign, with its leading bit at `leading`.
fn draw_with_leading_bit(draws: &mut CounterRng, precision: i32, leading: i32) -> ExactNumber {
    let (negative, power) = (draws.flag(), draws.flag());
    let significand = if power { 1 } else { draws.significand(precision) };
    ExactNumber::new(negative, significand.into(), leading - length(significand.into()) + 1)
}

/// Draws a lane whose Y is a number of the addend's format, and whose X brings the sum a small amount above or below
/// it.
fn far_x(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let [first, second] = shape.factors.map(|span| span.precision);
    let power = draws.flag();
    let (a, b) = if power { (1, 1) } else { (draws.significand(first), draws.significand(second)) };
    let span = shape.addend;
    let above = length(shape.x(a, b)) - 1;
    let (low, high) = shape.x_exponents(a, b);
    let distance = distance(shape, draws, span.max - low - above);
    let leading =
        draws.common(&[(span.min(), span.max), (low + above + distance, high + above + distance)]);
    let (negative, y_negative) = (draws.flag(), draws.flag());
    let y = draws.significand(span.precision);
    let y = ExactNumber::new(y_negative, y.into(), leading - span.precision + 1);
    shape.lane(draws, a, b, leading - distance - above, negative, y)
}

/// Draws a lane whose smaller term is half a unit of the larger one's last place, except for the smaller one's own
/// last bit.
fn half_unit(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let (span, p) = (shape.addend, shape.destination.precision);
    let (negative, y_negative) = (draws.flag(), draws.flag());
    if draws.flag() {
        let (a, b, power) = near_power(shape, draws);
        let y = draws.significand(span.precision);
        // X, about 2^power times its last bit, is half of the result's last place: `p` below Y's leading bit.
        let below = p + power;
        let (low, high) = shape.x_exponents(a, b);
        let leading = draws.common(&[(span.min(), span.max), (low + below, high + below)]);
        let y = ExactNumber::new(y_negative, y.into(), leading - span.precision + 1);
        return shape.lane(draws, a, b, leading - below, negative, y);
    }
    let [first, second] = shape.factors.map(|span| span.precision);
    let length_a = draws.between(1, first.min(p));
    let length_b = draws.between(1, second.min((p - length_a).max(1)));
    let (a, b) = (draws.significand(length_a), draws.significand(length_b));
    // The last bit is more often far below than near, and more often above the tie, because X is mostly even in its
    // last place.
    let last = draws.between(1, span.precision - 1).max(draws.between(1, span.precision - 1));
    let y = if draws.below(4) != 0 { (1u64 << last) + 1 } else { (1 << last) - 1 };
    let above = length(shape.x(a, b)) - 1;
    let (low, high) = shape.x_exponents(a, b);
    let destination = shape.destination;
    let leading = draws.common(&[
        (low + above, high + above),
        (destination.min(), destination.max),
        // Y ends `p + last` below the leading bit, and not below the addend's smallest subnormal.
        (span.unit + p + last, span.max),
    ]);
    let y = ExactNumber::new(y_negative, y.into(), leading - p - last);
    shape.lane(draws, a, b, leading - above, negative, y)
}

/// Draws a product one unit beside a tie of the destination's full precision.
fn near_tie(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let (a, b) = near_factors(shape, draws);
    let above = length(shape.x(a, b)) - 1;
    let (low, high) = shape.x_exponents(a, b);
    let span = shape.destination;
    let leading = draws.common(&[(low + above, high + above), (span.min(), span.max)]);
    let negative = draws.flag();
    shape.lane(draws, a, b, leading - above, negative, ExactNumber::zero(negative))
}

/// Draws a product so little beside a tie of subnormal numbers that full precision does not show it.
fn subnormal(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let [first, second] = shape.factors.map(|span| span.precision);
    let span = shape.destination;
    let width = draws.between(0, span.precision - 1);
    // An odd number of halves of the smallest subnormal is a tie.
    let tie = draws.bits(width) << 1 | 1;
    let target = ExactNumber::new(draws.flag(), tie.into(), span.unit - 1);
    let a = draws.significand(first);
    let b = quotient(target, a, second);
    // The quotient is rounded down: one more brings the product to the other side of the tie.
    let above = u64::from(draws.flag());
    let significand = (b.magnitude as u64 + above).min(u64::MAX >> (64 - second));
    // Nothing, or a few units of the subnormals: the sum is as far from a tie as the product.
    let width = draws.between(0, span.precision - 1);
    let whole = if draws.flag() { draws.bits(width) } else { 0 };
    let y = ExactNumber::new(draws.flag(), whole.into(), span.unit);
    shape.lane(draws, a, significand, b.exponent, target.negative, y)
}
