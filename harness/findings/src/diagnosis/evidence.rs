//! Gathers the evidence of a diagnosis: vectors that were run again, with their results and what the judge says of
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use anyhow::Result;
use formats::{Column, RowBits, column};
use implementations::Worker;
use isa::limits::INPUTS_MAX;
use isa::{Variant, results_for};
use judge::{Batch, Judge, MismatchKind, Tally, Truth};
use oracle::Oracle;
use runner::{Plan, Task};
use selection::subject::{Subject, VectorSource};

use super::{Diagnosis, has_results};

/// The number of vectors before the first mismatch of a class that are tried again.
const BEFORE: u64 = 64;
/// The number of vectors from the first mismatch of a class on, itself included, that are tried again.
const FROM: u64 = 192;
/// The number of vectors that are tried again from all over a sweep, with a mismatch or without one. Where vectors are
/// given, it is that of every sweep, since vectors that were wrong rule few candidates out by themselves.
const OF_ALL: u64 = 768;
/// The number of neighbouring vectors that are tried again together, where they are from all over a sweep.
const TOGETHER: u64 = 4;

/// The judge and the oracle that trying vectors of one variant again takes.
pub struct Rerun {
    /// The variant that is tried.
    pub variant: &'static Variant,
    /// The judge of the variant's results.
    pub judge: Judge,
    oracle: Oracle,
}

/// A batch of vectors of one variant, with their results and verdicts.
pub struct Evidence {
    /// The columns of the operands, with a row for each vector.
    pub operands: Vec<Column>,
    /// The columns of the results that the implementation gave.
    pub results: Vec<Column>,
    /// The results that are right.
    pub truth: Truth,
    /// The rows that are mismatches, in order, each with its kind.
    pub mismatches: Vec<(usize, MismatchKind)>,
}

/// One lane of one row.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// The bits of the inputs; the variant says how many of them there are.
    pub inputs: [u64; INPUTS_MAX],
    /// The bits of the right result.
    pub expected: u64,
    /// The bits of the actual result.
    pub actual: u64,
}

impl Rerun {
    /// Makes a judge and an oracle for a variant.
    pub fn new(variant: &'static Variant) -> Rerun {
        Rerun { variant, judge: Judge::new(variant), oracle: Oracle::new(variant) }
    }

    /// Computes the results that are right of some operands.
    pub fn expect(&mut self, operands: &[Column], truth: &mut Truth) {
        self.oracle.expect(operands, truth);
    }

    /// Runs vectors on `worker` and judges them; vectors without a result are left out.
    pub fn run(&mut self, operands: Vec<Column>, worker: &mut dyn Worker) -> Result<Evidence> {
        let rows = operands[0].rows();
        let mut results = results_for(self.variant, rows);
        let without =
            runner::compute(worker, Subject::Variant(self.variant), &operands, &mut results)?.rows();
        let sound: Vec<usize> = (0..rows).filter(|row| !without.contains(row)).collect();
        let [operands, results] = [&operands, &results].map(|of| column::select(of, &sound));
        let mut truth = Truth::new(self.variant);
        self.oracle.expect(&operands, &mut truth);
        let mut evidence = Evidence { operands, results, truth, mismatches: Vec::new() };
        evidence.mismatches = self.judge.verdicts(&evidence.truth, evidence.batch(&evidence.results));
        Ok(evidence)
    }
}

impl Evidence {
    /// Returns other results for the operands of this evidence, as a batch to judge.
    pub fn batch<'a>(&'a self, results: &'a [Column]) -> Batch<'a> {
        Batch::new(&self.operands, results)
    }

    /// Returns for each row whether it is no mismatch.
    pub fn is_right(&self) -> impl Iterator<Item = bool> {
        let wrong = |row: &usize| self.mismatches.binary_search_by_key(row, |(row, _)| *row).is_ok();
        (0..self.operands[0].rows()).map(move |row| !wrong(&row))
    }
}

