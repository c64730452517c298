//! Faults of single bits below the rounding position.

use super::Faulty;
use crate::Fault;
use crate::datum::Datum;
use crate::number::Number;
use crate::stages::Round;

impl Faulty<'_> {
    /// Returns an exact result of which some discarded bits are lost or count twice.
    pub(super) fn without_bits(&self, exact: Number) -> Number {
        self.discarded
            .into_iter()
            .flatten()
            .fold(exact, |exact, fault| self.without_bits_of(fault, exact))
    }

    /// Returns an exact result of which one fault loses some discarded bits, or counts them twice.
    fn without_bits_of(&self, fault: Fault, exact: Number) -> Number {
        match fault {
            Fault::BitLost(place) => self.with_bit(exact, place, |significand, bit| significand & !bit),
            Fault::BitTwice(place) => self.with_bit(exact, place, |significand, bit| significand + bit),
            Fault::OnlyHalfCounts => {
                let below_half = self.discarded_bits(exact).checked_sub(1).map_or(0, low_bits);
                Number { significand: exact.significand & !below_half, ..exact }
            }
            Fault::StickyOnly(places) => {
                let discarded = self.discarded_bits(exact);
                let below = |place: u32| discarded.checked_sub(place).map_or(0, low_bits);
                // Below half of the last place, but for those of the places and of the bits below them.
                let lost = below(1) & !(below(places.0 - 1) & !below(places.1));
                Number { significand: exact.significand & !lost, ..exact }
            }
            _ => exact,
        }
    }

    /// Returns a sum of two terms that has lost a bit, if a fault loses one in sums whose leading bit is above those of
    /// the terms, or below them.
    pub(super) fn without_bit_of_sum(&self, a: Number, b: Number, sum: Datum) -> Datum {
        let Datum::Finite(exact) = sum else { return sum };
        let larger = a.leading().max(b.leading());
        let without = |exact: Number, fault: Fault| match fault {
            Fault::CarriedBitLost(place) if exact.leading() > larger => {
                self.with_bit(exact, place, |significand, bit| significand & !bit)
            }
            Fault::CancelledBitLost(place) if exact.leading() < larger => {
                self.with_bit(exact, place, |significand, bit| significand & !bit)
            }
            _ => exact,
        };
        Datum::Finite(self.discarded.into_iter().flatten().fold(exact, without))
    }

    /// Changes an exact result that has a bit `place` places below the last place of its rounded result; `change` is
    /// given the significand and that bit.
    fn with_bit(&self, exact: Number, place: u32, change: impl Fn(u128, u128) -> u128) -> Number {
        let at = self.discarded_bits(exact).checked_sub(place);
        match at.and_then(|at| 1u128.checked_shl(at)) {
            Some(bit) if exact.significand & bit != 0 => {
                Number { significand: change(exact.significand, bit), ..exact }
            }
            _ => exact,
        }
    }

    /// Returns how many bits of an exact result lie below the last place of its rounded result.
    fn discarded_bits(&self, exact: Number) -> u32 {
        let (precision, unit) = self.grid();
        let Some(leading) = exact.leading() else { return 0 };
        let last = leading.saturating_sub(precision as i32 - 1).max(unit);
        u32::try_from(last.saturating_sub(exact.exponent)).unwrap_or(0)
    }
}

/// Returns a word with its `count` lowest bits set.
fn low_bits(count: u32) -> u128 {
    1u128.checked_shl(count).map_or(u128::MAX, |bit| bit - 1)
}
