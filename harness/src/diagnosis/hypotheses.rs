//! Which faults agree with the evidence.

use std::collections::{BTreeMap, BTreeSet};

use judge::MismatchKind;
use model::{Fault, Faults, Model};
use vectors::column;
use vectors::sweep::results_for;

use super::evidence::{Evidence, Rerun, counts};
use super::{Explanation, by_faults};

/// Mismatches of a class that pairs of faults are tried on first.
const FEW: usize = 4;

/// Faults, and the classes whose results they have given so far.
struct Hypothesis {
    faults: Faults,
    explained: BTreeSet<MismatchKind>,
}

/// The explanation of each class that has one, of a variant that has a model.
pub fn explain(rerun: &Rerun, evidence: &[Evidence]) -> BTreeMap<MismatchKind, Explanation> {
    let (counts, agreeing) = counts(evidence);
    let concerned: Vec<Fault> =
        Fault::ALL.iter().copied().filter(|fault| fault.concerns(rerun.variant)).collect();
    let singles = concerned.iter().map(|&fault| Faults::from(fault)).collect();
    let mut open: BTreeSet<MismatchKind> = counts.keys().copied().collect();
    let mut consistent = filter_hypotheses(rerun, evidence, singles, &open);
    open.retain(|kind| !consistent.contains_key(kind));
    if !open.is_empty() {
        let pairs = pairs(&concerned).filter(|&pair| gives_few(rerun, evidence, pair, &open)).collect();
        consistent.extend(filter_hypotheses(rerun, evidence, pairs, &open));
    }
    let explanation = |(kind, all): (MismatchKind, Vec<Faults>)| {
        let (faults, others) = (all[0], all[1..].to_vec());
        (kind, by_faults(&faults, counts[&kind], agreeing, &others))
    };
    consistent.into_iter().map(explanation).collect()
}

fn pairs(concerned: &[Fault]) -> impl Iterator<Item = Faults> {
    concerned.iter().enumerate().flat_map(move |(place, &first)| {
        let others = concerned[place + 1..].iter();
        others.map(move |&second| Faults::from(first).and(second.into()))
    })
}

/// Tries hypotheses on all evidence; for each class of `open` that some of them explain, those that do, the
/// likeliest first.
fn filter_hypotheses(
    rerun: &Rerun,
    evidence: &[Evidence],
    hypotheses: Vec<Faults>,
    open: &BTreeSet<MismatchKind>,
) -> BTreeMap<MismatchKind, Vec<Faults>> {
    let hypothesis = |faults| Hypothesis { faults, explained: open.clone() };
    let mut hypotheses: Vec<Hypothesis> = hypotheses.into_iter().map(hypothesis).collect();
    // What tells most comes first.
    let mut order: Vec<&Evidence> = evidence.iter().collect();
    order.sort_by_key(|batch| std::cmp::Reverse(batch.mismatches.len().min(1)));
    for batch in order {
        hypotheses.retain_mut(|hypothesis| hypothesis.agrees(rerun, batch));
    }
    // Whoever explains most classes comes first; of equals, the first of the table.
    hypotheses.sort_by_key(|hypothesis| std::cmp::Reverse(hypothesis.explained.len()));
    let mut consistent: BTreeMap<MismatchKind, Vec<Faults>> = BTreeMap::new();
    for hypothesis in &hypotheses {
        for kind in &hypothesis.explained {
            consistent.entry(*kind).or_default().push(hypothesis.faults);
        }
    }
    consistent
}

impl Hypothesis {
    /// Whether it may still be: it makes no right result wrong, and explains some class.
    fn agrees(&mut self, rerun: &Rerun, evidence: &Evidence) -> bool {
        let rows = evidence.operands[0].rows();
        let mut given = results_for(rerun.variant, rows);
        Model::new(rerun.variant, self.faults).run(&evidence.operands, &mut given);
        let wrong = rerun.judge.verdicts(&evidence.truth, evidence.batch(&given));
        let mismatches = &evidence.mismatches;
        let known = |row: &usize| mismatches.binary_search_by_key(row, |(row, _)| *row).is_ok();
        if !wrong.iter().all(|(row, _)| known(row)) {
            return false;
        }
        for (row, kind) in mismatches {
            if self.explained.contains(kind)
                && !rerun.judge.alike(&column::row(&given, *row), &column::row(&evidence.results, *row))
            {
                self.explained.remove(kind);
            }
        }
        !self.explained.is_empty()
    }
}

/// Whether faults give the results of a few mismatches of some class.
fn gives_few(
    rerun: &Rerun,
    evidence: &[Evidence],
    faults: Faults,
    open: &BTreeSet<MismatchKind>,
) -> bool {
    open.iter().any(|kind| {
        let of_kind = evidence.iter().flat_map(|batch| {
            let rows = batch.mismatches.iter().filter(|(_, of)| of == kind);
            rows.map(move |(row, _)| (batch, *row))
        });
        let model = Model::new(rerun.variant, faults);
        of_kind.take(FEW).all(|(batch, row)| {
            let operands = column::select(&batch.operands, &[row]);
            let mut given = results_for(rerun.variant, 1);
            model.run(&operands, &mut given);
            rerun.judge.alike(&column::row(&given, 0), &column::row(&batch.results, row))
        })
    })
}
