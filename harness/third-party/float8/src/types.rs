//! A trait for what the two types of the crate `float8` have in common: the crate has none.

use std::ops::{Add, Mul, Sub};

use float8::{F8E4M3, F8E5M2};
use half::f16;

/// A type of the crate `float8`.
pub trait Float8: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + 'static {
    /// The type's name in PTX.
    const NAME: &'static str;

    fn of(bits: u8) -> Self;
    fn bits(self) -> u8;
    fn from_f32(number: f32) -> Self;
    fn to_f32(self) -> f32;
    fn to_f16(self) -> f16;
}

macro_rules! float8 {
    ($($float:ident $name:literal)+) => {$(
        impl Float8 for $float {
            const NAME: &'static str = $name;

            fn of(bits: u8) -> $float {
                $float::from_bits(bits)
            }

            fn bits(self) -> u8 {
                self.to_bits()
            }

            fn from_f32(number: f32) -> $float {
                $float::from_f32(number)
            }

            fn to_f32(self) -> f32 {
                $float::to_f32(&self)
            }

            fn to_f16(self) -> f16 {
                $float::to_f16(&self)
            }
        }
    )+};
}
float8! { F8E4M3 "e4m3" F8E5M2 "e5m2" }
