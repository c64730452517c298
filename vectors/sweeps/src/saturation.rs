//! The sweep `saturation`: results that a clamp looks at.

use formats::Column;

use super::aim::aim;
use super::data::{ordinary, sign, step};
use super::exact::{ExactNumber, length};
use super::fill::FillJob;
use super::random::CounterRng;
use super::shape::{Extra, Lane, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "saturation",
    targets: "`.sat` and `.relu`: results around 0 and 1 on both sides, tiny negative ones, zeros of \
            either sign, infinities and NaN.",
    length: |shape| if shape.clamps { Length::Endless } else { Length::None },
    fill,
};

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    job.lanes(columns, |draws, _| {
        let mut lane = lane(&shape, draws);
        // The second input is drawn last, behind all draws of the first.
        if shape.extra != Extra::None {
            lane[1] = draw_second_input(&shape, draws);
        }
        lane
    });
}

/// Draws a lane whose result lies around 1 or 0, is of ordinary size, or comes from special operands.
fn lane(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let span = shape.destination;
    let p = span.precision;
    let fraction = (p + 2).min(60);
    let kind = draws.below(8);
    let target = match kind {
        // Around 1: in units of the last place below it, with a fraction.
        0..=3 => {
            let (unit, one) = (1i128 << fraction, 1i128 << (p + fraction));
            let off = unit / 4 * i128::from(draws.between(-10, 10));
            let beside = i128::from(draws.between(-1, 1));
            let negative = draws.below(8) == 0;
            ExactNumber::new(negative, (one + off + beside).unsigned_abs(), -p - fraction)
        }
        // The smallest magnitudes.
        4 => {
            let width = draws.between(1, 4);
            ExactNumber::new(draws.flag(), u128::from(draws.bits(width) + 1), span.unit - 2)
        }
        // Anything of ordinary size.
        5 => {
            let leading = draws.common(&[(-p - 2, 3), (span.unit, span.max)]);
            ExactNumber::new(draws.flag(), draws.significand(p).into(), leading - p + 1)
        }
        6 => return zeros(shape, draws),
        _ => return special(shape, draws),
    };
    aim(shape, draws, target)
}

/// Draws a result of zero: by zero operands, or by exact cancellation.
fn zeros(shape: &Shape, draws: &mut CounterRng) -> Lane {
    if !shape.has_terms() {
        return [sign(shape.formats[0], draws), 0, 0];
    }
    let a = draws.significand(shape.factors[0].precision.min(shape.addend.precision));
    let cancels = shape.adds() && draws.flag();
    let negative = draws.flag();
    if cancels {
        let x = length(a.into());
        let exponent = draws.common(&[shape.x_exponents(a, 1), (-x - 3, 3 - x)]);
        return shape.lane(
            draws,
            a,
            1,
            exponent,
            negative,
            ExactNumber::new(!negative, a.into(), exponent),
        );
    }
    let y_negative = draws.flag();
    shape.lane(draws, a, 0, 0, negative, ExactNumber::zero(y_negative))
}

/// Draws one operand that is infinite or NaN, and the others of ordinary size.
fn special(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let mut lane = Lane::default();
    let numbers = if shape.has_terms() { shape.arity } else { 1 };
    let which = draws.below(numbers as i32) as usize;
    for (number, (operand, format)) in lane.iter_mut().zip(&shape.formats[..numbers]).enumerate() {
        let sign = sign(format, draws);
        // The draws are made for the special operand as well (`SWEEPS.md`).
        let ordinary = ordinary(format, draws);
        let magnitude = match (number == which, format.infinity()) {
            (false, _) => ordinary,
            (true, Some(infinity)) => {
                infinity + if draws.flag() { draws.bits(format.trailing_bits as i32) } else { 0 }
            }
            (true, None) => format.magnitude_mask(),
        };
        *operand = sign | magnitude;
    }
    lane
}

/// Draws a conversion's second input: random bits of any kind, or a scale, which is mostly 1.
fn draw_second_input(shape: &Shape, draws: &mut CounterRng) -> u64 {
    match shape.extra {
        Extra::Random => draws.patterned(shape.formats[1].width() as i32),
        _ if draws.below(4) == 0 => step(shape.formats[1], shape.formats[1].one(), draws.between(-2, 2)),
        _ => shape.formats[1].one(),
    }
}
