//! The second and the third stage, run for all products and some addends, and held against the reference.
//!
//! The stages are those of `emulator::stages`: the first multiplies exactly, the second adds and rounds, the third
//! clamps and chooses NaN and the sign of zero. `triples.rs` has the argument.
//!
//! For one addend the results are a staircase over the products in order. The stages are run for every
//! product; the reference is asked at both ends of each step. Rounding is monotone, and so is all that follows it:
//! where the reference gives one result at both ends of a step, whatever lies between has it too.

use std::ops::Range;

use emulator::stages::SUM_BROKEN;
use formats::digests::triples;
use serde::{Deserialize, Serialize};

use super::products::List;
use super::{ProofSubject, Reference, Refutation};

/// Number of products that are added to each addend in turn: so many stay in the nearest cache.
const TILE: usize = 4096;
/// Number of sums that are looked at together for one that is another than those before.
const GLANCE: usize = 64;
/// Number of triples that the reference is asked about at a time.
const ASKED: usize = 1 << 13;

/// A list of products, and which subjects of a group have it.
pub struct SharedProducts {
    /// The products, in order of magnitude.
    pub list: List,
    /// Indices into the subjects given to [`Climber::new`], at least one.
    pub subjects: Vec<usize>,
}

/// The results for some addends: digests, and numbers of steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// The digest of the results, for each subject.
    pub results: Vec<u64>,
    /// The number of steps, for each subject.
    pub steps: Vec<u64>,
}

impl Steps {
    /// Creates the results for no addends yet, of so many subjects.
    pub fn none(subjects: usize) -> Steps {
        Steps { results: vec![0; subjects], steps: vec![0; subjects] }
    }

    /// Adds the digests and the steps of other addends.
    pub fn add(&mut self, more: &Steps) {
        for (result, more) in self.results.iter_mut().zip(&more.results) {
            *result = result.wrapping_add(*more);
        }
        for (steps, more) in self.steps.iter_mut().zip(&more.steps) {
            *steps = steps.saturating_add(*more);
        }
    }
}

/// Walks the staircases of one group of subjects, which have formats, flushing and rounding in common: runs the stages,
/// and asks the reference.
pub struct Climber<'a> {
    subjects: &'a [ProofSubject],
    lists: &'a [SharedProducts],
    /// The results of the third stage, indexed by subject, then by the word of the sum: a rounded magnitude of 16 bits,
    /// the sign in bit 16, NaN in bit 17. [`SUM_BROKEN`], bit 18, marks a sum that does not fit, and has no result.
    results_of_sums: &'a [Vec<u16>],
    asked: Vec<PendingTriples>,
    done: Steps,
}

/// Triples that the reference has yet to be asked about, and the results that the stages give for them.
struct PendingTriples {
    reference: Box<dyn Reference>,
    operands: [Vec<u16>; 3],
    given: Vec<u16>,
    expected: Vec<u16>,
}

/// A run of products of a list that have one sum, from `start` on.
#[derive(Clone, Copy)]
struct ProductRun {
    sum: u32,
    start: usize,
}

/// A step: products of a list for which a subject has one result.
#[derive(Clone, Copy)]
struct SumStep {
    result: u16,
    products: (usize, usize),
}

