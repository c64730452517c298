//! What modifiers make of a rounded result, under each reading of what the manual leaves open.

use vectors::Variant;
use vectors::format::Class;
use vectors::isa::{Modifier, Relaxation};

use super::encoding::Encoding;
use super::rounded::Rounded;

/// The out-of-bounds NaN, sign aside, as measured on sm_100a and sm_120; the manual prints none.
const OOB_NAN: u64 = 0x7ff7;
/// What CUTLASS's software path for older targets uses, for f16.
const OOB_NAN_CUTLASS: u64 = 0x7eff;

/// One reading of every open point: for each relaxation, an index into its `readings`.
pub type Reading = [u8; Relaxation::ALL.len()];

/// The open points that matter to one result, as a set of relaxations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Open(u8);

impl Open {
    /// Adds a relaxation.
    pub fn insert(&mut self, relaxation: Relaxation) {
        self.0 |= 1 << relaxation as u8;
    }

    /// Whether a relaxation is in it.
    pub fn contains(self, relaxation: Relaxation) -> bool {
        self.0 & 1 << relaxation as u8 != 0
    }

    /// Whether nothing is open.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Every combination of readings of the open points, all others at their first.
    pub fn readings(self) -> impl Iterator<Item = Reading> {
        let counts = Relaxation::ALL
            .map(|relaxation| if self.contains(relaxation) { relaxation.readings().len() } else { 1 });
        (0..counts.iter().product()).map(move |mut index: usize| {
            counts.map(|count| {
                let reading = index % count;
                index /= count;
                reading as u8
            })
        })
    }
}

/// The range that a result is forced into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clamp {
    None,
    Sat,
    Relu,
}

/// What `.oob` found among the operands of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// A multiplicand is the out-of-bounds NaN.
    certain: bool,
    /// A multiplicand has CUTLASS's pattern.
    by_pattern: bool,
    /// The addend is the out-of-bounds NaN.
    by_addend: bool,
    /// The addend has CUTLASS's pattern.
    by_both: bool,
}

/// The stages behind rounding: flush, out of bounds, clamp.
#[derive(Clone, Copy, Debug)]
pub struct Finish {
    /// Whether subnormal inputs and results become zero.
    pub flush: bool,
    clamp: Clamp,
    /// Whether operands are looked at for the out-of-bounds NaN.
    pub bounds: bool,
    /// The points that the variant's row declares open: no other is.
    declared: Open,
}

impl Finish {
    /// As the modifiers of `variant` ask.
    pub fn of(variant: &Variant) -> Finish {
        let clamp = if variant.has(Modifier::Sat) {
            Clamp::Sat
        } else if variant.has(Modifier::Relu) {
            Clamp::Relu
        } else {
            Clamp::None
        };
        let mut declared = Open::default();
        variant.relaxations().for_each(|relaxation| declared.insert(relaxation));
        let flush = variant.has(Modifier::Ftz);
        Finish { flush, clamp, bounds: variant.has(Modifier::Oob), declared }
    }

    /// Looks for the out-of-bounds NaN among multiplicands and addend.
    pub fn find<W: Encoding>(&self, multiplicands: &[u64], addend: u64) -> Bounds {
        let is = |bits: u64, nan| bits & W::FORMAT.magnitude_mask() == nan;
        let among = |nan| multiplicands.iter().any(|&bits| is(bits, nan));
        // In bf16 this pattern is a number, and no reading makes a number out of bounds.
        let cutlass = W::FORMAT.is_nan(OOB_NAN_CUTLASS);
        Bounds {
            certain: among(OOB_NAN),
            by_pattern: cutlass && among(OOB_NAN_CUTLASS),
            by_addend: is(addend, OOB_NAN),
            by_both: cutlass && is(addend, OOB_NAN_CUTLASS),
        }
    }

    /// Which open points could change this result.
    #[inline]
    pub fn open<W: Encoding>(&self, rounded: Rounded, bounds: Bounds) -> Open {
        let mut open = Open::default();
        if bounds.certain || !(self.flush || self.bounds || self.clamp != Clamp::None) {
            return open;
        }
        if bounds.by_pattern || bounds.by_both {
            open.insert(Relaxation::OobPattern);
        }
        if bounds.by_addend || bounds.by_both {
            open.insert(Relaxation::OobAddend);
        }
        if self.flush && rounded.tiny_exact && W::FORMAT.class(rounded.bits) == Class::Normal {
            open.insert(Relaxation::FtzTininess);
        }
        let may_be_negative_zero =
            rounded.bits == W::FORMAT.sign_mask() || self.flush && rounded.tiny_exact;
        if self.clamp != Clamp::None && W::FORMAT.is_negative(rounded.bits) && may_be_negative_zero {
            open.insert(Relaxation::ZeroSign);
        }
        Open(open.0 & self.declared.0)
    }

    /// The result, under one reading.
    #[inline]
    pub fn finish<W: Encoding>(&self, rounded: Rounded, bounds: Bounds, reading: Reading) -> u64 {
        let read = |relaxation: Relaxation| reading[relaxation as usize];
        let pattern = read(Relaxation::OobPattern) == 1;
        let addend = read(Relaxation::OobAddend) == 1;
        if bounds.certain
            || bounds.by_pattern && pattern
            || bounds.by_addend && addend
            || bounds.by_both && pattern && addend
        {
            return 0;
        }
        let tiny = match read(Relaxation::FtzTininess) {
            0 => rounded.tiny_exact,
            1 => rounded.tiny_unbounded,
            _ => W::FORMAT.class(rounded.bits) == Class::Subnormal,
        };
        let sign = rounded.bits & W::FORMAT.sign_mask();
        let bits = if self.flush && tiny { sign } else { rounded.bits };
        self.clamped::<W>(bits, read(Relaxation::ZeroSign) == 1)
    }

    fn clamped<W: Encoding>(&self, bits: u64, keep_negative_zero: bool) -> u64 {
        let format = W::FORMAT;
        if self.clamp == Clamp::None || bits == format.sign_mask() && keep_negative_zero {
            return bits;
        }
        let nan = format.is_nan(bits);
        match self.clamp {
            Clamp::Sat if nan => 0,
            Clamp::Sat if !format.is_negative(bits) => bits.min(format.one()),
            Clamp::Relu if nan => format.canonical_nan(),
            Clamp::Relu if !format.is_negative(bits) => bits,
            _ => 0,
        }
    }
}
