//! Intermediate results, exact but for what the sticky bit stands for.

use super::{Unpacked, unit};
use crate::fields::FloatFields;
use crate::spec::Spec;
use crate::word::Word;

/// An intermediate result on its way to a format: its magnitude is `significand × 2^(exponent −
/// base)`, the significand in fixed point. See [`base`].
#[derive(Clone, Copy)]
pub struct Exact<W> {
    /// Mask of the sign.
    pub negative: W,
    /// Below 2 for an operand, 4 for a sum. Not normalised: it may be small, or zero.
    pub significand: W,
    /// Biased for the result, signed: the smallest normal number has the exponent 1.
    pub exponent: W,
    /// Mask of infinities. They also have an exponent beyond every finite one and a significand that
    /// is not zero: in a sum the infinite operand prevails, and rounding makes it an infinity again.
    pub infinite: W,
    /// Mask of results that are no number, whatever the rest says.
    pub nan: W,
}

/// What is added to the exponent of a number on its way to a format: its bias, where the smallest
/// normal number has the exponent field 1.
pub const fn base(result: &FloatFields) -> u32 {
    result.bias + 1 - result.lowest
}

/// The biased exponent of infinities on their way to a format: so far above those of finite data and
/// products that an infinity prevails in any sum and overflows in any rounding, and still small
/// enough that it fits a word when it is shifted into the place of the exponent field.
#[inline(always)]
pub fn beyond<W: Word>(result: &FloatFields) -> W {
    W::from(7) << (W::BITS - 3 - result.trailing.max(2))
}

/// A datum as an intermediate result: with that [`base`], but not normalised.
#[inline(always)]
pub fn fixed<F: Spec<FloatFields>, R: Spec<FloatFields>, W: Word>(
    format: F,
    result: R,
    a: Unpacked<W>,
) -> Exact<W> {
    let (f, r) = (format.get(), result.get());
    let exponent = a.exponent + base(r) - f.bias;
    Exact {
        negative: a.negative,
        significand: a.significand << (unit::<W>() - f.trailing),
        exponent: a.infinite.select(beyond::<W>(r), exponent),
        infinite: a.infinite,
        nan: a.nan,
    }
}

/// The same value with its highest bit at the unit; for zero, the exponent 0, which is below that of
/// every normal number.
#[inline(always)]
pub fn normalise<W: Word>(a: Exact<W>) -> Exact<W> {
    let shift = a.significand.leading_zeros() - (W::BITS - 1 - unit::<W>());
    let zero = a.significand.equals(0);
    Exact { significand: a.significand << shift, exponent: (a.exponent - shift) & !zero, ..a }
}

/// The same value with no exponent below the smallest normal number's, as rounding needs it.
#[inline(always)]
pub fn denormalise<W: Word>(a: Exact<W>) -> Exact<W> {
    let exponent = a.exponent.max_signed(1);
    Exact { significand: shift_right_sticky(a.significand, exponent - a.exponent), exponent, ..a }
}

/// The value times `2^power`, a signed word. Infinities stay.
#[inline(always)]
pub fn scale<W: Word>(a: Exact<W>, power: W) -> Exact<W> {
    Exact { exponent: a.exponent + (power & !a.infinite), ..a }
}

/// Signed right shift. What is shifted out leaves its trace: the last bit is set unless it was zero.
#[inline(always)]
pub fn shift_right_sticky<W: Word>(a: W, count: W) -> W {
    let shifted = a.shr_signed(count);
    let exact = (shifted << count).equals(a);
    shifted | (exact + 1)
}
