//! Results between two, in the order of a format.

use vectors::Format;

/// Which results of one element are right: those between two, in the order of [`ordinal`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lowest.
    pub low: i64,
    /// The highest.
    pub high: i64,
    /// Which of the contract's ranges the operands lie in; `None` for special inputs.
    pub range: Option<u8>,
    /// Whether nothing is promised there: any result is right.
    pub unbounded: bool,
    /// Whether the bound reaches beyond the largest number, as if the exponent had no upper limit, where
    /// the interval does not: whether the infinity of that sign is right as well, is not said.
    pub overflows: bool,
    /// The exact value, to the precision of f64.
    pub exact: f64,
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
