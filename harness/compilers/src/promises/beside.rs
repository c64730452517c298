//! Functions beside one that is known, all on the same vectors, each until a result is wrong or to the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use base::interrupt::Interrupted;
use formats::{Column, column};
use machines::functions::Function;

use super::bed::{Bed, Rows};
use super::standard::Standard;
use super::trial::{Aim, EXTREMES, Machine, Trial};

/// What was seen of a function.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Where it is wrong: the sweep and the vector's number in it, or what it may not do.
    pub wrong: Option<String>,
    /// Whether a result is another than that of the function beside it, …
    pub differs: bool,
    /// … and whether one is where flags leave nothing open.
    pub differs_beyond_flags: bool,
    /// Whether every input was tried.
    pub exhausted: bool,
}

/// What is known of rows: the results of the function that others are tried beside.
struct Known {
    /// What is due, if that is an instruction.
    due: Option<Column>,
    results: [Column; 1],
    /// Those of them that are wrong: it may be found out only here, beside itself or on more vectors.
    wrong: Vec<usize>,
}

/// What came of a function in some rows.
struct Came {
    results: [Column; 1],
    /// Where they are not those that are known.
    differing: Vec<usize>,
}

/// Tries functions on at most so many vectors of each sweep, those that a run has, and compares them with one that is
/// known, which may be one of them. All their trials have one aim.
///
/// # Errors
/// If a plan cannot be made, or the known function cannot be executed, and [`Interrupted`].
pub fn seen(
    known: &Arc<Function>,
    functions: &[&[Trial]],
    vectors: u64,
    stop: &AtomicBool,
) -> Result<Vec<Seen>> {
    let mut all = vec![Seen::default(); functions.len()];
    let Some(any) = functions.iter().flat_map(|trials| trials.iter()).next() else { return Ok(all) };
    let bed = Bed::of(any, vectors)?;
    // Where one sweep has all that there is, no other has more.
    let exhaustive = bed.exhaustive();
    let tasks = exhaustive.map_or(&bed.plan.tasks[..], std::slice::from_ref);
    all.iter_mut().for_each(|seen| seen.exhausted = exhaustive.is_some());
    for extreme in EXTREMES {
        let of_one = |(place, trials): (usize, &&[Trial])| {
            let some = trials.iter().filter(|trial| trial.extreme == extreme);
            some.map(move |trial| (place, trial.clone())).collect::<Vec<_>>()
        };
        let mut trials: Vec<(usize, Trial)> = functions.iter().enumerate().flat_map(of_one).collect();
        let Some((_, any)) = trials.first() else { continue };
        let beside = any.with(known);
        let (mut machine, mut standard) = (Machine::default(), Standard::of(&beside.aim, extreme));
        for rows in tasks.iter().flat_map(|task| bed.rows(task)) {
            trials.retain(|&(place, _)| all[place].wrong.is_none());
            if trials.is_empty() {
                break;
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Interrupted.into());
            }
            let known = Known::of(&beside, &rows, &mut machine, &mut standard)?;
            for (place, trial) in &trials {
                let seen = &mut all[*place];
                match known.came(trial, &rows, &mut machine) {
                    Ok(came) => seen.add(&beside.aim, &rows, &known, &came, &mut standard),
                    Err(fault) => seen.wrong = Some(fault),
                }
            }
        }
    }
    Ok(all)
}

impl Known {
    fn of(beside: &Trial, rows: &Rows, machine: &mut Machine, standard: &mut Standard) -> Result<Known> {
        let due = machine.due(&beside.aim, &rows.operands);
        let result = machine.result(beside, &rows.operands, due.as_ref());
        let results = [result.map_err(anyhow::Error::msg)?];
        let wrong = standard.wrong(&rows.operands, &results, usize::MAX);
        Ok(Known { due, results, wrong })
    }

    fn came(&self, trial: &Trial, rows: &Rows, machine: &mut Machine) -> Result<Came, String> {
        let results = [machine.result(trial, &rows.operands, self.due.as_ref())?];
        let differing = column::differing(&results, &self.results).collect();
        Ok(Came { results, differing })
    }
}

impl Seen {
    fn add(&mut self, aim: &Aim, rows: &Rows, known: &Known, came: &Came, standard: &mut Standard) {
        let Came { results, differing } = came;
        for &row in differing {
            self.differs = true;
            let [due, came] = [&known.results, results].map(|results| results[0].get(row));
            self.differs_beyond_flags |= match aim {
                Aim::Expected(of) => !of.may_differ(&rows.operands, row, due, came),
                Aim::Instruction(_) => true,
            };
        }
        // What is as known is judged with that.
        let alike = known.wrong.iter().find(|row| differing.binary_search(row).is_err());
        let [operands, results] =
            [&rows.operands[..], results].map(|all| column::select(all, differing));
        let other = standard.wrong(&operands, &results, 1).first().map(|&at| &differing[at]);
        if let Some(&row) = alike.into_iter().chain(other).min() {
            self.wrong = Some(format!("{} {}", rows.task.asked.sweep(), rows.first + row as u64));
        }
    }
}
