//! How far approximate results are from the exact ones.

use serde::{Deserialize, Serialize};
use vectors::Format;

/// The errors of some results, in units of the last place of the exact value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errors {
    /// How many results had an error up to ½, 1, 2, 4 … units; the last counts the rest.
    pub histogram: [u64; Errors::BINS],
    /// The largest.
    pub worst: Option<Worst>,
}

/// The vector with the largest error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worst {
    /// In units of the last place; `None` if the result is not even a finite number.
    pub ulp: Option<f64>,
    /// Its number in its sweep.
    pub index: u64,
    /// The operands' registers.
    pub operands: Vec<u64>,
}

impl Worst {
    /// An order in which the worse is larger, and of equals the one with the lower index.
    fn rank(&self) -> (f64, std::cmp::Reverse<u64>) {
        (self.ulp.unwrap_or(f64::INFINITY), std::cmp::Reverse(self.index))
    }
}

impl Errors {
    /// Number of bins.
    pub const BINS: usize = 16;

    /// Adds a result; `vector` tells its number and operands, if it is to be kept.
    pub fn add(
        &mut self,
        unit: Unit,
        exact: f64,
        actual: u64,
        vector: impl FnOnce() -> (u64, Vec<u64>),
    ) {
        let ulp = error(unit, exact, actual);
        let bin = (0..Errors::BINS - 1).find(|&bin| ulp <= 0.5 * f64::from(1u32 << bin));
        self.histogram[bin.unwrap_or(Errors::BINS - 1)] += 1;
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
    }

    /// How many results there were.
    pub fn count(&self) -> u64 {
        self.histogram.iter().sum()
    }
}

/// What errors are counted in.
#[derive(Clone, Copy)]
pub struct Unit<'a> {
    /// Units of the last place of this format …
    pub format: &'a Format,
    /// … less so many of its last bits.
    pub cut: i32,
}

/// Whether a value is below the smallest normal number, or would be had f64 room for it: the sine of
/// that number is.
pub fn tiny(format: &Format, exact: f64) -> bool {
    exact.abs() <= power(format.exponent_min())
}

/// The error of a result, in units of the last place of the exact value; infinite where one of them
/// is not finite and the other is.
fn error(Unit { format, cut }: Unit, exact: f64, actual: u64) -> f64 {
    let Some((significand, exponent)) = format.decode(actual) else {
        let overflow = exact.abs() >= 2f64.powi(format.exponent_max()) && !format.is_nan(actual);
        return if overflow && format.is_negative(actual) == (exact < 0.0) {
            0.0
        } else {
            f64::INFINITY
        };
    };
    let magnitude = significand as f64 * power(exponent);
    let value = if format.is_negative(actual) { -magnitude } else { magnitude };
    let leading = (((exact.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(format.exponent_min());
    ((value - exact) / power(leading - format.trailing_bits as i32 + cut)).abs()
}

/// 2 to a power that f64 has, in two steps so that subnormal ones arrive.
fn power(exponent: i32) -> f64 {
    2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vectors::format::F32;

    const F: Unit = Unit { format: &F32, cut: 0 };

    #[test]
    fn errors_are_in_units_of_the_exact_values_last_place() {
        let bits = |value: f32| u64::from(value.to_bits());
        assert_eq!(error(F, 1.0, bits(1.0)), 0.0);
        assert_eq!(error(F, 1.0, bits(1.0 + f32::EPSILON)), 1.0);
        assert_eq!(error(F, 1.0 + 2f64.powi(-25), bits(1.0)), 0.25);
        assert_eq!(error(F, 2f64.powi(-149), 0), 1.0);
        assert_eq!(error(F, 1e300, bits(f32::INFINITY)), 0.0);
        assert_eq!(error(F, 1.0, bits(f32::INFINITY)), f64::INFINITY);
    }

    #[test]
    fn sums_do_not_depend_on_order() {
        let one = |index: u64, ulps: u64| {
            let mut errors = Errors::default();
            errors.add(F, 1.0, 0x3f80_0000 + ulps, || (index, vec![index]));
            errors
        };
        let parts = [one(0, 1), one(1, 3), one(2, 3), one(3, 0)];
        let sum = |order: &[usize]| {
            let mut sum = Errors::default();
            order.iter().for_each(|&part| sum.merge(parts[part].clone()));
            sum
        };
        assert_eq!(sum(&[0, 1, 2, 3]), sum(&[3, 2, 1, 0]));
        let all = sum(&[2, 0, 1, 3]);
        assert_eq!((all.count(), all.worst.unwrap().index), (4, 1));
    }
}
