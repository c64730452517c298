//! Exact values, and operands built from them: the toolkit of the directed sweeps.

use formats::{Format, Scale};
use isa::Op;

use super::random::CounterRng;
use super::shape::{Lane, Shape};

/// An exact value, `±magnitude × 2^exponent`.
#[derive(Clone, Copy, Debug)]
pub struct ExactNumber {
    /// Whether the value is below zero, or a negative zero.
    pub negative: bool,
    /// Any integer, leading zeros and trailing zeros allowed.
    pub magnitude: u128,
    /// Exponent of the magnitude's last bit.
    pub exponent: i32,
}

/// The two terms of a sum X + Y, before operands are made of them.
#[derive(Clone, Copy, Debug)]
pub struct SumTerms {
    /// The factors of X, as integers. The second is 1 where there is no product.
    pub factors: (u64, u64),
    /// Exponent of the last bit of the product of the factors.
    pub exponent: i32,
    /// Whether X is below zero.
    pub negative: bool,
    /// The addend.
    pub y: ExactNumber,
}

impl SumTerms {
    /// Makes the operands of a shape's lane, truncated where the terms do not fit.
    #[inline]
    pub fn lane(self, shape: &Shape, draws: &mut CounterRng) -> Lane {
        let (a, b) = self.factors;
        shape.lane(draws, a, b, self.exponent, self.negative, self.y)
    }
}

/// Returns the number of bits of an integer; 0 has none.
#[inline]
pub const fn length(magnitude: u128) -> i32 {
    128 - magnitude.leading_zeros() as i32
}

/// The largest number of bits that a sum keeps.
// Two terms of 126 bits have a sum of 127, which an i128 holds beside its sign.
const BITS_MAX: i32 = 126;

impl ExactNumber {
    /// Makes the value `±magnitude × 2^exponent`.
    #[inline]
    pub const fn new(negative: bool, magnitude: u128, exponent: i32) -> ExactNumber {
        ExactNumber { negative, magnitude, exponent }
    }

    /// Makes a zero of the given sign.
    #[inline]
    pub const fn zero(negative: bool) -> ExactNumber {
        ExactNumber::new(negative, 0, 0)
    }

    /// Makes a power of two of the given sign.
    #[inline]
    pub const fn power(negative: bool, exponent: i32) -> ExactNumber {
        ExactNumber::new(negative, 1, exponent)
    }

    /// Returns the exponent of the leading bit.
    #[inline]
    pub const fn leading(&self) -> i32 {
        self.exponent + length(self.magnitude) - 1
    }

    /// Returns the value with the other sign.
    #[inline]
    pub const fn negated(self) -> ExactNumber {
        ExactNumber { negative: !self.negative, ..self }
    }

    /// Returns the sum. Of terms further apart than 126 bits, the lower one loses its last bits. A sum of zero has the
    /// sign of `self`.
    #[inline]
    pub fn plus(self, other: ExactNumber) -> ExactNumber {
        if other.magnitude == 0 {
            return self;
        }
        if self.magnitude == 0 {
            return other;
        }
        let (mut high, mut low) = (self, other);
        if high.exponent < low.exponent {
            (high, low) = (low, high);
        }
        let shift = high.exponent - low.exponent;
        // The term with the higher last bit moves up as far as there is room; where that ends, the other loses bits.
        let kept = shift.min(BITS_MAX - length(high.magnitude));
        low.magnitude = low.magnitude.checked_shr((shift - kept) as u32).unwrap_or(0);
        let exponent = high.exponent - kept;
        let signed = |term: ExactNumber, magnitude: u128| {
            if term.negative { -(magnitude as i128) } else { magnitude as i128 }
        };
        let sum = signed(high, high.magnitude << kept) + signed(low, low.magnitude);
        let negative = if sum == 0 { self.negative } else { sum < 0 };
        ExactNumber { negative, magnitude: sum.unsigned_abs(), exponent }
    }

    /// Returns the datum of `format` next to the value on the side of zero: its leading bits, its subnormal bits, or
    /// the largest finite number. A format without a sign takes the magnitude; a format without zero gives at least
    /// its smallest number.
    #[inline]
    pub fn truncate(&self, format: &Format) -> u64 {
        match format.scale {
            Scale::Floating => self.truncate_floating(format),
            Scale::Power => {
                let field =
                    if self.magnitude == 0 { 0 } else { self.leading() - format.exponent_of_lsb() };
                (field.max(0) as u64).min(format.max_finite())
            }
            Scale::Fixed => self.truncate_fixed(format),
        }
    }

