//! The sweep `subnormal`: results and operands at the lower end of the range.

use formats::Column;

use super::aim::aim;
use super::exact::{ExactNumber, length};
use super::fill::FillJob;
use super::patterns::low_bits;
use super::random::CounterRng;
use super::shape::{Lane, OperandSpan, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "subnormal",
    targets: "Gradual underflow: results among the subnormals, ties between them, results that round to \
            the smallest normal number or to zero, and subnormal operands.",
    length: |shape| if shape.has_terms() { Length::Endless } else { Length::None },
    fill,
};

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    job.lanes(columns, |draws, _| lane(&shape, draws));
}

/// Draws a lane with a subnormal result, or with a subnormal operand.
fn lane(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let kind = draws.below(8);
    match kind {
        0 | 1 => grid(shape, draws),
        2 => operand(shape, draws),
        _ => {
            let target = target(shape, draws, kind);
            aim(shape, draws, target)
        }
    }
}

/// Draws a value near a limit of the subnormals, with fraction bits below the smallest one.
fn target(shape: &Shape, draws: &mut CounterRng, kind: i32) -> ExactNumber {
    let span = shape.destination;
    let p = span.precision;
    // Number of bits below the smallest subnormal: one more than the bits that decide how full precision rounds.
    let fraction = (p + 2).min(60);
    let unit = 1i128 << fraction;
    let min_normal = unit << (p - 1);
    let beside = i128::from(draws.between(-1, 1));
    let magnitude = match kind {
        // Just below the smallest normal number: within one unit, at its half or its quarter.
        3 | 4 => {
            let off = match draws.below(4) {
                0 => unit / 2,
                1 => unit / 4,
                2 => 0,
                _ => i128::from(draws.bits(fraction)),
            };
            min_normal - off + beside
        }
        // A tie between neighbours.
        5 => {
            let width = draws.between(0, p - 1);
            i128::from(draws.bits(width)) * unit + unit / 2
        }
        // Around the smallest subnormal and its half.
        6 => unit / 4 * i128::from(draws.between(1, 6)) + beside,
        // Anything subnormal.
        _ => {
            let width = draws.between(0, p - 1);
            i128::from(draws.bits(width)) * unit + i128::from(draws.bits(fraction)) + 1
        }
    };
    ExactNumber::new(draws.flag(), magnitude.unsigned_abs(), span.unit - fraction)
}

/// Draws a lane whose X has bits below the smallest subnormal, a tie or nearly; Y is a multiple of that subnormal.
fn grid(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let (a, b, k) = low_bits(shape, draws);
    let span = shape.destination;
    let width = draws.between(0, span.precision);
    let y = ExactNumber::new(draws.flag(), draws.bits(width).into(), span.unit);
    let negative = draws.flag();
    // X's last `k` bits lie below the smallest subnormal.
    shape.lane(draws, a, b, span.unit - k, negative, y)
}

/// Draws a lane with one subnormal operand, and with others such that it makes a difference.
fn operand(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let spans = shape.factors;
    let addend = shape.addend;
    let which = draws.below(shape.arity as i32) as usize;
    let (negative, y_negative) = (draws.flag(), draws.flag());
    if shape.adds() && which == shape.arity - 1 {
        // Y is subnormal, and X about as large.
        let y = below_normal(draws, &addend);
        let (a, b) = (draws.significand(spans[0].precision), draws.significand(spans[1].precision));
        let leading = addend.unit + draws.between(-2, addend.precision + 1);
        let x = leading - length(shape.x(a, b)) + 1;
        return shape.lane(
            draws,
            a,
            b,
            x,
            negative,
            ExactNumber::new(y_negative, y.into(), addend.unit),
        );
    }
    // A factor is subnormal, its partner of any size, and Y about as large as the product.
    // Here `which` is 0 or 1: the operand behind the factors was Y.
    let other = 1 - which;
    let small = ExactNumber::new(negative, below_normal(draws, &spans[which]).into(), spans[which].unit);
    let partner = draws.significand(spans[other].precision);
    let (low, high) = spans[other].exponents(spans[other].precision);
    let partner = ExactNumber::new(draws.flag(), partner.into(), draws.between(low, high));
    let leading = small.leading() + partner.leading() + draws.between(-addend.precision - 1, 3);
    let y = draws.significand(addend.precision);
    let y = ExactNumber::new(y_negative, y.into(), leading - addend.precision + 1);
    let mut lane = Lane::default();
    lane[which] = small.truncate(shape.formats[which]);
    if shape.multiplies() {
        lane[other] = partner.truncate(shape.formats[other]);
    }
    if shape.adds() {
        lane[shape.arity - 1] = y.truncate(shape.formats[shape.arity - 1]);
    }
    lane
}

/// Draws the significand of a subnormal.
fn below_normal(draws: &mut CounterRng, span: &OperandSpan) -> u64 {
    let width = draws.between(1, span.precision - 1);
    draws.significand(width)
}
