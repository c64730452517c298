//! The sweep `seams`: arguments where approximations are put together from pieces, and where what is promised of them
//! changes.

use formats::{Column, Format};
use isa::{Family, Op};

use super::data::{draw_any_datum, exponent, nan, sign, step, top};
use super::exact::{ExactNumber, length};
use super::fill::FillJob;
use super::random::CounterRng;
use super::shape::{OperandSpan, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "seams",
    targets: "Approximate functions: every entry of the tables that hardware interpolates between, in every \
            binade, at both ends; both sides of whatever operands are reduced by (multiples of π/4, halves, \
            powers of two); around zeros, poles and limits of the function and of its error bound.",
    length: |shape| {
        if shape.approximate || shape.family == Family::Function {
            Length::Endless
        } else {
            Length::None
        }
    },
    fill,
};

/// The number π · 2^96, cut off.
const PI: u128 = 0x3_243f_6a88_85a3_08d3_1319_8a2e;
/// The number √2 · 2^63, cut off.
const ROOT_OF_TWO: u128 = 0xb504_f333_f9de_6484;

/// The largest number of significand bits that choose a table entry.
const ENTRY_BITS: u32 = 8;

/// Distances from a seam in encodings, in the order in which a walk along all seams takes them.
const SEAM_DISTANCES: [i32; 5] = [-1, 1, 0, -2, 2];

/// Number of bits of a number of f64, and of a gross approximation: a reciprocal in the upper half of an f64.
const DOUBLE: i32 = 53;
const GROSS: i32 = 20;

/// Number of multiples of π/4 that are walked along: as far as 128 π, and so beyond the ends of the bounds.
const QUARTERS: u64 = 512;

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    job.lanes(columns, |draws, index| {
        if shape.op == Op::Div {
            let divisor = argument(&shape, draws, index, 1);
            [dividend(&shape, draws, divisor), divisor, 0]
        } else {
            [argument(&shape, draws, index, 0), 0, 0]
        }
    });
}

/// Draws the argument of vector `index`.
///
/// Of eight vectors five are table entries, one is anything, and two are seams. The first of the two is the next seam
/// of a walk along those that can be counted, so that none is left to chance. The second is one of the other seams.
fn argument(shape: &Shape, draws: &mut CounterRng, index: u64, operand: usize) -> u64 {
    let format = shape.formats[operand];
    let span = OperandSpan::of(format);
    let all = (span.min(), span.max);
    let (round, place) = (index / 8, index % 8);
    // Five vectors of each eight are entries, and these are counted without gaps.
    let of_table = round.wrapping_mul(5).wrapping_add(place);
    let beside = |seam: ExactNumber, steps| step(format, seam.truncate(format), steps);
    match place {
        0..=3 => entry(shape, format, draws, of_table, interesting(shape, all)),
        4 => entry(shape, format, draws, of_table, all),
        5 => draw_any_datum(format, draws),
        6 => {
            let (seam, steps) = walk(shape, draws, &span, round);
            beside(seam, steps)
        }
        _ => {
            let seam = other(shape, draws, &span);
            beside(seam, draws.between(-2, 2))
        }
    }
}

/// Whether the function has no real result for negative numbers.
fn is_of_positive(op: Op) -> bool {
    matches!(op, Op::Lg2 | Op::Sqrt | Op::Rsqrt)
}

/// Returns the lowest and the highest exponent where the function is neither constant nor linear.
fn interesting(shape: &Shape, all: (i32, i32)) -> (i32, i32) {
    let (low, high) = match shape.op {
        Op::Sin | Op::Cos => (-14, 9),
        Op::Ex2 => (-26, length(shape.destination.max as u128)),
        Op::Tanh => (-14, 4),
        _ => all,
    };
    (low.max(all.0), high.min(all.1))
}

/// Draws a number with the next table entry's leading bits, in some binade.
fn entry(shape: &Shape, format: &Format, draws: &mut CounterRng, index: u64, range: (i32, i32)) -> u64 {
    let bits = format.trailing_bits.min(ENTRY_BITS);
    let below = (format.trailing_bits - bits) as i32;
    let top = (1 << bits) | (index & ((1 << bits) - 1));
    let low = match draws.below(4) {
        0 => 0,
        1 => (1 << below) - 1,
        _ => draws.patterned(below),
    };
    let exponent = draws.between(range.0, range.1);
    // Operands that have no real result are asked seldom.
    let signs = draws.below(16);
    let negative = if is_of_positive(shape.op) { signs == 0 } else { signs < 8 };
    let significand = top << below | low;
    ExactNumber::new(negative, significand.into(), exponent - format.trailing_bits as i32)
        .truncate(format)
}

