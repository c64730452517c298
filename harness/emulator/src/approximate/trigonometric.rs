//! Sine and cosine, with a range reduction that knows enough of π for every argument of f32.

use super::pi::{HALF_PI, TWO_OVER_PI};
use super::series::{cosine, sine_ratio};
use super::{Approximation, Real, multiply_high};

/// Computes sin x, for |x| < 2^128. The error bound holds for significands of up to 53 bits: longer ones can come so
/// close to a multiple of π/2 that the 126 bits of the reduction do not suffice.
#[inline]
pub fn sin(x: Real) -> Approximation {
    let (quadrant, r) = reduce(x);
    in_quadrant(quadrant, r, x.negative)
}

/// Computes cos x, for the same arguments as `sin`.
#[inline]
pub fn cos(x: Real) -> Approximation {
    // cos |x| = sin(|x| + π/2)
    let (quadrant, r) = reduce(x);
    in_quadrant(quadrant + 1, r, false)
}

/// Computes ± sin(quadrant × π/2 + r), with a minus if `negative`.
#[inline]
fn in_quadrant(quadrant: u32, r: Real, negative: bool) -> Approximation {
    // r² in Q64, and zero where it no longer matters.
    let square =
        multiply_high(r.significand, r.significand).unbounded_shr((-2 * (r.exponent + 1)) as u32);
    let negative = negative ^ (quadrant & 2 != 0);
    if quadrant & 1 == 0 {
        let product = r.significand as u128 * sine_ratio(square) as u128;
        Approximation::within_margin(negative ^ r.negative, product, r.exponent + 1)
    } else {
        Approximation::within_margin(negative, (cosine(square) as u128) << 64, 0)
    }
}

/// Reduces |x| to quadrant × π/2 + r, with |r| ≤ π/4 and quadrant from 0 to 4, whole turns left out. The relative error
/// of r is below 2^-61, and 0 for |x| < 1/2.
#[inline]
fn reduce(x: Real) -> (u32, Real) {
    if x.exponent < -1 {
        return (0, Real { negative: false, ..x });
    }
    assert!(x.exponent < 128, "2/π is known for these only");
    // Payne and Hanek: of 2/π matter neither the bits that make multiples of 4, nor those that make
    // less than 2^-126. Between them lie 192 bits, which give a product in Q190 modulo 4.
    let first = (x.exponent + 63) as usize;
    let bits = |word: usize| {
        let (word, shift) = (first / 64 + word, first % 64);
        // In two steps, since a shift by 64 is none.
        TWO_OVER_PI[word] << shift | TWO_OVER_PI[word + 1] >> 1 >> (63 - shift)
    };
    let s = x.significand;
    // Q126
    let product = ((s.wrapping_mul(bits(0)) as u128) << 64)
        .wrapping_add(s as u128 * bits(1) as u128)
        .wrapping_add((s as u128 * bits(2) as u128) >> 64);
    // To the nearest quadrant.
    let fraction = product << 2;
    let negative = fraction >> 127 == 1;
    let quadrant = (product >> 126) as u32 + negative as u32;
    let distance = if negative { fraction.wrapping_neg() } else { fraction };
    // Times π/2. A distance of zero cannot be: it would take a number that is a multiple of π/2.
    let zeros = distance.leading_zeros();
    let significand = (distance << zeros >> 64) as u64;
    let product = significand as u128 * HALF_PI as u128;
    let borrowed = product.leading_zeros();
    let significand = (product << borrowed >> 64) as u64;
    // Q128 times Q63, from bit 127 of the product.
    let exponent = -(zeros as i32) - borrowed as i32;
    (quadrant, Real { negative, significand, exponent })
}
