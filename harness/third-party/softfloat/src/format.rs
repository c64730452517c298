//! The formats and roundings of SoftFloat.

use ptx_abi::Register;
use softfloat_sys::*; // a function for every format and operation

/// A number in one of SoftFloat's formats.
pub trait Float: Copy + 'static {
    /// The number's encoding.
    type Bits: Register;

    fn of(bits: Self::Bits) -> Self;
    fn bits(self) -> Self::Bits;
}

macro_rules! floats {
    ($($float:ident $bits:ty),+) => {$(
        impl Float for $float {
            type Bits = $bits;

            fn of(bits: $bits) -> $float {
                $float { v: bits }
            }

            fn bits(self) -> $bits {
                self.v
            }
        }
    )+};
}
floats! { bfloat16_t u16, float16_t u16, float32_t u32, float64_t u64 }

/// A rounding, as SoftFloat numbers them.
#[derive(Clone, Copy)]
pub struct Round(pub u8);

impl Round {
    /// The rounding to nearest, ties to even.
    pub const NEAREST: Round = Round(softfloat_round_near_even);

    /// Returns a rounding by its name in PTX.
    pub fn named(word: &str) -> Option<Round> {
        Some(match word {
            "rn" => Round::NEAREST,
            "rz" => Round(softfloat_round_minMag),
            "rm" => Round(softfloat_round_min),
            "rp" => Round(softfloat_round_max),
            _ => return None,
        })
    }

    /// Makes SoftFloat round so from now on, in this thread.
    pub fn set(self) {
        // SAFETY: it sets a variable of this thread to one of the values that it may have.
        unsafe { softfloat_roundingMode_write_helper(self.0) };
    }
}

/// The functions of SoftFloat for operands of one format. Their results have that format, too, but for comparisons.
pub struct Format<F> {
    pub add: unsafe extern "C" fn(F, F) -> F,
    pub sub: unsafe extern "C" fn(F, F) -> F,
    pub mul: unsafe extern "C" fn(F, F) -> F,
    pub div: unsafe extern "C" fn(F, F) -> F,
    pub mul_add: unsafe extern "C" fn(F, F, F) -> F,
    pub sqrt: unsafe extern "C" fn(F) -> F,
    pub round_to_int: unsafe extern "C" fn(F, u8, bool) -> F,
    pub eq: unsafe extern "C" fn(F, F) -> bool,
    pub lt: unsafe extern "C" fn(F, F) -> bool,
    pub le: unsafe extern "C" fn(F, F) -> bool,
}

/// The functions for binary16.
pub static F16: Format<float16_t> = Format {
    add: f16_add,
    sub: f16_sub,
    mul: f16_mul,
    div: f16_div,
    mul_add: f16_mulAdd,
    sqrt: f16_sqrt,
    round_to_int: f16_roundToInt,
    eq: f16_eq,
    lt: f16_lt_quiet,
    le: f16_le_quiet,
};

/// The functions for binary32.
pub static F32: Format<float32_t> = Format {
    add: f32_add,
    sub: f32_sub,
    mul: f32_mul,
    div: f32_div,
    mul_add: f32_mulAdd,
    sqrt: f32_sqrt,
    round_to_int: f32_roundToInt,
    eq: f32_eq,
    lt: f32_lt_quiet,
    le: f32_le_quiet,
};

/// The functions for binary64.
pub static F64: Format<float64_t> = Format {
    add: f64_add,
    sub: f64_sub,
    mul: f64_mul,
    div: f64_div,
    mul_add: f64_mulAdd,
    sqrt: f64_sqrt,
    round_to_int: f64_roundToInt,
    eq: f64_eq,
    lt: f64_lt_quiet,
    le: f64_le_quiet,
};
