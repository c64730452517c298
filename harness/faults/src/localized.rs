//! Faults of approximations: results that are just outside their bound, for few operands, or of the wrong kind.

use std::f64::consts::{FRAC_PI_4, PI};

use formats::{Column, Format};
use isa::{Op, Variant};
use judge::{Interval, Point, Truth, from_ordinal, ordinal};

use crate::injection::inject;

/// A fault of an approximation, told by the operands whose results are wrong: by one step beyond what the bound
/// allows, or of the wrong kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LocalizedFault {
    /// Operands within a part in 64 of 1 or −1.
    NearOne,
    /// Operands in the last 64th of the binade of 1.
    EndOfBinade,
    /// Operands in one of 128 segments of each binade, as a table of coefficients has them.
    Segment,
    /// Operands with the four lowest exponents of normal numbers.
    Tiny,
    /// Operands with the highest exponent.
    Largest,
    /// Operands within two encodings of an odd multiple of π/4, as far as 100 π: where reduced arguments change
    /// their quadrant.
    Octant,
    /// Operands within two encodings of an integer and a half: where the nearest integer changes.
    Half,
    /// Operands that are subnormal numbers.
    Subnormal,
    /// Operands that are ±0: the result has the other sign.
    Zero,
    /// Operands that are ±∞: the result is NaN, or 1 where it should be NaN.
    Infinity,
    /// Operands of subnormal results that `.ftz` makes zero: the result is kept.
    Unflushed,
    /// All operands of an approximation of f64: the result has a lower half, where `.ftz` leaves none.
    LowerHalf,
    /// Operands in a segment of each binade: the result is nearer to zero than allowed, and not farther from
    /// it.
    Nearer,
    /// Operands in a segment of each binade: the result is NaN, where the function has a value.
    NotANumber,
    /// Operands whose exact result is zero: the result is the smallest normal number.
    Nonzero,
    /// Operands within a part in 256 of the one whose reciprocal is the smallest normal number, where a gross
    /// approximation may be flushed or not.
    Gross,
}

/// Number of the segment that is wrong, of the 128 in a binade; any would do.
const SEGMENT: u64 = 0x25;

impl LocalizedFault {
    /// All faults of approximations.
    pub const ALL: &[LocalizedFault] = &[
        LocalizedFault::NearOne,
        LocalizedFault::EndOfBinade,
        LocalizedFault::Segment,
        LocalizedFault::Tiny,
        LocalizedFault::Largest,
        LocalizedFault::Octant,
        LocalizedFault::Half,
        LocalizedFault::Subnormal,
        LocalizedFault::Zero,
        LocalizedFault::Infinity,
        LocalizedFault::Unflushed,
        LocalizedFault::LowerHalf,
        LocalizedFault::Nearer,
        LocalizedFault::NotANumber,
        LocalizedFault::Nonzero,
        LocalizedFault::Gross,
    ];

