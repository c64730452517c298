//! Services of the C libraries GMP and MPFR to other crates: their versions, and numbers in decimal.

use std::ffi::{CStr, c_char};

use gmp_mpfr_sys::{gmp, mpfr};
use rug::ops::Pow;
use rug::{Float, Integer};

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

/// The most digits that [`decimal`] returns.
const DIGITS: usize = 24;

/// Returns `significand` × 2^`exponent` in decimal, and whether these digits are all: to 24 digits otherwise.
pub fn decimal(significand: u128, exponent: i32) -> (String, bool) {
    let text = (Float::with_val(128, significand) << exponent).to_string_radix(10, Some(DIGITS));
    (text, has_few_digits(significand, exponent))
}

/// Whether `significand` × 2^`exponent` has at most 24 decimal digits from its first to its last one that is not zero.
fn has_few_digits(significand: u128, exponent: i32) -> bool {
    let exponent =
        exponent + significand.checked_ilog2().map_or(0, |_| significand.trailing_zeros() as i32);
    let odd = Integer::from(significand >> (significand.trailing_zeros() % u128::BITS));
    // Below the point each halving is one digit more, and 2^-n ends in a 5.
    let digits = match exponent {
        ..0 if exponent < -60 => return false,
        ..0 => odd * Integer::from(5).pow(exponent.unsigned_abs()),
        _ => odd << exponent.unsigned_abs(),
    };
    digits.to_string().trim_end_matches('0').len() <= DIGITS
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
        assert_eq!(decimal(3, -1), ("1.50000000000000000000000".into(), true));
        assert_eq!(decimal(1, -149), ("1.40129846432481707092373e-45".into(), false));
        assert_eq!(decimal(1, -24), ("5.96046447753906250000000e-8".into(), true));
        assert!(decimal(0, 0).1);
        // 2^80 has 25 digits, and 2^79 has 24.
        assert_eq!([decimal(1, 79).1, decimal(1, 80).1], [true, false]);
    }
}
