//! What results are where the manual states no bound.

use judge::ordinal;
use rug::ops::AssignRound;
use vectors::Format;
use vectors::isa::{Bound, GROSS, Minimum, Rounding};

use super::Approximate;
use super::functions::power;
use crate::rounded::Rounder;

impl Approximate {
    /// What results are where no bound is stated, of the exact value that was computed last.
    pub fn minimum(&self, minimum: Minimum) -> (i64, i64) {
        let (result, sign) = (self.result, self.exact.is_sign_negative());
        let infinity = result.infinity().unwrap_or(result.max_finite());
        let (least, most) = match minimum {
            Minimum::Signed => (0, infinity),
            Minimum::Regular => {
                let smallest = if self.flush { result.min_normal() } else { 1 };
                let size = self.exact.to_f64().abs();
                let normal = 2f64.powi(result.exponent_min());
                match (self.flush, self.is_gross(minimum)) {
                    (true, true) if size < normal => (0, smallest),
                    (true, true) => (0, result.max_finite()),
                    (true, false) if size < normal => (0, 0),
                    _ => (smallest, result.max_finite()),
                }
            }
            Minimum::Unit(log2) => {
                let most = unit(result, log2);
                return (ordinal(result, result.sign_mask() | most), ordinal(result, most));
            }
        };
        let [least, most] = [least, most]
            .map(|bits| ordinal(result, if sign { result.sign_mask() | bits } else { bits }));
        (least.min(most), least.max(most))
    }

    /// Whether the exact value is so near to the smallest normal number that a gross approximation of it
    /// may lie on the other side, where `.ftz` makes zero of one side.
    pub fn is_gross(&self, minimum: Minimum) -> bool {
        let normal = 2f64.powi(self.result.exponent_min());
        let distance = (self.exact.to_f64().abs() - normal).abs();
        minimum == Minimum::Regular && self.flush && distance <= normal * 2f64.powi(GROSS)
    }
}

/// The largest datum up to 1 and 2 to a power.
fn unit(format: &'static Format, log2: f64) -> u64 {
    let mut down = Rounder::new(format, Rounding::Down, format.canonical_nan());
    let beside = 1 + power(Bound::Absolute(log2));
    down.round(|result, round| result.assign_round(&beside, round)).bits
}
