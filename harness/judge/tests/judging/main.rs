//! Tests of the judge by itself: truths written by hand, and what comes of judging against them. The oracle's
//! tests have what the truth of an instruction is (`harness/oracle/tests/suite/contracts`).

mod bits;
mod bounds;
mod kinds;
mod memory;
mod products;
mod rows;
mod sums;
mod words;

use formats::{Column, column};
use isa::{Relaxation, Variant, columns_for, results_for};
use judge::{Accepted, Alternative, Batch, FIRST, Interval, Judge, OpenPoints, Tally, Truth};

/// A vector: the operands' registers, the result that is expected, and the one that came.
type VectorRow<'a> = (&'a [u64], u64, u64);

/// Some vectors of one variant, with their truth.
struct JudgedCase {
    variant: Variant,
    operands: Vec<Column>,
    truth: Truth,
    results: Vec<Column>,
}

impl JudgedCase {
    /// Makes a case of a variant with one result register.
    fn new(text: &str, rows: &[VectorRow]) -> JudgedCase {
        let rows = rows.iter().map(|&(given, expected, actual)| (given, [expected], [actual]));
        JudgedCase::with(text, &rows.collect::<Vec<_>>())
    }

    /// Makes a case of a variant with any number of result registers.
    fn with<O: AsRef<[u64]>, R: AsRef<[u64]>>(text: &str, rows: &[(O, R, R)]) -> JudgedCase {
        let variant: Variant = text.parse().unwrap();
        let mut operands = columns_for(&variant, rows.len());
        let mut truth = Truth::new(&variant);
        truth.results = results_for(&variant, rows.len());
        let mut results = results_for(&variant, rows.len());
        for (row, (given, expected, actual)) in rows.iter().enumerate() {
            column::set_row(&mut operands, row, given.as_ref());
            column::set_row(&mut truth.results, row, expected.as_ref());
            column::set_row(&mut results, row, actual.as_ref());
        }
        JudgedCase { variant, operands, truth, results }
    }

    /// Adds one element's results under each interpretation of one open point. Elements are added in order.
    fn open(mut self, element: usize, relaxation: Relaxation, results: &[u64]) -> JudgedCase {
        let mut open = OpenPoints::default();
        open.insert(relaxation);
        let Accepted::Exact(alternatives) = &mut self.truth.accepted else { panic!("a bound") };
        for (number, &bits) in results.iter().enumerate() {
            let mut interpretation = FIRST;
            interpretation[relaxation as usize] = number as u8;
            alternatives.push(Alternative { element, bits, interpretation, open });
        }
        self
    }

    /// Sets the intervals that the bound allows, element by element.
    fn within(mut self, intervals: Vec<Interval>) -> JudgedCase {
        self.truth.accepted = Accepted::Within(intervals);
        self
    }

    fn judge(&self) -> Judge {
        Judge::new(&self.variant)
    }

    fn batch(&self) -> Batch<'_> {
        Batch::new(&self.operands, &self.results)
    }

    /// Judges the rows, of which the first is number 100, and returns the tally.
    fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.judge().judge(&self.truth, Batch { first: 100, ..self.batch() }, &mut tally);
        tally
    }

    /// Lists in words the other results that are accepted for a row.
    fn accepted(&self, row: usize) -> Vec<String> {
        self.judge().describe(&self.truth, self.batch(), row).accepted
    }
}

/// Returns the counts of a relaxation's answers.
fn answers<'a>(tally: &'a Tally, relaxation: &str) -> Vec<(&'a str, u64)> {
    let answers = tally.answers.get(relaxation);
    answers.into_iter().flatten().map(|(answer, count)| (answer.as_str(), *count)).collect()
}
