//! Explains wrong approximations. They have no model whose bits could be compared. But an implementation that flushes
//! where nobody asked for it, or does not where somebody did, computes something that the oracle knows. All other
//! mismatches are described: where they lie and how they are wrong.

mod describe;
mod element;
mod left_unflushed;
mod seam;

use std::collections::BTreeMap;

use formats::{Class, Column};
use isa::{Variant, results_for};
use judge::{Batch, Judge, MismatchKind, Truth};
use model::{Fault, Faults};
use oracle::Oracle;

use super::Explanation;
use super::candidate::Candidate;
use super::evidence::{Evidence, Rerun, counts};

pub use describe::describe;

/// A computation in the place of an approximation, of which the oracle knows the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instead {
    /// The variant itself, with subnormal operands flushed to zeros before it, or subnormal results after it.
    Flushed { operands: bool, results: bool },
    /// The variant without `.ftz`.
    Unflushed(&'static Variant),
}

/// Explains the classes of an approximation; classes without an explanation are not in the map.
pub fn explain(rerun: &Rerun, evidence: &[Evidence]) -> BTreeMap<MismatchKind, Explanation> {
    let (counts, agreeing) = counts(evidence);
    let mut explained: BTreeMap<MismatchKind, Explanation> = BTreeMap::new();
    for instead in Instead::of(rerun.variant) {
        let mut trial = Trial::new(rerun.variant, instead);
        // Whatever makes a right result wrong is not what is computed.
        let agrees: Vec<Vec<bool>> = evidence.iter().map(|batch| trial.agrees(batch)).collect();
        let batches = || evidence.iter().zip(&agrees);
        if !batches()
            .all(|(batch, agrees)| batch.is_right().zip(agrees).all(|(right, agrees)| !right || *agrees))
        {
            continue;
        }
        for (&kind, &mismatches) in &counts {
            let of_kind = |(batch, agrees): (&Evidence, &Vec<bool>)| {
                batch.mismatches.iter().all(|(row, of)| *of != kind || agrees[*row])
            };
            // Where elements are wrong that are not small, what is left of right results explains the class better, if
            // it does.
            let is_left_unflushed =
                || left_unflushed::explain(rerun, evidence, kind, (mismatches, agreeing)).is_some();
            let concerned = || instead.concerns(rerun.variant, evidence, kind) || !is_left_unflushed();
            if batches().all(of_kind) && concerned() {
                let faults = instead.faults(rerun.variant, evidence, kind);
                let candidate = Candidate::faulty(faults);
                let found = Explanation {
                    mismatches,
                    agreeing,
                    ignores: instead.ignores(),
                    ..candidate.explanation(rerun.variant, Faults::default())
                };
                // The simplest computations are tried first, and the first that explains a class stays.
                explained.entry(kind).or_insert(found);
            }
        }
    }
    let open = counts.into_iter().filter(|(kind, _)| !explained.contains_key(kind));
    let unflushed: Vec<_> = open
        .filter_map(|(kind, count)| {
            Some((kind, left_unflushed::explain(rerun, evidence, kind, (count, agreeing))?))
        })
        .collect();
    explained.extend(unflushed);
    explained
}

impl Instead {
    /// Returns the computations that may stand in the place of a variant, the simplest first.
    fn of(variant: &Variant) -> Vec<Instead> {
        let flushes = variant.meaning().flush;
        let flushed = |operands, results| Instead::Flushed { operands, results };
        // A variant without `.ftz` can be wrong by flushing, and one with it by not flushing.
        if !flushes.result && !flushes.inputs.contains(&true) {
            return vec![flushed(true, false), flushed(false, true), flushed(true, true)];
        }
        let without = variant.text().replacen(".ftz", "", 1);
        let sibling = Variant::named(&without);
        sibling.map(Instead::Unflushed).into_iter().collect()
    }

    /// Whether the computation is likely to be what is wrong with a class: without `.ftz`, small elements alone are
    /// computed otherwise.
    fn concerns(self, variant: &Variant, evidence: &[Evidence], kind: MismatchKind) -> bool {
        let is_small = |element: &element::MeasuredElement| element.is_small(variant);
        let unflushed = matches!(self, Instead::Unflushed(_));
        !unflushed || element::of_kind(variant, evidence, kind).iter().all(is_small)
    }

    /// Returns the modifier that has no effect where this is computed, if there is one.
    fn ignores(self) -> Vec<String> {
        match self {
            Instead::Unflushed(_) => vec![".ftz".into()],
            Instead::Flushed { .. } => vec![],
        }
    }

