//! Exact results, computed independently of the generators, for the tests of the sweeps.

use formats::Format;
use isa::Op::{Add, Fma, Mul, Sub};

use crate::shape::{Lane, Shape};

/// A value `±magnitude × 2^exponent`. Where terms were further apart than it has room, its last bit stands for all
/// that lies below it.
#[derive(Clone, Copy, Debug)]
pub struct StickyValue {
    pub negative: bool,
    pub magnitude: u128,
    pub exponent: i32,
}

fn bits_of(magnitude: u128) -> i32 {
    (u128::BITS - magnitude.leading_zeros()) as i32
}

impl StickyValue {
    pub fn decode(format: &Format, bits: u64) -> Option<StickyValue> {
        let (significand, exponent) = format.decode(bits)?;
        Some(StickyValue { negative: format.is_negative(bits), magnitude: significand.into(), exponent })
    }

    fn times(self, other: StickyValue) -> StickyValue {
        StickyValue {
            negative: self.negative != other.negative,
            magnitude: self.magnitude * other.magnitude,
            exponent: self.exponent + other.exponent,
        }
    }

    pub fn plus(self, other: StickyValue) -> StickyValue {
        let (high, low) = if self.leading() >= other.leading() { (self, other) } else { (other, self) };
        if low.magnitude == 0 {
            return high;
        }
        // The higher one with its leading bit at bit 120, the lower one beside it, jammed.
        let exponent = high.leading() - 120;
        let at = |value: StickyValue| {
            let shift = value.exponent - exponent;
            if shift >= 0 {
                value.magnitude << shift
            } else {
                let kept = value.magnitude.checked_shr(shift.unsigned_abs()).unwrap_or(0);
                let lost = kept.checked_shl(shift.unsigned_abs()) != Some(value.magnitude);
                kept | u128::from(lost)
            }
        };
        let signed = |value: StickyValue| at(value) as i128 * if value.negative { -1 } else { 1 };
        let sum = signed(high) + signed(low);
        StickyValue { negative: sum < 0, magnitude: sum.unsigned_abs(), exponent }
    }

    pub fn leading(&self) -> i32 {
        // Below every exponent, and far enough from the end for differences not to overflow.
        if self.magnitude == 0 { i32::MIN / 2 } else { self.exponent + bits_of(self.magnitude) - 1 }
    }

    /// Returns the exponent of the last place that rounding to `precision` bits keeps, with no bit below `unit`.
    fn last_place(&self, precision: i32, unit: i32) -> i32 {
        (self.leading() - precision + 1).max(unit)
    }

    /// Returns the bits below a last place, and how many these are; a count below 1 means that there are none.
    fn discarded(&self, last_place: i32) -> (u128, i32) {
        let k = last_place - self.exponent;
        match k {
            ..=0 => (0, k),
            1..=126 => (self.magnitude & ((1 << k) - 1), k),
            _ => (self.magnitude, k),
        }
    }

    pub fn nearest(self, precision: i32, unit: i32) -> StickyValue {
        let last_place = self.last_place(precision, unit);
        let (low, k) = self.discarded(last_place);
        if k <= 0 {
            return self;
        }
        // Magnitudes have fewer than 126 bits, so all of this one lies below half of the last place.
        if k > 126 {
            return StickyValue { magnitude: 0, exponent: last_place, ..self };
        }
        let (whole, half) = (self.magnitude >> k, 1 << (k - 1));
        let up = low > half || low == half && whole & 1 == 1;
        StickyValue { magnitude: whole + u128::from(up), exponent: last_place, ..self }
    }

    pub fn equals(self, other: StickyValue) -> bool {
        let reduced = |value: StickyValue| {
            // Zero has 128 trailing zeros, by which nothing can be shifted.
            let zeros = value.magnitude.trailing_zeros() % 128;
            (value.magnitude >> zeros, value.exponent + zeros as i32)
        };
        self.magnitude == 0 && other.magnitude == 0
            || self.negative == other.negative && reduced(self) == reduced(other)
    }
}

