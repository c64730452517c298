//! The sweep `inverse`: quotients, reciprocals and roots whose results are chosen first.

use formats::Column;
use isa::{Family, Op};

use super::data::{sign, step, top};
use super::exact::{ExactNumber, length, quotient};
use super::fill::FillJob;
use super::quotients::{near_quotient, near_root};
use super::random::CounterRng;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "inverse",
    targets: "Division and roots that round wrongly: results as near to a midpoint or a number as the \
            operands allow, exact ones, subnormal ones and ties among them, the largest, and subnormal \
            operands.",
    length: |shape| {
        if shape.family == Family::QuotientsAndRoots { Length::Endless } else { Length::None }
    },
    fill,
};

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    match shape.op {
        Op::Div => job.lanes(columns, |draws, _| division(&shape, draws)),
        Op::Rcp => job.lanes(columns, |draws, _| [reciprocal(&shape, draws), 0, 0]),
        _ => job.lanes(columns, |draws, _| [root(&shape, draws), 0, 0]),
    }
}

/// Draws a dividend and a divisor by one of eight kinds of quotients.
fn division(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let span = shape.destination;
    let p = span.precision;
    let (a, b) = match draws.below(8) {
        // An odd integer of one bit more than the precision is a midpoint.
        0..=2 => near_quotient(draws, p, p + 1),
        // An integer of the precision is a number of the format.
        3 => near_quotient(draws, p, p),
        4 => {
            // Both lengths together are at most the precision, so that the dividend r·b is exact.
            let short = draws.between(1, p);
            let r = draws.significand(short);
            let b = if short == p { 1 } else { draws.significand(p - short) };
            (r * b, b)
        }
        5 => {
            // A tie of subnormal numbers, or next to it.
            let width = draws.between(1, p);
            let tie = draws.odd(width);
            let exact = draws.flag();
            let b = if exact { draws.significand((p - width).max(1)) } else { draws.significand(p) };
            // The last tie, which rounding may carry to the smallest normal number.
            let tie = if !exact && width >= p - 2 { (1 << p) - 1 } else { tie };
            return lane_with_divisor(
                shape,
                draws,
                ExactNumber::new(false, tie.into(), span.unit - 1),
                b,
                exact,
            );
        }
        6 => {
            let (max, last) = shape.result.decode(shape.result.max_finite()).expect("finite");
            // In halves of the last place: from a unit below the largest number to one and a half above.
            let halves = i128::from(draws.between(-2, 3)) + 2 * i128::from(max);
            let b = draws.significand(p);
            let exact = draws.flag();
            return lane_with_divisor(
                shape,
                draws,
                ExactNumber::new(false, halves.unsigned_abs(), last - 1),
                b,
                exact,
            );
        }
        _ => return subnormal_operands(shape, draws),
    };
    in_range(shape, draws, a, b)
}

/// Draws the exponents and signs of a dividend and a divisor with these integers as significands, whose quotient is in
/// range.
pub fn in_range(shape: &Shape, draws: &mut CounterRng, a: u64, b: u64) -> Lane {
    let span = shape.destination;
    // How far a's last bit stands above b's, for a quotient with its leading bit at `wanted`.
    let wanted = draws.between(span.min(), span.max);
    let up = wanted - (length(a.into()) - length(b.into()));
    let (low, high) = span.exponents(length(a.into()));
    let exponent_b = draws.common(&[span.exponents(length(b.into())), (low - up, high - up)]);
    let (a_negative, b_negative) = (draws.flag(), draws.flag());
    let a = ExactNumber::new(a_negative, a.into(), exponent_b + up);
    let b = ExactNumber::new(b_negative, b.into(), exponent_b);
    [a.truncate(shape.formats[0]), b.truncate(shape.formats[1]), 0]
}

/// Builds the lane with this result and a divisor of the significand bits `b`. The dividend is their product, or next
/// to it if that is too long.
fn lane_with_divisor(
    shape: &Shape,
    draws: &mut CounterRng,
    result: ExactNumber,
    b: u64,
    exact: bool,
) -> Lane {
    let span = shape.destination;
    let product = result.magnitude * u128::from(b);
    let leading = result.exponent + length(product) - 1;
    let (low, high) = span.exponents(length(b.into()));
    let exponent_b = draws.common(&[(low, high), (span.unit - leading, span.max - leading)]);
    let (a_negative, b_negative) = (draws.flag(), draws.flag());
    let a =
        ExactNumber::new(a_negative, product, result.exponent + exponent_b).truncate(shape.formats[0]);
    // A dividend that was cut off may lie on either side of the product.
    let steps = if exact { 0 } else { draws.between(-1, 1) };
    let b = ExactNumber::new(b_negative, b.into(), exponent_b).truncate(shape.formats[1]);
    [step(shape.formats[0], a, steps), b, 0]
}

