//! Services of the C libraries GMP and MPFR to other crates: their versions, and numbers in decimal.

use std::ffi::{CStr, c_char};

use gmp_mpfr_sys::{gmp, mpfr};
use rug::Float;

/// The versions of the C libraries that the oracle computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The version of MPFR.
    pub mpfr: &'static str,
    /// The version of GMP.
    pub gmp: &'static str,
}

/// Returns the versions of the C libraries that this program is linked with.
pub fn versions() -> Versions {
    // SAFETY: the function only returns a constant string, and nothing writes the variable.
    let (mpfr, gmp): (*const c_char, *const c_char) = unsafe { (mpfr::get_version(), gmp::version) };
    // SAFETY: both are constants of the libraries, terminated.
    let [mpfr, gmp] = [mpfr, gmp].map(|text| unsafe { CStr::from_ptr(text) });
    let text = |text: &'static CStr| text.to_str().expect("versions are digits and dots");
    Versions { mpfr: text(mpfr), gmp: text(gmp) }
}

/// Returns `significand` × 2^`exponent` in decimal, to 24 digits.
pub fn decimal(significand: u128, exponent: i32) -> String {
    (Float::with_val(128, significand) << exponent).to_string_radix(10, Some(24))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_numbers() {
        let Versions { mpfr, gmp } = versions();
        for text in [mpfr, gmp] {
            assert!(
                text.starts_with(|first: char| first.is_ascii_digit()) && text.contains('.'),
                "{text}"
            );
        }
    }

    #[test]
    fn decimals_have_24_digits() {
        assert_eq!(decimal(3, -1), "1.50000000000000000000000");
        assert_eq!(decimal(1, -149), "1.40129846432481707092373e-45");
    }
}
