//! The judge: a variant's contract applied to what was expected and what came.

mod bound;
mod error;
mod interval;
mod kind;
mod reading;
mod registers;
mod tally;
mod truth;

use std::collections::BTreeSet;

use vectors::isa::{Relaxation, Stream, Variant};
use vectors::lanes::Element;
use vectors::{Column, Format, column};

use bound::between;
pub use error::{Errors, Worst};
pub use interval::{Interval, from_ordinal, ordinal};
pub use kind::Kind;
pub use reading::{Open, Reading};
pub use tally::{EXAMPLES, Mismatch, Mismatches, Tally};
pub use truth::{Accepted, Alternative, Truth};

/// No relaxation has more readings.
const READINGS_MAX: usize = 3;

/// Judges results of one variant.
#[derive(Clone, Debug)]
pub struct Judge {
    variant: Variant,
    any_nan: bool,
    /// For each result register, the bits that hold a lane.
    masks: Vec<u64>,
}

/// Batches on trial: the first vector's number in its sweep, operands, and results.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    /// Number of the first row in its sweep.
    pub first: u64,
    /// How far behind the first each row is, where they do not follow each other.
    pub offsets: Option<&'a [u64]>,
    /// The operands' columns.
    pub operands: &'a [Column],
    /// The implementation's results.
    pub results: &'a [Column],
}

impl<'a> Trial<'a> {
    /// Of vectors that follow each other from number 0.
    pub fn new(operands: &'a [Column], results: &'a [Column]) -> Trial<'a> {
        Trial { first: 0, offsets: None, operands, results }
    }

    /// Number of a row in its sweep.
    fn number(&self, row: usize) -> u64 {
        self.first + self.offsets.map_or(row as u64, |offsets| offsets[row])
    }
}

/// The lane of a result that breaks the contract.
struct Fault {
    row: usize,
    kind: Kind,
}

impl Judge {
    /// The judge of a variant.
    pub fn new(variant: &Variant) -> Judge {
        Judge {
            variant: variant.clone(),
            any_nan: variant.relaxations().any(|relaxation| relaxation == Relaxation::AnyNan),
            masks: variant.results().iter().map(|result| result.ty.mask()).collect(),
        }
    }

    /// Judges a batch, into `tally`.
    pub fn judge(&self, truth: &Truth, trial: Trial, tally: &mut Tally) {
        let rows = trial.results[0].rows() as u64;
        tally.vectors += rows;
        tally.confirmed += rows;
        let faults = self.faults(truth, trial, tally);
        for fault in &faults {
            let kind = self.kind(truth, trial, fault);
            tally.mismatch(kind, trial.number(fault.row), || self.describe(truth, trial, fault.row));
        }
    }

    /// The rows of a batch that break the contract, in order, and how.
    pub fn verdicts(&self, truth: &Truth, trial: Trial) -> Vec<(usize, Kind)> {
        let faults = self.faults(truth, trial, &mut Tally::default());
        faults.iter().map(|fault| (fault.row, self.kind(truth, trial, fault))).collect()
    }

    /// A row of a batch as a mismatch, which it need not be.
    pub fn describe(&self, truth: &Truth, trial: Trial, row: usize) -> Mismatch {
        Mismatch {
            index: trial.number(row),
            operands: column::row_bits(trial.operands, row),
            expected: column::row_bits(&truth.results, row),
            accepted: self.other_results(truth, row),
            actual: column::row_bits(trial.results, row),
            words: None,
        }
    }

    /// Whether two results are the same, of whose NaNs only those differ that may be any.
    pub fn alike(&self, a: &[u64], b: &[u64]) -> bool {
        if a == b || !self.any_nan {
            return a == b;
        }
        let outputs = self.variant.outputs().iter();
        let mut lanes = outputs.flat_map(|output| output.places.iter().map(|at| (output.format, at)));
        lanes.all(|(format, at)| {
            let [a, b] = [a, b].map(|registers| at.take(registers[at.register]));
            a == b || format.is_nan(a) && format.is_nan(b)
        })
    }

