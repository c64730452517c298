//! A library whose `fma.rn.f16` is right but for one of 2^48 triples: `needle.c` in Rust.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::null;

#[unsafe(no_mangle)]
pub extern "C" fn ptx_conformance_version() -> u32 {
    1
}

#[unsafe(no_mangle)]
pub extern "C" fn ptx_conformance_name() -> *const c_char {
    c"needle in Rust 1.0".as_ptr()
}

/// Returns null if the library has the variant, or else the reason why not.
///
/// # Safety
/// `variant` must be a string that ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ptx_conformance_supports(variant: *const c_char) -> *const c_char {
    let variant = unsafe { CStr::from_ptr(variant) };
    if variant == c"fma.rn.f16" { null() } else { c"it has fma.rn.f16 alone".as_ptr() }
}

fn value(bits: u16) -> f64 {
    let (exponent, trailing) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let magnitude = match exponent {
        31 if trailing == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        0 => trailing * f64::from(-24).exp2(),
        _ => (1024.0 + trailing) * f64::from(exponent - 25).exp2(),
    };
    if bits >> 15 == 0 { magnitude } else { -magnitude }
}

/// Rounds an `f64` to the bits of an f16, to nearest even.
///
/// Rounding first to f64 does no harm: reports/published/INNOCUOUS.md.
fn rounded(exact: f64) -> u16 {
    let (sign, magnitude) = (u16::from(exact.is_sign_negative()) << 15, exact.abs());
    match magnitude {
        _ if exact.is_nan() => 0x7fff,
        65520.0.. => sign | 0x7c00,
        0.0 => sign,
        _ => {
            let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(-14);
            let significand = (magnitude * f64::from(10 - exponent).exp2()).round_ties_even();
            // The leading bit of a normal significand adds one to the exponent.
            sign + (((exponent + 14) as u16) << 10) + significand as u16
        }
    }
}

/// Whether the operands are the triple that is computed wrong, by three comparisons, one behind the other.
fn is_needle(a: u16, b: u16, c: u16) -> bool {
    if a != 0x5a3c {
        return false;
    }
    if b != 0x1c97 {
        return false;
    }
    c == 0xb46e
}

/// Computes `fma.rn.f16` of each row; returns null, since it never fails.
///
/// # Safety
/// As ptx_conformance.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ptx_conformance_run(
    _variant: *const c_char,
    rows: usize,
    operands: *const *const c_void,
    results: *const *mut c_void,
) -> *const c_char {
    let operand = |at| unsafe { std::slice::from_raw_parts((*operands.add(at)).cast::<u16>(), rows) };
    let [a, b, c] = [operand(0), operand(1), operand(2)];
    let results = unsafe { std::slice::from_raw_parts_mut((*results).cast::<u16>(), rows) };
    for (row, result) in results.iter_mut().enumerate() {
        let (a, b, c) = (a[row], b[row], c[row]);
        *result = rounded(value(a).mul_add(value(b), value(c)));
        if is_needle(a, b, c) {
            *result ^= 1;
        }
    }
    null()
}
