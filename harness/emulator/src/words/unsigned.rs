//! The integers that words are made of.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::Words;
use crate::word::root::root;

/// An unsigned integer that words are made of. Each method is what [`Word`](crate::word::Word) asks of one of them.
pub trait Unsigned:
    Copy
    + Ord
    + From<u32>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// Width in bits.
    const BITS: u32;

    /// The low bits.
    fn of(bits: u64) -> Self;

    /// The low 64 bits.
    fn low(self) -> u64;

    /// See [`Word`](crate::word::Word).
    fn plus(self, other: Self) -> Self;

    /// See [`Word`](crate::word::Word).
    fn minus(self, other: Self) -> Self;

    /// See [`Word`](crate::word::Word).
    fn multiplied(self, other: Self) -> Self;

    /// See [`Word::times`](crate::word::Word::times).
    fn times(self, other: Self) -> Self;

    /// See [`Word::quotient`](crate::word::Word::quotient).
    fn quotient(self, divisor: Self) -> Self;

    /// See [`Word::root`](crate::word::Word::root).
    fn root(self) -> Self;

    /// See [`Word`](crate::word::Word).
    fn shl(self, count: Self) -> Self;

    /// See [`Word`](crate::word::Word).
    fn shr(self, count: Self) -> Self;

    /// See [`Word::shr_signed`](crate::word::Word::shr_signed).
    fn shr_signed(self, count: Self) -> Self;

    /// See [`Word::leading_zeros`](crate::word::Word::leading_zeros).
    fn leading_zeros(self) -> Self;

    /// See [`Word::abs`](crate::word::Word::abs).
    fn abs(self) -> Self;

    /// See [`Word::max_signed`](crate::word::Word::max_signed).
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
    // Side by side, which the standard library's is not.
    u64: |n| root(Words([n])).0[0];
    u128: u128::isqrt;
}
