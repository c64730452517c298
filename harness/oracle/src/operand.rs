//! Operands on their way into MPFR: their formats, flushing, and decoding from bits into storage that is made once.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use formats::{Class, Format, Scale};
use gmp_mpfr_sys::gmp::limb_t;
use gmp_mpfr_sys::mpfr::{self, exp_t, mpfr_t, prec_t};
use isa::Variant;
use rug::float::BorrowFloat;

/// Significands are moved as one limb, normalised to its top bit.
const LIMB_BITS: u32 = 64;
const _: () = assert!(limb_t::BITS == LIMB_BITS, "64-bit limbs are assumed");

/// Returns the formats of a variant's inputs; in place of an input that it lacks, the format of its first.
pub fn formats(variant: &Variant) -> [&'static Format; 3] {
    let inputs = variant.inputs();
    std::array::from_fn(|at| inputs.get(at).unwrap_or(&inputs[0]).format)
}

/// Returns a subnormal number as the zero of its sign, and anything else as it is.
#[inline]
pub fn flush(format: &Format, bits: u64) -> u64 {
    let subnormal = format.scale == Scale::Floating && format.class(bits) == Class::Subnormal;
    if subnormal { bits & format.sign_mask() } else { bits }
}

/// A number that MPFR reads and that is set from a format's bits without allocation. It holds the parts of an
/// `mpfr_t`; they become one only where it is read, because an `mpfr_t` points to its significand.
pub struct Operand {
    limb: limb_t,
    precision: prec_t,
    sign: c_int,
    /// The exponent as MPFR stores it, with values of its own for zero, infinity and NaN.
    exponent: exp_t,
}

impl Operand {
    /// Makes an operand of `precision` significand bits (at most 64), which is NaN until it is set.
    ///
    /// MPFR is fastest where operands and result have one precision, so a narrow format's data may
    /// be given the precision of the result: they still fit exactly.
    pub fn new(precision: u32) -> Operand {
        assert!(precision <= LIMB_BITS, "a significand fits a limb");
        let mut operand = Operand { limb: 0, precision: precision.into(), sign: 1, exponent: 0 };
        operand.assign(mpfr::NAN_KIND, 0);
        operand
    }

    /// Takes the value of `bits`, exactly.
    #[inline]
    pub fn set(&mut self, format: &Format, bits: u64) {
        debug_assert!(i64::from(format.precision()) <= self.precision, "{format:?} does not fit");
        let (kind, exponent) = match format.decode(bits) {
            Some((0, _)) => (mpfr::ZERO_KIND, 0),
            Some((significand, exponent)) => {
                let shift = significand.leading_zeros();
                self.limb = significand << shift;
                // MPFR's significands lie in [0.5, 1): the exponent counts from the point above.
                (mpfr::REGULAR_KIND, exponent + (LIMB_BITS - shift) as i32)
            }
            None if format.is_nan(bits) => (mpfr::NAN_KIND, 0),
            None => (mpfr::INF_KIND, 0),
        };
        self.assign(if format.is_negative(bits) { -kind } else { kind }, exponent.into());
    }

    /// Sets sign and exponent to what MPFR has for a kind of number.
    #[inline]
    fn assign(&mut self, kind: c_int, exponent: exp_t) {
        let mut number = MaybeUninit::uninit();
        // SAFETY: `custom_init_set` stores its arguments in the number, which it initialises, and reads
        // nothing; nobody reads what it points to, either, since the pointer is left behind here.
        let mpfr_t { sign, exp, .. } = unsafe {
            let limb = (&raw mut self.limb).cast();
            mpfr::custom_init_set(number.as_mut_ptr(), kind, exponent, self.precision, limb);
            number.assume_init()
        };
        (self.sign, self.exponent) = (sign, exp);
    }

    /// Lends the number for MPFR to read.
    #[inline]
    pub fn get(&self) -> BorrowFloat<'_> {
        let d = NonNull::from(&self.limb);
        let number = mpfr_t { prec: self.precision, sign: self.sign, exp: self.exponent, d };
        // SAFETY: the limb holds `precision` bits, lives as long as `self`, and is only read while
        // borrowed. A regular number's top bit was shifted into place, and its low bits beyond the
        // precision are zero because the format's precision is no larger.
        unsafe { BorrowFloat::from_raw(number) }
    }
}

#[cfg(test)]
mod tests {
    use formats::{BF16, F16, F32};
    use rug::{Float, Rational};

    use super::*;

    /// Holds operands against their values as fractions, by the definition of the format.
    #[test]
    fn every_16_bit_datum_and_a_walk_over_f32_arrive_exactly() {
        let all = 0..1u64 << 16;
        let walk = all.clone().map(|step| (step * 0x1_0001) ^ (step << 7));
        let cases = all.clone().map(|bits| (&F16, bits)).chain(all.map(|bits| (&BF16, bits)));
        for (format, bits) in cases.chain(walk.map(|bits| (&F32, bits))) {
            let mut operand = Operand::new(F32.precision());
            operand.set(format, bits);
            let value = operand.get();
            assert_eq!(value.is_sign_negative(), format.is_negative(bits) && !format.is_nan(bits));
            match format.decode(bits) {
                Some((significand, exponent)) => {
                    let mut exact = Rational::from(significand);
                    exact <<= exponent;
                    assert_eq!(&*value.as_abs(), &exact, "{format:?} {bits:#x}");
                }
                None => assert_eq!(value.is_nan(), format.is_nan(bits), "{format:?} {bits:#x}"),
            }
        }
    }

    #[test]
    fn f64_fits_too() {
        for bits in [1, 0x000f_ffff_ffff_ffff, 0x7fef_ffff_ffff_ffff, 0x3ff0_0000_0000_0001] {
            let mut operand = Operand::new(53);
            operand.set(&formats::F64, bits);
            assert_eq!(&*operand.get(), &Float::with_val(53, f64::from_bits(bits)));
        }
    }
}
