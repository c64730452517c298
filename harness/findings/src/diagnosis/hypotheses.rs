//! Finds the candidates that agree with the evidence of a variant that has a model.
//!
//! Candidates are tried in the order of their simplicity (`LEVELS`), and where a candidate of one level explains a
//! class, no later level is asked about that class.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use faults::{Mutation, is_tolerated};
use formats::{Column, column};
use isa::{Variant, results_for};
use judge::{MismatchKind, Tally};
use model::{Fault, Faults};
use runner::Task;

use super::Explanation;
use super::candidate::{Candidate, Computes};
use super::condition::Condition;
use super::evidence::{Evidence, Rerun, counts};
use super::integers::Integers;
use super::predicted::retain_predicting;
use super::siblings::Sibling;

/// The number of mismatches of a class that candidates are tried on first.
const FEW: usize = 8;

/// The least number of mismatches of a class that a fault under a condition is named for.
const ENOUGH: u64 = 8;

/// A candidate, and the classes whose results it has given so far.
pub struct Hypothesis {
    /// The guess at what is computed.
    pub candidate: Candidate,
    /// The kinds of mismatches whose results the guess gives.
    pub explained: BTreeSet<MismatchKind>,
}

/// Some mismatches of a class, in one batch.
struct Probe {
    kind: MismatchKind,
    operands: Vec<Column>,
    results: Vec<Column>,
}

/// The faults and the siblings of a variant, from which candidates are made.
struct CandidateSource {
    faults: Vec<Fault>,
    /// The siblings that ignore modifiers of the variant.
    ignoring: Vec<Sibling>,
    variant: &'static Variant,
}

/// The levels of candidates that are tried, the simplest first.
const LEVELS: [fn(&CandidateSource) -> Vec<Candidate>; 7] = [
    CandidateSource::single,
    CandidateSource::no_floats,
    CandidateSource::pairs,
    CandidateSource::under_conditions,
    CandidateSource::other_variants,
    CandidateSource::ignoring_with_fault,
    CandidateSource::ignoring_with_pair,
];

/// Explains the classes of a variant that has a model, given the vectors that were run again, and the tallies of its
/// sweeps of `seed`; classes without an explanation are not in the map.
pub fn explain(
    rerun: &mut Rerun,
    evidence: &[Evidence],
    seed: u64,
    tasks: &[(&Task, &Tally)],
) -> BTreeMap<MismatchKind, Explanation> {
    let (counts, agreeing) = counts(evidence);
    let known = CandidateSource::of(rerun.variant);
    let probes = probes(evidence, &counts);
    let mut open: BTreeSet<MismatchKind> = counts.keys().copied().collect();
    let mut explanations = BTreeMap::new();
    for level in LEVELS {
        if open.is_empty() {
            break;
        }
        let candidates = level(&known).into_iter().filter_map(|candidate| {
            // A few mismatches rule most candidates out, and only the rest is computed on all evidence.
            let explained = gives_few(rerun, &probes, &candidate, &open);
            (!explained.is_empty()).then_some(Hypothesis { candidate, explained })
        });
        // Few mismatches are those of some fault under some condition by accident.
        let enough = |of: &Hypothesis| {
            of.candidate.only.is_none() || of.explained.iter().all(|kind| counts[kind] >= ENOUGH)
        };
        let candidates = candidates.filter(enough);
        let mut hypotheses = filter_hypotheses(rerun, evidence, candidates.collect());
        retain_predicting(rerun, seed, tasks, &mut hypotheses);
        for (kind, candidates) in by_kind(&hypotheses) {
            open.remove(&kind);
            let (open, tried) =
                (|of: &Candidate| open_points(rerun, evidence, of), (counts[&kind], agreeing));
            explanations.insert(kind, explanation(rerun.variant, &candidates, open, tried));
        }
    }
    explanations
}

/// Builds an explanation from the first of some candidates, and names the others that explain as much.
fn explanation(
    variant: &Variant,
    all: &[Candidate],
    open: impl Fn(&Candidate) -> Faults,
    (mismatches, agreeing): (u64, u64),
) -> Explanation {
    let first = &all[0];
    let explained = first.explanation(variant, open(first));
    // Other candidates tell something, but siblings do not. That another variant gives the same results tells nothing,
    // nor that what is open may be taken otherwise.
    let alike = all[1..].iter().filter(|other| !matches!(other.computes, Computes::Sibling(_)));
    let mut others: Vec<String> = Vec::new();
    let mut other_words = BTreeMap::new();
    for other in alike {
        let other = other.explanation(variant, open(other));
        let names = other.flaws.join(" and ");
        if names != explained.flaws.join(" and ") && !others.contains(&names) {
            other_words.insert(names.clone(), other.words);
            others.push(names);
        }
    }
    let ignored = all.iter().find_map(|candidate| candidate.ignored(variant));
    let ignores = ignored.unwrap_or_default();
    Explanation { mismatches, agreeing, ignores, others, other_words, ..explained }
}