    /// Returns the computation by the names that the faults of exact variants have.
    fn faults(self, variant: &Variant, evidence: &[Evidence], kind: MismatchKind) -> Faults {
        let set = |first: bool, second: bool, faults: [Fault; 2]| {
            let [first, second] = [(first, faults[0]), (second, faults[1])];
            let chosen = |(of, fault): (bool, Fault)| Faults::from(of.then_some(fault));
            chosen(first).and(chosen(second))
        };
        match self {
            Instead::Flushed { operands, results } => {
                set(operands, results, [Fault::FlushedAnyway, Fault::ResultFlushedAnyway])
            }
            Instead::Unflushed(_) => {
                let small = element::of_kind(variant, evidence, kind);
                let small: Vec<bool> =
                    small.iter().map(|element| element.has_subnormal(variant)).collect();
                // Where no input is subnormal, only the result can have been left unflushed.
                let (inputs, results) = (small.contains(&true), small.contains(&false));
                set(inputs, results, [Fault::InputNotFlushed, Fault::ResultNotFlushed])
            }
        }
    }
}

/// The oracle and the judge that tell whether results are those of another computation.
struct Trial {
    variant: &'static Variant,
    instead: Instead,
    oracle: Oracle,
    judge: Judge,
}

impl Trial {
    /// Makes the oracle and the judge of what is computed in the place of a variant.
    fn new(variant: &'static Variant, instead: Instead) -> Trial {
        let computed = match instead {
            Instead::Flushed { .. } => variant,
            Instead::Unflushed(sibling) => sibling,
        };
        Trial { variant, instead, oracle: Oracle::new(computed), judge: Judge::new(computed) }
    }

    /// Returns for each row whether its result is right for what is computed instead.
    fn agrees(&mut self, batch: &Evidence) -> Vec<bool> {
        let flush = |operands, results| (operands, results);
        let (of_operands, of_results) = match self.instead {
            Instead::Flushed { operands, results } => flush(operands, results),
            Instead::Unflushed(_) => flush(false, false),
        };
        let operands =
            if of_operands { flushed(self.variant, &batch.operands) } else { batch.operands.clone() };
        let rows = operands[0].rows();
        let mut truth = Truth::new(self.variant);
        self.oracle.expect(&operands, &mut truth);
        let mut agrees = vec![true; rows];
        let mut results = batch.results.clone();
        if of_results {
            self.expect_zeros(&truth, &mut results, &mut agrees);
        }
        for row in self.judge.wrong_rows(&truth, Batch::new(&operands, &results)) {
            agrees[row] = false;
        }
        agrees
    }

    /// Checks that the result is a zero where the right one is subnormal, and puts the right one in its place. Rows
    /// where it is not lose their mark in `agrees`.
    fn expect_zeros(&self, truth: &Truth, results: &mut [Column], agrees: &mut [bool]) {
        let (output, lanes) = (&self.variant.outputs()[0], self.variant.lanes());
        let (format, rows) = (output.format, agrees.len());
        let gather = |columns: &[Column]| {
            let mut elements = vec![0u64; rows * lanes];
            output.gather(self.variant.results(), columns, 0..rows, &mut elements);
            elements
        };
        let (right, mut actual) = (gather(&truth.results), gather(results));
        for (element, interval) in truth.intervals().iter().enumerate() {
            // A result that rounds to the smallest normal number may be kept.
            let subnormal = format.class(right[element]) == Class::Subnormal;
            if interval.range.is_some() && subnormal {
                let zero = right[element] & format.sign_mask();
                agrees[element / lanes] &= actual[element] == zero;
                // The judge sees the right result in any case: whether it was a zero is noted in `agrees`.
                actual[element] = right[element];
            }
        }
        let mut substituted = results_for(self.variant, rows);
        output.scatter(self.variant.results(), &actual, 0..rows, &mut substituted);
        results.clone_from_slice(&substituted);
    }
}

/// Returns operands with zeros of their sign in the place of subnormal numbers.
fn flushed(variant: &Variant, operands: &[Column]) -> Vec<Column> {
    let flush = |column: &Column, register: &isa::Register| {
        let (mut column, ty) = (column.clone(), register.ty);
        for row in 0..column.rows() {
            let lanes = (0..ty.lanes).map(|lane| {
                let bits = ty.lane(column.get(row), lane);
                let subnormal = ty.format.class(bits) == Class::Subnormal;
                ty.place(if subnormal { bits & ty.format.sign_mask() } else { bits }, lane)
            });
            let bits = lanes.fold(0, |all, lane| all | lane);
            column.set(row, bits);
        }
        column
    };
    operands.iter().zip(variant.operands()).map(|(column, register)| flush(column, register)).collect()
}
