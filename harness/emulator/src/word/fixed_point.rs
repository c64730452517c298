//! Products and polynomials of fixed-point numbers in words of 64 bits. A number in Qm is an integer times 2^-m.

use super::Word;

/// Multiplies Qm by Q64. The result is in Qm, below the exact product by less than 3 units.
#[inline(always)]
pub fn multiply_high<W: Word>(a: W, b: W) -> W {
    let (upper_a, upper_b) = (a >> 32, b >> 32);
    upper_a.times(upper_b) + (upper_a.times(b) >> 32) + (a.times(upper_b) >> 32)
}

/// Multiplies Qm by Q32, where both factors fit 32 bits. The result is in Qm, cut off.
#[inline(always)]
pub fn multiply_half<W: Word>(a: W, b: W) -> W {
    a.times(b) >> 32
}

/// Evaluates a polynomial by Horner's rule in Q32: each product and each term is short by less than a unit.
#[inline(always)]
pub fn horner<W: Word, const TERMS: usize>(terms: [u64; TERMS], x: W) -> W {
    let mut sum = W::of(terms[TERMS - 1]);
    // Not `fold`, which is not always inlined.
    for k in (0..TERMS - 1).rev() {
        sum = W::of(terms[k]) + multiply_half(sum, x);
    }
    sum
}