impl Evidence {
    /// Returns one output of every lane of every row, with the lane's inputs, row by row.
    pub fn elements(&self, variant: &Variant, output: usize) -> Vec<Element> {
        let (rows, lanes) = (self.operands[0].rows(), variant.lanes());
        let gathered = |fill: &dyn Fn(&mut [u64])| {
            let mut elements = vec![0u64; rows * lanes];
            fill(&mut elements);
            elements
        };
        let inputs = variant.inputs().iter();
        let inputs: Vec<Vec<u64>> = inputs
            .map(|input| gathered(&|to| input.gather(variant.operands(), &self.operands, 0..rows, to)))
            .collect();
        let output = &variant.outputs()[output];
        let [expected, actual] = [&self.truth.results, &self.results]
            .map(|of| gathered(&|to| output.gather(variant.results(), of, 0..rows, to)));
        let element = |element: usize| {
            let mut of_element = [0; INPUTS_MAX];
            of_element.iter_mut().zip(&inputs).for_each(|(input, all)| *input = all[element]);
            Element { inputs: of_element, expected: expected[element], actual: actual[element] }
        };
        (0..rows * lanes).map(element).collect()
    }
}

/// Counts the mismatches of each kind, and the results that are right.
pub fn counts(evidence: &[Evidence]) -> (BTreeMap<MismatchKind, u64>, u64) {
    let mut counts: BTreeMap<MismatchKind, u64> = BTreeMap::new();
    for (_, kind) in evidence.iter().flat_map(|batch| &batch.mismatches) {
        *counts.entry(*kind).or_default() += 1;
    }
    let rows: u64 = evidence.iter().map(|batch| batch.operands[0].rows() as u64).sum();
    let agreeing = rows - counts.values().sum::<u64>();
    (counts, agreeing)
}

/// Runs again the vectors around the first mismatch of each class in each sweep, the mismatches that were kept, and
/// vectors from all over every sweep.
pub fn gather(
    plan: &Plan,
    tasks: &[(&Task, &Tally)],
    rerun: &mut Rerun,
    worker: &mut dyn Worker,
) -> Result<Vec<Evidence>> {
    let mut evidence = Vec::new();
    let mut again = |asked: VectorSource, spans: &[Range<u64>]| -> Result<()> {
        if !spans.is_empty() {
            evidence.push(rerun.run(vectors(plan, asked, spans), worker)?);
        }
        Ok(())
    };
    for (task, tally) in tasks {
        let classes = tally.classes.iter().filter(|(kind, _)| has_results(**kind));
        let mut spans = spread(task.vectors, OF_ALL);
        for (_, class) in classes {
            spans.extend(class.examples.iter().map(|example| example.index..example.index + 1));
            let first = class.examples.first().map(|first| first.index);
            spans.extend(first.map(|first| first.saturating_sub(BEFORE)..first + FROM));
        }
        again(task.asked, &apart(spans, task.vectors))?;
        if let VectorSource::Given(_) = task.asked {
            for asked in VectorSource::all(task.subject()) {
                let length = asked.length().at_most(plan.vectors_max.unwrap_or(u64::MAX));
                again(asked, &spread(length, OF_ALL))?;
            }
        }
    }
    Ok(evidence)
}

/// Returns spans of about `wanted` vectors from all over `all` vectors, in order: all of them where they are no more.
/// The first and the last vectors are among them.
pub fn spread(all: u64, wanted: u64) -> Vec<Range<u64>> {
    if all <= wanted {
        return Vec::from_iter((all > 0).then_some(0..all));
    }
    let (parts, last) = (wanted / TOGETHER, all - TOGETHER);
    let part = |number: u64| {
        let [first, end] = [number, number + 1].map(|number| mul_div(last, number, parts));
        // A place within the part that no period of the sweep goes along with.
        let place = mul_div(end - first, number.wrapping_mul(GOLDEN) >> 32, 1 << 32);
        let start = if number + 1 == parts { last } else { first + place };
        start..start + TOGETHER
    };
    apart((0..parts).map(part).chain(std::iter::once(0..TOGETHER)).collect(), all)
}

/// The part of 2^64 that the golden ratio less one is: multiples of it are as far from periodic as any.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns `a × b / c`, for a result of at most 64 bits.
fn mul_div(a: u64, b: u64, c: u64) -> u64 {
    (u128::from(a) * u128::from(b) / u128::from(c)) as u64
}

