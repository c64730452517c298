//! Results between two, in the order of a format.

use formats::Format;
use isa::Relaxation;

/// Which results of one element are right: those between two, in the order of [`ordinal`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lowest.
    pub low: i64,
    /// The highest.
    pub high: i64,
    /// Which of the contract's ranges the operands lie in; `None` for special inputs.
    pub range: Option<u8>,
    /// What the contract leaves open there, or closes beyond the usual.
    pub point: Point,
    /// The exact value, to the precision of f64 …
    pub exact: f64,
    /// … and what it lacks, in units of the last place of that.
    pub rest: f32,
}

/// What is particular about one element of a contract that is a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Nothing: the interval is the bound.
    Bound,
    /// No bound is stated, and the interval is the minimum that is promised all the same.
    Minimum,
    /// The same, of an exact value so near to the smallest normal number that a gross approximation of it
    /// may lie on the other side, and be flushed or not.
    Gross,
    /// The bound cannot be met, because the result is subnormal, and the interval reaches a unit in the
    /// last place to either side.
    Subnormal,
    /// The bound reaches beyond the largest number, as if the exponent had no upper limit: the infinity
    /// of that sign is right, and so are the numbers of the interval. One of them is the correctly rounded
    /// result; whether the other is right as well, is not said.
    Overflow,
    /// NaN is expected, or −0 …
    NegativeZero,
    /// … or −∞, if the operand counts as −0.
    NegativeInfinity,
    /// NaN is expected, and only the one that is.
    ThisNan,
    /// The interval, or the NaN that such operands give.
    UpperHalfNan,
    /// Zero, or NaN.
    ZeroDividend,
}

impl Point {
    /// The relaxation that it is of.
    pub const fn relaxation(self) -> Option<Relaxation> {
        Some(match self {
            Point::Bound | Point::ThisNan => return None,
            Point::Minimum => Relaxation::UnstatedAccuracy,
            Point::Gross => Relaxation::GrossTininess,
            Point::Subnormal => Relaxation::SubnormalAccuracy,
            Point::Overflow => Relaxation::BoundOverflow,
            Point::NegativeZero | Point::NegativeInfinity => Relaxation::NegativeSubnormal,
            Point::UpperHalfNan => Relaxation::UpperHalfNan,
            Point::ZeroDividend => Relaxation::ZeroDividend,
        })
    }
}

impl Interval {
    /// That of one right result, which is exact, and lies in no range.
    pub fn only(format: &Format, bits: u64, exact: f64) -> Interval {
        let only = ordinal(format, bits);
        Interval { low: only, high: only, range: None, point: Point::Bound, exact, rest: 0.0 }
    }

    /// The datum that is right beside those of the interval, by the second interpretation of its point;
    /// `nan` is the one of the variant.
    pub fn other(&self, format: &Format, nan: u64) -> Option<u64> {
        let infinity = format.infinity();
        match self.point {
            Point::Overflow if self.exact < 0.0 => infinity.map(|bits| bits | format.sign_mask()),
            Point::Overflow => infinity,
            Point::NegativeZero => Some(format.sign_mask()),
            Point::NegativeInfinity => infinity.map(|bits| bits | format.sign_mask()),
            Point::UpperHalfNan | Point::ZeroDividend => Some(nan),
            Point::Bound | Point::Minimum | Point::Gross => None,
            Point::Subnormal | Point::ThisNan => None,
        }
    }

    /// Whether a result lies between the ends, both included.
    #[inline(always)]
    pub(super) fn has(&self, format: &Format, result: u64) -> bool {
        let place = ordinal(format, result);
        self.low <= place && place <= self.high
    }
}

/// The place of a datum in the order of its format: −∞ … −0, +0 … +∞, then NaN.
#[inline]
pub fn ordinal(format: &Format, bits: u64) -> i64 {
    if format.is_nan(bits) {
        return i64::MAX;
    }
    let magnitude = (bits & format.magnitude_mask()) as i64;
    if format.is_negative(bits) { -magnitude - 1 } else { magnitude }
}

/// The datum at a place in that order, NaN excepted.
pub fn from_ordinal(format: &Format, place: i64) -> u64 {
    if place < 0 { format.sign_mask() | -(place + 1) as u64 } else { place as u64 }
}