impl<'a> Climber<'a> {
    /// Creates a climber for subjects that add alike.
    pub fn new(
        subjects: &'a [ProofSubject],
        lists: &'a [SharedProducts],
        results_of_sums: &'a [Vec<u16>],
    ) -> Climber<'a> {
        let asked = |subject: &ProofSubject| PendingTriples {
            reference: (subject.reference)(),
            operands: Default::default(),
            given: Vec::new(),
            expected: Vec::new(),
        };
        let done = Steps::none(subjects.len());
        Climber { subjects, lists, results_of_sums, asked: subjects.iter().map(asked).collect(), done }
    }

    /// Runs the stages for all products with some addends. Addends are encodings of the format, so they are below 2^16.
    ///
    /// # Errors
    /// A refutation, by a triple of which the stages and the reference do not say the same, or by a sum that does not
    /// fit. After an error the climber must not be used again: it has parts of the results.
    pub fn climb(&mut self, addends: Range<u32>) -> Result<Steps, Refutation> {
        for shared in self.lists {
            self.climb_list(shared, addends.clone())?;
        }
        for subject in 0..self.subjects.len() {
            self.ask(subject)?;
        }
        Ok(std::mem::replace(&mut self.done, Steps::none(self.subjects.len())))
    }

    /// Runs the stages for the products of one list, and ends the steps of each subject that has it.
    fn climb_list(&mut self, shared: &SharedProducts, addends: Range<u32>) -> Result<(), Refutation> {
        let SharedProducts { list, subjects } = shared;
        let machine = &self.subjects[subjects[0]].machine;
        // Runs and steps of each addend, which go on from tile to tile.
        let mut runs: Vec<Option<ProductRun>> = vec![None; addends.len()];
        let mut steps: Vec<Vec<Option<SumStep>>> = vec![vec![None; subjects.len()]; addends.len()];
        let mut sums = vec![0; TILE];
        for start in (0..list.len()).step_by(TILE) {
            let tile = start..list.len().min(start + TILE);
            let sums = &mut sums[..tile.len()];
            let magnitudes = [&list.significands[tile.clone()], &list.exponents[tile.clone()]];
            for (at, c) in addends.clone().enumerate() {
                machine.sums(list.kind, magnitudes, c, sums);
                let mut rest = 0;
                while let Some(next) = next_other(sums, rest, runs[at].map(|run| run.sum)) {
                    let run = ProductRun { sum: sums[next], start: start + next };
                    if let Some(before) = runs[at].replace(run) {
                        self.extend(shared, c as u16, before, run.start, &mut steps[at])?;
                    }
                    rest = next + 1;
                }
            }
        }
        for ((at, c), run) in addends.enumerate().zip(runs) {
            self.extend(shared, c as u16, run.expect("no list is empty"), list.len(), &mut steps[at])?;
            for (step, &subject) in steps[at].iter().zip(subjects) {
                self.end(list, subject, c as u16, step.expect("it has one now"))?;
            }
        }
        Ok(())
    }

    /// Adds a run, which ends before the product `end`, to a step of each subject: the current step or a new one.
    fn extend(
        &mut self,
        shared: &SharedProducts,
        c: u16,
        run: ProductRun,
        end: usize,
        steps: &mut [Option<SumStep>],
    ) -> Result<(), Refutation> {
        for (step, &subject) in steps.iter_mut().zip(&shared.subjects) {
            if run.sum & SUM_BROKEN != 0 {
                let pair = shared.list.pair(run.start);
                return Err(Refutation::Sum { subject: self.subjects[subject].name.clone(), pair, c });
            }
            // A sum without that bit is below 2^18, which is how many results of sums there are.
            let result = self.results_of_sums[subject][run.sum as usize];
            let products = (run.start, end);
            match step {
                Some(step) if step.result == result => step.products.1 = end,
                _ => {
                    if let Some(before) = step.replace(SumStep { result, products }) {
                        self.end(&shared.list, subject, c, before)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Ends a step: it counts, and the reference is asked about both its ends.
    fn end(&mut self, list: &List, subject: usize, c: u16, step: SumStep) -> Result<(), Refutation> {
        let SumStep { result, products: (first, end) } = step;
        // Weights are prefix sums: their difference is the weight of the products of the step.
        let weight = list.weights[end].wrapping_sub(list.weights[first]);
        let share = weight.wrapping_mul(triples::addend(c)).wrapping_mul(result.into());
        self.done.results[subject] = self.done.results[subject].wrapping_add(share);
        self.done.steps[subject] += 1;
        let asked = &mut self.asked[subject];
        // A step of one product has one end.
        for product in [first, end - 1].into_iter().take(if end - first == 1 { 1 } else { 2 }) {
            let [a, b] = list.pair(product);
            for (column, bits) in asked.operands.iter_mut().zip([a, b, c]) {
                column.push(bits);
            }
            asked.given.push(result);
        }
        if asked.given.len() >= ASKED { self.ask(subject) } else { Ok(()) }
    }

    /// Asks the reference about the triples that have been collected for a subject.
    fn ask(&mut self, subject: usize) -> Result<(), Refutation> {
        let PendingTriples { reference, operands, given, expected } = &mut self.asked[subject];
        reference.results(operands.each_ref().map(|column| &column[..]), expected);
        if let Some(at) = (0..given.len()).find(|&at| given[at] != expected[at]) {
            return Err(Refutation::Result {
                subject: self.subjects[subject].name.clone(),
                operands: operands.each_ref().map(|column| column[at]),
                given: given[at],
                expected: expected[at],
            });
        }
        operands.iter_mut().for_each(Vec::clear);
        given.clear();
        Ok(())
    }
}

/// Returns the place of the first sum from `from` on that is not `current`.
fn next_other(sums: &[u32], mut from: usize, current: Option<u32>) -> Option<usize> {
    let Some(current) = current else { return (from < sums.len()).then_some(from) };
    while let Some(glance) = sums.get(from..from + GLANCE) {
        if glance.iter().fold(0, |other, sum| other | (sum ^ current)) != 0 {
            break;
        }
        from += GLANCE;
    }
    (from..sums.len()).find(|&at| sums[at] != current)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_other_sum_is_found_wherever_it_is() {
        for length in [1, 63, 64, 65, 200] {
            let mut sums = vec![7; length];
            assert_eq!(next_other(&sums, 0, None), Some(0));
            assert_eq!(next_other(&sums, 0, Some(7)), None);
            for at in 0..length {
                sums[at] = 8;
                assert_eq!(next_other(&sums, 0, Some(7)), Some(at));
                assert_eq!(next_other(&sums, at + 1, Some(7)), None);
                sums[at] = 7;
            }
        }
    }
}