/// Returns spans in order, none beyond the end; those that meet become one, so that no vector is in two.
fn apart(mut spans: Vec<Range<u64>>, end: u64) -> Vec<Range<u64>> {
    spans.sort_unstable_by_key(|span| span.start);
    let mut apart: Vec<Range<u64>> = Vec::new();
    for span in spans {
        match apart.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end).min(end),
            _ => apart.push(span.start..span.end.min(end)),
        }
    }
    apart
}

/// Makes the vectors of some spans of a sweep, one span after the other.
pub fn vectors(plan: &Plan, asked: VectorSource, spans: &[Range<u64>]) -> Vec<Column> {
    let rows = spans.iter().map(|span| (span.end - span.start) as usize).sum();
    let mut operands = asked.subject().operands(rows);
    let mut filled = 0;
    for span in spans {
        let rows = (span.end - span.start) as usize;
        let mut own = asked.subject().operands(rows);
        asked.fill(plan.request.seed, span.start, &mut own);
        for (column, own) in operands.iter_mut().zip(&own) {
            column.bytes_of_mut(filled..filled + rows).copy_from_slice(own.bytes());
        }
        filled += rows;
    }
    operands
}

/// Runs again the vectors that a report shows of a variant, as far as they are not among the evidence: the examples
/// of its classes, the simplest ones, and those with the largest errors. Any description of a class must hold of them
/// too.
pub fn rerun_shown_vectors(
    tasks: &[(&Task, &Tally)],
    diagnoses: &BTreeMap<MismatchKind, Diagnosis>,
    evidence: &[Evidence],
    rerun: &mut Rerun,
    worker: &mut dyn Worker,
) -> Result<Option<Evidence>> {
    let classes = tasks.iter().flat_map(|(_, tally)| &tally.classes);
    let classes = classes.filter(|(kind, _)| has_results(**kind));
    let examples = classes.flat_map(|(_, class)| &class.examples).map(|example| &example.operands);
    let simplest = diagnoses.values().filter_map(|of| of.simplest.as_ref());
    let errors = tasks.iter().flat_map(|(_, tally)| tally.errors.values());
    let worst = errors.filter_map(|of| of.worst.as_ref()).map(|worst| &worst.operands);
    let all = examples.chain(simplest.map(|(_, of)| &of.operands)).chain(worst);
    // An example may be the simplest vector of its class, and have the largest error as well.
    let mut others: BTreeSet<Vec<RowBits>> = all.cloned().collect();
    for batch in evidence {
        (0..batch.operands[0].rows()).for_each(|row| {
            others.remove(&column::row_bits(&batch.operands, row));
        });
    }
    if others.is_empty() {
        return Ok(None);
    }
    let mut operands = isa::columns_for(rerun.variant, others.len());
    for (row, bits) in others.iter().enumerate() {
        column::set_row_bits(&mut operands, row, bits);
    }
    rerun.run(operands, worker).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors from all over a sweep are of each hundredth of it, and none is there twice.
    #[test]
    fn spread_vectors_are_of_every_part_of_a_sweep() {
        for all in [1, 767, 768, 769, 4096, 65_536, 1 << 32, u64::MAX] {
            let spans = spread(all, OF_ALL);
            assert!(spans.windows(2).all(|pair| pair[0].end < pair[1].start), "{all}: {spans:?}");
            assert_eq!((spans[0].start, spans.last().unwrap().end), (0, all));
            let numbers = spans.iter().cloned().flatten();
            let parts: BTreeSet<u64> = numbers.map(|number| mul_div(number, 100, all)).collect();
            assert_eq!(parts.len() as u64, all.min(100), "{all}");
            let count: u64 = spans.iter().map(|span| span.end - span.start).sum();
            assert!(count <= OF_ALL + TOGETHER && count >= all.min(OF_ALL) * 3 / 4, "{all}: {count}");
        }
    }

    #[test]
    fn spans_that_meet_become_one_and_end_with_the_sweep() {
        assert_eq!(apart(vec![8..20, 0..4, 2..9, 30..40], 36), [0..20, 30..36]);
    }
}
