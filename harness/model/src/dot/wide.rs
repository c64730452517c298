//! An exact sum of numbers of any exponents.

use crate::number::Number;

/// A fixed-point number, as digits of 32 bits with their own signs.
pub struct Wide([i64; DIGITS]);

/// Exponent of the lowest digit: below every product of two numbers of f64.
const LOWEST: i32 = -2240;
/// Number of digits: they reach beyond the largest sum of products of two numbers of f64.
const DIGITS: usize = 140;

impl Wide {
    pub const ZERO: Wide = Wide([0; DIGITS]);

    /// Adds a number to the sum.
    pub fn add(&mut self, number: Number) {
        let places = (number.exponent - LOWEST) as usize;
        let halves = [number.significand as u64, (number.significand >> 64) as u64];
        for (half, at) in halves.into_iter().zip([places, places + 64]) {
            let shifted = u128::from(half) << (at % 32);
            // 64 bits that are shifted by less than 32 reach three digits.
            for digit in 0..3 {
                let part = i64::from((shifted >> (32 * digit)) as u32);
                self.0[at / 32 + digit] += if number.negative { -part } else { part };
            }
        }
    }

    /// Returns the sum, exact down to a sticky bit far below its leading one.
    pub fn total(mut self) -> Number {
        let negative = self.carry();
        if negative {
            self.0.iter_mut().for_each(|digit| *digit = -*digit);
            self.carry();
        }
        let Some(high) = self.0.iter().rposition(|&digit| digit != 0) else {
            return Number::zero(false);
        };
        // Four digits fill the 128 bits of a significand.
        let low = high.saturating_sub(3);
        let digits = self.0[low..=high].iter().rev();
        let significand = digits.fold(0, |significand, &digit| significand << 32 | digit as u128);
        let sticky = self.0[..low].iter().any(|&digit| digit != 0);
        Number {
            negative,
            significand: significand | u128::from(sticky),
            exponent: LOWEST + 32 * low as i32,
        }
    }

    /// Brings every digit but the highest into its range, and returns whether the number is negative.
    fn carry(&mut self) -> bool {
        for at in 0..DIGITS - 1 {
            // The shift keeps the sign, so that a negative digit borrows, and what remains of it is not negative.
            self.0[at + 1] += self.0[at] >> 32;
            self.0[at] &= 0xffff_ffff;
        }
        self.0[DIGITS - 1] < 0
    }
}
