//! Data taken apart.

use crate::fields::FloatFields;
use crate::spec::Spec;
use crate::word::Word;

/// A datum taken apart.
#[derive(Clone, Copy)]
pub struct Unpacked<W> {
    /// Mask of the sign.
    pub negative: W,
    /// The encoding without its sign, after `.ftz`.
    pub magnitude: W,
    /// With the implicit bit. A finite datum is `significand × 2^(exponent − bias − trailing)`.
    pub significand: W,
    /// The exponent field, and the lowest one for subnormals, which share its scale.
    pub exponent: W,
    /// Mask of infinities and NaN.
    pub infinite: W,
    /// Mask of NaN.
    pub nan: W,
}

impl<W: Word> Unpacked<W> {
    /// Mask of ±0.
    #[inline(always)]
    pub fn zero(&self) -> W {
        self.significand.equals(0)
    }
}

/// The bits of a datum taken apart. `flush`: subnormal ones first become zeros of their sign.
#[inline(always)]
pub fn unpack<F: Spec<FloatFields>, W: Word>(format: F, flush: bool, bits: W) -> Unpacked<W> {
    let f = format.get();
    let mut magnitude = bits & W::of(f.magnitude);
    if format.may(flush) {
        magnitude = magnitude & magnitude.exceeds(W::of(if flush { f.implicit - 1 } else { 0 }));
    }
    let mut negative = (bits << (W::BITS - f.width)).negative();
    if format.may(!f.signed) {
        negative = negative & W::mask(f.signed);
    }
    let exponent = (magnitude >> f.trailing).max(f.lowest);
    let mut nan = magnitude.exceeds(W::of(f.last));
    if format.may(f.negative_nan.is_some()) {
        // Elsewhere a pattern that no format has, or has as a NaN.
        nan = nan | bits.equals(W::of(f.negative_nan.unwrap_or(u64::MAX)));
    }
    Unpacked {
        negative,
        magnitude,
        significand: magnitude + W::of(f.implicit) - (exponent << f.trailing),
        exponent,
        infinite: magnitude.exceeds(W::of(f.max_finite)),
        nan,
    }
}
