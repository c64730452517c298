//! Checks, by mutants of the functions that are right, whether trials of functions see what compilers could do wrong.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use base::interrupt::is_interruption;
use base::pool::Pool;
use machines::functions::RunnableFunction;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use super::body::Body;
use super::cells::{Compilation, PromiseCell};
use super::compare_functions::{Observation, compare_functions};
use super::trial::{Aim, Trial};
use ptx::mutation::{Edit, mutants};

/// The number of functions whose mutants are tried together.
const PART: usize = 64;
/// The number of mutants of one function that are tried on the same vectors.
const GROUP: usize = 32;
/// The factor by which more vectors are tried where a mutant is not caught.
const MORE: u64 = 64;

/// A reason why a mutant is not caught.
#[derive(Debug)]
pub struct Reason {
    /// The name of the reason.
    pub id: &'static str,
    holds: fn(&MostlyRightMutant) -> bool,
    /// The reason in words.
    pub prose: &'static str,
}

/// A mutant that is right on many vectors.
struct MostlyRightMutant<'a> {
    aim: &'a Aim,
    /// The number of instructions, or of results for a vector, that are permitted.
    permitted: usize,
    seen: &'a Observation,
}

impl MostlyRightMutant<'_> {
    /// Whether an instruction is promised of which PTX states a bound.
    fn is_bound(&self) -> bool {
        matches!(self.aim, Aim::Instruction(of) if !of.is_exact())
    }

    /// Whether an instruction is promised of which the manual leaves something open.
    fn is_relaxed(&self) -> bool {
        matches!(self.aim, Aim::Instruction(of) if of.relaxations().next().is_some())
    }
}

#[rustfmt::skip] // a table
/// All reasons; the first that holds is named.
pub const REASONS: &[Reason] = &[
    Reason { id: "exhausted", holds: |c| !c.seen.differs && c.seen.exhausted,
        prose: "of every input the result is the same" },
    Reason { id: "same", holds: |c| !c.seen.differs,
        prose: "of 64 times the vectors, all results are the same" },
    Reason { id: "left-open", holds: |c| c.permitted > 1,
        prose: "several results are permitted: flushed or not, contracted or not" },
    Reason { id: "within-bound", holds: |c| c.is_bound(),
        prose: "the promise is a bound, and both lie within it" },
    Reason { id: "relaxed", holds: |c| c.is_relaxed(),
        prose: "a relaxation of the instruction permits both" },
    Reason { id: "flagged", holds: |c| !c.seen.differs_beyond_flags,
        prose: "they differ only in what flags leave open: NaN, infinities, the sign of a zero, when it is flushed" },
];

/// The fate of a mutant.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// A result is wrong.
    Caught,
    /// No result is wrong, for this reason.
    Permitted(&'static Reason),
    /// No result is wrong, and nothing says why; or a result is wrong, but only with more vectors.
    Survived,
}

/// The fates of all mutants.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Score {
    /// The number of functions that are right, and were changed.
    pub functions: usize,
    /// The counts for each edit: how many mutants there are, how many were caught, and how many each reason permits.
    pub edits: BTreeMap<&'static str, BTreeMap<&'static str, usize>>,
    /// The mutants that a reason permits, with its name.
    pub permitted: Vec<Survivor>,
    /// The mutants that survived, which no reason permits.
    pub survivors: Vec<Survivor>,
}

/// A mutant that was not caught.
#[derive(Clone, Debug, Serialize)]
pub struct Survivor {
    /// The row of the function.
    pub row: String,
    /// The text of what is promised.
    pub promised: String,
    /// The kind of edit.
    pub edit: &'static str,
    /// The instruction and what became of it.
    pub text: String,
    /// The reason, or the place where more vectors show the mutant to be wrong.
    pub why: String,
}

/// A function that is right.
struct Right<'a> {
    cell: &'a PromiseCell,
    body: &'a Body,
    function: &'a Arc<RunnableFunction>,
    /// The aim that the function is right for: what it computes.
    aim: Aim,
}

