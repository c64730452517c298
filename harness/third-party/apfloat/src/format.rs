//! The formats of `rustc_apfloat`, and how PTX calls them.

use ptx_abi::Register;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{
    BFloatS, DoubleS, Float8E4M3FNS, Float8E5M2S, HalfS, IeeeFloat, Semantics, SingleS,
};

/// A format of the library, as it stands in a register.
pub trait Format: Semantics + 'static {
    /// The encoding of a number of the format.
    type Bits: Register + Into<u128> + TryFrom<u128>;
}

macro_rules! formats {
    ($($semantics:ident $bits:ty),+) => {$(
        impl Format for $semantics {
            type Bits = $bits;
        }
    )+};
}
formats! { HalfS u16, BFloatS u16, SingleS u32, DoubleS u64, Float8E4M3FNS u8, Float8E5M2S u8 }

/// Returns the number that bits stand for.
pub fn decode<S: Format>(bits: S::Bits) -> IeeeFloat<S> {
    <IeeeFloat<S> as Float>::from_bits(bits.into())
}

/// Returns the bits that stand for a number.
pub fn encode<S: Format>(number: IeeeFloat<S>) -> S::Bits {
    let Ok(bits) = number.to_bits().try_into() else {
        unreachable!("the library has made more bits than the format has");
    };
    bits
}

/// Evaluates an expression for the format with a name in PTX, and gives it as `Some`; other names give `None`.
macro_rules! with_format {
    ($name:expr, $format:ident => $compute:expr) => {
        $crate::format::with_format!(
            $name, $format => $compute,
            "f16" HalfS, "bf16" BFloatS, "f32" SingleS, "f64" DoubleS,
            "e4m3" Float8E4M3FNS, "e5m2" Float8E5M2S
        )
    };
    ($name:expr, $format:ident => $compute:expr, $($ptx:literal $semantics:ident),+) => {
        match $name {
            $($ptx => {
                type $format = rustc_apfloat::ieee::$semantics;
                Some($compute)
            })+
            _ => None,
        }
    };
}
pub(crate) use with_format;

/// Evaluates an expression for the integer type with a name in PTX, and gives it as `Some`; other names give `None`.
macro_rules! with_integer {
    ($name:expr, $integer:ident => $compute:expr) => {
        $crate::format::with_integer!(
            $name, $integer => $compute,
            "u8" u8, "u16" u16, "u32" u32, "u64" u64, "s8" i8, "s16" i16, "s32" i32, "s64" i64
        )
    };
    ($name:expr, $integer:ident => $compute:expr, $($ptx:literal $rust:ty),+) => {
        match $name {
            $($ptx => {
                type $integer = $rust;
                Some($compute)
            })+
            _ => None,
        }
    };
}
pub(crate) use with_integer;