/// Draws one subnormal operand or two; with one, the other is such that the quotient is mostly in range.
fn subnormal_operands(shape: &Shape, draws: &mut CounterRng) -> Lane {
    let span = shape.destination;
    let which = draws.below(3);
    let mut lane = Lane::default();
    let small = |draws: &mut CounterRng| {
        let width = draws.between(1, span.precision - 1);
        ExactNumber::new(draws.flag(), draws.significand(width).into(), span.unit)
    };
    let first = small(draws);
    let wanted = draws.between(span.unit, span.max);
    let leading = match which {
        0 => first.leading() - wanted,
        _ => first.leading() + wanted,
    };
    let other = if which == 2 {
        small(draws)
    } else {
        let leading = leading.clamp(span.unit, span.max);
        ExactNumber::new(
            draws.flag(),
            draws.significand(span.precision).into(),
            leading - span.precision + 1,
        )
    };
    let divisor = usize::from(which != 1);
    lane[1 - divisor] = first.truncate(shape.formats[1 - divisor]);
    lane[divisor] = other.truncate(shape.formats[divisor]);
    lane
}

/// Draws an operand whose reciprocal lies near a midpoint, among the subnormal numbers, or at the end of the range.
fn reciprocal(shape: &Shape, draws: &mut CounterRng) -> u64 {
    let format = shape.formats[0];
    let span = shape.factors[0];
    let p = span.precision;
    let (negative, kind) = (draws.flag(), draws.below(4));
    let leading = draws.between(span.min(), span.max);
    let value = match kind {
        // 1 / (2^p - c) is 2^-p (1 + c 2^-p + c² 2^-2p …): next to a midpoint for an odd c.
        0 => {
            let width = draws.between(1, p / 2);
            let c = draws.bits(width);
            let below = draws.below(4) != 0;
            let b = if below { (1 << p) - 1 - c } else { (1 << (p - 1)) + c };
            ExactNumber::new(negative, b.into(), leading - p + 1)
        }
        // The reciprocal of a midpoint.
        1 => {
            let b = quotient(ExactNumber::new(negative, 1, 0), draws.odd(p + 1), p);
            ExactNumber { exponent: leading - p + 1, ..b }
        }
        // The reciprocal of a tie of subnormal numbers, as far as it is in range.
        2 => {
            let width = draws.between((1 - span.unit - span.max).clamp(1, p), p);
            let b = quotient(ExactNumber::new(negative, 1, 1 - span.unit), draws.odd(width), p);
            let above = u128::from(draws.flag());
            ExactNumber { magnitude: b.magnitude + above, ..b }
        }
        // Below or above the smallest number that has a finite reciprocal.
        _ => {
            let limit = ExactNumber::power(negative, -span.max - 1).truncate(format);
            if draws.flag() {
                return step(format, limit, draws.between(-4, 4));
            }
            let width = draws.between(1, p - 1);
            ExactNumber::new(negative, draws.significand(width).into(), span.unit)
        }
    };
    value.truncate(format)
}

/// Draws an operand of a root: one whose root lies near a midpoint or a number, an exact square, or a special one.
fn root(shape: &Shape, draws: &mut CounterRng) -> u64 {
    let format = shape.formats[0];
    let span = shape.factors[0];
    let p = span.precision;
    let (magnitude, last) = match draws.below(8) {
        // An odd integer of one bit more than the precision is a midpoint.
        0..=2 => near_root(draws, p + 1),
        3 => near_root(draws, p),
        4 => {
            // A square of at most the precision has an exact root.
            let width = draws.between(1, p / 2);
            let r = u128::from(draws.significand(width));
            (r * r, 0)
        }
        5 => {
            let width = draws.between(1, p - 1);
            let significand = draws.significand(width);
            return ExactNumber::new(false, significand.into(), span.unit).truncate(format);
        }
        6 => {
            // An even power of two has a power of two as its root; operands beside it do not.
            let even = draws.between(span.unit, span.max) & !1;
            return step(format, ExactNumber::power(false, even).truncate(format), draws.between(-4, 4));
        }
        _ => return special(shape, draws),
    };
    // Only even powers of two leave the significand of the root as it is.
    let halved = |exponent: i32| exponent.div_euclid(2);
    let (low, high) = span.exponents(length(magnitude));
    let exponent = 2 * draws.between(halved(low - last + 1), halved(high - last));
    ExactNumber::new(false, magnitude, last + exponent).truncate(format)
}

/// Draws a zero, an infinity, or any number, of either sign.
fn special(shape: &Shape, draws: &mut CounterRng) -> u64 {
    let format = shape.formats[0];
    let span = shape.factors[0];
    sign(format, draws)
        | match draws.below(4) {
            0 => 0,
            1 => top(format),
            _ => {
                let leading = draws.between(span.unit, span.max);
                let significand = draws.significand(span.precision);
                ExactNumber::new(false, significand.into(), leading - span.precision + 1)
                    .truncate(format)
            }
        }
}
