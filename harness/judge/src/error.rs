//! How far approximate results are from the exact ones.

use std::collections::BTreeMap;

use formats::{Format, RowBits};
use isa::Variant;
use serde::{Deserialize, Serialize};

use super::interval::Interval;
use super::profile::{self, Profile};
use super::units::{ErrorUnit, exponent_of, power, value};

/// The errors of some results, in units of the last place of the exact value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errors {
    /// Numbers of results with an error up to ½, 1, 2, 4 … units; the last bin counts the rest.
    pub histogram: [u64; Errors::BINS],
    /// The vector with the largest error.
    pub worst: Option<Worst>,
    /// Largest errors over the range of the operand, for a function of one operand.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub profile: Profile,
}

/// The vector with the largest error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worst {
    /// Error in units of the last place, where f64's largest number stands for more than that; `None` if the
    /// result is not even a finite number.
    pub ulp: Option<f64>,
    /// Number of the vector in its sweep.
    pub index: u64,
    /// Registers of the vector's operands.
    #[serde(with = "super::registers")]
    pub operands: Vec<RowBits>,
}

impl Worst {
    /// Returns a key that orders errors: a worse one is larger, and of equal ones the one with the lower index.
    fn rank(&self) -> (f64, std::cmp::Reverse<u64>) {
        (self.ulp.unwrap_or(f64::INFINITY), std::cmp::Reverse(self.index))
    }
}

impl Errors {
    /// Number of bins of the histogram.
    pub const BINS: usize = 16;

    /// Adds the error of a result, and returns it in units of the last place: infinite where [`Worst::ulp`] is `None`.
    ///
    /// `exact` is the exact value, which may be wrong as far as the oracle's series allow. That moves no result to
    /// another bin, because bins end where the exact value is a number of the format or halfway between two.
    /// The largest error is as exact as the value is. `vector` tells the vector's number and operands, and is
    /// called only if the vector is to be kept.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        unit: ErrorUnit,
        exact: SplitExact,
        actual: u64,
        vector: impl FnOnce() -> (u64, Vec<RowBits>),
    ) -> f64 {
        let ulp = error(unit, exact, actual);
        self.add_ulp(ulp, vector);
        ulp
    }

    /// Adds an error in units of the last place, which is infinite if a result is not even a finite number. `vector` tells
    /// the vector's number and operands, and is called only if the vector is to be kept.
    #[inline(always)]
    pub fn add_ulp(&mut self, ulp: f64, vector: impl FnOnce() -> (u64, Vec<RowBits>)) {
        self.histogram[bin(ulp)] += 1;
        // −1 is below every error, so that a first error of 0 is kept, too.
        let worst = self.worst.as_ref().map_or(-1.0, |worst| worst.rank().0);
        if ulp > worst {
            let (index, operands) = vector();
            self.worst = Some(Worst { ulp: ulp.is_finite().then_some(ulp), index, operands });
        }
    }

    /// Adds the errors of other results.
    pub fn merge(&mut self, other: Errors) {
        self.histogram.iter_mut().zip(other.histogram).for_each(|(sum, count)| *sum += count);
        let worst = [self.worst.take(), other.worst].into_iter().flatten();
        self.worst = worst.max_by(|a, b| a.rank().partial_cmp(&b.rank()).expect("never NaN"));
        profile::merge(&mut self.profile, other.profile);
    }

    /// Returns the number of results.
    pub fn count(&self) -> u64 {
        self.histogram.iter().sum()
    }
}

/// Returns the histogram bin of an error: 0 up to ½, and else the bin of the power of two that it does not exceed.
#[inline]
fn bin(ulp: f64) -> usize {
    // Adding ones to all bits below the exponent rounds up to a power of two whatever is none.
    let exponent = ((ulp.to_bits() + ((1 << 52) - 1)) >> 52) as i64 - 1023;
    (exponent + 1).clamp(0, Errors::BINS as i64 - 1) as usize
}

/// An exact value, as a number of f64 and what that number lacks.
#[derive(Clone, Copy)]
pub struct SplitExact {
    /// Exact value, to the precision of f64.
    pub value: f64,
    /// Exact value minus `value`, in units of the last place of `value`.
    pub rest: f32,
}

impl SplitExact {
    /// Returns the exact value of an element, as its interval has it.
    #[inline(always)]
    pub fn of(interval: &Interval) -> SplitExact {
        SplitExact { value: interval.exact, rest: interval.rest }
    }
}

/// Computes the error of a result, in units of the last place of the exact value.
///
/// The error is f64's largest number where it is more, and infinite where one of result and exact value is finite and
/// the other is not. An exact value that rounds to infinity counts as infinite where the result is infinite: from half
/// a unit beyond the largest number on, (2 − 2^-p) × 2^emax with p bits of significand.
#[inline(always)]
fn error(unit: ErrorUnit, exact: SplitExact, actual: u64) -> f64 {
    let (format, SplitExact { value: exact, rest }) = (unit.format, exact);
    let Some(value) = value(format, actual) else {
        let overflow = exact.abs() >= overflow(format) && !format.is_nan(actual);
        return if overflow && format.is_negative(actual) == (exact < 0.0) {
            0.0
        } else {
            f64::INFINITY
        };
    };
    let unit = unit.exponent(exact);
    // The difference of two large numbers may overflow f64; in units of the last place it does not.
    let (difference, of_unit) = (value - exact, power(unit));
    let difference = match difference.is_finite() {
        true => difference / of_unit,
        false => value / of_unit - exact / of_unit,
    };
    // `rest` counts units in the last place of `exact` as an f64: 52 places below its exponent, which is −1022 at
    // least. `power` has nothing below 2^-1074.
    let ulp = match rest == 0.0 {
        true => difference.abs(),
        false => (difference
            - f64::from(rest) * power((exponent_of(exact).max(-1022) - 52 - unit).max(-1074)))
        .abs(),
    };
    if exact.is_finite() { ulp.min(f64::MAX) } else { ulp }
}

/// Computes the error of one element's result of a variant, in units of the last place as a report counts them.
pub fn ulps(variant: &Variant, interval: &Interval, actual: u64) -> f64 {
    let unit = ErrorUnit::of(variant.outputs()[0].format, variant.meaning().upper_half);
    error(unit, SplitExact::of(interval), actual)
}

/// Returns the least magnitude that rounds to infinity in a format; for f64 that is an infinity of f64.
fn overflow(format: &Format) -> f64 {
    (2.0 - power(-(format.trailing_bits as i32 + 1))) * power(format.exponent_max())
}

/// Computes the distance of a finite result from the exact value, as a part of that value; infinite for other results.
pub fn relative_error(format: &Format, exact: f64, actual: u64) -> f64 {
    value(format, actual).map_or(f64::INFINITY, |value| ((value - exact) / exact).abs())
}

#[cfg(test)]
mod tests;