    /// Truncates to a floating-point format: normal, subnormal, or the largest number.
    #[inline]
    fn truncate_floating(&self, format: &Format) -> u64 {
        let sign = if self.negative { format.sign_mask() } else { 0 };
        let lead = length(self.magnitude);
        if lead == 0 {
            return sign;
        }
        let unit = format.exponent_min() - format.trailing_bits as i32;
        // One less than the exponent field, since the leading bit carries into it below; 0 for subnormal numbers.
        let field = (self.exponent + lead - format.precision() as i32 - unit).max(0);
        if field > format.exponent_max() - format.exponent_min() {
            return sign | format.max_finite();
        }
        // Both shifts in a row, one of them by 0: which it is cannot be predicted.
        let shift = field + unit - self.exponent;
        // A shift by 128 overflows, and a shift by 127 leaves nothing of 127 bits.
        let (left, right) = ((-shift).max(0), shift.clamp(0, 127));
        // A shift of 64 bits costs a fraction of one of 128.
        let significand = match u64::try_from(self.magnitude) {
            Ok(short) => (short << left).checked_shr(right as u32).unwrap_or(0),
            Err(_) => (self.magnitude << left >> right) as u64,
        };
        // The leading bit of a normal number carries into the exponent field.
        let magnitude = ((field as u64) << format.trailing_bits) + significand;
        // Where NaN shares the largest exponent, encodings above the largest number stand for none.
        sign | magnitude.min(format.max_finite())
    }

    /// Truncates to an integer in two's complement, within the range that its sign has.
    #[inline]
    fn truncate_fixed(&self, format: &Format) -> u64 {
        let negative = self.negative && format.signed;
        // Two's complement has one number more below zero.
        let limit = format.max_finite() + u64::from(negative);
        let magnitude = if self.magnitude == 0 || self.leading() < format.exponent_of_lsb() {
            0
        } else if self.leading() > format.exponent_max() {
            limit
        } else {
            let shift = format.exponent_of_lsb() - self.exponent;
            let whole = self.magnitude << (-shift).max(0) >> shift.max(0);
            (whole as u64).min(limit)
        };
        if negative { magnitude.wrapping_neg() & format.mask() } else { magnitude }
    }
}

/// Returns the `precision` leading bits of `target / divisor`, as an integer with its leading bit set.
#[inline]
pub fn quotient(target: ExactNumber, divisor: u64, precision: i32) -> ExactNumber {
    let scale = precision + length(u128::from(divisor)) - length(target.magnitude);
    let dividend = if scale >= 0 { target.magnitude << scale } else { target.magnitude >> -scale };
    // The 64-bit division is several times faster.
    let whole = match u64::try_from(dividend) {
        Ok(short) => u128::from(short / divisor),
        Err(_) => dividend / u128::from(divisor),
    };
    // The scale leaves `precision` bits or one more.
    let excess = length(whole) - precision;
    ExactNumber::new(target.negative, whole >> excess, target.exponent - scale + excess)
}

impl Shape {
    /// Returns X as an integer, for the significands `a` and `b`.
    #[inline]
    pub const fn x(&self, a: u64, b: u64) -> u128 {
        a as u128 * b as u128
    }

    /// Returns the lowest and the highest exponent that the last bit of the integer `a × b` may have as X.
    #[inline]
    pub fn x_exponents(&self, a: u64, b: u64) -> (i32, i32) {
        let [first, second] = self.factors;
        let (a, b) = (first.exponents(length(a.into())), second.exponents(length(b.into())));
        (a.0 + b.0, a.1 + b.1)
    }

