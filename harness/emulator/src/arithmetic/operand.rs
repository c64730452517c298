//! Data taken apart into sign, exponent and significand.

use crate::fields::FloatFields;
use crate::spec::Spec;
use crate::word::Word;

/// A datum taken apart into sign, exponent and significand.
#[derive(Clone, Copy)]
pub struct Unpacked<W> {
    /// The mask of the sign.
    pub negative: W,
    /// The encoding without its sign, after `.ftz`.
    pub magnitude: W,
    /// The significand, with the implicit bit. A finite datum is `significand × 2^(exponent − bias − trailing)`.
    pub significand: W,
    /// The exponent field, and the lowest one for subnormals, which share its scale.
    pub exponent: W,
    /// The mask of infinities and NaN.
    pub infinite: W,
    /// The mask of NaN.
    pub nan: W,
}

impl<W: Word> Unpacked<W> {
    /// Returns the mask of ±0.
    #[inline(always)]
    pub fn zero(&self) -> W {
        self.significand.equals(0)
    }
}

/// Takes the bits of a datum apart. With `flush`, subnormal data first become zeros of their sign.
#[inline(always)]
pub fn unpack<F: Spec<FloatFields>, W: Word>(format: F, flush: bool, bits: W) -> Unpacked<W> {
    let f = format.get();
    let mut magnitude = bits & W::of(f.magnitude);
    if format.may_apply(flush) {
        magnitude = magnitude & magnitude.exceeds(W::of(if flush { f.implicit - 1 } else { 0 }));
    }
    let mut negative = (bits << (W::BITS - f.width)).negative();
    if format.may_apply(!f.signed) {
        negative = negative & W::mask(f.signed);
    }
    let exponent = (magnitude >> f.trailing).max(f.lowest);
    let mut nan = magnitude.exceeds(W::of(f.last));
    if format.may_apply(f.negative_nan.is_some()) {
        // In a format without that NaN this is a pattern that the format does not have, or has as a NaN.
        nan = nan | bits.equals(W::of(f.negative_nan.unwrap_or(u64::MAX)));
    }
    // In the significand a normal number loses its exponent field and gets the implicit bit. In a subnormal one, with
    // the exponent 1, both are the same bit, and cancel.
    Unpacked {
        negative,
        magnitude,
        significand: magnitude + W::of(f.implicit) - (exponent << f.trailing),
        exponent,
        infinite: magnitude.exceeds(W::of(f.max_finite)),
        nan,
    }
}