/// Returns the next of the seams that lie at regular distances, and how many encodings beside it to go. The walk takes
/// all seams on one side, then all on the other, then the seams themselves.
fn walk(shape: &Shape, draws: &mut CounterRng, span: &OperandSpan, number: u64) -> (ExactNumber, i32) {
    let count = |low: i32, high: i32| (high - low + 1) as u64;
    let to = shape.destination;
    let (ends, seams) = match shape.op {
        Op::Sin | Op::Cos => ((0, 0), QUARTERS),
        Op::Ex2 => ((to.unit - 3, to.max + 3), 2 * count(to.unit - 3, to.max + 3)),
        Op::Tanh => ((span.unit, 4), 2 * count(span.unit, 4)),
        _ if is_of_positive(shape.op) => ((span.unit, span.max), count(span.unit, span.max)),
        _ => ((span.unit, span.max), 2 * count(span.unit, span.max)),
    };
    let steps = SEAM_DISTANCES[(number / seams % SEAM_DISTANCES.len() as u64) as usize];
    let place = (number % seams) as i32;
    let seam = match shape.op {
        // Multiples of π/4: where reduced arguments are smallest and, at the odd ones, largest, because
        // the quadrant changes there.
        // `PI` is π · 2^96, so that 2^-98 of it is π/4.
        Op::Sin | Op::Cos => ExactNumber::new(draws.flag(), PI * (place as u128 + 1), -98),
        // Integers, where the result is exact, and halves, where the nearest integer changes.
        Op::Ex2 => {
            let halves = 2 * ends.0 + place;
            ExactNumber::new(halves < 0, halves.unsigned_abs().into(), -1)
        }
        op if is_of_positive(op) => ExactNumber::power(false, ends.0 + place),
        // Powers of two, with either sign.
        _ => ExactNumber::power(place % 2 == 1, ends.0 + place / 2),
    };
    (seam, steps)
}

/// Draws some other point where the function or its bound changes.
fn other(shape: &Shape, draws: &mut CounterRng, span: &OperandSpan) -> ExactNumber {
    let negative = draws.flag();
    let at = |magnitude: u64, exponent| ExactNumber::new(negative, magnitude.into(), exponent);
    match shape.op {
        // The ends of the bounds, 2π and 100π; multiples of π/4 of every magnitude; the entries of a table
        // of angles.
        Op::Sin | Op::Cos => {
            let (times, exponent) = match draws.below(4) {
                0 => ([8, 400][usize::from(draws.flag())], -98),
                1 => (draws.bits(4) + 1, -98),
                2 => {
                    let width = draws.between(1, 24);
                    (draws.bits(width) + 1, -98)
                }
                _ => (draws.bits(7) + 1, -102),
            };
            ExactNumber::new(negative, PI * u128::from(times), exponent)
        }
        // 1 and a little more or less; the ends of the bound's range, 1/2 and 2; √2 in every binade, where
        // significands are halved.
        Op::Lg2 => match draws.below(8) {
            0..=5 => {
                let below = draws.between(1, span.precision + 1);
                let off = ExactNumber::power(draws.flag(), -below);
                ExactNumber::power(false, 0).plus(off)
            }
            6 => ExactNumber::power(false, draws.between(-2, 2)),
            _ => ExactNumber::new(false, ROOT_OF_TWO, draws.between(span.unit, span.max - 1) - 63),
        },
        // Both ends of the range; places where the result leaves 1; the entries of a table of fractions.
        Op::Ex2 => {
            let to = shape.destination;
            match draws.below(4) {
                0 => {
                    let end = [to.unit - 1, to.min(), to.max + 1][draws.below(3) as usize];
                    let quarters = 4 * (end + draws.between(-1, 1)) + draws.between(0, 3);
                    ExactNumber::new(quarters < 0, quarters.unsigned_abs().into(), -2)
                }
                1 => at(1, draws.between(-to.precision - 3, -1)),
                _ => {
                    let whole = draws.between(to.unit - 3, to.max + 3);
                    let parts = 64 * whole + draws.bits(6) as i32;
                    ExactNumber::new(parts < 0, parts.unsigned_abs().into(), -6)
                }
            }
        }
        // Places where the function grows flat, and where it leaves the diagonal.
        Op::Tanh => match draws.below(2) {
            0 => at(draws.bits(7) + 1, -3),
            _ => at(1, draws.between(-14, 4)),
        },
        // Both ends of the range, where operands are scaled. Operands of reciprocals of f64 lie as far beside
        // these as approximations of 20 bits lie from where results are flushed.
        op => {
            let gross = op == Op::Rcp && shape.destination.precision == DOUBLE;
            let exponent = match draws.flag() {
                true => draws.between(span.max - if gross { 1 } else { 3 }, span.max),
                false => draws.between(span.min() - 4, span.min() + 3),
            };
            let end = ExactNumber::power(negative && !is_of_positive(op), exponent);
            match gross {
                true => end.plus(ExactNumber::power(draws.flag(), exponent - draws.between(1, GROSS))),
                false => end,
            }
        }
    }
}

/// Draws a dividend with a quotient mostly in range, or else an infinity, a NaN, a zero or the largest number.
fn dividend(shape: &Shape, draws: &mut CounterRng, divisor: u64) -> u64 {
    let (format, span) = (shape.formats[0], shape.destination);
    let sign = sign(format, draws);
    if draws.below(8) == 0 {
        return sign | [top(format), nan(format), 0, format.max_finite()][draws.below(4) as usize];
    }
    let by = exponent(shape.formats[1], divisor);
    // The quotient reaches from just below the smallest number to just above the largest.
    let leading = draws.common(&[span.leading(), (by + span.unit - 1, by + span.max + 1)]);
    let significand = draws.significand(span.precision);
    sign | ExactNumber::new(false, significand.into(), leading - span.precision + 1).truncate(format)
}