    /// Builds the lane with X = `±a × b × 2^x` and Y = `y`, truncated where they do not fit. A draw decides how `x`
    /// and the sign are shared between the factors.
    #[inline]
    pub fn lane(
        &self,
        draws: &mut CounterRng,
        a: u64,
        b: u64,
        x: i32,
        negative: bool,
        y: ExactNumber,
    ) -> Lane {
        let [first, second] = self.factors;
        let (low, high) = second.exponents(length(b.into()));
        // Drawn also without a second factor, and then not used (`SWEEPS.md`).
        let x_a = draws.common(&[first.exponents(length(a.into())), (x - high, x - low)]);
        let factor = |negative, significand: u64, exponent, operand: usize| {
            ExactNumber::new(negative, significand.into(), exponent).truncate(self.formats[operand])
        };
        let y = if self.op == Op::Sub { y.negated() } else { y };
        if self.multiplies() {
            let a_negative = draws.flag();
            let c = if self.adds() { y.truncate(self.formats[2]) } else { 0 };
            [factor(a_negative, a, x_a, 0), factor(a_negative != negative, b, x - x_a, 1), c]
        } else {
            let c = if self.adds() { y.truncate(self.formats[1]) } else { 0 };
            [factor(negative, a, x, 0), c, 0]
        }
    }
}

#[cfg(test)]
mod tests {
    use formats::{BF16, Class, E4M3, E5M2, F16, S2F6, S8, U8, U64, UE8M0};

    use super::*;

    #[test]
    fn integers_and_powers_are_truncated_too() {
        let fixed = |negative, magnitude, exponent, format: &Format| {
            ExactNumber::new(negative, magnitude, exponent).truncate(format)
        };
        assert_eq!([fixed(true, 7, -1, &S8), fixed(true, 3, -2, &S8)], [0xfd, 0]);
        assert_eq!([fixed(true, 1, 90, &S8), fixed(false, 255, 0, &S8)], [0x80, 0x7f]);
        assert_eq!([fixed(true, 9, 0, &U8), fixed(false, 1, 64, &U64)], [9, u64::MAX]);
        assert_eq!(fixed(false, 127, -6, &S2F6), 127);
        assert_eq!([fixed(false, 3, 0, &UE8M0), fixed(true, 0, 0, &UE8M0)], [128, 0]);
        assert_eq!([fixed(false, 1, -200, &UE8M0), fixed(false, 1, 200, &UE8M0)], [0, 254]);
    }

    /// Every finite datum is its own truncation, and everything up to the next one is too.
    #[test]
    fn truncation_is_the_inverse_of_decoding() {
        for format in [&E5M2, &E4M3, &F16, &BF16] {
            for bits in 0..=format.max_finite() {
                let (significand, exponent) = format.decode(bits).unwrap();
                let wide = u128::from(significand) << 40 | ((1 << 40) - 1);
                for value in [
                    ExactNumber::new(true, significand.into(), exponent),
                    ExactNumber::new(true, wide, exponent - 40),
                ] {
                    assert_eq!(
                        value.truncate(format),
                        bits | format.sign_mask(),
                        "{format:?} {bits:#x}"
                    );
                }
            }
        }
        assert_eq!(ExactNumber::power(false, 9).truncate(&E4M3), E4M3.max_finite());
        assert_eq!(ExactNumber::new(false, 15, 5).truncate(&E4M3), E4M3.max_finite());
        assert_eq!(ExactNumber::power(true, -25).truncate(&F16), 0x8000);
        assert_eq!(F16.class(ExactNumber::power(false, -24).truncate(&F16)), Class::Subnormal);
    }

    #[test]
    fn sums_and_quotients_are_exact_where_they_fit() {
        let sum = ExactNumber::new(false, 5, 3).plus(ExactNumber::new(true, 1, 0));
        assert_eq!((sum.negative, sum.magnitude, sum.exponent), (false, 39, 0));
        let far = ExactNumber::power(true, 200).plus(ExactNumber::power(false, -200));
        assert_eq!((far.negative, far.leading()), (true, 200));
        assert_eq!(ExactNumber::zero(true).plus(ExactNumber::power(false, 2)).leading(), 2);
        for (target, divisor) in [(1000u128, 7u64), (1 << 90, 3), (5, 1), (1 << 60, (1 << 24) - 1)] {
            let q = quotient(ExactNumber::new(false, target, 0), divisor, 24);
            assert_eq!(length(q.magnitude), 24);
            // divisor × q ≤ target < divisor × (q + 1), at a common scale.
            let (product, scale) = (q.magnitude * u128::from(divisor), q.exponent);
            let upper = product + u128::from(divisor);
            if scale <= 0 {
                assert!(product <= target << -scale && target << -scale < upper);
            } else {
                assert!(product << scale <= target && target < upper << scale);
            }
        }
    }
}
