//! Constants, computed from their series while compiling.
//!
//! All constants are in Q100: that leaves room in a `u128` for the products with small integers, and a few units of
//! error in Q100 are far below the 64 bits or so that are taken from a constant.

/// The unit in Q100.
pub const ONE: u128 = 1 << FRACTION;

const FRACTION: u32 = 100;

/// The constant ln 2 = 2 artanh(1/3).
pub const LN_2: u128 = 2 * artanh(1, 3);

/// The constant log₂ e = 1 / ln 2.
pub const LOG2_E: u128 = quotient(ONE, LN_2);

/// Returns a constant in Q100 as one in Q`fraction`, cut off.
pub const fn fixed(constant: u128, fraction: u32) -> u64 {
    assert!(constant >> (FRACTION + 64 - fraction) == 0, "64 bits hold it");
    (constant >> (FRACTION - fraction)) as u64
}

/// Computes artanh(p/q) = Σ (p/q)^(2k+1) / (2k+1), for p/q up to 1/3 and q below 2^20. The result is below the true
/// value by less than 2^-93: some forty terms are cut off, each by few units.
pub const fn artanh(p: u128, q: u128) -> u128 {
    assert!(3 * p <= q && q < 1 << 20, "converges, and does not overflow");
    let mut power = ONE * p / q;
    let mut sum = 0;
    let mut denominator = 1;
    while power != 0 {
        sum += power / denominator;
        // Divided after each factor, since a second one would overflow.
        power = power * p / q * p / q;
        denominator += 2;
    }
    sum
}

/// Computes e^x = Σ x^k / k!, for x from 0 to 1. The result is below the true value by less than 2^-93, as is that
/// of `artanh`.
pub const fn exp(x: u128) -> u128 {
    assert!(x <= ONE, "converges");
    let mut term = ONE;
    let mut sum = 0;
    let mut k = 0;
    while term != 0 {
        sum += term;
        k += 1;
        term = product(term, x) / k;
    }
    sum
}

/// Computes a × b, for numbers below 4, by halves; the result is below the true value by less than 4 units.
pub const fn product(a: u128, b: u128) -> u128 {
    const HALF: u32 = FRACTION / 2;
    const LOW: u128 = (1 << HALF) - 1;
    assert!(a < 4 * ONE && b < 4 * ONE, "no overflow");
    (a >> HALF) * (b >> HALF)
        + (((a >> HALF) * (b & LOW)) >> HALF)
        + (((a & LOW) * (b >> HALF)) >> HALF)
        + (((a & LOW) * (b & LOW)) >> FRACTION)
}

/// Computes a / b by long division; the result is cut off.
pub const fn quotient(a: u128, b: u128) -> u128 {
    let mut quotient = a / b;
    let mut remainder = a % b;
    let mut place = 0;
    while place < FRACTION {
        remainder *= 2;
        quotient = 2 * quotient + remainder / b;
        remainder %= b;
        place += 1;
    }
    quotient
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the constants with their known digits, cut off.
    #[test]
    fn logarithms_are_near_enough() {
        let known: [(u128, u128); 2] =
            [(LN_2, 0xb_1721_7f7d_1cf7_9abc_9e3b_3980), (LOG2_E, 0x17_1547_652b_82fe_1777_d0ff_da0d)];
        for (constant, digits) in known {
            assert!(digits.abs_diff(constant) < 128, "below 2^-93: {constant:x}");
        }
    }
}
