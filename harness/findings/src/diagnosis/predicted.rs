//! Compares how many mismatches a hypothesis predicts in whole sweeps with how many the run found there.
//!
//! The evidence is a sample. What a hypothesis does wrong for few operands may be missing in it, and the counts of the
//! run are of all vectors.

use std::collections::BTreeMap;

use emulator::{Backend, Kernel};
use formats::column;
use isa::{columns_for, results_for};
use judge::{Batch, MismatchKind, Tally, Truth};
use runner::Task;
use selection::subject::VectorSource;

use super::evidence::Rerun;
use super::hypotheses::Hypothesis;

/// The most vectors of all sweeps together that all hypotheses together compute.
const VECTORS_MAX: u64 = 1 << 20;
/// The most vectors of all sweeps together that one hypothesis computes.
const VECTORS_OF_ONE: u64 = 1 << 17;
/// The number of vectors that are computed at once.
const CHUNK: u64 = 1 << 13;

/// The share of the mismatches found, one in so many, by which the number that is predicted under a condition may differ.
const TOLERATED: u64 = 64;

/// Keeps the hypotheses that predict, in whole sweeps with mismatches, as many mismatches of each kind that they explain
/// as the run found there. The shortest sweeps are computed, as many as there is time for.
pub fn retain_predicting(
    rerun: &mut Rerun,
    seed: u64,
    tasks: &[(&Task, &Tally)],
    hypotheses: &mut Vec<Hypothesis>,
) {
    let Some(kernel) = Kernel::of(rerun.variant, Backend::Lanes) else { return };
    let mut sweeps: Vec<(&Task, &Tally)> =
        tasks.iter().copied().filter(|(task, tally)| is_counted(task, tally)).collect();
    sweeps.sort_by_key(|(task, _)| task.vectors);
    let mut left = VECTORS_OF_ONE.min(VECTORS_MAX / (hypotheses.len() as u64).max(1));
    for (task, tally) in sweeps {
        if hypotheses.is_empty() || task.vectors > left {
            return;
        }
        left -= task.vectors;
        let predicted = predict(rerun, &kernel, task.asked, seed, task.vectors, hypotheses);
        let mut predicted = predicted.iter();
        hypotheses.retain(|of| agree(tally, predicted.next().expect("one of each"), of));
    }
}

/// Whether a sweep has mismatches, and the counts of its tally are of all its vectors.
fn is_counted(task: &Task, tally: &Tally) -> bool {
    tally.mismatches > 0 && tally.vectors == task.vectors
}

/// Computes a sweep with each hypothesis, and counts the mismatches of each kind that it would have.
fn predict(
    rerun: &mut Rerun,
    kernel: &Kernel,
    asked: VectorSource,
    seed: u64,
    vectors: u64,
    hypotheses: &[Hypothesis],
) -> Vec<BTreeMap<MismatchKind, u64>> {
    let variant = rerun.variant;
    let mut counts = vec![BTreeMap::new(); hypotheses.len()];
    let mut truth = Truth::new(variant);
    for first in (0..vectors).step_by(CHUNK as usize) {
        let rows = CHUNK.min(vectors - first) as usize;
        let mut operands = columns_for(variant, rows);
        asked.fill(seed, first, &mut operands);
        let [mut right, mut given] = [results_for(variant, rows), results_for(variant, rows)];
        kernel.run(&operands, &mut right);
        for (hypothesis, counts) in hypotheses.iter().zip(&mut counts) {
            hypothesis.candidate.run(variant, &operands, &mut given);
            let differing: Vec<usize> = column::differing(&given, &right).collect();
            if differing.is_empty() {
                continue;
            }
            // MPFR computes only what differs from the emulator, whose results are right.
            let [operands, given] = [&operands, &given].map(|of| column::select(of, &differing));
            rerun.expect(&operands, &mut truth);
            for (_, kind) in rerun.judge.verdicts(&truth, Batch::new(&operands, &given)) {
                *counts.entry(kind).or_default() += 1;
            }
        }
    }
    counts
}

