//! Integers whose quotient, or whose root, is next to an odd integer.

use super::exact::length;
use super::patterns::inverse;
use super::random::CounterRng;

/// Returns an integer of at most `p` bits whose quotient by the odd integer `b`, times a power of two, is an integer r
/// of `bits` bits less `off / b`. Returns `None` where r would be shorter.
#[inline]
fn dividend_beside(b: u64, off: i64, p: i32, bits: i32) -> Option<u64> {
    // r·b is `off` modulo 2^bits. So r·b - off is a multiple of 2^bits, and its quotient by b is next to r.
    let r = inverse(b).wrapping_mul(off as u64) & (u64::MAX >> (64 - bits));
    if r >> (bits - 1) == 0 {
        return None;
    }
    let product = (u128::from(r) * u128::from(b)).wrapping_add_signed(-i128::from(off));
    Some((product >> (length(product) - p)) as u64)
}

/// Draws integers a and b of at most `p` bits whose quotient, times a power of two, is next to an odd integer of
/// `bits` bits, at most 15/b beside it. The first of four attempts that succeeds counts; if none does, a and b are
/// arbitrary significands.
#[inline]
pub fn near_quotient(draws: &mut CounterRng, p: i32, bits: i32) -> (u64, u64) {
    quotient_beside(draws, p, bits, |draws| i64::from(2 * draws.between(-8, 7) + 1))
}

/// Draws integers a and b of at most `p` bits whose quotient, times a power of two, is an integer of `bits` bits less
/// `off / b`, odd if `off` is. Each attempt draws b, and then `off`. The first of four attempts that succeeds counts; if
/// none does, a and b are arbitrary significands.
#[inline]
pub fn quotient_beside(
    draws: &mut CounterRng,
    p: i32,
    bits: i32,
    off: impl Fn(&mut CounterRng) -> i64,
) -> (u64, u64) {
    for _ in 0..4 {
        let b = draws.odd(p);
        let off = off(draws);
        if let Some(a) = dividend_beside(b, off, p, bits) {
            return (a, b);
        }
    }
    (draws.significand(p), draws.odd(p))
}

/// Returns the odd root of an integer that is 1 modulo 8, modulo 2^63, by Newton's iteration.
#[inline]
pub const fn root(square: u64) -> u64 {
    // The reciprocal of the root: right in the last 3 bits, then in 2n - 2 after n.
    let mut reciprocal = 1u64;
    let mut step = 0;
    while step < 6 {
        let rest = 3u64.wrapping_sub(square.wrapping_mul(reciprocal).wrapping_mul(reciprocal));
        reciprocal = reciprocal.wrapping_mul(rest >> 1);
        step += 1;
    }
    square.wrapping_mul(reciprocal)
}

/// Draws an integer of fewer than `bits` bits, and an exponent, whose root is next to an odd integer of `bits` bits:
/// its distance is below 2^-(bits-7).
#[inline]
pub fn near_root(draws: &mut CounterRng, bits: i32) -> (u128, i32) {
    // Odd squares are 1 modulo 8, and modulo powers of two these numbers alone have odd roots.
    root_beside(bits, i64::from(8 * draws.between(-8, 8) + 1))
}

/// Returns an integer of fewer than `bits` bits, and an exponent, whose value is the square of an odd integer of `bits`
/// bits less `off`, which is 1 modulo 8.
#[inline]
pub fn root_beside(bits: i32, off: i64) -> (u128, i32) {
    let mut r = root(off as u64) & (u64::MAX >> (64 - bits));
    if r >> (bits - 1) == 0 {
        // The other root modulo 2^bits has the leading bit.
        r = (1 << bits) - r;
    }
    let square = (u128::from(r) * u128::from(r)).wrapping_add_signed(-i128::from(off));
    (square >> (bits + 1), bits + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_square() {
        for square in (0..1000).map(|n| (8 * n as i64 - 4000 + 1) as u64) {
            let root = root(square);
            assert_eq!(root.wrapping_mul(root) << 1, square << 1);
        }
    }

    #[test]
    fn quotients_and_roots_are_near_odd_integers() {
        for (p, bits) in [(11, 12), (24, 25), (24, 24), (53, 54), (53, 53)] {
            let mut near = 0;
            for index in 0..1000 {
                let (a, b) = near_quotient(&mut CounterRng::new(4, index), p, bits);
                assert!(a >> p == 0 && b >> p == 0);
                let shift = bits - 1 + i32::from(a < b);
                let (rest, b) = ((u128::from(a) << shift) % u128::from(b), u128::from(b));
                near += usize::from(rest.min(b - rest) <= 15);
                let (square, exponent) = near_root(&mut CounterRng::new(4, index), bits);
                assert!(length(square) < bits && exponent == bits + 1);
                let square = square << exponent;
                let root = square.isqrt();
                let nearest = if square - root * root > root { root + 1 } else { root };
                assert!(nearest % 2 == 1 && length(nearest) == bits, "{nearest} {bits}");
                assert!(square.abs_diff(nearest * nearest) <= 65);
            }
            assert!(near > 900, "{p} {bits}: {near} of 1000");
        }
    }
}
