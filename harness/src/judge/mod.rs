//! The judge: a variant's contract applied to what was expected and what came.

mod kind;
mod tally;

use std::collections::BTreeSet;

use vectors::isa::{Relaxation, Variant};
use vectors::{Column, Format};

use crate::oracle::{Alternative, Truth};
pub use kind::Kind;
pub use tally::{EXAMPLES, Mismatch, Mismatches, Tally, digest};

/// Judges results of one variant.
#[derive(Clone, Debug)]
pub struct Judge {
    variant: Variant,
    format: &'static Format,
    lanes: usize,
    any_nan: bool,
}

/// Batches on trial: the first vector's number in its sweep, operands, and results.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    /// Number of the first row in its sweep.
    pub first: u64,
    /// The operands' columns.
    pub operands: &'a [Column],
    /// The implementation's results.
    pub results: &'a Column,
}

impl Judge {
    /// The judge of a variant.
    pub fn new(variant: &Variant) -> Judge {
        let result = variant.results()[0];
        Judge {
            variant: variant.clone(),
            format: result.ty.format,
            lanes: result.ty.lanes,
            any_nan: variant.relaxations().any(|relaxation| relaxation == Relaxation::AnyNan),
        }
    }

    /// Judges a batch, into `tally`.
    pub fn judge(&self, truth: &Truth, trial: Trial, tally: &mut Tally) {
        tally.vectors += trial.results.rows() as u64;
        match self.format.width() {
            8 => self.lanes::<u8>(truth, trial, tally),
            16 => self.lanes::<u16>(truth, trial, tally),
            32 => self.lanes::<u32>(truth, trial, tally),
            _ => self.lanes::<u64>(truth, trial, tally),
        }
    }

    /// [`Judge::judge`], for lanes of `T`.
    fn lanes<T: bytemuck::Pod + Into<u64> + PartialEq>(
        &self,
        truth: &Truth,
        trial: Trial,
        tally: &mut Tally,
    ) {
        let expected = truth.results.elements::<T>();
        let actual = trial.results.elements::<T>();
        let nans_of = |elements: &[T]| {
            elements.iter().filter(|&&bits| bits.into() == self.format.canonical_nan()).count() as u64
        };
        let mut canonical = if self.any_nan { nans_of(expected) } else { 0 };
        self.count_choices(&truth.alternatives, |element| actual[element].into(), tally);
        if trial.results.bytes() != truth.results.bytes() {
            let mut other = 0;
            let mut judged = None;
            for (element, (expected, actual)) in expected.iter().zip(actual).enumerate() {
                let (expected, actual) = ((*expected).into(), (*actual).into());
                if expected == actual {
                    continue;
                }
                let nan_expected = self.any_nan && self.format.is_nan(expected);
                canonical -= u64::from(nan_expected);
                if nan_expected && self.format.is_nan(actual) {
                    other += 1;
                    continue;
                }
                let row = element / self.lanes;
                let alternatives = of_element(&truth.alternatives, element);
                let accepted =
                    alternatives.iter().any(|alternative| self.accepts(alternative.bits, actual));
                if accepted || judged == Some(row) {
                    continue;
                }
                judged = Some(row);
                self.mismatch(
                    truth,
                    trial,
                    row,
                    Kind::of(&self.variant, self.format, expected, actual),
                    tally,
                );
            }
            tally.answer(Relaxation::AnyNan.name(), Relaxation::AnyNan.readings()[1], other);
        }
        tally.answer(Relaxation::AnyNan.name(), Relaxation::AnyNan.readings()[0], canonical);
    }

    /// Whether `actual` will do where `wanted` is a right result.
    fn accepts(&self, wanted: u64, actual: u64) -> bool {
        wanted == actual || self.any_nan && self.format.is_nan(wanted) && self.format.is_nan(actual)
    }

    /// Counts, for each choice that arose, the readings that the answer agrees with.
    fn count_choices(
        &self,
        alternatives: &[Alternative],
        actual: impl Fn(usize) -> u64,
        tally: &mut Tally,
    ) {
        for group in alternatives.chunk_by(|a, b| a.element == b.element) {
            let actual = actual(group[0].element);
            let agreeing = || group.iter().filter(|a| self.accepts(a.bits, actual));
            for relaxation in Relaxation::ALL.into_iter().filter(|&r| group[0].open.contains(r)) {
                let chosen: BTreeSet<u8> = agreeing().map(|a| a.reading[relaxation as usize]).collect();
                let names = relaxation.readings();
                // All readings alike tell nothing; none is a mismatch.
                if !chosen.is_empty() && chosen.len() < names.len() {
                    let names: Vec<&str> =
                        chosen.iter().map(|&reading| names[reading as usize]).collect();
                    tally.answer(relaxation.name(), &names.join(" or "), 1);
                }
            }
        }
    }

    fn mismatch(&self, truth: &Truth, trial: Trial, row: usize, kind: Kind, tally: &mut Tally) {
        let expected = truth.results.get(row);
        let actual = trial.results.get(row);
        let kind = if self.swapped(expected, actual) { Kind::LanesSwapped } else { kind };
        let index = trial.first + row as u64;
        tally.mismatch(kind, index, || Mismatch {
            index,
            operands: trial.operands.iter().map(|column| column.get(row)).collect(),
            expected,
            accepted: self.other_results(truth, row),
            actual,
        });
    }

    /// Whether the two lanes of `actual` are those of `expected`, exchanged.
    fn swapped(&self, expected: u64, actual: u64) -> bool {
        let (width, mask) = (self.format.width(), self.format.mask());
        let lanes = |bits: u64| (bits & mask, bits >> width & mask);
        if self.lanes != 2 {
            return false;
        }
        let (low, high) = lanes(expected);
        low != high && lanes(actual) == (high, low)
    }

    /// What else would have been accepted for a row, in words.
    fn other_results(&self, truth: &Truth, row: usize) -> Vec<String> {
        let mut others = Vec::new();
        let expected = truth.results.get(row);
        for lane in 0..self.lanes {
            let whose = if self.lanes > 1 { format!("lane {lane}: ") } else { String::new() };
            let bits = expected >> (lane as u32 * self.format.width()) & self.format.mask();
            if self.any_nan && self.format.is_nan(bits) {
                others.push(format!("{whose}any NaN (any-nan)"));
            }
            let mut seen = BTreeSet::from([bits]);
            for alternative in of_element(&truth.alternatives, row * self.lanes + lane) {
                if seen.insert(alternative.bits) {
                    let open = Relaxation::ALL.into_iter().filter(|&r| alternative.open.contains(r));
                    let names: Vec<&str> = open.map(Relaxation::name).collect();
                    let hex = self.format.show(alternative.bits).hex();
                    others.push(format!("{whose}{hex} ({})", names.join(", ")));
                }
            }
        }
        others
    }
}

/// The alternatives of one element, of a list in order of elements.
fn of_element(alternatives: &[Alternative], element: usize) -> &[Alternative] {
    let start = alternatives.partition_point(|alternative| alternative.element < element);
    let rest = &alternatives[start..];
    &rest[..rest.partition_point(|alternative| alternative.element == element)]
}