/// Whether the counts that a hypothesis predicts are those of the run. Mismatches that it does not explain have other
/// results than it predicts, or none, and would be of any kind with those.
fn agree(tally: &Tally, predicted: &BTreeMap<MismatchKind, u64>, hypothesis: &Hypothesis) -> bool {
    let explained = |kind: &MismatchKind| hypothesis.explained.contains(kind);
    let found = |kind| tally.classes.get(&kind).map_or(0, |class| class.count);
    let others: u64 =
        tally.classes.iter().filter(|(kind, _)| !explained(kind)).map(|(_, class)| class.count).sum();
    // The ends of a range are known as well as the vectors tell that were run again.
    let is_of_range = hypothesis.candidate.only.is_some();
    let tolerated = |count: u64| if is_of_range { count.div_ceil(TOLERATED) } else { 0 };
    let each = hypothesis.explained.iter().all(|&kind| {
        let (predicted, found) = (predicted.get(&kind).copied().unwrap_or(0), found(kind));
        (found - tolerated(found)..=found + tolerated(found) + others).contains(&predicted)
    });
    each && predicted.values().sum::<u64>() <= tally.mismatches + tolerated(tally.mismatches)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use isa::Variant;
    use judge::Mismatches;
    use model::Fault;
    use runner::JudgedBy;
    use sweeps::Sweep;

    use super::super::candidate::Candidate;
    use super::*;

    /// A half library truncated where it should round to nearest. The suite said that ties go towards zero, as they do
    /// when truncated: 4,096 of 26,624 mismatches.
    #[test]
    fn what_explains_a_part_of_a_class_is_no_explanation() {
        let variant = Variant::named("cvt.rn.f16.s16").unwrap();
        let sweep = Sweep::exhaustive();
        let task = |vectors| Task {
            asked: VectorSource::Lanes(variant, sweep),
            vectors,
            judged_by: JudgedBy::Mpfr,
            proven: None,
        };
        let kind = MismatchKind::UlpBelow;
        let hypotheses = |faults: &[Fault]| -> Vec<Hypothesis> {
            let of = |&fault| Hypothesis {
                candidate: Candidate::faulty(fault),
                explained: BTreeSet::from([MismatchKind::UlpBelow, MismatchKind::UlpAbove]),
                contradicted: false,
            };
            faults.iter().map(of).collect()
        };
        let mut rerun = Rerun::new(variant);
        let kernel = Kernel::of(variant, Backend::Lanes).unwrap();
        let both = hypotheses(&[Fault::Truncated, Fault::TiesTowardZero]);
        let whole = task(1 << 16);
        let counts = predict(&mut rerun, &kernel, whole.asked, 0, whole.vectors, &both);
        assert_eq!(
            counts.iter().map(|of| of.values().sum::<u64>()).collect::<Vec<_>>(),
            [26_624, 4_096]
        );
        let class = |count: &u64| Mismatches { count: *count, examples: Vec::new() };
        let tally = Tally {
            vectors: 1 << 16,
            mismatches: 26_624,
            classes: counts[0].iter().map(|(kind, count)| (*kind, class(count))).collect(),
            ..Tally::default()
        };
        let kept = |task: &Task, tally: &Tally| {
            let mut hypotheses = hypotheses(&[Fault::Truncated, Fault::TiesTowardZero]);
            retain_predicting(&mut Rerun::new(variant), 0, &[(task, tally)], &mut hypotheses);
            hypotheses.len()
        };
        assert_eq!(kept(&whole, &tally), 1);
        // Counts of a part of the sweep say nothing of the rest.
        assert_eq!(kept(&task((1 << 16) - 1), &tally), 2);
        // Mismatches of an unexplained kind may hide what would be of this one.
        let mut other = tally.clone();
        other.classes.insert(MismatchKind::Unstable, class(&1000));
        other.classes.get_mut(&kind).unwrap().count -= 1000;
        assert_eq!(kept(&whole, &other), 1);
    }
}
