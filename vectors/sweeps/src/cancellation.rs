//! The sweep `cancellation`: sums whose leading bits cancel.

use formats::Column;

use super::exact::{ExactNumber, length};
use super::fill::FillJob;
use super::random::CounterRng;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "cancellation",
    targets: "Products rounded before the addition, and wrong normalisation after leading zeros: the \
            addend is the product with the other sign, exactly, nearly, or in its leading bits.",
    length: |shape| if shape.adds() { Length::Endless } else { Length::None },
    fill,
};

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    job.lanes(columns, |draws, _| lane(&shape, draws));
}

/// Draws a lane whose Y is the product with the other sign: exactly, in its leading bits, or nearly.
fn lane(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let [first, second] = shape.factors.map(|span| span.precision);
    let span = shape.addend;
    let kind = draws.below(4);
    let (length_a, length_b) = if kind == 0 {
        // Short enough for the addend to hold the product.
        let length_a = draws.between(1, first.min(span.precision - 1));
        (length_a, draws.between(1, second.min(span.precision - length_a)))
    } else {
        (first, second)
    };
    let (a, b) = (draws.significand(length_a), draws.significand(length_b));
    let x = shape.x(a, b);
    // The product cut to the addend's precision, in units of the addend's last place.
    let excess = length(x) - span.precision;
    let cut = if excess >= 0 { x >> excess } else { x << -excess };
    // In kind 0 the offset is in units of the product's last bit, which stands `-excess` places higher.
    let off = match kind {
        0 => [0, 0, 1, -1][draws.below(4) as usize] << (-excess).max(0),
        1 => 0,
        2 => i64::from(draws.between(-3, 3)),
        _ => {
            let bit = draws.below(span.precision);
            if draws.flag() { 1 << bit } else { -1 << bit }
        }
    };
    // Both have at most 53 bits, the precision of f64, so that an i64 holds the sum.
    let magnitude = (cut as i64 + off).unsigned_abs();
    let above = length(x) - 1;
    let (low, high) = shape.x_exponents(a, b);
    let leading = draws.common(&[(low + above, high + above), (span.min(), span.max)]);
    let negative = draws.flag();
    let y = ExactNumber::new(!negative, magnitude.into(), leading - span.precision + 1);
    shape.lane(draws, a, b, leading - above, negative, y)
}
