//! The integer words that kernels are written over.

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

/// 32-bit integers that a kernel computes with: one, several side by side, or the name of a
/// register in a program yet to be run.
///
/// Nothing here branches on a value. A comparison gives a mask, all ones where it holds and all
/// zeros elsewhere; constants are `u32` on the right of an operator or `W::from(…)`. Arithmetic
/// wraps. A shift by 32 or more moves every bit out, as PTX and AVX2 have it.
pub trait Word:
    Copy
    + From<u32>
    + Add<Output = Self>
    + Add<u32, Output = Self>
    + Sub<Output = Self>
    + Sub<u32, Output = Self>
    + Mul<Output = Self>
    + BitAnd<Output = Self>
    + BitAnd<u32, Output = Self>
    + BitOr<Output = Self>
    + BitOr<u32, Output = Self>
    + BitXor<Output = Self>
    + BitXor<u32, Output = Self>
    + Not<Output = Self>
    + Shl<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<Output = Self>
    + Shr<u32, Output = Self>
{
    /// Right shift that copies the sign into the vacated bits.
    fn shr_signed(self, count: Self) -> Self;

    /// Number of zeros above the highest one; 32 for zero.
    fn leading_zeros(self) -> Self;

    /// Magnitude of a signed word.
    fn abs(self) -> Self;

    /// The smaller of two unsigned words.
    fn min(self, other: impl Into<Self>) -> Self;

    /// The larger of two unsigned words.
    fn max(self, other: impl Into<Self>) -> Self;

    /// The larger of two signed words.
    fn max_signed(self, other: impl Into<Self>) -> Self;

    /// Mask of `self == other`.
    fn equals(self, other: impl Into<Self>) -> Self;

    /// Mask of `self > other`, unsigned.
    fn exceeds(self, other: impl Into<Self>) -> Self;

    /// Mask of `self < 0`, signed: the top bit in every place.
    fn negative(self) -> Self;

    /// By a mask: `yes` where it is set, `no` elsewhere.
    #[inline(always)]
    fn select(self, yes: impl Into<Self>, no: impl Into<Self>) -> Self {
        (self & yes.into()) | (!self & no.into())
    }
}

/// Implements the operators of [`Word`] for a type with `map` and `zip` over its `u32`s.
macro_rules! operators {
    ($word:ty: $($trait:ident $method:ident = $function:expr;)+) => {$(
        impl<R: Into<$word>> $trait<R> for $word {
            type Output = $word;

            #[inline(always)]
            fn $method(self, other: R) -> $word {
                self.zip(other.into(), $function)
            }
        }
    )+};
}

/// Implements [`Word`] for a type with `map` and `zip` over its `u32`s.
macro_rules! word {
    ($word:ty) => {
        $crate::emulator::word::operators! { $word:
            Add add = u32::wrapping_add;
            Sub sub = u32::wrapping_sub;
            Mul mul = u32::wrapping_mul;
            BitAnd bitand = |a, b| a & b;
            BitOr bitor = |a, b| a | b;
            BitXor bitxor = |a, b| a ^ b;
            Shl shl = |a, count| a.checked_shl(count).unwrap_or(0);
            Shr shr = |a, count| a.checked_shr(count).unwrap_or(0);
        }

        impl Not for $word {
            type Output = $word;

            #[inline(always)]
            fn not(self) -> $word {
                self.map(|a| !a)
            }
        }

        impl Word for $word {
            #[inline(always)]
            fn shr_signed(self, count: Self) -> Self {
                self.zip(count, |a, count| (a.cast_signed() >> count.min(31)).cast_unsigned())
            }

            #[inline(always)]
            fn leading_zeros(self) -> Self {
                self.map(u32::leading_zeros)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                self.map(|a| a.cast_signed().unsigned_abs())
            }

            #[inline(always)]
            fn min(self, other: impl Into<Self>) -> Self {
                self.zip(other.into(), Ord::min)
            }

            #[inline(always)]
            fn max(self, other: impl Into<Self>) -> Self {
                self.zip(other.into(), Ord::max)
            }

            #[inline(always)]
            fn max_signed(self, other: impl Into<Self>) -> Self {
                self.zip(other.into(), |a, b| a.cast_signed().max(b.cast_signed()).cast_unsigned())
            }

            #[inline(always)]
            fn equals(self, other: impl Into<Self>) -> Self {
                self.zip(other.into(), |a, b| u32::from(a == b).wrapping_neg())
            }

            #[inline(always)]
            fn exceeds(self, other: impl Into<Self>) -> Self {
                self.zip(other.into(), |a, b| u32::from(a > b).wrapping_neg())
            }

            #[inline(always)]
            fn negative(self) -> Self {
                self.map(|a| (a.cast_signed() >> 31).cast_unsigned())
            }
        }
    };
}

pub(super) use {operators, word};

/// One word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar(pub u32);

impl From<u32> for Scalar {
    #[inline(always)]
    fn from(value: u32) -> Scalar {
        Scalar(value)
    }
}

impl Scalar {
    #[inline(always)]
    fn map(self, f: impl Fn(u32) -> u32) -> Scalar {
        Scalar(f(self.0))
    }

    #[inline(always)]
    fn zip(self, other: Scalar, f: impl Fn(u32, u32) -> u32) -> Scalar {
        Scalar(f(self.0, other.0))
    }
}

word!(Scalar);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_move_every_bit_out() {
        let word = Scalar(0x8000_0001);
        for count in [32, 33, 63, 64, u32::MAX] {
            assert_eq!([word << count, word >> count], [Scalar(0); 2]);
            assert_eq!(word.shr_signed(Scalar(count)), Scalar(!0));
        }
        assert_eq!([word << 31, word >> 31, word >> 0], [Scalar(1 << 31), Scalar(1), word]);
    }

    #[test]
    fn comparisons_give_masks() {
        assert_eq!(Scalar(0).negative().select(1, 2), Scalar(2));
        assert_eq!(Scalar(!0).negative().select(1, 2), Scalar(1));
        assert_eq!([Scalar(3).equals(3), Scalar(3).equals(2)], [Scalar(!0), Scalar(0)]);
        assert_eq!([Scalar(!0).exceeds(0), Scalar(3).exceeds(3)], [Scalar(!0), Scalar(0)]);
        assert_eq!([Scalar(!0).max(1), Scalar(!0).max_signed(1)], [Scalar(!0), Scalar(1)]);
    }
}
