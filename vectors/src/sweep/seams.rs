//! Where approximations are put together from pieces, and where what is promised of them changes.

use super::data::{any, exponent, nan, sign, step, top};
use super::exact::{Exact, length};
use super::fill::Job;
use super::random::CounterRng;
use super::shape::{Shape, Span};
use super::{Length, Sweep};
use crate::column::Column;
use crate::format::Format;
use crate::isa::{Family, Op};

pub const SWEEP: Sweep = Sweep {
    name: "seams",
    targets: "Approximate functions: every entry of the tables that hardware interpolates between, in every \
            binade, at both ends; around zeros, poles and limits of the function and of its error bound.",
    length: |shape| {
        if shape.approximate || shape.family == Family::Function {
            Length::Endless
        } else {
            Length::None
        }
    },
    fill,
};

/// π · 2^96, cut off.
const PI: u128 = 0x3_243f_6a88_85a3_08d3_1319_8a2e;

/// Most significand bits that choose a table entry.
const ENTRY_BITS: u32 = 8;

fn fill(job: &Job, columns: &mut [Column]) {
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

fn argument(shape: &Shape, draws: &mut CounterRng, index: u64, operand: usize) -> u64 {
    let format = shape.formats[operand];
    let span = Span::of(format);
    let all = (span.min(), span.max);
    match draws.below(8) {
        0..=3 => entry(shape, format, draws, index, interesting(shape, all)),
        4 => entry(shape, format, draws, index, all),
        5 => any(format, draws),
        _ => {
            let edge = edge(shape, draws, &span);
            step(format, edge.truncate(format), draws.between(-2, 2))
        }
    }
}

/// The exponents where the function is neither constant nor linear.
fn interesting(shape: &Shape, all: (i32, i32)) -> (i32, i32) {
    let (low, high) = match shape.op {
        Op::Sin | Op::Cos => (-14, 9),
        Op::Ex2 => (-26, length(shape.destination.max as u128)),
        Op::Tanh => (-14, 4),
        _ => all,
    };
    (low.max(all.0), high.min(all.1))
}

/// A number with the next table entry's leading bits, in some binade.
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
    // What has no real result is asked seldom.
    let signs = draws.below(16);
    let is_root = matches!(shape.op, Op::Lg2 | Op::Sqrt | Op::Rsqrt);
    let negative = if is_root { signs == 0 } else { signs < 8 };
    let significand = top << below | low;
    Exact::new(negative, significand.into(), exponent - format.trailing_bits as i32).truncate(format)
}

/// A point where the function or its bound changes; encodings near it are taken.
fn edge(shape: &Shape, draws: &mut CounterRng, span: &Span) -> Exact {
    let negative = draws.flag();
    let at = |magnitude: u64, exponent| Exact::new(negative, magnitude.into(), exponent);
    match shape.op {
        // Multiples of π/2: up to where the bounds end (4 and 200 of them), and far beyond.
        Op::Sin | Op::Cos => {
            let k = match draws.below(8) {
                0 => 4,
                1 => 200,
                2..=4 => draws.bits(3) + 1,
                5 | 6 => draws.bits(8) + 1,
                _ => draws.bits(20) + 1,
            };
            Exact::new(negative, PI * u128::from(k), -97)
        }
        // 1 and a little more or less; the ends of the bound's range, 1/2 and 2; all powers of two.
        Op::Lg2 => match draws.below(4) {
            0 | 1 => {
                let below = draws.between(1, span.precision + 1);
                let off = Exact::power(draws.flag(), -below);
                Exact::power(false, 0).plus(off)
            }
            2 => Exact::power(false, draws.between(-2, 2)),
            _ => Exact::power(false, draws.between(span.unit, span.max)),
        },
        // Integers, where the result is exact, up to both ends of the range and at these; halves and
        // quarters.
        Op::Ex2 => {
            let to = shape.destination;
            let whole = match draws.below(4) {
                0 => [to.unit - 1, to.min(), to.max + 1][draws.below(3) as usize] + draws.between(-1, 1),
                _ => draws.between(to.unit - 3, to.max + 3),
            };
            let quarters = 4 * whole + [0, 0, 2, 1][draws.below(4) as usize];
            Exact::new(quarters < 0, quarters.unsigned_abs().into(), -2)
        }
        // Where it grows flat, and where it leaves the diagonal.
        Op::Tanh => match draws.below(2) {
            0 => at(draws.bits(7) + 1, -3),
            _ => at(1, draws.between(-14, 4)),
        },
        // Both ends of the range, where operands are scaled; all powers of two.
        _ => {
            let exponent = match draws.below(4) {
                0 => draws.between(span.max - 3, span.max),
                1 => draws.between(span.min() - 4, span.min() + 3),
                _ => draws.between(span.unit, span.max),
            };
            at(1, exponent)
        }
    }
}

/// A dividend with a quotient in range mostly; an infinity, a NaN, a zero or the largest number.
fn dividend(shape: &Shape, draws: &mut CounterRng, divisor: u64) -> u64 {
    let (format, span) = (shape.formats[0], shape.destination);
    let sign = sign(format, draws);
    if draws.below(8) == 0 {
        return sign | [top(format), nan(format), 0, format.max_finite()][draws.below(4) as usize];
    }
    let by = exponent(shape.formats[1], divisor);
    let leading = draws.common(&[span.leading(), (by + span.unit - 1, by + span.max + 1)]);
    let significand = draws.significand(span.precision);
    sign | Exact::new(false, significand.into(), leading - span.precision + 1).truncate(format)
}
