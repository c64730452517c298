//! Gathers the evidence of a diagnosis: vectors that were run again, with their results and what the judge says of
//! them.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use formats::{Column, RowBits, column};
use implementations::Worker;
use isa::{Variant, results_for};
use judge::{Batch, Judge, MismatchKind, Tally, Truth};
use oracle::Oracle;
use runner::{Plan, Task};
use selection::subject::{Subject, VectorSource};

use super::{Diagnosis, has_results};

/// The number of vectors before the first mismatch of a class that are tried again.
const BEFORE: u64 = 256;
/// The number of vectors from the first mismatch of a class on, itself included, that are tried again.
const FROM: u64 = 768;
/// The number of vectors that are tried again of a sweep without a mismatch. Where vectors are given, it is that of
/// every sweep, since vectors that were wrong rule few candidates out by themselves.
const OF_OTHERS: u64 = 512;

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

impl Rerun {
    /// Makes a judge and an oracle for a variant.
    pub fn new(variant: &'static Variant) -> Rerun {
        Rerun { variant, judge: Judge::new(variant), oracle: Oracle::new(variant) }
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

/// Runs again the vectors around the first mismatch of each class in each sweep, and the first vectors of all other
/// sweeps.
pub fn gather(
    plan: &Plan,
    tasks: &[(&Task, &Tally)],
    rerun: &mut Rerun,
    worker: &mut dyn Worker,
) -> Result<Vec<Evidence>> {
    let mut evidence = Vec::new();
    let mut again = |asked: VectorSource, start: u64, rows: u64| -> Result<()> {
        if rows > 0 {
            let mut operands = asked.subject().operands(rows as usize);
            asked.fill(plan.request.seed, start, &mut operands);
            evidence.push(rerun.run(operands, worker)?);
        }
        Ok(())
    };
    for (task, tally) in tasks {
        let classes = tally.classes.iter().filter(|(kind, _)| has_results(**kind));
        let mut indices: Vec<u64> =
            classes.filter_map(|(_, class)| class.examples.first()).map(|first| first.index).collect();
        indices.sort_unstable();
        let mut spans: Vec<(u64, u64)> = Vec::new();
        for index in indices {
            let start = index.saturating_sub(BEFORE);
            // Spans that meet become one, so that no vector is evidence twice.
            match spans.last_mut() {
                Some((_, end)) if start <= *end => *end = index + FROM,
                _ => spans.push((start, index + FROM)),
            }
        }
        if spans.is_empty() {
            spans.push((0, OF_OTHERS));
        }
        for (start, end) in spans {
            again(task.asked, start, end.min(task.vectors).saturating_sub(start))?;
        }
        if let VectorSource::Given(_) = task.asked {
            for asked in VectorSource::all(task.subject()) {
                again(
                    asked,
                    0,
                    asked.length().at_most(OF_OTHERS.min(plan.vectors_max.unwrap_or(OF_OTHERS))),
                )?;
            }
        }
    }
    Ok(evidence)
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
