//! Estimates of sine and cosine over lanes.

use super::super::pi::{HALF_PI, TWO_OVER_PI};
use super::{Decision, Estimate, EstimatedFunction, is_tiny};
use crate::arithmetic::Unpacked;
use crate::fields::FloatFields;
use crate::word::Lookup;
use crate::word::fixed_point::{multiply_half, multiply_high};

/// The function sin x.
#[derive(Clone, Copy, Debug)]
pub struct Sin;

/// The function cos x.
#[derive(Clone, Copy, Debug)]
pub struct Cos;

/// The negated exponent of 2^-20, below which x counts as zero: the cosine, then above 1 − 2^-41, does not depend on x.
const MIN_EXPONENT: u32 = 20;

/// The upper 64 bits of 2/π × 2^(exponent − 23) without multiples of 4, in Q94 and cut off, for the exponents from −20
/// to 127.
const UPPER: [u64; 256] = reduced(0, 0);

/// The next 32 bits, below those of [`UPPER`], of 2/π × 2^(exponent − 23) without multiples of 4, in Q94 and cut off.
const LOWER: [u64; 256] = reduced(64, 32);

const fn reduced(place: usize, drop: u32) -> [u64; 256] {
    let mut words = [0; 256];
    let mut i = 0;
    while i < 128 + MIN_EXPONENT as usize {
        // The words of 2/π begin behind 128 zeros with the bit for 1/2; here they begin with the bit that makes 2.
        let first = 128 - 2 - 23 - MIN_EXPONENT as usize + i + place;
        let (word, shift) = (first / 64, first % 64);
        words[i] = (TWO_OVER_PI[word] << shift | TWO_OVER_PI[word + 1] >> 1 >> (63 - shift)) >> drop;
        i += 1;
    }
    words
}

/// The coefficients C_k of cos(π/2 f) = Σ C_k (−f²)^k, where C_k = (π/2)^2k / (2k)!, in Q62. The first term left out is
/// below 2^-41 for f ≤ 1/2.
const EVEN: [u64; 7] = coefficients(0);

/// The coefficients of sin(π/2 f) / f, as `EVEN` with (π/2)^(2k+1) / (2k+1)!. The first term left out is below 2^-44.
const ODD: [u64; 7] = coefficients(1);

const fn coefficients(parity: u64) -> [u64; 7] {
    let square = (HALF_PI as u128 * HALF_PI as u128) >> 64;
    let mut coefficients = [if parity == 0 { 1 << 62 } else { HALF_PI >> 1 }; 7];
    let mut k = 1;
    while k < coefficients.len() {
        let n = 2 * k as u64 + parity;
        coefficients[k] = ((coefficients[k - 1] as u128 * square) >> 62) as u64 / (n * (n - 1));
        k += 1;
    }
    coefficients
}

/// The bound on the error of an estimate's significand, in Q62; see [`estimate`].
pub const BOUND: u64 = 3 << 27;

/// The distance from a multiple of π/2 that is a zero of the function, in units of π/2, in Q64; arguments that are
/// nearer are not estimated.
const MIN_DISTANCE: u64 = 1 << 40;

/// Estimates sin(|x| + `quarter` × π/2) for a finite number with at most 24 bits; returns the mask of the sign,
/// the magnitude, and a mask of where the magnitude is near enough.
///
/// |x| = (quadrant + f) × π/2, with |f| ≤ 1/2. The reduction is Payne and Hanek's, as the definition's: f has an error
/// below 5 units of Q64, relative 2^-37 at the least distance. From the third term on the series is summed in 32 bits,
/// with an error below 3 units of Q32, which f⁴ ≤ 1/16 makes 2^-34.4 at most. The cosine is above 0.7, so that its
/// significand has twice that error; the sum of the sine is above 1.4.
#[inline(always)]
pub fn estimate<W: Lookup>(format: &FloatFields, a: &Unpacked<W>, quarter: u32) -> (W, Estimate<W>, W) {
    let index = a.exponent - (format.bias - MIN_EXPONENT);
    let significand = (a.significand << (23 - format.trailing)) & !index.negative();
    let upper = index.lookup(&UPPER);
    // Q62
    let turns = (significand.times(upper >> 32) << 32)
        + significand.times(upper)
        + (significand.times(index.lookup(&LOWER)) >> 32);
    let fraction = turns << 2;
    // To the nearest quadrant.
    let below = fraction.negative();
    let quadrant = (turns >> 62) - below + quarter;
    let odd = (quadrant << 63).negative();

    let f = fraction.abs();
    let square = multiply_high(f, f);
    // A selection between constants in two steps.
    let term = |k: usize| W::of(ODD[k]) ^ (odd & W::of(EVEN[k] ^ ODD[k]));
    let half = square >> 32;
    let short = |k: usize| W::of(ODD[k] >> 30) ^ (odd & W::of((EVEN[k] ^ ODD[k]) >> 30));
    let mut rest = short(6);
    for k in (2..6).rev() {
        rest = short(k) - multiply_half(rest, half);
    }
    // Q64
    let rest = half.times(rest) + (square.times(rest) >> 32);
    let sum = term(0) - multiply_high(square, term(1) - (rest >> 2));
    let value = odd.select(sum, multiply_high(f, sum));
    let negative = (quadrant << 62).negative() ^ (below & !odd);
    let near = odd | f.exceeds(W::of(MIN_DISTANCE));
    (negative, Estimate::normalised(value, W::from(format.bias)), near)
}

impl EstimatedFunction for Sin {
    #[inline(always)]
    fn decide<W: Lookup>(self, format: &FloatFields, flush: bool, a: Unpacked<W>) -> Decision<W> {
        let (negative, estimate, near) = estimate(format, &a, 0);
        let (magnitude, sure) = estimate.round(format, BOUND);
        let tiny = is_tiny(format, &a);
        // The sine of the smallest normal number is not a normal number.
        let flushed = a.magnitude.equals(W::of(format.implicit)) & W::mask(flush);
        Decision {
            negative: a.negative ^ (negative & !tiny),
            magnitude: tiny.select(a.magnitude & !flushed, magnitude),
            nan: a.nan | a.infinite,
            sure: (sure & near) | tiny,
        }
    }
}

impl EstimatedFunction for Cos {
    #[inline(always)]
    fn decide<W: Lookup>(self, format: &FloatFields, _: bool, a: Unpacked<W>) -> Decision<W> {
        let (negative, estimate, near) = estimate(format, &a, 1);
        let (magnitude, sure) = estimate.round(format, BOUND);
        Decision { negative, magnitude, nan: a.nan | a.infinite, sure: sure & near }
    }
}
