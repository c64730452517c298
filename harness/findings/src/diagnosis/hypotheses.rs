//! Finds the candidates that agree with the evidence of a variant that has a model.
//!
//! Candidates are tried in the order of their simplicity (`source::LEVELS`), and where a candidate of one level explains a
//! class, no later level is asked about that class.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use faults::{Mutation, is_tolerated};
use formats::{Column, column};
use isa::{Variant, results_for};
use judge::{MismatchKind, Tally};
use model::Faults;
use runner::Task;

use super::Explanation;
use super::candidate::{Candidate, Computes};
use super::evidence::{Element, Evidence, Rerun, counts};
use super::members::Members;
use super::predicted::retain_predicting;
use super::source::{CandidateSource, LEVELS, PAIRS};

/// The number of mismatches of a class that candidates are tried on first.
const FEW: usize = 8;

/// The most hypotheses under conditions whose predictions are compared with the run, for each class: with more of them
/// there is no time for many vectors of each.
const MOST: usize = 16;

/// The least number of mismatches of a class that a fault under a condition is named for.
const ENOUGH: u64 = 8;

/// A candidate, and the classes whose results it has given so far.
pub struct Hypothesis {
    /// The guess at what is computed.
    pub candidate: Candidate,
    /// The kinds of mismatches whose results the guess gives.
    pub explained: BTreeSet<MismatchKind>,
    /// Whether the guess gives a wrong result for some mismatch that is not the actual one.
    pub contradicted: bool,
}

/// Some mismatches of a class, in one batch.
pub struct Probe {
    kind: MismatchKind,
    operands: Vec<Column>,
    results: Vec<Column>,
}

/// The results of a variant that were looked at, and the classes that are not explained yet.
pub struct Known<'a> {
    /// The judge of the variant's results.
    pub rerun: &'a Rerun,
    /// The vectors that were run again.
    pub evidence: &'a [Evidence],
    probes: &'a [Probe],
    open: &'a BTreeSet<MismatchKind>,
}

impl Known<'_> {
    /// Returns the open classes of which a candidate gives a few results, all that are tried.
    pub fn gives_few(&self, candidate: &Candidate) -> BTreeSet<MismatchKind> {
        gives_few(self.rerun, self.probes, candidate, self.open)
    }
}

/// Explains the classes of a variant that has a model, given the vectors that were run again, and the tallies of its
/// sweeps of `seed`; classes without an explanation are not in the map.
pub fn explain(
    rerun: &mut Rerun,
    evidence: &[Evidence],
    seed: u64,
    tasks: &[(&Task, &Tally)],
) -> BTreeMap<MismatchKind, Explanation> {
    let (counts, agreeing) = counts(evidence);
    let source = CandidateSource::of(rerun.variant);
    let probes = probes(evidence, &counts);
    let mut explained: BTreeMap<MismatchKind, Explained> = BTreeMap::new();
    let mut members = Members::default();
    for (number, level) in LEVELS.into_iter().enumerate() {
        let may_change = |kind: &MismatchKind| explained.get(kind).is_none_or(Explained::may_change);
        let open: BTreeSet<MismatchKind> = counts.keys().copied().filter(may_change).collect();
        if open.iter().all(|kind| explained.get(kind).is_some_and(|of| !of.contradicted)) {
            break;
        }
        let known = Known { rerun, evidence, probes: &probes, open: &open };
        let candidates = level(&source, &known).into_iter().filter_map(|candidate| {
            // A few mismatches rule most candidates out, and only the rest is computed on all evidence.
            let explained = gives_few(rerun, &probes, &candidate, &open);
            (!explained.is_empty()).then_some(Hypothesis { candidate, explained, contradicted: false })
        });
        // Few mismatches are those of some fault under some condition by accident.
        let enough = |of: &Hypothesis| {
            of.candidate.only.is_none()
                || of.explained.iter().map(|kind| counts[kind]).sum::<u64>() >= ENOUGH
        };
        let candidates = candidates.filter(enough);
        let mut hypotheses = filter_hypotheses(rerun, evidence, candidates.collect());
        members.keep_needed(rerun, evidence, &mut hypotheses);
        keep_first(&mut hypotheses);
        retain_predicting(rerun, seed, tasks, &mut hypotheses);
        if number > PAIRS {
            hypotheses.retain(|of| !of.contradicted);
        }
        for (kind, of_kind) in by_kind(&hypotheses) {
            let new = Explained {
                classes: of_kind[0].explained.len(),
                contradicted: of_kind[0].contradicted,
                conditional: of_kind[0].candidate.only.is_some(),
                // What other mismatches contradict is not possible as well where they do not contradict the first.
                candidates: (of_kind.iter())
                    .filter(|of| of.contradicted == of_kind[0].contradicted)
                    .map(|of| of.candidate)
                    .collect(),
            };
            if explained.get(&kind).is_none_or(|old| new.is_better_than(old)) {
                explained.insert(kind, new);
            }
        }
        if number == PAIRS {
            // What other mismatches contradict has had its chance to be one of two faults.
            explained.retain(|_, of| !of.contradicted);
        }
    }
    let explanation_of = |(kind, of): (MismatchKind, Explained)| {
        let open = |of: &Candidate| open_points(rerun, evidence, of);
        (kind, explanation(rerun.variant, &of.candidates, open, (counts[&kind], agreeing)))
    };
    explained.into_iter().map(explanation_of).collect()
}