    /// The rows that break the contract, each with its first lane that does.
    fn faults(&self, truth: &Truth, trial: Trial, tally: &mut Tally) -> Vec<Fault> {
        let rows = trial.results[0].rows();
        let mut faults = Vec::new();
        for stream in self.variant.outputs() {
            match &truth.accepted {
                Accepted::Within(intervals) => {
                    self.within(stream, truth, intervals, trial, tally, &mut faults);
                }
                Accepted::Exact(alternatives) => {
                    let exact = match stream.format.width() {
                        0..=8 => Judge::exact::<u8>,
                        9..=16 => Judge::exact::<u16>,
                        17..=32 => Judge::exact::<u32>,
                        _ => Judge::exact::<u64>,
                    };
                    exact(self, stream, truth, alternatives, trial, tally, &mut faults);
                }
            }
        }
        for ((column, expected), &mask) in trial.results.iter().zip(&truth.results).zip(&self.masks) {
            let gaps = !mask & u64::MAX >> (64 - 8 * column.row_bytes());
            // In what is expected they are zero.
            if gaps != 0 && column != expected {
                let dirty = (0..rows).filter(|&row| column.get(row) & gaps != 0);
                faults.extend(dirty.map(|row| Fault { row, kind: Kind::Padding }));
            }
        }
        // A row is one vector, whatever is wrong with it: its first lane's fault names the class.
        faults.sort_by_key(|fault| fault.row);
        faults.dedup_by_key(|fault| fault.row);
        faults
    }

    /// Compares the elements of one output, where the contract is exact.
    fn exact<T: Element>(
        &self,
        stream: &Stream,
        truth: &Truth,
        alternatives: &[Alternative],
        trial: Trial,
        tally: &mut Tally,
        faults: &mut Vec<Fault>,
    ) {
        let (format, lanes) = (stream.format, stream.places.len());
        let rows = trial.results[0].rows();
        let same = truth.results.iter().zip(trial.results).all(|(a, b)| a.bytes() == b.bytes());
        let nan = format.nan().filter(|_| self.any_nan);
        if same && nan.is_none() && alternatives.is_empty() {
            return;
        }
        let registers = self.variant.results();
        let elements = |columns: &[Column]| {
            let mut elements = vec![T::default(); rows * lanes];
            stream.gather(registers, columns, 0..rows, &mut elements);
            elements
        };
        let (mut gathered, mut gathered_too) = (Vec::new(), Vec::new());
        let expected: &[T] = stream.view(registers, &truth.results).unwrap_or_else(|| {
            gathered = elements(&truth.results);
            &gathered
        });
        let actual: &[T] = stream.view(registers, trial.results).unwrap_or_else(|| {
            gathered_too = elements(trial.results);
            &gathered_too
        });
        self.count_choices(format, alternatives, |element| actual[element].bits(), tally);
        let is_canonical = |bits: &&T| Some(bits.bits()) == nan;
        let mut canonical =
            if nan.is_some() { expected.iter().filter(is_canonical).count() as u64 } else { 0 };
        if !same {
            let mut other = 0;
            for (element, (expected, actual)) in expected.iter().zip(actual).enumerate() {
                let (expected, actual) = (expected.bits(), actual.bits());
                if expected == actual {
                    continue;
                }
                let nan_expected = nan.is_some() && format.is_nan(expected);
                canonical -= u64::from(nan_expected);
                if nan_expected && format.is_nan(actual) {
                    other += 1;
                    continue;
                }
                let accepted = of_element(alternatives, element)
                    .iter()
                    .any(|alternative| self.accepts(format, alternative.bits, actual));
                if !accepted {
                    let kind = Kind::of(&self.variant, format, expected, actual);
                    faults.push(Fault { row: element / lanes, kind });
                }
            }
            tally.answer(Relaxation::AnyNan.name(), Relaxation::AnyNan.readings()[1], other);
        }
        tally.answer(Relaxation::AnyNan.name(), Relaxation::AnyNan.readings()[0], canonical);
    }

