//! The data that lie within a stated bound of the exact value.

use formats::Class;
use isa::{Bound, Rounding};
use judge::{Interval, Point, ordinal};
use rug::Assign;
use rug::float::Round;
use rug::ops::AssignRound;

use super::Approximate;
use crate::fixed::to_integer;
use crate::operand::flush;
use crate::rounded::exponent;

impl Approximate {
    /// Widens `interval`, that of the correctly rounded result `nearest`, to what the bound of a range allows.
    pub(super) fn widen(&mut self, interval: &mut Interval, nearest: u64, range: usize) {
        let (low, below) = self.edge(range, IntervalEnd::Low);
        let (high, above) = self.edge(range, IntervalEnd::High);
        let is_infinite = |bits| self.result.class(bits) == Class::Infinity;
        let nearer = if self.exact.is_sign_negative() { high } else { low };
        let open = match is_infinite(nearest) {
            true => !is_infinite(nearer),
            false => below || above,
        };
        if open {
            interval.point = Point::Overflow;
        }
        if self.subnormal && self.is_tiny() {
            interval.point = Point::Subnormal;
        }
        // The correctly rounded result is right by any bound, infinities included.
        interval.low = interval.low.min(ordinal(self.result, low));
        interval.high = interval.high.max(ordinal(self.result, high));
        if self.keeps_sign(range) {
            match self.exact.is_sign_negative() {
                true => interval.high = interval.high.min(-1),
                false => interval.low = interval.low.max(0),
            }
        }
    }

    /// Whether a bound reaches no further than zero. Units in the last place may reach to the other side of zero, and
    /// the function does not. An absolute bound may, where the function changes its sign.
    pub(super) fn keeps_sign(&self, range: usize) -> bool {
        matches!(self.ranges[range].bound, Bound::Ulp(_)) || self.subnormal && self.is_tiny()
    }

    /// Whether the exact value is below the smallest normal number.
    pub(super) fn is_tiny(&self) -> bool {
        exponent(&self.exact).is_some_and(|leading| leading < self.result.exponent_min())
    }

    /// Returns the lowest or highest datum within the bound of a range, and whether the bound reaches beyond the
    /// largest number.
    fn edge(&mut self, range: usize, side: IntervalEnd) -> (u64, bool) {
        self.set_edge(range, side);
        let edge = &self.edge;
        let inwards = match side {
            IntervalEnd::Low => &mut self.up,
            IntervalEnd::High => &mut self.down,
        };
        let bits = inwards.round(|result, round| result.assign_round(edge, round)).bits;
        let beyond = exponent(edge).is_some_and(|leading| leading > self.result.exponent_max());
        (self.output(if self.flush { flush(self.result, bits) } else { bits }), beyond)
    }

    /// Sets `edge` to the exact value less (or plus) what the bound of a range allows. Returns whether that is a unit
    /// in the last place of a subnormal result, because the bound is less.
    pub(super) fn set_edge(&mut self, range: usize, side: IntervalEnd) -> bool {
        let mut least = false;
        let grants_unit = self.subnormal && self.is_tiny();
        let Approximate { exact, edge, rounded, size, smallest, result, powers, ranges, .. } = self;
        let bound = ranges[range].bound;
        match bound {
            Bound::Ulp(count) => {
                // Units of the correctly rounded result: `UlpReading::CorrectlyRounded`.
                rounded.assign_round(&*exact, Round::Nearest);
                let unit = result.ulp_exponent(exponent(rounded).unwrap_or(i32::MIN));
                // In the subnormal range the correctly rounded result is a multiple of the smallest number.
                edge.assign_round(&*exact >> unit, Round::Nearest);
                to_integer(edge, Rounding::NearestEven);
                match side {
                    IntervalEnd::Low => *edge -= count,
                    IntervalEnd::High => *edge += count,
                }
                *edge <<= unit;
            }
            Bound::Absolute(_) | Bound::Relative(_) => {
                size.assign(&powers[range]);
                if matches!(bound, Bound::Relative(_)) {
                    *size *= &*exact;
                    size.abs_mut();
                }
                least = grants_unit && *size < *smallest;
                if least {
                    size.assign(&*smallest);
                }
                edge.assign_round(&*exact, Round::Nearest);
                match side {
                    IntervalEnd::Low => *edge -= &*size,
                    IntervalEnd::High => *edge += &*size,
                }
            }
            Bound::Zero | Bound::Unstated(_) => unreachable!("no edge lies beside nothing"),
        }
        least
    }
}

/// An end of an interval.
#[derive(Clone, Copy)]
pub(super) enum IntervalEnd {
    Low,
    High,
}