    /// Returns the fault's name, as in reports.
    pub const fn id(self) -> &'static str {
        match self {
            LocalizedFault::NearOne => "outside-near-one",
            LocalizedFault::EndOfBinade => "outside-at-the-end-of-a-binade",
            LocalizedFault::Segment => "outside-in-a-segment",
            LocalizedFault::Tiny => "outside-for-tiny",
            LocalizedFault::Largest => "outside-for-largest",
            LocalizedFault::Octant => "outside-where-quadrants-change",
            LocalizedFault::Half => "outside-at-halves",
            LocalizedFault::Subnormal => "outside-for-subnormal",
            LocalizedFault::Zero => "sign-for-zero",
            LocalizedFault::Infinity => "nan-for-infinity",
            LocalizedFault::Unflushed => "approximation-not-flushed",
            LocalizedFault::LowerHalf => "lower-half",
            LocalizedFault::Nearer => "nearer-to-zero-in-a-segment",
            LocalizedFault::NotANumber => "nan-in-a-segment",
            LocalizedFault::Nonzero => "number-for-zero",
            LocalizedFault::Gross => "outside-where-reciprocals-are-flushed",
        }
    }

    /// Describes in words what the fault makes wrong.
    pub const fn words(self) -> &'static str {
        match self {
            LocalizedFault::NearOne => {
                "an approximation is just outside its bound within a part in 64 of ±1"
            }
            LocalizedFault::EndOfBinade => {
                "an approximation is just outside its bound in the last 64th of [1, 2)"
            }
            LocalizedFault::Segment => {
                "an approximation is just outside its bound in one of 128 segments of each binade"
            }
            LocalizedFault::Tiny => {
                "an approximation is just outside its bound for the four lowest exponents"
            }
            LocalizedFault::Largest => {
                "an approximation is just outside its bound for the highest exponent"
            }
            LocalizedFault::Octant => {
                "an approximation is just outside its bound next to odd multiples of π/4"
            }
            LocalizedFault::Half => {
                "an approximation is just outside its bound next to an integer and a half"
            }
            LocalizedFault::Subnormal => {
                "an approximation is just outside its bound for subnormal operands"
            }
            LocalizedFault::Zero => "an approximation has the wrong sign for ±0",
            LocalizedFault::Infinity => "an approximation is NaN for infinity, or 1 where NaN is right",
            LocalizedFault::Unflushed => {
                "a subnormal result of an approximation is kept, in spite of `.ftz`"
            }
            LocalizedFault::LowerHalf => {
                "an approximation of f64 has a lower half, where `.ftz` leaves none"
            }
            LocalizedFault::Nearer => {
                "an approximation is nearer to zero than allowed in one of 128 segments of each binade"
            }
            LocalizedFault::NotANumber => {
                "an approximation is NaN in one of 128 segments of each binade, where the function has a value"
            }
            LocalizedFault::Nonzero => {
                "an approximation is the smallest normal number where zero is right"
            }
            LocalizedFault::Gross => {
                "a gross reciprocal is just outside what is allowed next to the smallest normal number"
            }
        }
    }

    /// Whether the approximation of a variant has operands that this fault is about.
    pub fn concerns(self, variant: &Variant) -> bool {
        let flush = variant.meaning().flush;
        match self {
            LocalizedFault::Octant => matches!(variant.meaning().op, Op::Sin | Op::Cos),
            LocalizedFault::Half => variant.meaning().op == Op::Ex2,
            LocalizedFault::Subnormal => !flush.inputs[0],
            // Other operations have no subnormal results that `.ftz` makes zero.
            LocalizedFault::Unflushed => {
                flush.result && matches!(variant.meaning().op, Op::Div | Op::Rcp | Op::Ex2)
            }
            LocalizedFault::LowerHalf => variant.meaning().upper_half,
            // Near 1 a logarithm has a bound, and is not exactly zero.
            LocalizedFault::Nonzero => !matches!(variant.meaning().op, Op::Cos | Op::Lg2),
            LocalizedFault::Gross => variant.meaning().upper_half && variant.meaning().op == Op::Rcp,
            _ => true,
        }
    }

    /// Fills `results` with the right results of a variant, made wrong for the operands that this fault is
    /// about, given the truth about all of them.
    pub fn inject(self, variant: &Variant, operands: &[Column], truth: &Truth, results: &mut [Column]) {
        // The divisor of a quotient decides, since the manual's ranges are ranges of the divisor.
        let input = usize::from(variant.meaning().op == Op::Div);
        let from = variant.inputs()[input].format;
        inject(variant, operands, &truth.results, results, |element, inputs, right| {
            match self.is_concerned(from, inputs[input]) {
                true => self.wrong(variant, right, truth, element),
                false => right,
            }
        });
    }

    fn is_concerned(self, format: &Format, bits: u64) -> bool {
        let magnitude = bits & format.magnitude_mask();
        let infinity = format.infinity().unwrap_or(u64::MAX);
        let (trailing, one) = (format.trailing_bits, format.one());
        let exponent = magnitude >> trailing;
        let part = |bits: u32| (magnitude & format.trailing_mask()) >> (trailing - bits.min(trailing));
        match self {
            _ if format.is_nan(bits) => false,
            LocalizedFault::NearOne => magnitude.abs_diff(one) <= 1 << (trailing - 6),
            LocalizedFault::EndOfBinade => exponent == one >> trailing && part(6) == 0x3f,
            LocalizedFault::Segment | LocalizedFault::Nearer | LocalizedFault::NotANumber => {
                exponent > 0 && magnitude < infinity && part(7) == SEGMENT
            }
            LocalizedFault::Tiny => (1..=4).contains(&exponent),
            LocalizedFault::Largest => exponent == (infinity >> trailing) - 1,
            LocalizedFault::Octant => is_beside(format, magnitude, FRAC_PI_4, 100.0 * PI),
            LocalizedFault::Half => is_beside(format, magnitude, 0.5, 1e3),
            LocalizedFault::Subnormal => exponent == 0 && magnitude != 0,
            LocalizedFault::Zero => magnitude == 0,
            LocalizedFault::Infinity => magnitude == infinity,
            LocalizedFault::Gross => {
                let product = format.value(magnitude).map(|x| x * 2f64.powi(format.exponent_min()));
                product.is_some_and(|product| (product - 1.0).abs() < 2f64.powi(-8))
            }
            LocalizedFault::Unflushed | LocalizedFault::LowerHalf | LocalizedFault::Nonzero => true,
        }
    }

    fn wrong(self, variant: &Variant, right: u64, truth: &Truth, element: usize) -> u64 {
        let (format, upper_half) = (variant.outputs()[0].format, variant.meaning().upper_half);
        let (nan, interval) = (format.canonical_nan(), &truth.intervals()[element]);
        let is_zero = right & format.magnitude_mask() == 0;
        match self {
            LocalizedFault::Zero => right ^ format.sign_mask(),
            LocalizedFault::Unflushed => {
                // Results of f64 are kept in the upper half, whose last bit this is.
                let last = if format.width() == 64 { 1 << 32 } else { 1 };
                if is_zero && interval.exact != 0.0 { right | last } else { right }
            }
            LocalizedFault::LowerHalf => right | 1,
            LocalizedFault::Infinity => {
                if format.is_nan(right) {
                    format.one()
                } else {
                    nan
                }
            }
            LocalizedFault::NotANumber => nan,
            LocalizedFault::Nonzero if is_zero && interval.exact == 0.0 => right | format.min_normal(),
            LocalizedFault::Nonzero => right,
            _ if format.is_nan(right) => right,
            _ => {
                // A lower half would be wrong by itself. A number without it is nearer to zero, by less than a
                // step.
                let step = if upper_half { 1 << 32 } else { 1 };
                let outside = match self {
                    LocalizedFault::Nearer => ordinal_nearer_zero(interval, step),
                    _ => Some(ordinal_beyond(format, interval, step)),
                };
                outside.map_or(right, |outside| from_ordinal(format, outside) & !(step - 1) as u64)
            }
        }
    }
}

