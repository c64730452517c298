//! π/2 and enough bits of 2/π for range reduction, computed while compiling.
//!
//! The numbers here are fixed-point with one word of integer part and six of fraction, the most
//! significant word first.

type Wide = [u64; 7];

/// The number of words of 2/π that are wanted.
const WORDS: usize = 4;

/// The constant π/2 in Q63, cut off.
pub const HALF_PI: u64 = HALF_PI_WIDE[0] << 63 | HALF_PI_WIDE[1] >> 1;

/// The constant 2/π: 128 zeros, then the first 256 bits of its fraction, the most significant word first.
pub const TWO_OVER_PI: [u64; 2 + WORDS] = two_over_pi();

/// The constant π/2 by Machin's formula, π/4 = 4 arctan(1/5) − arctan(1/239). The some hundred terms that are cut off
/// by a unit each leave more than 370 correct bits.
const HALF_PI_WIDE: Wide = subtract(times(arctan_of_one_over(5), 8), times(arctan_of_one_over(239), 2));

/// Divides 1 by π/2, bit by bit.
const fn two_over_pi() -> [u64; 2 + WORDS] {
    // The zeros let a range reduction begin above the point. An exponent of 127, the largest of f32, asks for bits
    // up to word 5, which is the last one.
    let mut words = [0; 2 + WORDS];
    let mut remainder = ONE;
    let mut place = 0;
    while place < 64 * WORDS {
        remainder = times(remainder, 2);
        if !is_less(remainder, HALF_PI_WIDE) {
            remainder = subtract(remainder, HALF_PI_WIDE);
            words[2 + place / 64] |= 1 << (63 - place % 64);
        }
        place += 1;
    }
    words
}

/// Computes arctan(1/n) = Σ (−1)^k / ((2k+1) n^(2k+1)).
const fn arctan_of_one_over(n: u64) -> Wide {
    let mut power = divide(ONE, n);
    let mut sum = [0; 7];
    let mut denominator = 1;
    while !zero(power) {
        let term = divide(power, denominator);
        sum = if denominator % 4 == 1 { add(sum, term) } else { subtract(sum, term) };
        power = divide(power, n * n);
        denominator += 2;
    }
    sum
}

const ONE: Wide = [1, 0, 0, 0, 0, 0, 0];

/// Whether a number is zero.
const fn zero(a: Wide) -> bool {
    let mut word = 0;
    while word < a.len() {
        if a[word] != 0 {
            return false;
        }
        word += 1;
    }
    true
}

/// Whether the first of two numbers is the smaller one.
const fn is_less(a: Wide, b: Wide) -> bool {
    let mut word = 0;
    while word < a.len() {
        if a[word] != b[word] {
            return a[word] < b[word];
        }
        word += 1;
    }
    false
}

/// Adds two numbers; a carry out of the integer part is lost.
const fn add(mut a: Wide, b: Wide) -> Wide {
    let mut carry = false;
    let mut word = a.len();
    while word > 0 {
        word -= 1;
        let (sum, first) = a[word].overflowing_add(b[word]);
        let (sum, second) = sum.overflowing_add(carry as u64);
        (a[word], carry) = (sum, first | second);
    }
    a
}

/// Subtracts the second number from the first, which has to be at least as large.
const fn subtract(mut a: Wide, b: Wide) -> Wide {
    let mut borrow = false;
    let mut word = a.len();
    while word > 0 {
        word -= 1;
        let (difference, first) = a[word].overflowing_sub(b[word]);
        let (difference, second) = difference.overflowing_sub(borrow as u64);
        (a[word], borrow) = (difference, first | second);
    }
    a
}

/// Multiplies a number by an integer; what does not fit the integer part is lost.
const fn times(mut a: Wide, factor: u64) -> Wide {
    let mut carry = 0;
    let mut word = a.len();
    while word > 0 {
        word -= 1;
        let product = a[word] as u128 * factor as u128 + carry;
        a[word] = product as u64;
        carry = product >> 64;
    }
    a
}

/// Divides a number by an integer; the quotient is cut off.
const fn divide(mut a: Wide, divisor: u64) -> Wide {
    let mut remainder = 0;
    let mut word = 0;
    while word < a.len() {
        let dividend = remainder << 64 | a[word] as u128;
        a[word] = (dividend / divisor as u128) as u64;
        remainder = dividend % divisor as u128;
        word += 1;
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the constants with the digits that libraries print, as fdlibm's table of 2/π.
    #[test]
    fn digits_are_the_known_ones() {
        assert_eq!(HALF_PI, 0xc90f_daa2_2168_c234);
        let digits =
            [0xa2f9_836e_4e44_1529, 0xfc27_57d1_f534_ddc0, 0xdb62_9599_3c43_9041, 0xfe51_63ab_debb_c561];
        assert_eq!((&TWO_OVER_PI[..2], &TWO_OVER_PI[2..]), (&[0, 0][..], &digits[..]));
    }
}
