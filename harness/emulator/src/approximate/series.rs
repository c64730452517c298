//! The even and odd series with factorials: cos, cosh, sin(r)/r and sinh(r)/r in r².

use super::multiply_high;

/// The coefficient of the `k`th power of r² in a series, and how it fits the next one.
#[derive(Clone, Copy)]
struct SeriesTerm {
    /// The coefficient, in a fixed point of its own. The smaller a coefficient, the more bits it has of fraction, so
    /// that nothing but the last steps' errors remain in the sum.
    coefficient: u64,
    /// The number of bits of fraction that the next term has more than this one.
    shift: u32,
}

/// The number of terms of a series: powers of r² up to the tenth.
const TERMS: usize = 11;

/// The coefficients 1/(2k)!: for r² < 1 the first term left out, r^22/22!, is below 2^-69.
const EVEN: [SeriesTerm; TERMS] = terms(0);

/// The coefficients 1/(2k+1)!: for r² < 1 the first term left out, r^22/23!, is below 2^-74.
const ODD: [SeriesTerm; TERMS] = terms(1);

const fn terms(parity: usize) -> [SeriesTerm; TERMS] {
    let mut terms = [SeriesTerm { coefficient: 1 << 63, shift: 0 }; TERMS];
    let mut factorial: u128 = 1;
    let mut fraction = 63;
    let mut k = 1;
    while k < TERMS {
        let n = 2 * k + parity;
        factorial *= (n * (n - 1)) as u128;
        // At most 2^63, so that there is room for the terms that follow.
        let next = 63 + factorial.ilog2();
        let next = if next < 127 { next } else { 127 };
        terms[k].coefficient = ((1u128 << next) / factorial) as u64;
        terms[k - 1].shift = next - fraction;
        fraction = next;
        k += 1;
    }
    terms
}

/// Sums a series, whose signs alternate if `ALTERNATING`, by Horner's rule in Q63, for `square` in Q64. The result is
/// within 3 units of the sum: half or less of the error of each step goes on to the next.
#[inline]
fn sum<const ALTERNATING: bool>(terms: &[SeriesTerm; TERMS], square: u64) -> u64 {
    let mut sum = terms[TERMS - 1].coefficient;
    for term in terms[..TERMS - 1].iter().rev() {
        let rest = multiply_high(sum, square) >> term.shift;
        sum = if ALTERNATING { term.coefficient - rest } else { term.coefficient + rest };
    }
    sum
}

/// Computes cos r in Q63, from r² in Q64.
#[inline]
pub fn cosine(square: u64) -> u64 {
    sum::<true>(&EVEN, square)
}

/// Computes sin(r)/r in Q63, from r² in Q64.
#[inline]
pub fn sine_ratio(square: u64) -> u64 {
    sum::<true>(&ODD, square)
}

/// Computes cosh r in Q63, from r² in Q64.
#[inline]
pub fn hyperbolic_cosine(square: u64) -> u64 {
    sum::<false>(&EVEN, square)
}

/// Computes sinh(r)/r in Q63, from r² in Q64.
#[inline]
pub fn hyperbolic_sine_ratio(square: u64) -> u64 {
    sum::<false>(&ODD, square)
}