/// A mutant that can be executed.
struct ExecutableMutant<'a> {
    right: &'a Right<'a>,
    /// The kind of edit.
    edit: Edit,
    /// The instruction and what became of it.
    text: String,
    /// The trials of the mutant, for each aim of the cell.
    trials: Vec<Vec<Trial>>,
}

/// Changes the functions of cells, and tries each mutant on at most `vectors` vectors of each sweep. Functions and
/// mutants of equal bodies and promises are tried once.
///
/// # Errors
/// If a run cannot be made, and [`Interrupted`](base::interrupt::Interrupted).
pub fn prove(cells: &[PromiseCell], vectors: u64, jobs: usize, stop: &AtomicBool) -> Result<Score> {
    let mut known = HashSet::new();
    let functions: Vec<_> = cells
        .iter()
        .filter_map(|cell| match &cell.compilation {
            Compilation::Function(function, body, _) => Some((cell, function, &**body)),
            _ => None,
        })
        .filter(|(cell, _, body)| known.insert(key(cell, body)))
        .collect();
    let right = Pool::new(jobs)
        .stopped_by(stop)
        .map(&functions, |&(cell, function, body)| Right::of(cell, function, body, vectors, stop));
    let right: Vec<Right> = right.all()?.into_iter().flatten().collect();
    let mut score = Score { functions: right.len(), ..Score::default() };
    // A mutant has all that its function calls and reads, so not all mutants are there at once.
    for some in right.chunks(PART) {
        let candidates: Vec<ExecutableMutant> =
            some.iter().flat_map(|right| right.candidates(&mut known)).collect();
        let groups: Vec<&[ExecutableMutant]> = candidates
            // Mutants of one function are neighbours, and are compared with it on vectors that are made once.
            .chunk_by(|one, other| std::ptr::eq(one.right, other.right))
            .flat_map(|of_one| of_one.chunks(GROUP))
            .collect();
        let fates = Pool::new(jobs).stopped_by(stop).map(&groups, |group| fates(group, vectors, stop));
        for (candidate, (fate, why)) in candidates.iter().zip(fates.all()?.into_iter().flatten()) {
            score.count(candidate, fate, why);
        }
    }
    Ok(score)
}

/// Returns the key that functions and mutants are known by: a digest of the body and of the cell's promise.
fn key(cell: &PromiseCell, body: &Body) -> u128 {
    xxh3_128(format!("{}\n{}", cell.promise.text(), body.text()).as_bytes())
}

impl<'a> Right<'a> {
    /// Tries a function, and returns it if it computes one of the instructions, or sets of results, that are promised.
    fn of(
        cell: &'a PromiseCell,
        function: &'a Arc<RunnableFunction>,
        body: &'a Body,
        vectors: u64,
        stop: &AtomicBool,
    ) -> Result<Option<Right<'a>>> {
        for (aim, trials) in cell.aims().into_iter().zip(cell.trials()) {
            match compare_functions(function, &[&trials], vectors, stop) {
                Ok(seen) if seen[0].wrong.is_none() => {
                    return Ok(Some(Right { cell, body, function, aim }));
                }
                Err(error) if is_interruption(&error) => return Err(error),
                // The function is wrong, or cannot be executed.
                Ok(_) | Err(_) => {}
            }
        }
        Ok(None)
    }

    /// Makes the mutants of the function that can be executed and are not known yet.
    fn candidates(&'a self, known: &mut HashSet<u128>) -> Vec<ExecutableMutant<'a>> {
        let mut all = Vec::new();
        for mutant in mutants(&self.body.module) {
            let Some(body) = Body::of(&mutant.module, &self.body.name) else { continue };
            let Ok(function) = RunnableFunction::of(&mutant.module, &self.body.name) else { continue };
            if known.insert(key(self.cell, &body)) {
                let function = Arc::new(function);
                let aims = self.cell.aims();
                let trials = aims.iter().map(|aim| Trial::all(aim, &function, &body)).collect();
                all.push(ExecutableMutant { right: self, text: mutant.text, edit: mutant.edit, trials });
            }
        }
        all
    }
}

