//! Finds options that matter and must not: cells of a row whose settings differ in nothing that the promise depends on
//! have to compute the same.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use base::pool::Pool;
use findings::report::decoded;
use formats::{Column, column};
use machines::functions::RunnableFunction;
use reports::{Example, SweepReport, VariantReport};

use super::body::Body;
use super::cells::{Compilation, PromiseCell};
use super::expected::Expected;
use super::function_executor::FunctionExecutor;
use super::simplest::{Simplest, keep_simpler, mismatch};
use super::trial::{Computed, Trial};
use super::try_function::TrialVectors;

/// A difference between two functions of one promise, both of which are right.
#[derive(Clone, Debug)]
pub struct FunctionDifference<'a> {
    /// The cells that have the first function, and those that have the other.
    pub cells: [Vec<&'a PromiseCell>; 2],
    /// The number of vectors that were compared.
    pub vectors: u64,
    /// The number of vectors for which the two functions have different results.
    pub differing: u64,
    /// The simplest vector with different results: what the first function gives is expected.
    pub example: Example,
}

/// Two functions to compare, by the cells that have each of them.
struct Pair<'a> {
    cells: [Vec<&'a PromiseCell>; 2],
}

/// Finds the right functions of the same promise for the same target that differ, on at most `vectors` vectors of each
/// sweep. Only pairs that were compared before `stop` are in the result.
///
/// # Errors
/// If a run cannot be made.
pub fn differences<'a>(
    cells: &'a [PromiseCell],
    computed: &Computed,
    vectors: u64,
    jobs: usize,
    stop: &AtomicBool,
) -> Result<Vec<FunctionDifference<'a>>> {
    let pairs = pairs(cells, computed);
    let found = Pool::new(jobs).stopped_by(stop).map(&pairs, |pair| pair.difference(computed, vectors));
    Ok(found.partial_results()?.into_iter().flatten().flatten().collect())
}

/// Pairs the first function of each group with each other one; a pair that several targets have is there once. A group
/// is the right functions of one row, promise and target, under settings that agree in what the promise depends on.
fn pairs<'a>(cells: &'a [PromiseCell], computed: &Computed) -> Vec<Pair<'a>> {
    let mut groups: BTreeMap<_, Vec<(&PromiseCell, &Body)>> = BTreeMap::new();
    for cell in cells {
        let Compilation::Function(_, body, _) = &cell.compilation else { continue };
        if cell.computed(computed).is_some_and(|report| report.mismatches == 0) {
            let promise = &cell.promise;
            let turned: Vec<bool> = promise.depends.iter().map(|of| cell.setting.has(*of)).collect();
            let key = (&cell.row.name, promise.text(), promise.source, turned, &cell.target);
            groups.entry(key).or_default().push((cell, body));
        }
    }
    let mut pairs: BTreeMap<_, Pair> = BTreeMap::new();
    for ((row, text, ..), group) in groups {
        let first = group[0].1.text();
        let mut others: BTreeMap<&str, Vec<&PromiseCell>> = BTreeMap::new();
        for (cell, body) in &group {
            others.entry(body.text()).or_default().push(cell);
        }
        let own = others.remove(first).unwrap_or_default();
        for (other, cells) in others {
            let none = || Pair { cells: [Vec::new(), Vec::new()] };
            let pair = pairs.entry((row, text.clone(), first, other)).or_insert_with(none);
            pair.cells[0].extend(&own);
            pair.cells[1].extend(cells);
        }
    }
    pairs.into_values().collect()
}

/// Whether two functions gave the same results on the same vectors.
fn are_alike(one: &VariantReport, other: &VariantReport) -> bool {
    let same = |(one, other): (&SweepReport, &SweepReport)| {
        (one.vectors, &one.inputs, &one.results) == (other.vectors, &other.inputs, &other.results)
    };
    one.sweeps.len() == other.sweeps.len() && one.sweeps.iter().zip(&other.sweeps).all(same)
}

/// Returns the function and the body of a cell that has one.
fn function(cell: &PromiseCell) -> Option<(&Arc<RunnableFunction>, &Body)> {
    match &cell.compilation {
        Compilation::Function(function, body, _) => Some((function, body)),
        _ => None,
    }
}

impl<'a> Pair<'a> {
    /// Compares the two functions of the pair; `None` if no result differs that may not.
    fn difference(&self, computed: &Computed, vectors: u64) -> Result<Option<FunctionDifference<'a>>> {
        let cell = self.cells[0][0];
        let [Some((one, own)), Some((other, others))] = [cell, self.cells[1][0]].map(function) else {
            return Ok(None);
        };
        let Some(aim) = cell.aims().into_iter().next() else { return Ok(None) };
        // Where one of the functions is approximate, they are also compared at both ends of what it may give.
        let body = if own.approximates { own } else { others };
        let open = Expected::of(cell.row, &cell.promise);
        let (mut seen, mut differing, mut simplest) = (0, 0, Simplest::None);
        for trial in Trial::all(&aim, one, body) {
            let reports = [own, others].map(|body| trial.report_of(body, computed));
            if let [Some(report), Some(other)] = reports
                && are_alike(report, other)
            {
                seen += report.vectors;
                continue;
            }
            let (of_trial, beside) = (TrialVectors::of(&trial, vectors)?, trial.with_function(other));
            let (mut executor, shape) = (FunctionExecutor::default(), trial.aim.shape());
            for rows in of_trial.plan.tasks.iter().flat_map(|task| of_trial.rows(task)) {
                let due = executor.expected_result(&trial.aim, &rows.operands);
                // All results for a register that was never set are right: the first is compared.
                let mut results = |of: &Trial| -> Result<[Column; 1]> {
                    let each = executor.each_result(of, &rows.operands, due.as_ref());
                    Ok([each.map_err(anyhow::Error::msg)?.swap_remove(0)])
                };
                let [results, other] = [results(&trial)?, results(&beside)?];
                seen += results[0].rows() as u64;
                for row in column::differing(&results, &other) {
                    let [due, came] = [&results, &other].map(|results| results[0].get(row));
                    if open.may_differ(&rows.operands, row, due, came) {
                        continue;
                    }
                    differing += 1;
                    let index = rows.first + row as u64;
                    let mismatch = mismatch(index, &rows.operands, row, [due, came]);
                    keep_simpler(&mut simplest, shape, rows.task.asked.sweep(), &mismatch);
                }
            }
        }
        let example = |(sweep, mismatch)| FunctionDifference {
            cells: self.cells.clone(),
            vectors: seen,
            differing,
            example: decoded(aim.shape(), sweep, &mismatch),
        };
        Ok(simplest.map(example))
    }
}
