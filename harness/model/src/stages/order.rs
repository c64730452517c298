//! Operations that order numbers: the smaller, the larger, and comparisons.

use std::cmp::Ordering;

use isa::limits::OUTPUTS_MAX;
use isa::{Combination, Comparison, Extremum, Relation};

use super::Decode;

pub trait Order: Decode {
    /// Returns the smallest or the largest of two numbers or three.
    fn extremum(&self, extremum: Extremum, inputs: &[u64]) -> u64 {
        let format = self.output();
        let compared = inputs.iter().enumerate().map(|(index, &bits)| {
            let bits = self.flushed(index, bits);
            if extremum.of_magnitudes { bits & format.magnitude_mask() } else { bits }
        });
        let best = compared.reduce(|a, b| self.better(extremum, a, b)).expect("inputs");
        match extremum.with_product_of_signs {
            _ if format.is_nan(best) => self.nan(best),
            true => best | self.product_of_signs(inputs),
            false => best,
        }
    }

    /// Returns the smaller or the larger of two numbers, as `extremum` asks.
    fn better(&self, extremum: Extremum, a: u64, b: u64) -> u64 {
        better(self, extremum, a, b)
    }

    /// Returns the operand that counts where `a` or `b` is NaN: the NaN, or the other operand.
    fn beside_nan(&self, extremum: Extremum, a: u64, b: u64) -> u64 {
        match (self.output().is_nan(a), self.output().is_nan(b)) {
            (true, true) => a,
            (first, _) if first == extremum.propagates_nan => a,
            _ => b,
        }
    }

    /// Returns a number's place in the order. −0 comes before +0, and so before every positive number, as bits
    /// below the sign do if those of negative numbers are complemented.
    fn rank(&self, bits: u64) -> i64 {
        let magnitude = (bits & self.output().magnitude_mask()) as i64;
        if self.output().is_negative(bits) { !magnitude } else { magnitude }
    }

    /// Returns the sign of the product of all inputs: the `xor` of their signs.
    fn product_of_signs(&self, inputs: &[u64]) -> u64 {
        inputs.iter().fold(0, |sign, bits| sign ^ bits & self.output().sign_mask())
    }

    /// Computes a comparison and its complement, each combined with the predicate that may be the third input.
    fn compare(&self, comparison: Comparison, inputs: &[u64]) -> [u64; OUTPUTS_MAX] {
        let holds =
            self.holds(comparison.relation, self.flushed(0, inputs[0]), self.flushed(1, inputs[1]));
        let combined = |holds: bool| match comparison.combination {
            None => holds,
            Some(Combination::And) => holds & (inputs[2] != 0),
            Some(Combination::Or) => holds | (inputs[2] != 0),
            Some(Combination::Xor) => holds ^ (inputs[2] != 0),
        };
        [holds, self.complement(holds)].map(|holds| if combined(holds) { self.truth() } else { 0 })
    }

    /// Returns the second predicate of a comparison, whose first is `holds`.
    fn complement(&self, holds: bool) -> bool {
        !holds
    }

    /// Returns the bits of a comparison that holds: the number 1, all bits of an integer, or a predicate's only bit.
    fn truth(&self) -> u64 {
        let format = self.output();
        if format.is_fixed() { format.mask() } else { format.one() }
    }

    /// Whether a relation holds of two data.
    fn holds(&self, relation: Relation, a: u64, b: u64) -> bool {
        match self.value(a).cmp(&self.value(b)) {
            // This comes first, since `value` has a place for NaN, too.
            _ if self.unordered(a, b) => relation.unordered,
            Ordering::Less => relation.less,
            Ordering::Equal => relation.equal,
            Ordering::Greater => relation.greater,
        }
    }

    /// Whether one of two data is NaN.
    fn unordered(&self, a: u64, b: u64) -> bool {
        self.input(0).is_nan(a) || self.input(0).is_nan(b)
    }

    /// Returns an integer that compares as the number does. Zeros of either sign are equal.
    fn value(&self, bits: u64) -> i128 {
        let (format, magnitude) = (self.input(0), i128::from(bits & self.input(0).magnitude_mask()));
        match format.is_negative(bits) {
            false => magnitude,
            // Two's complement: the sign bit counts, but against the others.
            true if format.is_fixed() => magnitude - i128::from(format.sign_mask()),
            true => -magnitude,
        }
    }
}

/// Chooses the smaller or the larger of two numbers by their ranks: the second of two that are equal.
pub fn better(stages: &(impl Order + ?Sized), extremum: Extremum, a: u64, b: u64) -> u64 {
    let format = stages.output();
    if format.is_nan(a) || format.is_nan(b) {
        return stages.beside_nan(extremum, a, b);
    }
    let first = match extremum.largest {
        true => stages.rank(a) > stages.rank(b),
        false => stages.rank(a) < stages.rank(b),
    };
    if first { a } else { b }
}