/// Tries mutants of one function, and returns the fate of each with the reason.
fn fates(group: &[ExecutableMutant], vectors: u64, stop: &AtomicBool) -> Result<Vec<(Fate, String)>> {
    let right = group[0].right;
    let aims = right.cell.aims();
    // This returns the observations of each mutant, for each aim.
    let tried = |some: &[usize], vectors| -> Result<Vec<Vec<Observation>>> {
        let mut all = vec![Vec::new(); some.len()];
        for aim in 0..aims.len() {
            let trials: Vec<&[Trial]> = some.iter().map(|&at| &*group[at].trials[aim]).collect();
            let observed = compare_functions(right.function, &trials, vectors, stop)?;
            for (all, seen) in all.iter_mut().zip(observed) {
                all.push(seen);
            }
        }
        Ok(all)
    };
    let every: Vec<usize> = (0..group.len()).collect();
    let mut fates: Vec<_> = every.iter().map(|_| (Fate::Caught, String::new())).collect();
    let missed: Vec<usize> = tried(&every, vectors)?
        .iter()
        .zip(every)
        .filter_map(|(seen, at)| seen.iter().any(|seen| seen.wrong.is_none()).then_some(at))
        .collect();
    for (all, at) in tried(&missed, vectors.saturating_mul(MORE))?.into_iter().zip(missed) {
        // It is enough that a function is right for one of the aims.
        let right_one = aims.iter().zip(&all).find(|(_, seen)| seen.wrong.is_none());
        fates[at] = if let Some((aim, seen)) = right_one {
            let case = MostlyRightMutant { aim, permitted: right.cell.promise.means.len(), seen };
            match REASONS.iter().find(|reason| (reason.holds)(&case)) {
                Some(reason) => (Fate::Permitted(reason), reason.id.to_owned()),
                None => (Fate::Survived, "no reason".to_owned()),
            }
        } else {
            let wrong: Vec<String> = all.into_iter().filter_map(|seen| seen.wrong).collect();
            (Fate::Survived, format!("wrong at {}", wrong.join(", ")))
        };
    }
    Ok(fates)
}

impl Score {
    /// Counts the fate of a mutant, and lists it where it was not caught.
    fn count(&mut self, candidate: &ExecutableMutant, fate: Fate, why: String) {
        let ExecutableMutant { right, edit, text, .. } = candidate;
        let (column, list) = match fate {
            Fate::Caught => ("caught", None),
            Fate::Permitted(reason) => (reason.id, Some(&mut self.permitted)),
            Fate::Survived => ("survived", Some(&mut self.survivors)),
        };
        let of_edit = self.edits.entry(edit.name()).or_default();
        *of_edit.entry("mutants").or_default() += 1;
        *of_edit.entry(column).or_default() += 1;
        if let Some(list) = list {
            list.push(Survivor {
                row: right.cell.row.name.clone(),
                promised: right.aim.text().to_owned(),
                edit: edit.name(),
                text: text.clone(),
                why,
            });
        }
    }

    /// Returns the score as a text: a table, the reasons, and the survivors.
    pub fn text(&self) -> String {
        let columns = ["mutants", "caught"].into_iter().chain(REASONS.iter().map(|reason| reason.id));
        let columns: Vec<&str> = columns.chain(["survived"]).collect();
        let mut text = format!("{:12}", "");
        for column in &columns {
            let _ = write!(text, " {column:>13}");
        }
        for edit in Edit::ALL {
            let Some(counts) = self.edits.get(edit.name()) else { continue };
            let _ = write!(text, "\n{edit:12}");
            for column in &columns {
                let _ = write!(text, " {:>13}", counts.get(column).copied().unwrap_or(0));
            }
        }
        text.push('\n');
        for reason in REASONS {
            let _ = writeln!(text, "{:13} {}", reason.id, reason.prose);
        }
        for Survivor { row, promised, edit, text: own, why } in &self.survivors {
            let _ = writeln!(text, "SURVIVED  {row} ({promised}), {edit}: {own} ({why})");
        }
        text
    }
}
