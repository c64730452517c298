//! Operands whose exact result is a given value, or as near to it as the formats allow.

use super::exact::{ExactNumber, length, quotient};
use super::random::CounterRng;
use super::shape::{Lane, Shape};

/// Draws a lane whose exact result is `target` or near it; `target` is not zero.
#[inline]
pub fn aim(shape: &Shape, draws: &mut CounterRng, target: ExactNumber) -> Lane {
    if !shape.adds() {
        return factorise(shape, draws, target, ExactNumber::zero(false));
    }
    match draws.below(4) {
        // X is given, Y completes it.
        0 | 1 => {
            let [first, second] = shape.factors;
            // The significands are of any length, because short ones leave a Y that fits.
            let (length_a, length_b) =
                (draws.between(1, first.precision), draws.between(1, second.precision));
            let (a, b) = (draws.significand(length_a), draws.significand(length_b));
            let x = shape.x(a, b);
            // X is at most about four times the target, which Y then cancels, and at least just below Y's last bit.
            let offset = draws.between(-shape.addend.precision - 2, 2);
            // What the factors can hold comes before the wish.
            let wanted = target.leading() + offset - length(x) + 1;
            let (low, high) = shape.x_exponents(a, b);
            let exponent = wanted.clamp(low, high);
            let negative = draws.flag();
            let y = target.plus(ExactNumber::new(!negative, x, exponent));
            shape.lane(draws, a, b, exponent, negative, y)
        }
        // Y is the target itself as far as it has the bits, X the rest.
        2 => {
            let y = bits(target.truncate(shape.result), shape);
            let rest = target.plus(y.negated());
            if rest.magnitude == 0 {
                let (low, high) = shape.x_exponents(1, 1);
                let exponent = draws.common(&[(low, high), (low, target.leading())]);
                let negative = draws.flag();
                return shape.lane(draws, 1, 1, exponent, negative, y);
            }
            factorise(shape, draws, rest, y)
        }
        // X is the target, as far as factors have it, and Y is a zero of either sign.
        _ => {
            let negative = draws.flag();
            factorise(shape, draws, target, ExactNumber::zero(negative))
        }
    }
}

/// Returns the value of a datum of the result's format; where a lane takes it as Y, only the bits that the addend's
/// format has count.
fn bits(datum: u64, shape: &Shape) -> ExactNumber {
    let format = shape.result;
    let (significand, exponent) = format.decode(datum).expect("truncation is finite");
    ExactNumber::new(format.is_negative(datum), significand.into(), exponent)
}

/// Draws a lane with X = `target`, exactly where a factor is found, and Y = `y`.
#[inline]
pub fn factorise(shape: &Shape, draws: &mut CounterRng, target: ExactNumber, y: ExactNumber) -> Lane {
    let [pa, pb] = shape.factors.map(|span| span.precision);
    // A second factor of one bit, as where there is no product, leaves nothing to divide.
    if pb > 1 && draws.flag() {
        // Without trailing zeros the target has the fewest bits, and its quotients fit soonest.
        let zeros = target.magnitude.trailing_zeros();
        let whole = target.magnitude >> zeros;
        let exponent = target.exponent + zeros as i32;
        let first = draws.below(16);
        // The odd numbers 1..=31, from a drawn one on.
        let fits = |step: i32| {
            let a = (1 + 2 * ((first + step) & 15)) as u64;
            let whole = u64::try_from(whole).ok()?;
            let b = whole / a;
            let fit = b * a == whole && length(a.into()) <= pa && length(b.into()) <= pb;
            fit.then_some((a, b))
        };
        if let Some((a, b)) = (0..16).find_map(fits) {
            return shape.lane(draws, a, b, exponent, target.negative, y);
        }
    }
    if pb == 1 {
        let a = quotient(target, 1, pa);
        return shape.lane(draws, a.magnitude as u64, 1, a.exponent, target.negative, y);
    }
    let a = draws.significand(pa);
    let b = quotient(target, a, pb);
    // The quotient is rounded down: one more brings the product to the other side of the target.
    let above = u64::from(draws.flag());
    let significand = (b.magnitude as u64 + above).min(u64::MAX >> (64 - pb));
    shape.lane(draws, a, significand, b.exponent, target.negative, y)
}
