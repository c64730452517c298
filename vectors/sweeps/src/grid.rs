//! The sweep `grid`: inputs of a conversion that lie on numbers of its destination, on midpoints between them, or next
//! to either.

use formats::{Column, Format};
use isa::Family;
use isa::limits::LANES_MAX;

use super::data::{datum, draw_any_datum, exponent, sign, step};
use super::exact::ExactNumber;
use super::fill::FillJob;
use super::random::CounterRng;
use super::shape::{Extra, Lane, OperandSpan, Shape};
use super::stochastic::{field, field_bits};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "grid",
    targets: "Conversions that round or clamp wrongly: numbers of the destination, halfway between two and \
            one encoding beside that, subnormal ones and the largest too, random bits that just carry, \
            scales that bring the result to an end of the range.",
    length: |shape| {
        if shape.family == Family::Convert { Length::Endless } else { Length::None }
    },
    fill,
};

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    job.rows(columns, |keys, index| {
        let mut row = [Lane::default(); LANES_MAX];
        for number in 0..shape.lanes {
            let shared = if number > 0 && shape.shared[1] { Some(row[0][1]) } else { None };
            row[number] = lane(&shape, &mut CounterRng::new(keys[number], index), number, shared);
        }
        row
    });
}

/// Draws the lane with this number; `shared` is the second input of lane 0, if this lane has the same one.
fn lane(shape: &Shape, draws: &mut CounterRng, number: usize, shared: Option<u64>) -> Lane {
    let format = shape.formats[0];
    match shape.extra {
        Extra::None => [beside_number(shape, draws, 0), 0, 0],
        Extra::Random => {
            let drawn = draws.patterned(shape.formats[1].width() as i32);
            // A lane that takes lane 0's makes the draw all the same, so that its later draws do not move.
            let random = shared.unwrap_or(drawn);
            [carrying(shape, draws, field(shape, random, number)), random, 0]
        }
        Extra::Divisor => {
            let drawn = divisor(shape, draws);
            let scale = shared.unwrap_or(drawn);
            let exponent = scale as i32 - shape.formats[1].bias;
            [beside_number(shape, draws, exponent), scale, 0]
        }
        Extra::Factor => {
            // The smallest ones too, for only they have bits below what a scale leaves.
            let bits = match draws.below(4) {
                0 => sign(format, draws) | draws.bits(format.trailing_bits.min(3) as i32 + 1),
                _ => draws.bits(format.width() as i32),
            };
            [bits, factor(shape, draws, bits), 0]
        }
    }
}

/// Draws where the leading bit of a result lies: anywhere, or below and around the smallest normal number. There
/// floating-point integers have fractions. In fixed point that region is the whole range.
pub(super) fn leading(shape: &Shape, draws: &mut CounterRng, reach: (i32, i32)) -> i32 {
    let span = shape.destination;
    // Integers with fewer bits than the destination never round.
    let integers = if shape.formats[0].is_fixed() { span.precision.min(reach.1) } else { span.min() };
    let normal = (span.min().max(integers), span.max);
    let small = (span.unit - 2, span.min().min(span.max));
    let everywhere = span.max < span.min() + 2;
    if everywhere {
        draws.common(&[reach, (span.unit - 2, span.max + 1)])
    // Rounding to integers changes only operands with fractions, which are the small ones: most draws go there.
    } else if draws.below(8) < if shape.is_integral() { 1 } else { 5 } {
        draws.common(&[reach, normal])
    } else {
        draws.common(&[reach, small])
    }
}

/// Draws a significand for a number with its leading bit at `leading`, and returns it with the exponent of its last
/// place.
fn number(span: &OperandSpan, draws: &mut CounterRng, leading: i32) -> (u64, i32) {
    let last = (leading - span.precision + 1).max(span.unit);
    let significand = if leading < last { 0 } else { draws.significand(leading - last + 1) };
    (significand, last)
}

