//! Quotients and roots whose first bit beside a rounding boundary has a given place.

use super::Deviation;
use crate::exact::{ExactNumber, length};
use crate::inverse::in_range;
use crate::quotients::{quotient_beside, root_beside};
use crate::random::CounterRng;
use crate::shape::{Lane, Shape};

/// Draws a dividend and a divisor whose quotient differs from a boundary by about the bit: by more than half of it, and
/// less than twice.
pub fn division(shape: &Shape, draws: &mut CounterRng, deviation: &Deviation) -> Lane {
    let p = shape.destination.precision;
    // An odd quotient of one bit more than the precision is a midpoint.
    let bits = p + i32::from(deviation.midpoint);
    let width = bits - deviation.place(bits - 1);
    let odd = u64::from(deviation.midpoint);
    let off = deviation.remainder((draws.significand(width) | odd) as i64);
    let (a, b) = quotient_beside(draws, p, bits, |_| off);
    in_range(shape, draws, a, b)
}

/// Draws an operand whose root differs from a boundary by about the bit.
pub fn root(shape: &Shape, draws: &mut CounterRng, deviation: &Deviation) -> Lane {
    let span = shape.factors[0];
    let p = span.precision;
    let bits = p + i32::from(deviation.midpoint);
    // The square of the boundary differs from the operand by the deviation times twice the root. The last three bits
    // of the difference are those of an odd square.
    let width = bits + 1 - deviation.place(p) + i32::from(deviation.midpoint) - 3;
    let eighths = if width > 0 { draws.significand(width) as i64 } else { i64::from(deviation.above) };
    let (magnitude, last) = root_beside(bits, 8 * deviation.remainder(eighths) + 1);
    let (low, high) = span.exponents(length(magnitude));
    // Only even powers of two leave the significand of the root as it is.
    let exponent = 2 * draws.between((low - last + 1).div_euclid(2), (high - last).div_euclid(2));
    [ExactNumber::new(false, magnitude, last + exponent).truncate(shape.formats[0]), 0, 0]
}