    /// Whether `actual` will do where `wanted` is a right result.
    fn accepts(&self, format: &Format, wanted: u64, actual: u64) -> bool {
        wanted == actual || self.any_nan && format.is_nan(wanted) && format.is_nan(actual)
    }

    /// Counts, for each choice that arose, the readings that the answer agrees with.
    fn count_choices(
        &self,
        format: &Format,
        alternatives: &[Alternative],
        actual: impl Fn(usize) -> u64,
        tally: &mut Tally,
    ) {
        // For each relaxation, how often the answer agreed with each set of its readings, as bits.
        let mut chosen = [[0u64; 1 << READINGS_MAX]; Relaxation::ALL.len()];
        for group in alternatives.chunk_by(|a, b| a.element == b.element) {
            let actual = actual(group[0].element);
            for relaxation in Relaxation::ALL.into_iter().filter(|&r| group[0].open.contains(r)) {
                let agreeing = group.iter().filter(|a| self.accepts(format, a.bits, actual));
                let set = agreeing.fold(0, |set, a| set | 1 << a.reading[relaxation as usize]);
                chosen[relaxation as usize][set as usize] += 1;
            }
        }
        for (relaxation, counts) in Relaxation::ALL.into_iter().zip(chosen) {
            let names = relaxation.readings();
            // All readings alike tell nothing; none is a mismatch.
            for (set, count) in (1..(1usize << names.len()) - 1).map(|set| (set, counts[set])) {
                let in_set = names.iter().enumerate().filter(|(reading, _)| set >> reading & 1 == 1);
                let answer: Vec<&str> = in_set.map(|(_, name)| *name).collect();
                tally.answer(relaxation.name(), &answer.join(" or "), count);
            }
        }
    }

    /// What is wrong with a row.
    fn kind(&self, truth: &Truth, trial: Trial, fault: &Fault) -> Kind {
        let [expected, actual] = [&truth.results, trial.results].map(|of| column::row(of, fault.row));
        match self.swapped(&expected, &actual) {
            true => Kind::LanesSwapped,
            false => fault.kind,
        }
    }

    /// The lanes of the first output in a row.
    fn lanes_of(&self, registers: &[u64]) -> Vec<u64> {
        let places = self.variant.outputs()[0].places.iter();
        places.map(|at| at.take(registers[at.register])).collect()
    }

    /// Whether the lanes of `actual` are those of `expected` in reverse.
    fn swapped(&self, expected: &[u64], actual: &[u64]) -> bool {
        let (expected, mut actual) = (self.lanes_of(expected), self.lanes_of(actual));
        let differ = expected != actual;
        actual.reverse();
        differ && expected == actual
    }

    /// What else would have been accepted for a row, in words.
    fn other_results(&self, truth: &Truth, row: usize) -> Vec<String> {
        let format = self.variant.outputs()[0].format;
        let lanes = self.lanes_of(&column::row(&truth.results, row));
        let mut others = Vec::new();
        for (lane, &bits) in lanes.iter().enumerate() {
            let whose = if lanes.len() > 1 { format!("lane {lane}: ") } else { String::new() };
            if self.any_nan && format.is_nan(bits) {
                others.push(format!("{whose}any NaN (any-nan)"));
            }
            let element = row * lanes.len() + lane;
            if let Some(interval) = truth.intervals().get(element).filter(|i| i.low < i.high) {
                others.push(format!("{whose}{}", between(format, interval)));
            }
            let mut seen = BTreeSet::from([bits]);
            for alternative in of_element(truth.alternatives(), element) {
                if seen.insert(alternative.bits) {
                    let open = Relaxation::ALL.into_iter().filter(|&r| alternative.open.contains(r));
                    let names: Vec<&str> = open.map(Relaxation::name).collect();
                    let hex = format.show(alternative.bits).hex();
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
