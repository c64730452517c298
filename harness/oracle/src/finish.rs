//! The stages behind rounding: what modifiers make of a rounded result, under each interpretation of what the manual
//! leaves open.

use formats::{Class, Format, Specials};
use isa::{Clamp, Meaning, Relaxation, Variant};
use judge::{Interpretation, OpenPoints};

use super::rounded::Rounded;

/// The out-of-bounds NaN, sign aside, as measured on sm_100a and sm_120; the manual prints none.
const OOB_NAN: u64 = 0x7ff7;
/// The out-of-bounds NaN of f16, sign aside, in CUTLASS's software path for older targets.
const OOB_NAN_CUTLASS: u64 = 0x7eff;

/// The relaxations that concern results that are too large.
const OF_OVERFLOW: [Relaxation; 4] = [
    Relaxation::OverflowBoundary,
    Relaxation::OverflowResult,
    Relaxation::InfinityResult,
    Relaxation::RandomOverflow,
];

/// The out-of-bounds NaNs that `.oob` found among the operands of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutOfBounds {
    /// Whether a multiplicand is the out-of-bounds NaN.
    certain: bool,
    /// Whether a multiplicand has CUTLASS's pattern.
    by_pattern: bool,
    /// Whether the addend is the out-of-bounds NaN.
    by_addend: bool,
    /// Whether the addend has CUTLASS's pattern.
    by_both: bool,
}

/// The stages behind rounding: flushing, saturating, clamping, and zero for out-of-bounds operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finish {
    format: &'static Format,
    /// Whether subnormal results become zero.
    flush: bool,
    /// Whether results beyond the largest number become the largest number.
    satfinite: bool,
    clamp: Clamp,
    /// Whether −0 becomes +0.
    positive_zero: bool,
    /// Whether operands are looked at for the out-of-bounds NaN.
    out_of_bounds: bool,
    /// Whether it may be open what numbers beyond the largest one give.
    overflow: bool,
    /// Whether it may be open what infinity gives.
    infinity: bool,
    /// Whether no stage has anything to do, so that rounded bits are the result.
    idle: bool,
}

impl Finish {
    /// Makes the stages that `variant` asks for.
    pub fn of(variant: &Variant) -> Finish {
        let (meaning, format) = (variant.meaning(), variant.outputs()[0].format);
        let &Meaning { clamp, satfinite, out_of_bounds, .. } = meaning;
        let flush = meaning.flush.result;
        // A format that has NaN in its place lacks −0.
        let positive_zero = meaning.positive_zero || format.specials == Specials::NanNegativeZero;
        let overflow = variant.relaxations().any(|relaxation| OF_OVERFLOW.contains(&relaxation));
        let clamps = satfinite || clamp != Clamp::None || overflow;
        let idle = !(flush || clamps || positive_zero || out_of_bounds);
        let infinity = variant.relaxations().any(|relaxation| relaxation == Relaxation::InfinityResult);
        Finish {
            format,
            flush,
            satfinite,
            clamp,
            positive_zero,
            out_of_bounds,
            overflow,
            infinity,
            idle,
        }
    }

    /// Looks for the out-of-bounds NaN among the multiplicands and the addend.
    #[inline]
    pub fn find_out_of_bounds(&self, [a, b, addend]: [u64; 3]) -> OutOfBounds {
        if !self.out_of_bounds {
            return OutOfBounds::default();
        }
        let is = |bits: u64, nan| bits & self.format.magnitude_mask() == nan;
        let among = |nan| is(a, nan) || is(b, nan);
        // In bf16 this pattern is a number, and no interpretation makes a number out of bounds.
        let cutlass = self.format.is_nan(OOB_NAN_CUTLASS);
        OutOfBounds {
            certain: among(OOB_NAN),
            by_pattern: cutlass && among(OOB_NAN_CUTLASS),
            by_addend: is(addend, OOB_NAN),
            by_both: cutlass && is(addend, OOB_NAN_CUTLASS),
        }
    }

