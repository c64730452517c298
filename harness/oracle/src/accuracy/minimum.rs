//! The range that results must lie in where the manual states no bound.

use formats::Format;
use isa::{Bound, GROSS, Minimum, Rounding};
use judge::ordinal;
use rug::Float;
use rug::ops::AssignRound;

use super::Approximate;
use super::functions::{PRECISION, power};
use crate::rounded::Rounder;

/// Returns the least and the largest magnitude of a range's results, flushed ones apart; `None` where a bound is
/// stated.
pub(super) fn magnitudes(bound: Bound, result: &'static Format, flush: bool) -> Option<(u64, u64)> {
    let gross = Float::with_val(PRECISION, 1) << GROSS;
    Some(match bound {
        Bound::Unstated(Minimum::Signed) => (0, result.infinity().unwrap_or(result.max_finite())),
        Bound::Unstated(Minimum::Values(from, to)) => {
            let least = down(result, Float::with_val(PRECISION, 1 - &gross) << from);
            let most = down(result, Float::with_val(PRECISION, 1 + &gross) << to);
            (if flush { least.max(result.min_normal()) } else { least }, most)
        }
        Bound::Unstated(Minimum::Unit(log2)) => (0, down(result, power(Bound::Absolute(log2)) + 1)),
        Bound::Ulp(_) | Bound::Absolute(_) | Bound::Relative(_) | Bound::Zero => return None,
    })
}

/// Returns the largest datum that is not above a value.
fn down(format: &'static Format, value: Float) -> u64 {
    let mut down = Rounder::new(format, Rounding::Down, format.canonical_nan());
    down.round(|result, round| result.assign_round(&value, round)).bits
}

impl Approximate {
    /// Returns the lowest and the highest place of results in a range where no bound is stated, for the exact value
    /// that was computed last.
    pub fn minimum(&self, range: usize) -> (i64, i64) {
        let Some((least, most)) = self.minima[range] else { unreachable!("a bound is stated") };
        let (result, negative) = (self.result, self.exact.is_sign_negative());
        let place = |bits, negative: bool| {
            ordinal(result, if negative { result.sign_mask() | bits } else { bits })
        };
        if let Bound::Unstated(Minimum::Unit(_)) = self.ranges[range].bound {
            return (place(most, true), place(most, false));
        }
        let tiny = self.flush && self.exact.to_f64().abs() < 2f64.powi(result.exponent_min());
        // A part of the smallest normal number, added to it.
        let beside = result.min_normal() + (result.quiet_bit() >> (-GROSS - 1));
        let (least, most) = match (tiny, self.is_gross(range)) {
            (true, true) => (0, beside),
            (true, false) => (0, 0),
            (false, true) => (0, most),
            (false, false) => (least, most),
        };
        let ends = [least, most].map(|bits| place(bits, negative));
        (ends[0].min(ends[1]), ends[0].max(ends[1]))
    }

    /// Whether the exact value is so near to the smallest normal number that a gross approximation of it may lie on
    /// the other side, where `.ftz` makes zero of one side.
    pub fn is_gross(&self, range: usize) -> bool {
        let normal = 2f64.powi(self.result.exponent_min());
        let distance = (self.exact.to_f64().abs() - normal).abs();
        let values = matches!(self.ranges[range].bound, Bound::Unstated(Minimum::Values(..)));
        values && self.flush && distance <= normal * 2f64.powi(GROSS)
    }
}