/// Returns the ordinal a step above what is allowed, or a step below where there is nothing but NaN above.
fn ordinal_beyond(format: &Format, interval: &Interval, step: i64) -> i64 {
    let last = ordinal(format, format.infinity().unwrap_or(format.max_finite()));
    match interval.high {
        high if high >= last - i64::from(interval.point == Point::Overflow) => interval.low - step,
        high => high + step,
    }
}

/// Returns the ordinal a step nearer to zero than what is allowed; `None` where zero is allowed.
fn ordinal_nearer_zero(interval: &Interval, step: i64) -> Option<i64> {
    match (interval.low, interval.high) {
        (1.., _) => Some(interval.low - step),
        (_, ..-1) => Some(interval.high + step),
        _ => None,
    }
}

/// Whether a magnitude is within two encodings of an odd multiple of some length, up to some end.
fn is_beside(format: &Format, magnitude: u64, length: f64, end: f64) -> bool {
    let near = |other: u64| format.value(other).map(|value| value / length);
    let (low, high) = (near(magnitude.saturating_sub(2)), near(magnitude.saturating_add(2)));
    let (Some(low), Some(high)) = (low, high) else { return false };
    // The odd integers are where the next even one is another.
    let below = |place: f64| ((place + 1.0) / 2.0).floor();
    magnitude > 2 && high * length <= end && below(low) != below(high)
}
