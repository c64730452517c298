//! The words that this CPU computes with: one integer, or several side by side.

mod unsigned;

use std::array;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

use formats::Element;

pub use unsigned::Unsigned;

use super::word::{Lookup, Word};

/// `N` integers, which the compiler keeps in vector registers where the CPU has them.
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

    /// Loads the elements from `at` on, zero-extended.
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

/// Returns all ones if `set`, and all zeros otherwise.
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

impl<const L: usize> Lookup for Words<u64, L> {
    #[inline(always)]
    fn lookup<const ENTRIES: usize>(self, table: &[u64; ENTRIES]) -> Self {
        const { assert!(ENTRIES.is_power_of_two()) };
        Words(array::from_fn(|lane| table[self.0[lane] as usize % ENTRIES]))
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
