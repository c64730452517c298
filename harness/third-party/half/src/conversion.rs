//! Conversions, which the crate `half` offers as `AsPrimitive`.

use num_traits::AsPrimitive;
use ptx_abi::{Compute, Register, unary};

use crate::Half;

/// Returns the conversion from a number of Rust's.
pub fn from_number<T: Register + AsPrimitive<H>, H: Half>() -> Compute {
    unary(|a: T| a.as_().bits())
}

/// Returns the conversion to a number of Rust's.
pub fn to_number<H: Half + AsPrimitive<T>, T: Register>() -> Compute {
    unary(|a| H::of(a).as_())
}

/// Returns the conversion from one type of the crate to the other.
pub fn between<A: Half + AsPrimitive<B>, B: Half>() -> Compute {
    unary(|a| A::of(a).as_().bits())
}

/// Evaluates an expression for the Rust type with a name in PTX, and gives it as `Some`; other names give `None`.
macro_rules! with_number {
    ($name:expr, $number:ident => $compute:expr) => {
        $crate::conversion::with_number!(
            $name, $number => $compute,
            "f32" f32, "f64" f64, "u8" u8, "u16" u16, "u32" u32, "u64" u64,
            "s8" i8, "s16" i16, "s32" i32, "s64" i64
        )
    };
    ($name:expr, $number:ident => $compute:expr, $($ptx:literal $rust:ty),+) => {
        match $name {
            $($ptx => {
                type $number = $rust;
                Some($compute)
            })+
            _ => None,
        }
    };
}
pub(crate) use with_number;
