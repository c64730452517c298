//! The sweep `pairs`: operands that stand in a relation, such as equal, opposite, neighbours, or special beside
//! special.

use formats::{Column, Format};
use isa::{Family, Op};

use super::data::{draw_any_datum, step};
use super::fill::FillJob;
use super::random::CounterRng;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "pairs",
    targets: "Comparisons and choices that go wrong: equal operands, neighbours, numbers of opposite sign, \
            zeros of either sign, subnormals beside zeros, quiet and signalling NaN in every place.",
    length: |shape| {
        if shape.family == Family::Compare { Length::Endless } else { Length::None }
    },
    fill,
};

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    job.lanes(columns, |draws, _| match shape.op {
        Op::Select => selecting(&shape, draws),
        _ => comparing(&shape, draws),
    });
}

/// Draws two data, and a third by whose sign one of them is chosen.
fn selecting(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let format = shape.formats[0];
    let a = draws.bits(format.width() as i32);
    let b = match draws.below(4) {
        // The complement tells the two apart in every bit.
        0 => !a & format.mask(),
        _ => draws.bits(format.width() as i32),
    };
    [a, b, draw_any_datum(shape.formats[2], draws)]
}

/// Draws data of which each stands in a relation to an earlier one, and turns their order.
fn comparing(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let format = shape.formats[0];
    let mut lane = [draw_any_datum(format, draws), 0, 0];
    for number in 1..shape.arity {
        // A predicate makes this draw, too, and has no use for it (`SWEEPS.md`).
        let other = lane[if number == 2 && draws.flag() { 1 } else { 0 }];
        lane[number] = match shape.formats[number].width() {
            1 => draws.bits(1),
            _ => partner(format, draws, other),
        };
    }
    // The special operand may be any of those that are compared.
    let compared = shape.operands().iter().filter(|operand| operand.width() > 1).count();
    lane[..compared].rotate_left(draws.below(compared as i32) as usize);
    lane
}

/// Draws a datum that stands in a relation to the datum `of`, or in none.
fn partner(format: &Format, draws: &mut CounterRng, of: u64) -> u64 {
    let opposite = of ^ format.sign_mask();
    match draws.below(8) {
        0 | 1 => of,
        2 => opposite,
        3 => step(format, of, 1),
        4 => step(format, of, -1),
        5 => step(format, opposite, draws.between(-1, 1)),
        _ => draw_any_datum(format, draws),
    }
}
