//! The sweep `exponents`: every exponent as likely as every other.

use formats::Column;
use isa::Family;

use super::data::{datum, exponent, moved};
use super::fill::FillJob;
use super::random::CounterRng;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "exponents",
    targets: "Errors at particular exponents and exponent differences, which uniform bits of wide \
            exponent fields hardly ever bring together.",
    length: |_| Length::Endless,
    fill,
};

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    job.lanes(columns, |draws, _| lane(&shape, draws));
}

/// Draws a lane of independent data; in half of the lanes the exponents then meet.
fn lane(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let mut lane = Lane::default();
    for (operand, format) in lane.iter_mut().zip(shape.operands()) {
        *operand = datum(format, draws);
    }
    let free = draws.flag();
    if !free {
        meet(shape, draws, &mut lane);
    }
    lane
}

/// Gives new exponents to the later operands, or to the only one, so that they bear on each other and on the result's
/// range.
fn meet(shape: &Shape, draws: &mut CounterRng, lane: &mut Lane) {
    let (span, last) = (shape.destination, shape.arity - 1);
    let mut x = exponent(shape.formats[0], lane[0]);
    match shape.family {
        // First the product's exponent is brought into the result's range, then the addend's to the product's.
        Family::SumsAndProducts => {
            if shape.multiplies() {
                // From a quarter of the smallest number to the binade above the largest one: past both ends of the
                // range.
                let wanted = draws.between(span.unit - 2, span.max + 1);
                lane[1] = moved(shape.formats[1], lane[1], wanted - x);
                x += exponent(shape.formats[1], lane[1]);
            }
            if shape.adds() {
                // Further apart, the smaller term is no more than a sticky bit.
                let reach = shape.addend.precision + 2;
                let wanted = x + draws.between(-reach, reach);
                lane[last] = moved(shape.formats[last], lane[last], wanted);
            }
        }
        Family::Convert => {
            let wanted = draws.between(span.unit - 2, span.max + 1);
            lane[0] = moved(shape.formats[0], lane[0], wanted);
        }
        Family::QuotientsAndRoots if shape.arity == 2 => {
            let wanted = draws.between(span.unit - 2, span.max + 1);
            // A quotient's exponent is the dividend's less the divisor's.
            lane[1] = moved(shape.formats[1], lane[1], x - wanted);
        }
        Family::Compare if shape.arity > 1 => {
            let wanted = x + draws.between(-1, 1);
            lane[1] = moved(shape.formats[1], lane[1], wanted);
        }
        // Arguments not far from 1, where functions bend.
        Family::Function => {
            let wanted = draws.between(-16, 10);
            lane[0] = moved(shape.formats[0], lane[0], wanted);
        }
        Family::QuotientsAndRoots | Family::Compare => {}
    }
}
