//! Words of this machine: one integer, or several side by side.

use std::array;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

use vectors::lanes::Element;

use super::word::Word;

/// An unsigned integer that words are made of. Each method is what [`Word`] asks of one of them.
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

    /// See [`Word`].
    fn plus(self, other: Self) -> Self;

    /// See [`Word`].
    fn minus(self, other: Self) -> Self;

    /// See [`Word`].
    fn multiplied(self, other: Self) -> Self;

    /// See [`Word::times`].
    fn times(self, other: Self) -> Self;

    /// See [`Word::quotient`].
    fn quotient(self, divisor: Self) -> Self;

    /// See [`Word::root`].
    fn root(self) -> Self;

    /// See [`Word`].
    fn shl(self, count: Self) -> Self;

    /// See [`Word`].
    fn shr(self, count: Self) -> Self;

    /// See [`Word::shr_signed`].
    fn shr_signed(self, count: Self) -> Self;

    /// See [`Word::leading_zeros`].
    fn leading_zeros(self) -> Self;

    /// See [`Word::abs`].
    fn abs(self) -> Self;

    /// See [`Word::max_signed`].
    fn max_signed(self, other: Self) -> Self;
}

macro_rules! unsigned {
    ($($word:ident)*) => {$(
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
                self.isqrt()
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
    )*};
}

unsigned!(u32 u64 u128);

/// `N` integers, which the compiler keeps in vector registers where the machine has them.
///
/// Plain arrays: a loop over eight elements, inlined into a function that enables AVX2 or AVX-512,
/// becomes one instruction or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words<U, const N: usize>(pub [U; N]);

impl<U: Unsigned, const N: usize> Words<U, N> {
    #[inline(always)]
    fn map(self, f: impl Fn(U) -> U) -> Self {
        Words(array::from_fn(|lane| f(self.0[lane])))
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(U, U) -> U) -> Self {
        Words(array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }

    /// The elements from `at` on, zero-extended.
    #[inline(always)]
    pub fn load<E: Element>(elements: &[E], at: usize) -> Self {
        let elements = &elements[at..at + N];
        Words(array::from_fn(|lane| U::of(elements[lane].bits())))
    }

    /// Writes the low bits to the elements from `at` on.
    #[inline(always)]
    pub fn store<E: Element>(self, elements: &mut [E], at: usize) {
        for (element, word) in elements[at..at + N].iter_mut().zip(self.0) {
            *element = E::of(word.low());
        }
    }
}

impl<U: Unsigned, const N: usize> From<u32> for Words<U, N> {
    #[inline(always)]
    fn from(value: u32) -> Self {
        Words([U::from(value); N])
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident = $function:expr;)+) => {$(
        impl<U: Unsigned, const N: usize, R: Into<Words<U, N>>> $trait<R> for Words<U, N> {
            type Output = Words<U, N>;

            #[inline(always)]
            fn $method(self, other: R) -> Words<U, N> {
                self.zip(other.into(), $function)
            }
        }
    )+};
}

operators! {
    Add add = U::plus;
    Sub sub = U::minus;
    Mul mul = U::multiplied;
    BitAnd bitand = |a, b| a & b;
    BitOr bitor = |a, b| a | b;
    BitXor bitxor = |a, b| a ^ b;
    Shl shl = Unsigned::shl;
    Shr shr = Unsigned::shr;
}

impl<U: Unsigned, const N: usize> Not for Words<U, N> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self.map(|a| !a)
    }
}

/// All ones or all zeros.
#[inline(always)]
fn mask<U: Unsigned>(set: bool) -> U {
    U::from(0).minus(U::from(u32::from(set)))
}

impl<U: Unsigned, const N: usize> Word for Words<U, N> {
    const BITS: u32 = U::BITS;

    #[inline(always)]
    fn of(bits: u64) -> Self {
        Words([U::of(bits); N])
    }

    #[inline(always)]
    fn shr_signed(self, count: Self) -> Self {
        self.zip(count, U::shr_signed)
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.zip(other, U::times)
    }

    #[inline(always)]
    fn quotient(self, divisor: Self) -> Self {
        self.zip(divisor, U::quotient)
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.map(U::root)
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        self.map(U::leading_zeros)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.map(U::abs)
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
        self.zip(other.into(), U::max_signed)
    }

    #[inline(always)]
    fn equals(self, other: impl Into<Self>) -> Self {
        self.zip(other.into(), |a, b| mask(a == b))
    }

    #[inline(always)]
    fn exceeds(self, other: impl Into<Self>) -> Self {
        self.zip(other.into(), |a, b| mask(a > b))
    }

    #[inline(always)]
    fn negative(self) -> Self {
        self.shr_signed(Self::from(U::BITS - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Scalar = Words<u32, 1>;

    const fn word(bits: u32) -> Scalar {
        Words([bits])
    }

    #[test]
    fn shifts_move_every_bit_out() {
        let top = word(0x8000_0001);
        for count in [32, 33, 63, 64, u32::MAX] {
            assert_eq!([top << count, top >> count], [word(0); 2]);
            assert_eq!(top.shr_signed(word(count)), word(!0));
        }
        assert_eq!([top << 31, top >> 31, top >> 0], [word(1 << 31), word(1), top]);
        let wide: Words<u128, 1> = Words([1 << 127]);
        assert_eq!([wide >> 127, wide >> 128, wide << 1], [Words([1]), Words([0]), Words([0])]);
    }

    #[test]
    fn comparisons_give_masks() {
        assert_eq!(word(0).negative().select(1, 2), word(2));
        assert_eq!(word(!0).negative().select(1, 2), word(1));
        assert_eq!([word(3).equals(3), word(3).equals(2)], [word(!0), word(0)]);
        assert_eq!([word(!0).exceeds(0), word(3).exceeds(3)], [word(!0), word(0)]);
        assert_eq!([word(!0).max(1), word(!0).max_signed(1)], [word(!0), word(1)]);
        assert_eq!(Words::<u128, 1>::mask(true), Words([!0]));
    }

    #[test]
    fn quotients_and_roots_are_those_of_integers() {
        assert_eq!([word(7).quotient(word(2)), word(7).quotient(word(0))], [word(3), word(0)]);
        assert_eq!([word(24).root(), word(25).root()], [word(4), word(5)]);
    }
}