/// Draws an input whose result before rounding, times 2^scale, lies on the destination's grid or beside it.
fn beside_number(shape: &Shape, draws: &mut CounterRng, scale: i32) -> u64 {
    let (format, span) = (shape.formats[0], shape.destination);
    let source = OperandSpan::of(format);
    let value = match draws.below(8) {
        0 => {
            return match draws.below(4) {
                0 => datum(format, draws),
                1 => draw_any_datum(format, draws),
                _ => sign(format, draws) | below_normal(format, draws),
            };
        }
        1 => largest(shape, draws),
        _ => {
            let leading = leading(shape, draws, (source.unit - scale, source.max - scale));
            let (significand, last) = number(&span, draws, leading);
            // Quarters of the last place: half of the draws are ties.
            let quarters = match draws.below(8) {
                0 => 0,
                1..=4 => 2,
                5 => 1,
                6 => 3,
                _ => draws.bits(2),
            };
            ExactNumber::new(false, u128::from(significand) << 2 | u128::from(quarters), last - 2)
        }
    };
    let negative = draws.flag();
    let value = ExactNumber { negative, exponent: value.exponent + scale, ..value };
    let steps = [0, 0, 1, -1][draws.below(4) as usize];
    step(format, value.truncate(format), steps)
}

/// Draws the magnitude of one of the source's own subnormal numbers; in an integer format, a small integer.
fn below_normal(format: &Format, draws: &mut CounterRng) -> u64 {
    let width = if format.is_fixed() { 4 } else { format.trailing_bits };
    draws.patterned(width as i32)
}

/// Draws the largest number and up to two units of its last place more or less.
fn largest(shape: &Shape, draws: &mut CounterRng) -> ExactNumber {
    let (max, exponent) = shape.result.decode(shape.result.max_finite()).expect("finite");
    let halves = draws.between(-3, 4);
    let magnitude = 2 * i128::from(max) + i128::from(halves);
    ExactNumber::new(false, magnitude.unsigned_abs(), exponent - 1)
}

/// Draws a biased exponent to divide by that keeps the destination's range within the source's, as far as there is
/// one.
pub(super) fn divisor(shape: &Shape, draws: &mut CounterRng) -> u64 {
    let (format, source, span) =
        (shape.formats[1], OperandSpan::of(shape.formats[0]), shape.destination);
    let any = draws.below(8) == 0;
    if any {
        return datum(format, draws);
    }
    let (low, high) = (source.min() - span.unit, source.max - span.max);
    let exponent = draws.between(low.min(0).max(-format.bias), high.max(0).min(format.bias));
    (exponent + format.bias) as u64
}

/// Draws a biased exponent to multiply by that brings a datum to an end of the destination's range, or into it.
fn factor(shape: &Shape, draws: &mut CounterRng, bits: u64) -> u64 {
    let (source, format, span) = (shape.formats[0], shape.formats[1], shape.destination);
    let exponent = match draws.below(8) {
        0 => return datum(format, draws),
        // The last bit is half the smallest number's: a tie, if it is not the only one.
        1 => {
            let (significand, last) = source.decode(bits).unwrap_or((1, 0));
            span.unit - 1 - last - significand.trailing_zeros() as i32 % 64
        }
        2 | 3 => draws.between(span.unit - 2, span.min() + 1) - exponent(source, bits),
        4 | 5 => draws.between(span.max - 1, span.max + 2) - exponent(source, bits),
        _ => draws.between(span.min(), span.max) - exponent(source, bits),
    };
    (exponent + format.bias).clamp(0, format.max_finite() as i32) as u64
}

/// Draws an input whose discarded bits, together with the random bits `random`, just carry, or just do not.
fn carrying(shape: &Shape, draws: &mut CounterRng, random: u64) -> u64 {
    let (format, span) = (shape.formats[0], shape.destination);
    let source = OperandSpan::of(format);
    let kind = draws.below(8);
    if kind == 0 {
        return draw_any_datum(format, draws);
    }
    let sign = sign(format, draws);
    if kind == 1 {
        let near = largest(shape, draws).truncate(format);
        return sign | step(format, near, draws.between(-1, 1));
    }
    let leading = leading(shape, draws, source.leading());
    let (significand, last) = number(&span, draws, leading);
    let k = field_bits(shape);
    // Discarded and random bits carry where their sum reaches 2^k.
    let carry = (1 << k) - random as i64;
    let discarded = match draws.below(4) {
        0 => carry,
        1 => carry - 1,
        2 => carry + i64::from(draws.between(-2, 2)),
        _ => draws.bits(k) as i64,
    };
    let discarded = discarded.clamp(0, (1 << k) - 1);
    // Bits below the random ones must not count.
    let below = if draws.flag() { u128::from(u32::MAX) } else { 0 };
    let kept = u128::from(significand) << k | discarded as u128;
    sign | ExactNumber::new(false, kept << 32 | below, last - k - 32).truncate(format)
}
