//! Intermediate results, exact but for what the sticky bit stands for.

use super::{Unpacked, unit};
use crate::fields::FloatFields;
use crate::spec::Spec;
use crate::word::Word;

/// An intermediate result on its way to a format: its magnitude is `significand × 2^(exponent −
/// base)`, the significand in fixed point. See [`base`].
#[derive(Clone, Copy)]
pub struct Exact<W> {
    /// The mask of the sign.
    pub negative: W,
    /// The significand, below 2 for an operand and below 4 for a sum. It is not normalised: it may be small, or zero.
    pub significand: W,
    /// The exponent, biased for the result, as a signed word: the smallest normal number has the exponent 1.
    pub exponent: W,
    /// The mask of infinities. They also have an exponent beyond every finite one and a significand that is not zero:
    /// in a sum the infinite operand prevails, and rounding makes it an infinity again.
    pub infinite: W,
    /// The mask of results that are no number, whatever the rest says.
    pub nan: W,
}

/// Returns the number that is added to the exponent of a number on its way to a format: the bias that the format
/// would have if its smallest normal number had the exponent field 1.
pub const fn base(result: &FloatFields) -> u32 {
    result.bias + 1 - result.lowest
}

/// Returns the biased exponent of infinities on their way to a format. It is so far above those of finite data and
/// products that an infinity prevails in any sum and overflows in any rounding. It is still small enough that it fits a
/// word when it is shifted into the place of the exponent field.
#[inline(always)]
pub fn infinity_exponent<W: Word>(result: &FloatFields) -> W {
    W::from(7) << (W::BITS - 3 - result.trailing.max(2))
}

/// Returns a datum as an intermediate result, with the [`base`] of the result's format, but not normalised.
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
        exponent: a.infinite.select(infinity_exponent::<W>(r), exponent),
        infinite: a.infinite,
        nan: a.nan,
    }
}

/// Normalises a value, so that its highest bit is at the unit. Zero gets the exponent 0, which is below that of every
/// normal number.
#[inline(always)]
pub fn normalise<W: Word>(a: Exact<W>) -> Exact<W> {
    let shift = a.significand.leading_zeros() - (W::BITS - 1 - unit::<W>());
    let zero = a.significand.equals(0);
    Exact { significand: a.significand << shift, exponent: (a.exponent - shift) & !zero, ..a }
}

/// Denormalises a value, as rounding needs it, so that its exponent is not below the smallest normal number's.
#[inline(always)]
pub fn denormalise<W: Word>(a: Exact<W>) -> Exact<W> {
    let exponent = a.exponent.max_signed(1);
    Exact { significand: shift_right_sticky(a.significand, exponent - a.exponent), exponent, ..a }
}

/// Multiplies a value by `2^power`, where `power` is a signed word. Infinities stay.
#[inline(always)]
pub fn scale<W: Word>(a: Exact<W>, power: W) -> Exact<W> {
    Exact { exponent: a.exponent + (power & !a.infinite), ..a }
}

/// Shifts a signed word to the right. Bits that are shifted out leave a trace: the last bit is set unless they were
/// zero.
#[inline(always)]
pub fn shift_right_sticky<W: Word>(a: W, count: W) -> W {
    let shifted = a.shr_signed(count);
    let exact = (shifted << count).equals(a);
    // The mask is −1 where nothing was lost, and the sticky bit is then 0.
    shifted | (exact + 1)
}
