//! Eight words side by side.

use std::array;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

use super::word::{Word, word};

/// Eight words, which the compiler keeps in one 256-bit register where the machine has them.
///
/// Plain arrays: a loop over eight elements, inlined into a function that enables AVX2 or AVX-512,
/// becomes one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Lanes(pub [u32; Lanes::COUNT]);

impl Lanes {
    /// Number of words. Sixteen were slower, even with AVX-512.
    pub const COUNT: usize = 8;

    #[inline(always)]
    fn map(self, f: impl Fn(u32) -> u32) -> Lanes {
        Lanes(array::from_fn(|lane| f(self.0[lane])))
    }

    #[inline(always)]
    fn zip(self, other: Lanes, f: impl Fn(u32, u32) -> u32) -> Lanes {
        Lanes(array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl From<u32> for Lanes {
    #[inline(always)]
    fn from(value: u32) -> Lanes {
        Lanes([value; Lanes::COUNT])
    }
}

word!(Lanes);
