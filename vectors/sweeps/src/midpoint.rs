//! The sweep `midpoint`: exact results on a rounding boundary, or as little beside it as operands allow.

use formats::Column;

use super::exact::{ExactNumber, SumTerms, length};
use super::fill::FillJob;
use super::patterns::{low_bits, near_factors, near_power, tie_factors, tie_or_near};
use super::random::CounterRng;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "midpoint",
    targets: "Wrong rounding decisions: exact results on the midpoint between two numbers, one unit \
            beside it, or one unit beside a number.",
    length: |shape| if shape.has_terms() { Length::Endless } else { Length::None },
    fill,
};

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    job.lanes(columns, |draws, _| lane(&shape, draws));
}

/// Draws a lane whose exact result lies on a rounding boundary or next to it, by one of the ways below.
fn lane(shape: &Shape, draws: &mut CounterRng) -> Lane {
    if !shape.adds() {
        return product(shape, draws);
    }
    match draws.below(8) {
        0 if shape.multiplies() => product(shape, draws),
        0..=3 => draw_below_last_bit(shape, draws),
        4..=6 => draw_beside_boundary(shape, draws),
        _ => half_unit(shape, draws),
    }
}

/// Draws a lane whose X alone is at the boundary; Y is zero.
fn product(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let tie = if draws.flag() { tie_factors(shape, draws) } else { None };
    let (a, b) = match tie {
        Some(factors) => factors,
        None => near_factors(shape, draws),
    };
    let above = length(shape.x(a, b)) - 1;
    let (low, high) = shape.x_exponents(a, b);
    let span = shape.destination;
    let leading = draws.common(&[(span.min(), span.max), (low + above, high + above)]);
    let (negative, zero) = (draws.flag(), draws.flag());
    shape.lane(draws, a, b, leading - above, negative, ExactNumber::zero(zero))
}

/// Draws a lane whose Y is the larger term, and whose X has the bits below Y's last one.
fn draw_below_last_bit(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let (a, b, k) = low_bits(shape, draws);
    let span = shape.addend.common(&shape.destination);
    let y = draws.significand(span.precision);
    let below = span.precision - 1 + k;
    let (low, high) = shape.x_exponents(a, b);
    let leading = draws.common(&[(span.min(), span.max), (low + below, high + below)]);
    let (negative, y_negative) = (draws.flag(), draws.flag());
    let y = ExactNumber::new(y_negative, y.into(), leading - span.precision + 1);
    shape.lane(draws, a, b, leading - below, negative, y)
}

/// Draws a lane whose X is the larger term, and whose Y brings it to a boundary `k` bits below its rounding point.
fn draw_beside_boundary(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let [first, second] = shape.factors;
    let (span, p) = (shape.addend, shape.destination.precision);
    let (a, b) = (draws.significand(first.precision), draws.significand(second.precision));
    let x = shape.x(a, b);
    let discarded = length(x) - p;
    // X may be shorter than the precision: then Y alone reaches below the rounding point.
    let base = discarded.max(1);
    let k = if base < span.precision { draws.between(base, span.precision) } else { base };
    let pattern = tie_or_near(draws, k.min(64));
    completed(shape, draws, (a, b), k, pattern.into()).lane(shape, draws)
}

/// Draws terms with these factors of X, whose Y takes away what X has below the rounding position. In its place come
/// `k` bits: `pattern`, with Y moved by whole units besides as far as it has room.
pub fn completed(
    shape: &Shape,
    draws: &mut CounterRng,
    (a, b): (u64, u64),
    k: i32,
    pattern: u128,
) -> SumTerms {
    let (span, p) = (shape.addend, shape.destination.precision);
    let x = shape.x(a, b);
    // In units of 2^-k of the rounding point.
    let x_units = x << (k - (length(x) - p));
    let width = draws.between(0, (span.precision - k).max(0));
    let whole = ExactNumber::new(draws.flag(), u128::from(draws.bits(width)), k);
    // X with the pattern in its last `k` bits, moved by whole units: what X + Y is to be.
    let wanted = ExactNumber::new(false, (x_units >> k << k) | pattern, 0).plus(whole);
    let y = wanted.plus(ExactNumber::new(true, x_units, 0));
    let above = length(x) - 1;
    let (low, high) = shape.x_exponents(a, b);
    let destination = shape.destination;
    let leading = draws.common(&[
        (low + above, high + above),
        (destination.min(), destination.max),
        // Y ends `k` below the rounding point, and not below the addend's smallest subnormal.
        (span.unit + p - 1 + k, span.max),
    ]);
    let negative = draws.flag();
    let y = ExactNumber { negative: y.negative != negative, exponent: leading - p + 1 - k, ..y };
    SumTerms { factors: (a, b), exponent: leading - above, negative, y }
}

/// Draws a lane whose Y is the larger term, and whose X is half a unit of Y's last place, or next to that.
fn half_unit(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let (a, b, power) = near_power(shape, draws);
    let span = shape.addend.common(&shape.destination);
    let y = draws.significand(span.precision);
    let below = span.precision + power;
    let (low, high) = shape.x_exponents(a, b);
    let leading = draws.common(&[(span.min(), span.max), (low + below, high + below)]);
    let (negative, y_negative) = (draws.flag(), draws.flag());
    let y = ExactNumber::new(y_negative, y.into(), leading - span.precision + 1);
    shape.lane(draws, a, b, leading - below, negative, y)
}