/// Returns those of a candidate's faults that the manual leaves open and that make no result wrong. Only a candidate
/// that is the variant itself with several faults has any.
fn open_points(rerun: &Rerun, evidence: &[Evidence], candidate: &Candidate) -> Faults {
    let several = matches!(candidate.computes, Computes::Itself) && candidate.faults.iter().count() > 1;
    let faults = candidate.faults.iter().filter(|_| several);
    let open = faults.filter(|&fault| {
        let right = |batch: &Evidence| {
            let mut given = results_for(rerun.variant, batch.operands[0].rows());
            Candidate::faulty(fault).run(rerun.variant, &batch.operands, &mut given);
            rerun.judge.wrong_rows(&batch.truth, batch.batch(&given)).is_empty()
        };
        is_tolerated(Mutation::Stage(fault), rerun.variant) && evidence.iter().all(right)
    });
    let open = open.fold(Faults::default(), |all, fault| all.and(fault.into()));
    // Faults that are wrong only together are wrong.
    if open == candidate.faults { Faults::default() } else { open }
}

impl CandidateSource {
    /// Collects the faults and the siblings that a variant can have.
    fn of(variant: &'static Variant) -> CandidateSource {
        CandidateSource { faults: concerning(variant), ignoring: Sibling::ignoring(variant), variant }
    }

    /// Returns the candidates with one fault, and those that ignore modifiers, several at once.
    fn single(&self) -> Vec<Candidate> {
        let faults = self.faults.iter().map(|&fault| Candidate::faulty(fault));
        let only = self.ignoring.iter().filter(|sibling| sibling.only_ignores());
        faults.chain(only.map(|&sibling| Candidate::of(Computes::Sibling(sibling)))).collect()
    }

    /// Returns the candidates that compute nothing, or integers.
    fn no_floats(&self) -> Vec<Candidate> {
        let integers = Integers::of(self.variant).into_iter().map(Computes::Integers);
        std::iter::once(Computes::Zero).chain(integers).map(Candidate::of).collect()
    }

    /// Returns the candidates with one fault under a condition on the operands, and right elsewhere.
    fn under_conditions(&self) -> Vec<Candidate> {
        if self.variant.outputs().len() > 1 {
            return Vec::new();
        }
        let conditions = Condition::of(self.variant);
        let faults = self.faults.iter().flat_map(|&fault| {
            conditions
                .iter()
                .map(move |&only| Candidate { only: Some(only), ..Candidate::faulty(fault) })
        });
        faults.collect()
    }

    /// Returns the candidates that are any other variant of the operation.
    fn other_variants(&self) -> Vec<Candidate> {
        let others = Sibling::siblings_of(self.variant).into_iter().map(Computes::Sibling);
        others.map(Candidate::of).collect()
    }

    /// Returns every set of two of the faults, each once.
    fn pairs_of(faults: &[Fault]) -> impl Iterator<Item = Faults> {
        faults.iter().enumerate().flat_map(move |(place, &first)| {
            let others = faults[place + 1..].iter();
            others.map(move |&second| Faults::from(first).and(second.into()))
        })
    }

    /// Returns the candidates with two faults.
    fn pairs(&self) -> Vec<Candidate> {
        CandidateSource::pairs_of(&self.faults).map(Candidate::faulty).collect()
    }

    /// Returns, for each sibling that ignores modifiers, a candidate with each set that `faults` makes of the faults
    /// that the sibling can have.
    fn ignoring_with(&self, faults: fn(&[Fault]) -> Vec<Faults>) -> Vec<Candidate> {
        let of_sibling = |&sibling: &Sibling| {
            let concerned = concerning(sibling.variant);
            let computes = Computes::Sibling(sibling);
            faults(&concerned).into_iter().map(move |faults| Candidate { computes, faults, only: None })
        };
        self.ignoring.iter().flat_map(of_sibling).collect()
    }

    /// Returns the candidates that ignore modifiers and have one fault beside.
    fn ignoring_with_fault(&self) -> Vec<Candidate> {
        self.ignoring_with(|faults| faults.iter().map(|&fault| Faults::from(fault)).collect())
    }

    /// Returns the candidates that ignore modifiers and have two faults beside.
    fn ignoring_with_pair(&self) -> Vec<Candidate> {
        self.ignoring_with(|faults| CandidateSource::pairs_of(faults).collect())
    }
}

