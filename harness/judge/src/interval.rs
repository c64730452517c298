//! Intervals of right results, in the order of a format: what a bound allows for one element.

use formats::Format;
use isa::Relaxation;

/// The right results of one element: all between two ends, in the order of [`ordinal`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Place of the lowest right result.
    pub low: i64,
    /// Place of the highest right result.
    pub high: i64,
    /// Number of the contract's range that the operands lie in; `None` for special inputs.
    pub range: Option<u8>,
    /// Choice that the contract leaves open for the element, or closes beyond the usual.
    pub point: Point,
    /// Exact value, to the precision of f64.
    pub exact: f64,
    /// Exact value minus `exact`, in units of the last place of `exact`.
    pub rest: f32,
}

/// The particular case of one element under a contract that is a bound: a choice left open there, or closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Nothing particular: the interval is the bound.
    Bound,
    /// A range without a stated bound: the interval is the minimum that is promised all the same.
    Minimum,
    /// A range without a stated bound, as for [`Point::Minimum`], and an exact value near the smallest normal
    /// number: so near that a gross approximation of it may lie on the other side, and be flushed or not.
    Gross,
    /// A bound that cannot be met, because the result is subnormal: the interval reaches a unit in the last
    /// place to either side.
    Subnormal,
    /// A bound that reaches beyond the largest number, as if the exponent had no upper limit: the infinity of
    /// that sign is right, and so are the numbers of the interval. The correctly rounded result is the infinity
    /// or one of the numbers; the manual does not say whether the other is right as well.
    Overflow,
    /// A negative subnormal operand of a function that gives −0 for −0: NaN is expected, and −0 is right as well if
    /// the operand counts as −0.
    NegativeZero,
    /// A negative subnormal operand of a function that gives −∞ for −0: NaN is expected, and −∞ is right as well if
    /// the operand counts as −0.
    NegativeInfinity,
    /// A NaN result that has to be the expected NaN, and no other.
    ThisNan,
    /// A NaN operand whose payload lies in the lower half, which the instruction ignores: the interval is right,
    /// and so is the NaN that NaN operands give.
    UpperHalfNan,
    /// A zero divided by a number whose reciprocal is infinite: zero is right, and so is NaN.
    ZeroDividend,
}

impl Point {
    /// Returns the relaxation that leaves the choice open; `None` where nothing is open.
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
    /// Makes the interval of one right result, which is exact, and lies in no range.
    pub fn single_result(format: &Format, bits: u64, exact: f64) -> Interval {
        let only = ordinal(format, bits);
        Interval { low: only, high: only, range: None, point: Point::Bound, exact, rest: 0.0 }
    }

    /// Returns the datum that is right beside those of the interval, by the second interpretation of its point;
    /// `nan` is the NaN of the variant.
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

/// Returns the place of a datum in the order of its format: −∞ … −0, +0 … +∞, then NaN.
#[inline]
pub fn ordinal(format: &Format, bits: u64) -> i64 {
    if format.is_nan(bits) {
        return i64::MAX;
    }
    let magnitude = (bits & format.magnitude_mask()) as i64;
    // −0 has the place −1, next to that of +0, which is 0.
    if format.is_negative(bits) { -magnitude - 1 } else { magnitude }
}

/// Returns the datum at a place in the order of [`ordinal`], NaN excepted.
pub fn from_ordinal(format: &Format, place: i64) -> u64 {
    if place < 0 { format.sign_mask() | -(place + 1) as u64 } else { place as u64 }
}
