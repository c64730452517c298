//! Compares functions with a known one, all on the same vectors, each until a result is wrong or to the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use base::interrupt::Interrupted;
use formats::{Column, column};
use machines::functions::RunnableFunction;

use super::function_executor::FunctionExecutor;
use super::standard::Standard;
use super::trial::{Aim, Trial};
use super::try_function::{TaskRows, TrialVectors};
use crate::unit::Approximation;

/// The observations of a function, by itself and in comparison with the known one.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// The place where the function is wrong: the sweep and the vector's number in it, or what a lane may not do, in
    /// words.
    pub wrong: Option<String>,
    /// Whether a result differs from the known function's.
    pub differs: bool,
    /// Whether a result differs from the known function's although flags leave nothing open there.
    pub differs_beyond_flags: bool,
    /// Whether every input was tried.
    pub exhausted: bool,
}

/// The results of the known function in some rows.
struct KnownResults {
    /// The emulator's results, where an instruction is due.
    due: Option<Column>,
    results: [Column; 1],
    /// The rows whose results are wrong: some functions turn out to be wrong only on these vectors.
    wrong: Vec<usize>,
}

/// The results of a function in some rows, beside those of the known one.
struct ComparedResults {
    results: [Column; 1],
    /// The rows where the results differ from the known function's.
    differing: Vec<usize>,
}

/// Tries functions on the vectors of a run, at most `vectors` of each sweep, and compares them with a known function,
/// which may be one of them. Returns an observation of each function, in their order. All trials have to be held to the
/// same standard.
///
/// # Errors
/// If a plan cannot be made, or the known function cannot be executed, and [`Interrupted`].
pub fn compare_functions(
    known: &Arc<RunnableFunction>,
    functions: &[&[Trial]],
    vectors: u64,
    stop: &AtomicBool,
) -> Result<Vec<Observation>> {
    let mut all = vec![Observation::default(); functions.len()];
    let Some(any) = functions.iter().flat_map(|trials| trials.iter()).next() else { return Ok(all) };
    let vectors = TrialVectors::of(any, vectors)?;
    // Where one sweep has every input, no other sweep has more.
    let exhaustive = vectors.exhaustive();
    let tasks = exhaustive.map_or(&vectors.plan.tasks[..], std::slice::from_ref);
    all.iter_mut().for_each(|seen| seen.exhausted = exhaustive.is_some());
    for approximation in Approximation::ALL {
        // A function is compared with the known one where both have the same approximations.
        let of_one = |(place, trials): (usize, &&[Trial])| {
            let some = trials.iter().filter(|trial| trial.approximation == approximation);
            some.map(move |trial| (place, trial.clone())).collect::<Vec<_>>()
        };
        let mut trials: Vec<(usize, Trial)> = functions.iter().enumerate().flat_map(of_one).collect();
        let Some((_, any)) = trials.first() else { continue };
        let beside = any.with_function(known);
        let (mut executor, mut standard) =
            (FunctionExecutor::default(), Standard::of(&beside.aim, approximation));
        for rows in tasks.iter().flat_map(|task| vectors.rows(task)) {
            trials.retain(|&(place, _)| all[place].wrong.is_none());
            if trials.is_empty() {
                break;
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Interrupted.into());
            }
            let known = KnownResults::of(&beside, &rows, &mut executor, &mut standard)?;
            for (place, trial) in &trials {
                let seen = &mut all[*place];
                match known.compared(trial, &rows, &mut executor) {
                    Ok(compared) => seen.add(&beside.aim, &rows, &known, &compared, &mut standard),
                    Err(fault) => seen.wrong = Some(fault),
                }
            }
        }
    }
    Ok(all)
}

impl KnownResults {
    /// Executes the known function on some rows, and judges its results.
    fn of(
        beside: &Trial,
        rows: &TaskRows,
        executor: &mut FunctionExecutor,
        standard: &mut Standard,
    ) -> Result<KnownResults> {
        let due = executor.expected_result(&beside.aim, &rows.operands);
        let result = executor.result(beside, &rows.operands, due.as_ref());
        let results = [result.map_err(anyhow::Error::msg)?];
        let wrong = standard.wrong(&rows.operands, &results, usize::MAX);
        Ok(KnownResults { due, results, wrong })
    }

    /// Executes a function on the same rows, and finds where its results differ from the known ones.
    fn compared(
        &self,
        trial: &Trial,
        rows: &TaskRows,
        executor: &mut FunctionExecutor,
    ) -> Result<ComparedResults, String> {
        let results = [executor.result(trial, &rows.operands, self.due.as_ref())?];
        let differing = column::differing(&results, &self.results).collect();
        Ok(ComparedResults { results, differing })
    }
}

impl Observation {
    /// Adds what a part of the vectors shows of a function.
    fn add(
        &mut self,
        aim: &Aim,
        rows: &TaskRows,
        known: &KnownResults,
        compared: &ComparedResults,
        standard: &mut Standard,
    ) {
        let ComparedResults { results, differing } = compared;
        for &row in differing {
            self.differs = true;
            let [due, came] = [&known.results, results].map(|results| results[0].get(row));
            self.differs_beyond_flags |= match aim {
                Aim::Expected(of) => !of.may_differ(&rows.operands, row, due, came),
                Aim::Instruction(_) => true,
            };
        }
        // A row with the known function's result is as right or wrong as that.
        let alike = known.wrong.iter().find(|row| differing.binary_search(row).is_err());
        let [operands, results] =
            [&rows.operands[..], results].map(|all| column::select(all, differing));
        let other = standard.wrong(&operands, &results, 1).first().map(|&at| &differing[at]);
        if let Some(&row) = alike.into_iter().chain(other).min() {
            self.wrong = Some(format!("{} {}", rows.task.asked.sweep(), rows.first + row as u64));
        }
    }
}
