//! The largest errors of a function of one operand, over the range of the operand.

use std::collections::BTreeMap;

use formats::Format;
use isa::Variant;

use super::batch::Batch;
use super::interval::{Interval, Point, from_ordinal};
use super::units::{ErrorUnit, power, value};

/// The largest error in each binade of the operand that had a result, as a part of what the bound permits there.
///
/// The key is the sign and the exponent field of the operand, as an integer: for f32, `0x1ff` is that of −∞ or
/// NaN, and `0x00` that of positive subnormal numbers.
pub type Profile = BTreeMap<u16, f64>;

/// Adds another profile to `profile`: in each binade the larger error stays.
pub(super) fn merge(profile: &mut Profile, other: Profile) {
    for (binade, share) in other {
        let largest = profile.entry(binade).or_default();
        *largest = largest.max(share);
    }
}

/// The profiles of a batch, one for each of the contract's ranges.
pub(super) struct Profiles {
    /// The operand of each element; empty where the function has several operands.
    operands: Vec<u64>,
    /// Number of bits below the exponent field.
    shift: u32,
    binades: usize,
    /// Largest errors by range and binade, as parts of what the bound permits; `None` where no result was added.
    largest: Vec<Option<f64>>,
}

impl Profiles {
    pub(super) fn new(variant: &Variant, batch: Batch, ranges: usize) -> Profiles {
        let [data] = variant.inputs() else {
            return Profiles { operands: Vec::new(), shift: 0, binades: 0, largest: Vec::new() };
        };
        let rows = batch.results[0].rows();
        let mut operands = vec![0u64; rows * data.slots.len()];
        data.gather(variant.operands(), batch.operands, 0..rows, &mut operands);
        let Format { trailing_bits: shift, .. } = *data.format;
        let binades = 1 << (data.format.width() - shift);
        Profiles { operands, shift, binades, largest: vec![None; ranges * binades] }
    }

    /// Adds the error of an element, `ulp` times `unit`, if there is a bound for the element.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        element: usize,
        range: u8,
        interval: &Interval,
        (ulp, unit): (f64, ErrorUnit),
    ) {
        let Some(operand) = self.operands.get(element) else { return };
        if interval.point != Point::Bound {
            return;
        }
        // JSON has no infinity: serde_json writes `null`, which is no f64 when it is read again.
        let share = (ulp / permitted(interval, unit)).min(f64::MAX);
        let binade = (operand >> self.shift) as usize;
        let largest = &mut self.largest[usize::from(range) * self.binades + binade];
        if largest.is_none_or(|largest| share > largest) {
            *largest = Some(share);
        }
    }

    /// Returns the profiles of the contract's ranges, in the order of the ranges.
    pub(super) fn finish(&self) -> impl Iterator<Item = Profile> {
        // There are no binades for a function of several operands, and `chunks` panics at a size of 0.
        let sizes = self.largest.chunks(self.binades.max(1));
        sizes.map(|largest| {
            let met = largest.iter().enumerate().filter_map(|(at, share)| Some((at as u16, (*share)?)));
            met.collect()
        })
    }
}

/// Computes the error that an interval permits to either side, in units: half the interval's width, and half a unit.
/// The width is a count of the interval's numbers where all of them have one exponent, or where an end is infinite.
#[inline(always)]
fn permitted(interval: &Interval, unit: ErrorUnit) -> f64 {
    let Interval { low, high, .. } = *interval;
    if (low ^ high) >> unit.format.trailing_bits != 0
        && let Some(width) = width(interval, unit)
    {
        return (width + 1.0) / 2.0;
    }
    ((high.wrapping_sub(low) >> unit.cut) as f64 + 1.0) / 2.0
}

/// Computes the width of an interval in units of the exact value; `None` if it is infinite. Around a zero of a function
/// an absolute bound is far more of these units than there are numbers in it.
#[inline(never)]
fn width(interval: &Interval, unit: ErrorUnit) -> Option<f64> {
    let end = |place| value(unit.format, from_ordinal(unit.format, place));
    Some((end(interval.high)? - end(interval.low)?) / power(unit.exponent(interval.exact)))
}

#[cfg(test)]
mod tests {
    use formats::F32;
    use isa::{columns_for, results_for};

    use super::super::interval::ordinal;
    use super::*;

    #[test]
    fn an_error_is_a_part_of_half_the_interval() {
        let [unit, of_upper] = [0, 32].map(|cut| ErrorUnit { format: &F32, cut });
        let one = Interval::single_result(&F32, 0x3fc0_0000, 1.5);
        assert_eq!(permitted(&one, unit), 0.5);
        // Two units to either side of the rounded result are two and a half from the exact value.
        let two = Interval { low: one.low - 2, high: one.high + 2, ..one };
        assert_eq!((permitted(&two, unit), permitted(&two, of_upper)), (2.5, 0.5));
    }

    /// The permitted error is a distance: below a power of two numbers are half as far apart, and around zero they are
    /// not counted.
    #[test]
    fn what_is_permitted_is_a_distance() {
        let unit = ErrorUnit { format: &F32, cut: 0 };
        let ends = |low: f32, high: f32, exact: f64| {
            let [low, high] = [low, high].map(|end| ordinal(&F32, end.to_bits().into()));
            permitted(&Interval { low, high, ..Interval::single_result(&F32, 0, exact) }, unit)
        };
        let above = 1.0 + 2.0 * f32::EPSILON;
        assert_eq!(ends(1.0 - f32::EPSILON, above, 1.0), 2.0);
        let bound = 2f32.powi(-15);
        assert_eq!(ends(-bound, bound, 2f64.powi(-40)), 2f64.powi(48) + 0.5);
        assert_eq!(ends(-f32::MAX, f32::INFINITY, 1.0), f64::from(0xff00_0001u32) / 2.0);
    }

    /// The largest error is kept for each binade of the operand and range of the bound; where no bound is stated, an
    /// error has no share.
    #[test]
    fn shares_are_kept_by_range_and_binade() {
        let variant: Variant = "sqrt.approx.f32".parse().unwrap();
        let mut operands = columns_for(&variant, 3);
        for (row, operand) in [1.5f32, 1.75, -3.0].into_iter().enumerate() {
            operands[0].set(row, operand.to_bits().into());
        }
        let results = results_for(&variant, 3);
        let mut profiles = Profiles::new(&variant, Batch::new(&operands, &results), 2);
        let unit = ErrorUnit { format: &F32, cut: 0 };
        let one = Interval::single_result(&F32, 0x3fc0_0000, 1.5);
        let two = Interval { low: one.low - 2, high: one.high + 2, ..one };
        for (element, range, interval, ulp) in [(0, 0, two, 1.0), (1, 0, one, 0.25), (2, 1, two, 5.0)] {
            profiles.add(element, range, &interval, (ulp, unit));
        }
        profiles.add(0, 0, &Interval { point: Point::Minimum, ..one }, (9.0, unit));
        let found: Vec<Profile> = profiles.finish().collect();
        assert_eq!(found, [Profile::from([(0x7f, 0.5)]), Profile::from([(0x180, 2.0)])]);
    }

    #[test]
    fn of_two_the_larger_stays() {
        let mut profile = Profile::from([(1, 0.5), (2, 0.25)]);
        merge(&mut profile, Profile::from([(2, 0.75), (0x1ff, 1.5)]));
        assert_eq!(profile, Profile::from([(1, 0.5), (2, 0.75), (0x1ff, 1.5)]));
    }
}
