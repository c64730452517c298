//! The sweep `sticky`: far smaller terms that matter only as a sticky bit.

use formats::Column;

use super::exact::{ExactNumber, length};
use super::fill::FillJob;
use super::random::CounterRng;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "sticky",
    targets: "Lost or misplaced sticky bits: a smaller term of either sign at every alignment distance, \
            also under a power of two, where a subtraction borrows across the binade.",
    length: |shape| if shape.has_terms() { Length::Endless } else { Length::None },
    fill,
};

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    job.lanes(columns, |draws, index| lane(&shape, draws, index));
}

/// Draws a lane whose smaller term lies a given distance below the larger one: `index` counts through the distances.
fn lane(shape: &Shape, draws: &mut CounterRng, index: u64) -> Lane {
    if !shape.adds() {
        return product(shape, draws, index);
    }
    let [first, second] = shape.factors.map(|span| span.precision);
    let span = shape.addend;
    let x_smaller = draws.flag();
    let (x_power, y_power) = (draws.flag(), draws.flag());
    let (a, b) = if x_power { (1, 1) } else { (draws.significand(first), draws.significand(second)) };
    let y = if y_power { 1 } else { draws.significand(span.precision) };
    let (x_above, y_above) = (length(shape.x(a, b)) - 1, length(y.into()) - 1);
    let (low, high) = shape.x_exponents(a, b);
    let x_leading = (low + x_above, high + x_above);
    let y_leading = (span.unit + y_above, span.max);
    let (larger, smaller) = if x_smaller { (y_leading, x_leading) } else { (x_leading, y_leading) };
    // Every distance that the formats allow comes by in turn.
    let distance = (index % ((larger.1 - smaller.0).max(0) as u64 + 1)) as i32;
    let top = draws.common(&[larger, (smaller.0 + distance, smaller.1 + distance)]);
    let (x, y_exponent) = if x_smaller { (top - distance, top) } else { (top, top - distance) };
    let (negative, y_negative) = (draws.flag(), draws.flag());
    let y = ExactNumber::new(y_negative, y.into(), y_exponent - y_above);
    shape.lane(draws, a, b, x - x_above, negative, y)
}

/// Draws the product `(1 ± 2^-i)(1 ± 2^-j)`: its last bit is `2^-(i+j)`, and all bits between may be zero.
fn product(shape: &Shape, draws: &mut CounterRng, index: u64) -> Lane {
    let [first, second] = shape.factors.map(|span| span.precision);
    // A factor with a precision of one bit has room for one i only.
    let (widths_a, widths_b) = ((first - 1).max(1) as u64, (second - 1).max(1) as u64);
    let i = 1 + (index % widths_a) as i32;
    // The number counts through all i, and then through the j.
    let j = 1 + (index / widths_a % widths_b) as i32;
    let one_and = |draws: &mut CounterRng, n: i32| {
        if draws.flag() { (1u64 << n) + 1 } else { (1 << n) - 1 }
    };
    let (a, b) = (one_and(draws, i), one_and(draws, j));
    let above = length(shape.x(a, b)) - 1;
    let (low, high) = shape.x_exponents(a, b);
    let span = shape.destination;
    let leading = draws.common(&[(low + above, high + above), (span.unit - 1, span.max)]);
    let negative = draws.flag();
    shape.lane(draws, a, b, leading - above, negative, ExactNumber::zero(negative))
}
