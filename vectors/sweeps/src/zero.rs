//! The sweep `zero`: results of zero, from every origin.

use formats::Column;

use super::exact::{ExactNumber, length};
use super::fill::FillJob;
use super::random::CounterRng;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "zero",
    targets: "The sign of zero: zero operands of either sign, terms that cancel exactly, and underflow \
            to zero from both sides.",
    length: |shape| if shape.has_terms() { Length::Endless } else { Length::None },
    fill,
};

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    job.lanes(columns, |draws, _| lane(&shape, draws));
}

/// Draws a lane whose result is zero: by operands, by cancellation, or by underflow.
fn lane(shape: &Shape, draws: &mut CounterRng) -> Lane {
    match (draws.below(4), shape.adds()) {
        (0, _) => zeros(shape, draws),
        (1 | 2, true) => cancelling(shape, draws),
        _ => tiny(shape, draws),
    }
}

/// Draws a lane whose X is a zero, and whose Y is a zero more often than not.
fn zeros(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let mut lane = Lane::default();
    // One choice takes a draw as well, as every `below` does.
    let zero = draws.below(if shape.multiplies() { 2 } else { 1 }) as usize;
    for (number, (operand, format)) in lane.iter_mut().zip(shape.operands()).enumerate() {
        let sign = if draws.flag() { format.sign_mask() } else { 0 };
        let is_addend = shape.adds() && number + 1 == shape.arity;
        let nonzero =
            if is_addend { draws.below(4) == 0 } else { number != zero && draws.below(4) != 0 };
        // Any finite magnitude.
        let magnitude = draws.next() % (format.max_finite() + 1);
        *operand = sign | if nonzero { magnitude } else { 0 };
    }
    lane
}

/// Draws a lane whose Y is exactly X with the other sign.
fn cancelling(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let [first, second] = shape.factors.map(|span| span.precision);
    let span = shape.addend;
    let length_a = draws.between(1, first.min(span.precision));
    let length_b = draws.between(1, second.min((span.precision - length_a).max(1)));
    let (a, b) = (draws.significand(length_a), draws.significand(length_b));
    let x = shape.x(a, b);
    let exponent = draws.common(&[shape.x_exponents(a, b), span.exponents(length(x))]);
    let negative = draws.flag();
    shape.lane(draws, a, b, exponent, negative, ExactNumber::new(!negative, x, exponent))
}

/// Draws a lane whose X is below or around half the smallest number of the destination, and whose Y is zero.
fn tiny(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let [first, second] = shape.factors.map(|span| span.precision);
    let (a, b) = (draws.significand(first), draws.significand(second));
    let above = length(shape.x(a, b)) - 1;
    let (low, _) = shape.x_exponents(1, 1);
    let unit = shape.destination.unit;
    let leading = draws.common(&[(low, unit), (unit - 2 * first - 2, unit)]);
    let (negative, y_negative) = (draws.flag(), draws.flag());
    shape.lane(draws, a, b, leading - above, negative, ExactNumber::zero(y_negative))
}
