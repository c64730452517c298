//! The integers that words are made of.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::Words;
use crate::word::root::root;

/// An unsigned integer that words are made of. A method does for one integer what [`Word`](crate::word::Word) asks of a
/// word.
pub trait Unsigned:
    Copy
    + Ord
    + From<u32>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// The width in bits.
    const BITS: u32;

    /// Returns the low bits of a constant as this integer.
    fn of(bits: u64) -> Self;

    /// Returns the low 64 bits.
    fn low(self) -> u64;

    /// Returns the sum, which wraps; see [`Word`](crate::word::Word).
    fn plus(self, other: Self) -> Self;

    /// Returns the difference, which wraps; see [`Word`](crate::word::Word).
    fn minus(self, other: Self) -> Self;

    /// Returns the product, which wraps; see [`Word`](crate::word::Word).
    fn multiplied(self, other: Self) -> Self;

    /// Returns the product of integers that fit half their width; see [`Word::times`](crate::word::Word::times).
    fn times(self, other: Self) -> Self;

    /// Returns the integer quotient; see [`Word::quotient`](crate::word::Word::quotient).
    fn quotient(self, divisor: Self) -> Self;

    /// Returns the integer square root; see [`Word::root`](crate::word::Word::root).
    fn root(self) -> Self;

    /// Shifts to the left; see [`Word`](crate::word::Word).
    fn shl(self, count: Self) -> Self;

    /// Shifts to the right; see [`Word`](crate::word::Word).
    fn shr(self, count: Self) -> Self;

    /// Shifts to the right with the sign; see [`Word::shr_signed`](crate::word::Word::shr_signed).
    fn shr_signed(self, count: Self) -> Self;

    /// Returns the number of zeros above the highest one; see
    /// [`Word::leading_zeros`](crate::word::Word::leading_zeros).
    fn leading_zeros(self) -> Self;

    /// Returns the magnitude of a signed integer; see [`Word::abs`](crate::word::Word::abs).
    fn abs(self) -> Self;

    /// Returns the larger of signed integers; see [`Word::max_signed`](crate::word::Word::max_signed).
    fn max_signed(self, other: Self) -> Self;
}

macro_rules! unsigned {
    ($($word:ident: $root:expr;)+) => {$(
        impl Unsigned for $word {
            const BITS: u32 = $word::BITS;

            #[inline(always)]
            fn of(bits: u64) -> $word {
                bits as $word
            }

            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn plus(self, other: $word) -> $word {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn minus(self, other: $word) -> $word {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn multiplied(self, other: $word) -> $word {
                self.wrapping_mul(other)
            }

            // Says that the upper halves are zero, for which processors have a better instruction.
            #[inline(always)]
            fn times(self, other: $word) -> $word {
                let half = $word::MAX >> ($word::BITS / 2);
                (self & half) * (other & half)
            }

            #[inline(always)]
            fn quotient(self, divisor: $word) -> $word {
                self.checked_div(divisor).unwrap_or(0)
            }

            #[inline(always)]
            fn root(self) -> $word {
                $root(self)
            }

            #[inline(always)]
            fn shl(self, count: $word) -> $word {
                if count < $word::BITS as $word { self << count } else { 0 }
            }

            #[inline(always)]
            fn shr(self, count: $word) -> $word {
                if count < $word::BITS as $word { self >> count } else { 0 }
            }

            #[inline(always)]
            fn shr_signed(self, count: $word) -> $word {
                (self.cast_signed() >> count.min($word::BITS as $word - 1)).cast_unsigned()
            }

            #[inline(always)]
            fn leading_zeros(self) -> $word {
                self.leading_zeros() as $word
            }

            #[inline(always)]
            fn abs(self) -> $word {
                self.cast_signed().unsigned_abs()
            }

            #[inline(always)]
            fn max_signed(self, other: $word) -> $word {
                self.cast_signed().max(other.cast_signed()).cast_unsigned()
            }
        }
    )+};
}

unsigned! {
    u32: u32::isqrt;
    // This root is computed side by side, which the standard library's is not.
    u64: |n| root(Words([n])).0[0];
    u128: u128::isqrt;
}