/// Returns the faults that a variant can have.
fn concerning(variant: &Variant) -> Vec<Fault> {
    Fault::ALL.iter().copied().filter(|fault| fault.concerns(variant)).collect()
}

/// Returns the hypotheses that agree with all evidence, the likeliest first.
fn filter_hypotheses(
    rerun: &Rerun,
    evidence: &[Evidence],
    mut hypotheses: Vec<Hypothesis>,
) -> Vec<Hypothesis> {
    // Batches with mismatches tell most, and come first.
    let mut order: Vec<&Evidence> = evidence.iter().collect();
    order.sort_by_key(|batch| Reverse(batch.mismatches.len().min(1)));
    for batch in order {
        hypotheses.retain_mut(|hypothesis| hypothesis.agrees(rerun, batch));
    }
    // The hypothesis that explains most classes comes first; of equals, the first of the level.
    hypotheses.sort_by_key(|hypothesis| Reverse(hypothesis.explained.len()));
    hypotheses
}

/// Returns, for each class that some hypotheses explain, their candidates in order.
fn by_kind(hypotheses: &[Hypothesis]) -> BTreeMap<MismatchKind, Vec<Candidate>> {
    let mut candidates: BTreeMap<MismatchKind, Vec<Candidate>> = BTreeMap::new();
    for hypothesis in hypotheses {
        for kind in &hypothesis.explained {
            candidates.entry(*kind).or_default().push(hypothesis.candidate);
        }
    }
    candidates
}

impl Hypothesis {
    /// Whether the hypothesis may still hold after a batch of evidence: it makes no right result wrong, and explains
    /// some class. Takes classes out of `explained` whose results it does not give.
    fn agrees(&mut self, rerun: &Rerun, evidence: &Evidence) -> bool {
        let rows = evidence.operands[0].rows();
        let mut given = results_for(rerun.variant, rows);
        self.candidate.run(rerun.variant, &evidence.operands, &mut given);
        // The actual results are right but for the mismatches, so a candidate that gives them all agrees.
        if given == evidence.results {
            return true;
        }
        for (row, kind) in &evidence.mismatches {
            if self.explained.contains(kind) && !rows_agree(rerun, &given, &evidence.results, *row) {
                self.explained.remove(kind);
            }
        }
        if self.explained.is_empty() {
            return false;
        }
        // The candidate may be wrong on rows that are mismatches anyway, and on no others.
        let known = |row: &usize| evidence.mismatches.binary_search_by_key(row, |(row, _)| *row).is_ok();
        rerun.judge.wrong_rows(&evidence.truth, evidence.batch(&given)).iter().all(known)
    }
}

/// Whether a row of some results is the same as in others, where the judge tells them apart.
fn rows_agree(rerun: &Rerun, some: &[Column], others: &[Column], row: usize) -> bool {
    let same = |(a, b): (&Column, &Column)| a.row_bytes_of(row) == b.row_bytes_of(row);
    some.iter().zip(others).all(same)
        || rerun.judge.rows_agree(&column::row(some, row), &column::row(others, row))
}

/// Selects a few mismatches of each class from all over the batch that has most of these.
fn probes(evidence: &[Evidence], counts: &BTreeMap<MismatchKind, u64>) -> Vec<Probe> {
    let of_kind = |&kind: &MismatchKind| {
        let rows_of = |batch: &Evidence| -> Vec<usize> {
            let rows = batch.mismatches.iter().filter(|(_, of)| *of == kind);
            rows.map(|(row, _)| *row).collect()
        };
        let batches = evidence.iter().map(|batch| (batch, rows_of(batch)));
        let (batch, all) = batches.max_by_key(|(_, rows)| rows.len())?;
        let few = all.len().min(FEW);
        let rows: Vec<usize> = (0..few).map(|number| all[number * all.len() / few]).collect();
        let [operands, results] =
            [&batch.operands, &batch.results].map(|columns| column::select(columns, &rows));
        Some(Probe { kind, operands, results })
    };
    counts.keys().filter_map(of_kind).collect()
}

/// Returns the classes in `open` of whose probes a candidate gives all results.
fn gives_few(
    rerun: &Rerun,
    probes: &[Probe],
    candidate: &Candidate,
    open: &BTreeSet<MismatchKind>,
) -> BTreeSet<MismatchKind> {
    let gives = |probe: &&Probe| {
        let rows = probe.operands[0].rows();
        let mut given = results_for(rerun.variant, rows);
        candidate.run(rerun.variant, &probe.operands, &mut given);
        (0..rows).all(|row| rows_agree(rerun, &given, &probe.results, row))
    };
    let of_open = probes.iter().filter(|probe| open.contains(&probe.kind));
    of_open.filter(gives).map(|probe| probe.kind).collect()
}
