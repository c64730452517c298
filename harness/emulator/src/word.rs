//! The integer words that kernels are written over.

pub mod fixed_point;
pub mod root;

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

/// Integers of [`Word::BITS`] bits that a kernel computes with: one, several side by side, or the
/// name of a register in a program yet to be run.
///
/// Nothing here branches on a value. A comparison gives a mask, all ones where it holds and all
/// zeros elsewhere; small constants are `u32` on the right of an operator or `W::from(…)`, wide ones
/// `W::of(…)`. Arithmetic wraps. A shift by the width or more moves every bit out, as PTX and AVX2
/// have it.
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
    /// The width of an integer, in bits.
    const BITS: u32;

    /// Returns the low bits of a constant as a word.
    fn of(bits: u64) -> Self;

    /// Returns all ones if `set`, and all zeros otherwise.
    #[inline(always)]
    fn mask(set: bool) -> Self {
        Self::from(0) - Self::from(u32::from(set))
    }

    /// Shifts to the right, with copies of the sign in the vacated bits.
    fn shr_signed(self, count: Self) -> Self;

    /// Returns the product of words that fit half their width.
    fn times(self, other: Self) -> Self;

    /// Returns the integer quotient; 0 for a zero divisor.
    fn quotient(self, divisor: Self) -> Self;

    /// Returns the integer square root.
    fn root(self) -> Self;

    /// Returns the number of zeros above the highest one; the width for zero.
    fn leading_zeros(self) -> Self;

    /// Returns the magnitude of a signed word.
    fn abs(self) -> Self;

    /// Returns the smaller of two unsigned words.
    fn min(self, other: impl Into<Self>) -> Self;

    /// Returns the larger of two unsigned words.
    fn max(self, other: impl Into<Self>) -> Self;

    /// Returns the larger of two signed words.
    fn max_signed(self, other: impl Into<Self>) -> Self;

    /// Returns the mask of `self == other`.
    fn equals(self, other: impl Into<Self>) -> Self;

    /// Returns the mask of `self > other`, unsigned.
    fn exceeds(self, other: impl Into<Self>) -> Self;

    /// Returns the mask of `self < 0`, signed: the top bit in every place.
    fn negative(self) -> Self;

    /// Selects by a mask: `yes` where it is set, `no` elsewhere.
    #[inline(always)]
    fn select(self, yes: impl Into<Self>, no: impl Into<Self>) -> Self {
        (self & yes.into()) | (!self & no.into())
    }
}

/// Words of 64 bits that can be indices.
pub trait Lookup: Word {
    /// Returns the entry of `table` for each index, of which the low bits count: the table's length is a power of two.
    fn lookup<const ENTRIES: usize>(self, table: &[u64; ENTRIES]) -> Self;
}