    /// Returns the open points that could change this result, if the variant declares them.
    #[inline]
    pub fn open(&self, rounded: Rounded, out_of_bounds: OutOfBounds) -> OpenPoints {
        let mut open = OpenPoints::default();
        if rounded.below_minimum {
            open.insert(Relaxation::FixedMinimum);
        }
        if out_of_bounds.certain || self.idle {
            return open;
        }
        if out_of_bounds.by_pattern || out_of_bounds.by_both {
            open.insert(Relaxation::OobPattern);
        }
        if out_of_bounds.by_addend || out_of_bounds.by_both {
            open.insert(Relaxation::OobAddend);
        }
        if self.flush && rounded.tiny_exact && self.format.class(rounded.bits) == Class::Normal {
            open.insert(Relaxation::FtzTininess);
        }
        if self.flush && rounded.tiny_exact {
            open.insert(Relaxation::FtzResult);
        }
        if self.overflow && rounded.beyond {
            open.insert(Relaxation::OverflowResult);
            if !rounded.overflowed {
                open.insert(Relaxation::OverflowBoundary);
            }
        }
        if self.overflow && rounded.too_large_inwards {
            open.insert(Relaxation::RandomOverflow);
        }
        if self.infinity && !rounded.beyond && rounded.overflowed {
            open.insert(Relaxation::InfinityResult);
        }
        if self.clamp != Clamp::None && self.format.is_negative(rounded.bits) {
            let flushed = self.flush && rounded.tiny_exact;
            if flushed || rounded.bits == self.format.sign_mask() {
                open.insert(Relaxation::ZeroSign);
            }
        }
        open
    }

    /// Returns the result's bits under one interpretation.
    #[inline]
    pub fn finish(
        &self,
        rounded: Rounded,
        out_of_bounds: OutOfBounds,
        interpretation: Interpretation,
    ) -> u64 {
        if self.idle {
            return rounded.bits;
        }
        let read = |relaxation: Relaxation| interpretation[relaxation as usize];
        let pattern = read(Relaxation::OobPattern) == 1;
        let addend = read(Relaxation::OobAddend) == 1;
        if out_of_bounds.certain
            || out_of_bounds.by_pattern && pattern
            || out_of_bounds.by_addend && addend
            || out_of_bounds.by_both && pattern && addend
        {
            return 0;
        }
        let sign = rounded.bits & self.format.sign_mask();
        let mut bits = rounded.bits;
        if self.flush && read(Relaxation::FtzResult) == 0 && read(Relaxation::VectorFlush) == 0 {
            let tiny = match read(Relaxation::FtzTininess) {
                0 => rounded.tiny_exact,
                1 => rounded.tiny_unbounded,
                _ => self.format.class(bits) == Class::Subnormal,
            };
            bits = if tiny { sign } else { bits };
        }
        let largest = match rounded.beyond {
            true => read(Relaxation::OverflowResult) == 1,
            false => rounded.overflowed && read(Relaxation::InfinityResult) == 1,
        };
        let too_large = match read(Relaxation::OverflowBoundary) {
            0 => false,
            1 => rounded.beyond,
            _ => rounded.beyond_without_limit,
        };
        let mut overflowed = rounded.overflowed;
        let inwards = rounded.too_large_inwards && read(Relaxation::RandomOverflow) == 1;
        let saturated = self.satfinite && rounded.overflowed && read(Relaxation::ScaleSaturation) == 0;
        if saturated || largest || inwards {
            let sign = if rounded.negative { self.format.sign_mask() } else { 0 };
            bits = sign | self.format.max_finite();
        } else if too_large {
            Rounded { bits, overflowed, .. } = Rounded::overflowed(self.format, rounded.negative);
        }
        let keep_negative_zero = match read(Relaxation::ZeroSign) {
            0 => false,
            1 => true,
            // What was clamped before it was rounded, or flushed, is negative no more.
            _ => rounded.zero,
        };
        bits = self.clamped(bits, keep_negative_zero);
        // In a format that has a NaN in its place, −0 does not exist.
        let negative_zero = bits == self.format.sign_mask() && !rounded.nan && !overflowed;
        if self.positive_zero && negative_zero { 0 } else { bits }
    }

    #[inline]
    fn clamped(&self, bits: u64, keep_negative_zero: bool) -> u64 {
        let format = self.format;
        if self.clamp == Clamp::None || bits == format.sign_mask() && keep_negative_zero {
            return bits;
        }
        match self.clamp {
            Clamp::Unit if format.is_nan(bits) => 0,
            Clamp::Unit if !format.is_negative(bits) => bits.min(format.one()),
            // NaN is canonical already, and without a sign.
            Clamp::Positive if !format.is_negative(bits) => bits,
            _ => 0,
        }
    }
}
