//! The largest errors of a function of one operand, over the range of that.

use std::collections::BTreeMap;

use vectors::{Format, Variant};

use super::{Batch, Interval, Point};

/// The largest error in each binade of the operand that had a result, as a part of what the bound permits there.
///
/// The key is the sign and the exponent field of the operand, as an integer: `0x1ff` for f32 that are −∞ or NaN,
/// `0x00` for its positive subnormal numbers.
pub type Profile = BTreeMap<u16, f64>;

/// Adds the errors of others.
pub(super) fn merge(profile: &mut Profile, other: Profile) {
    for (binade, share) in other {
        let largest = profile.entry(binade).or_default();
        *largest = largest.max(share);
    }
}

/// The profiles of a batch, one for each of the contract's ranges.
pub(super) struct Profiles {
    /// The operand of each element; empty where a function has several.
    operands: Vec<u64>,
    /// How many bits stand below the exponent field.
    shift: u32,
    binades: usize,
    /// By range and binade.
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

    /// Adds the error of an element, if there is a bound for it: in units of the last place, less so many of its
    /// last bits.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        element: usize,
        range: u8,
        interval: &Interval,
        (ulp, cut): (f64, i32),
    ) {
        let Some(operand) = self.operands.get(element) else { return };
        if interval.point != Point::Bound {
            return;
        }
        let share = (ulp / permitted(interval, cut)).min(f64::MAX);
        let binade = (operand >> self.shift) as usize;
        let largest = &mut self.largest[usize::from(range) * self.binades + binade];
        if largest.is_none_or(|largest| share > largest) {
            *largest = Some(share);
        }
    }

    /// Those of the ranges, in their order.
    pub(super) fn finish(&self) -> impl Iterator<Item = Profile> {
        let sizes = self.largest.chunks(self.binades.max(1));
        sizes.map(|largest| {
            let met = largest.iter().enumerate().filter_map(|(at, share)| Some((at as u16, (*share)?)));
            met.collect()
        })
    }
}

/// What an interval permits to either side, in units of the last place less so many of its last bits: half of the
/// numbers in it. Of one number, that is half a unit.
#[inline(always)]
fn permitted(interval: &Interval, cut: i32) -> f64 {
    let numbers = (interval.high.wrapping_sub(interval.low) >> cut) as f64 + 1.0;
    numbers / 2.0
}

#[cfg(test)]
mod tests {
    use vectors::format::F32;

    use super::*;

    #[test]
    fn an_error_is_a_part_of_half_the_interval() {
        let one = Interval::only(&F32, 0x3f80_0000, 1.0);
        assert_eq!(permitted(&one, 0), 0.5);
        // Two units to either side of the rounded result are two and a half from the exact value.
        let two = Interval { low: one.low - 2, high: one.high + 2, ..one };
        assert_eq!((permitted(&two, 0), permitted(&two, 32)), (2.5, 0.5));
    }

    #[test]
    fn of_two_the_larger_stays() {
        let mut profile = Profile::from([(1, 0.5), (2, 0.25)]);
        merge(&mut profile, Profile::from([(2, 0.75), (0x1ff, 1.5)]));
        assert_eq!(profile, Profile::from([(1, 0.5), (2, 0.75), (0x1ff, 1.5)]));
    }
}