/// Returns the terms X and Y, if all operands are finite.
pub fn terms(shape: &Shape, lane: &Lane) -> Option<(StickyValue, Option<StickyValue>)> {
    let mut values =
        shape.operands().iter().zip(lane).map(|(format, &bits)| StickyValue::decode(format, bits));
    let mut next = || values.next().expect("an operand");
    Some(match shape.op {
        Mul => (next()?.times(next()?), None),
        Fma => (next()?.times(next()?), Some(next()?)),
        Add => (next()?, Some(next()?)),
        Sub => (next()?, next().map(|value| StickyValue { negative: !value.negative, ..value })),
        op => unreachable!("{op:?}"),
    })
}

fn result(shape: &Shape, lane: &Lane) -> Option<StickyValue> {
    let (x, y) = terms(shape, lane)?;
    Some(y.map_or(x, |y| x.plus(y)))
}

/// An exponent below every format's: rounding with it as the lowest does not denormalise.
pub const UNBOUNDED: i32 = -4000;

/// The place of an exact result among the numbers of the destination.
pub struct RoundingPlace {
    pub value: StickyValue,
    low: u128,
    k: i32,
    half: u128,
    unit: i32,
    format: &'static Format,
}

impl RoundingPlace {
    pub fn of(shape: &Shape, lane: &Lane) -> Option<RoundingPlace> {
        Some(RoundingPlace::among(shape.result, result(shape, lane)?))
    }

    /// Returns where a value lies among the numbers of a format.
    pub fn among(format: &'static Format, value: StickyValue) -> RoundingPlace {
        let unit = format.exponent_of_lsb();
        let (low, k) = value.discarded(value.last_place(format.precision() as i32, unit));
        let half = if (1..=126).contains(&k) { 1 << (k - 1) } else { 0 };
        RoundingPlace { value, low, k, half, unit, format }
    }

    pub fn exact(&self) -> bool {
        self.low == 0
    }

    pub fn tie(&self) -> bool {
        self.low != 0 && self.low == self.half
    }

    /// Whether the value is a tie that rounds away from zero.
    pub fn odd_tie(&self) -> bool {
        self.tie() && self.value.magnitude >> self.k & 1 == 1
    }

    /// Whether the value is within 2^-(p-1) of the spacing of a boundary, or on it.
    pub fn close(&self) -> bool {
        let tolerance = self.half >> (self.format.precision() - 2);
        self.exact()
            || self.low.abs_diff(self.half) <= tolerance
            || self.low <= tolerance
            || (2 * self.half).abs_diff(self.low) <= tolerance
    }

    /// Returns how the value differs from a rounding boundary in one bit, if it does: whether the boundary is a
    /// midpoint, whether the bit is above it, and its place below the last one that is kept.
    pub fn one_bit_beside(&self) -> Option<(bool, bool, i32)> {
        if self.exact() || self.tie() || self.k > 126 {
            return None;
        }
        let above_midpoint = self.low > self.half;
        let candidates = [
            (true, above_midpoint, self.low.abs_diff(self.half)),
            (false, !above_midpoint, if above_midpoint { 2 * self.half - self.low } else { self.low }),
        ];
        let one = candidates.into_iter().filter(|(.., off)| off.is_power_of_two());
        // A quarter is one bit beside both.
        one.map(|(midpoint, above, off)| (midpoint, above, self.k - off.ilog2() as i32)).next()
    }

    pub fn subnormal(&self) -> bool {
        self.value.magnitude != 0 && self.value.leading() < self.format.exponent_min()
    }

    /// Whether the value is between the largest number less two units and the largest number plus two.
    pub fn at_overflow(&self) -> bool {
        let (max, last_place) = self.format.decode(self.format.max_finite()).unwrap();
        let distance = self.value.plus(StickyValue {
            negative: !self.value.negative,
            magnitude: max.into(),
            exponent: last_place,
        });
        distance.leading() <= last_place + 1
    }

    /// Whether the value is no number of the format, but one after a first rounding to `precision` bits: a directed
    /// rounding that comes second goes wrong.
    pub fn hidden_by(&self, precision: i32) -> bool {
        let p = self.format.precision() as i32;
        let first = self.value.nearest(precision, UNBOUNDED);
        !self.exact() && first.nearest(p, self.unit).equals(first)
    }

    /// Whether rounding first to `precision` bits, none of them below `2^unit`, changes the result.
    pub fn rounds_differently_through(&self, precision: i32, unit: i32) -> bool {
        let p = self.format.precision() as i32;
        let once = self.value.nearest(p, self.unit);
        !self.value.nearest(precision, unit).nearest(p, self.unit).equals(once)
    }
}