/// The candidates that explain a class, and how sure they are.
struct Explained {
    candidates: Vec<Candidate>,
    /// The number of classes that the first candidate explains.
    classes: usize,
    /// Whether the first candidate gives a wrong result for some other mismatch that is not the actual one.
    contradicted: bool,
    /// Whether the first candidate is right but under a condition.
    conditional: bool,
}

impl Explained {
    /// Whether candidates of a later level may explain the class better: two faults together where one is contradicted, and
    /// any that explain more classes where one has a condition.
    fn may_change(&self) -> bool {
        self.contradicted || self.conditional
    }

    /// Whether these candidates explain a class better than those of a simpler level.
    fn is_better_than(&self, simpler: &Explained) -> bool {
        let more = simpler.conditional && self.classes > simpler.classes;
        !self.contradicted && (simpler.contradicted || more)
    }
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
    // The hypothesis that explains most classes and contradicts none comes first; of equals, the first of the level.
    hypotheses.sort_by_key(|of| (of.contradicted, Reverse(of.explained.len())));
    hypotheses
}

/// Keeps the first hypotheses under conditions for each class, and all others.
fn keep_first(hypotheses: &mut Vec<Hypothesis>) {
    let mut kept: BTreeMap<MismatchKind, usize> = BTreeMap::new();
    hypotheses.retain(|of| {
        let few = of.explained.iter().any(|kind| kept.get(kind).is_none_or(|&kept| kept < MOST));
        of.explained.iter().for_each(|kind| *kept.entry(*kind).or_default() += 1);
        few || of.candidate.only.is_none()
    });
}

/// Returns, for each class that some hypotheses explain, these in order.
fn by_kind(hypotheses: &[Hypothesis]) -> BTreeMap<MismatchKind, Vec<&Hypothesis>> {
    let mut of_kinds: BTreeMap<MismatchKind, Vec<&Hypothesis>> = BTreeMap::new();
    for hypothesis in hypotheses {
        for kind in &hypothesis.explained {
            of_kinds.entry(*kind).or_default().push(hypothesis);
        }
    }
    of_kinds
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
        let wrong = rerun.judge.wrong_rows(&evidence.truth, evidence.batch(&given));
        let known = |row: &usize| evidence.mismatches.binary_search_by_key(row, |(row, _)| *row).is_ok();
        if !wrong.iter().all(known) {
            return false;
        }
        // Most candidates are ruled out by now, and few have to be compared lane by lane.
        self.contradicted =
            self.contradicted || !wrong.is_empty() && is_third(rerun.variant, evidence, &given, &wrong);
        true
    }
}

/// Whether some lane of some rows has a result that is neither the right nor the actual one.
fn is_third(variant: &Variant, evidence: &Evidence, given: &[Column], rows: &[usize]) -> bool {
    let lanes = variant.lanes();
    (0..variant.outputs().len()).any(|output| {
        let of = &variant.outputs()[output];
        let mut bits = vec![0; given[0].rows() * lanes];
        of.gather(variant.results(), given, 0..given[0].rows(), &mut bits);
        let elements = evidence.elements(variant, output);
        let same = |a: u64, b: u64| a == b || of.format.is_nan(a) && of.format.is_nan(b);
        let is_third = |lane: usize| {
            let Element { expected, actual, .. } = elements[lane];
            !same(bits[lane], expected) && !same(bits[lane], actual)
        };
        rows.iter().any(|row| (row * lanes..(row + 1) * lanes).any(is_third))
    })
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
