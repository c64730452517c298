//! Quotients and square roots.

use super::exact::{Exact, base, infinity_exponent};
use super::{Unpacked, unit};
use crate::fields::FloatFields;
use crate::spec::Spec;
use crate::word::Word;

/// Returns a finite datum's significand with its highest bit in the place of the implicit one, and the exponent that
/// goes with it.
#[inline(always)]
fn normalised<W: Word>(format: &FloatFields, a: Unpacked<W>) -> (W, W) {
    let shift = a.significand.leading_zeros() - (W::BITS - format.precision);
    (a.significand << shift, a.exponent - shift)
}

/// Returns the significand of a quotient or root that has `bits` bits behind the unit; the sticky bit is set unless the
/// digits are exact.
#[inline(always)]
fn with_remainder<W: Word>(digits: W, bits: u32, exact: W) -> W {
    (digits << (unit::<W>() - bits)) | (!exact & 1)
}

/// Computes `a / b` in one format.
#[inline(always)]
pub fn quotient<F: Spec<FloatFields>, W: Word>(format: F, a: Unpacked<W>, b: Unpacked<W>) -> Exact<W> {
    let f = format.get();
    let ((dividend, up), (divisor, down)) = (normalised(f, a), normalised(f, b));
    // Three bits more than the result has, as the quotient may be below 1.
    let bits = f.precision + 3;
    let dividend = dividend << bits;
    let digits = dividend.quotient(divisor);
    let exact = digits.times(divisor).equals(dividend);

    let infinite = a.infinite | b.zero();
    let zero = a.zero() | b.infinite;
    Exact {
        negative: a.negative ^ b.negative,
        significand: infinite
            .select(W::from(1) << unit::<W>(), with_remainder(digits, bits, exact) & !zero),
        exponent: infinite.select(infinity_exponent::<W>(f), up - down + base(f)),
        infinite,
        nan: a.nan | b.nan | (a.zero() & b.zero()) | (a.infinite & b.infinite),
    }
}

/// Computes `√a`. The root of −0 is −0.
#[inline(always)]
pub fn root<F: Spec<FloatFields>, W: Word>(format: F, a: Unpacked<W>) -> Exact<W> {
    let f = format.get();
    let (significand, biased) = normalised(f, a);
    let exponent = biased - f.bias;
    // With an even exponent, and as many places behind the point as make an even number.
    let radicand = significand << ((exponent & 1) + (f.precision + 5));
    let digits = radicand.root();
    let exact = digits.times(digits).equals(radicand);
    let zero = a.zero();
    Exact {
        negative: a.negative,
        significand: a
            .infinite
            .select(W::from(1) << unit::<W>(), with_remainder(digits, f.precision + 2, exact) & !zero),
        exponent: a
            .infinite
            .select(infinity_exponent::<W>(f), exponent.shr_signed(W::from(1)) + base(f)),
        infinite: a.infinite,
        nan: a.nan | (a.negative & !zero),
    }
}
