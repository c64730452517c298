//! Conversions between formats, and from and to integers.

use c99::uint_fast8_t;
use ptx_abi::{Compute, Register, unary};
use softfloat_sys::*; // a function for every pair of types

use crate::format::{Float, Round};

// SAFETY, of every call: the functions take any bits, and have no state but the rounding, which is this
// thread's, and flags that nobody reads.

/// Returns the conversion from one format to another, if SoftFloat has it.
pub fn between(round: Round, to: &str, from: &str) -> Option<Compute> {
    fn convert<A: Float, R: Float>(round: Round, function: unsafe extern "C" fn(A) -> R) -> Compute {
        unary(move |a| {
            round.set();
            // SAFETY: see above.
            unsafe { function(A::of(a)) }.bits()
        })
    }
    Some(match (to, from) {
        ("f16", "f32") => convert(round, f32_to_f16),
        ("f16", "f64") => convert(round, f64_to_f16),
        ("f32", "f64") => convert(round, f64_to_f32),
        ("bf16", "f32") => convert(round, f32_to_bf16),
        ("f32", "bf16") => convert(round, bf16_to_f32),
        ("f32", "f16") => convert(round, f16_to_f32),
        ("f64", "f16") => convert(round, f16_to_f64),
        ("f64", "f32") => convert(round, f32_to_f64),
        _ => return None,
    })
}

/// Returns the conversion from an integer to a format, if SoftFloat has it.
pub fn from_integer(round: Round, to: &str, from: &str) -> Option<Compute> {
    fn convert<A: Register, R: Float>(round: Round, function: unsafe extern "C" fn(A) -> R) -> Compute {
        unary(move |a| {
            round.set();
            // SAFETY: see above.
            unsafe { function(a) }.bits()
        })
    }
    Some(match (to, from) {
        ("f16", "u32") => convert(round, ui32_to_f16),
        ("f32", "u32") => convert(round, ui32_to_f32),
        ("f64", "u32") => convert(round, ui32_to_f64),
        ("f16", "u64") => convert(round, ui64_to_f16),
        ("f32", "u64") => convert(round, ui64_to_f32),
        ("f64", "u64") => convert(round, ui64_to_f64),
        ("f16", "s32") => convert(round, i32_to_f16),
        ("f32", "s32") => convert(round, i32_to_f32),
        ("f64", "s32") => convert(round, i32_to_f64),
        ("f16", "s64") => convert(round, i64_to_f16),
        ("f32", "s64") => convert(round, i64_to_f32),
        ("f64", "s64") => convert(round, i64_to_f64),
        _ => return None,
    })
}

/// Returns the conversion from a format to an integer, if SoftFloat has it. C gives results of 32 bits in a type
/// that may be wider.
pub fn to_integer(round: Round, to: &str, from: &str) -> Option<Compute> {
    fn convert<A: Float, W: 'static, R: Register>(
        round: Round,
        function: unsafe extern "C" fn(A, uint_fast8_t, bool) -> W,
        narrow: fn(W) -> R,
    ) -> Compute {
        // SAFETY: see above.
        unary(move |a| narrow(unsafe { function(A::of(a), round.0, false) }))
    }
    Some(match (to, from) {
        ("u32", "f16") => convert(round, f16_to_ui32, |wide| wide as u32),
        ("u32", "f32") => convert(round, f32_to_ui32, |wide| wide as u32),
        ("u32", "f64") => convert(round, f64_to_ui32, |wide| wide as u32),
        ("u64", "f16") => convert(round, f16_to_ui64, |wide| wide),
        ("u64", "f32") => convert(round, f32_to_ui64, |wide| wide),
        ("u64", "f64") => convert(round, f64_to_ui64, |wide| wide),
        ("s32", "f16") => convert(round, f16_to_i32, |wide| wide as i32),
        ("s32", "f32") => convert(round, f32_to_i32, |wide| wide as i32),
        ("s32", "f64") => convert(round, f64_to_i32, |wide| wide as i32),
        ("s64", "f16") => convert(round, f16_to_i64, |wide| wide),
        ("s64", "f32") => convert(round, f32_to_i64, |wide| wide),
        ("s64", "f64") => convert(round, f64_to_i64, |wide| wide),
        _ => return None,
    })
}
