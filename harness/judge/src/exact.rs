//! Contracts that promise bits: one result is right, or one of a few.

use formats::{Column, Element, Format};
use isa::{LaneData, Relaxation};

use super::batch::Batch;
use super::joint_answer::{Combinations, JointAnswers};
use super::judge::Judge;
use super::kind::{MismatchKind, Violation};
use super::nan::{CANONICAL, NanAnswers};
use super::tally::Tally;
use super::truth::{Alternative, Truth, of_element};

/// The largest number of interpretations that a relaxation has.
const INTERPRETATIONS_MAX: usize = {
    let (mut at, mut most) = (0, 0);
    while at < Relaxation::ALL.len() {
        let count = Relaxation::ALL[at].interpretations().len();
        most = if count > most { count } else { most };
        at += 1;
    }
    most
};

impl Judge {
    /// Compares the elements of one output, where the contract is exact.
    pub(super) fn exact<T: Element>(
        &self,
        data: &LaneData,
        truth: &Truth,
        alternatives: &[Alternative],
        batch: Batch,
        tally: &mut Tally,
        violations: &mut Vec<Violation>,
    ) {
        let (format, lanes) = (data.format, data.slots.len());
        let rows = batch.results[0].rows();
        let same = truth.results.iter().zip(batch.results).all(|(a, b)| a.bytes() == b.bytes());
        // `None` where one NaN alone is right: then NaNs compare as any other bits do.
        let nan = format.nan().filter(|_| self.nan.is_some());
        // Equal bits break nothing, and without an open choice there is nothing to count.
        if same && nan.is_none() && alternatives.is_empty() {
            return;
        }
        let registers = self.variant.results();
        let elements = |columns: &[Column]| {
            let mut elements = vec![T::default(); rows * lanes];
            data.gather(registers, columns, 0..rows, &mut elements);
            elements
        };
        let (mut gathered, mut gathered_too) = (Vec::new(), Vec::new());
        let expected: &[T] = data.view(registers, &truth.results).unwrap_or_else(|| {
            gathered = elements(&truth.results);
            &gathered
        });
        let actual: &[T] = data.view(registers, batch.results).unwrap_or_else(|| {
            gathered_too = elements(batch.results);
            &gathered_too
        });
        self.count_choices(format, truth, batch, |element| actual[element].bits(), tally);
        let mut nans = NanAnswers::default();
        // Where all is as expected, NaNs need but be counted.
        if same && self.nan != Some(Relaxation::NanPayload) {
            let is_canonical = |bits: &&T| nan.is_some() && Some(bits.bits()) == nan;
            nans.0[CANONICAL] = expected.iter().filter(is_canonical).count() as u64;
            return nans.count(self.nan, tally);
        }
        for (element, (expected, actual)) in expected.iter().zip(actual).enumerate() {
            let (expected, actual) = (expected.bits(), actual.bits());
            if nan.is_some() && format.is_nan(expected) && format.is_nan(actual) {
                nans.0[self.nan_answer(format, batch, element, (expected, actual))] += 1;
                continue;
            }
            if expected == actual {
                continue;
            }
            let accepted = of_element(alternatives, element)
                .iter()
                .any(|alternative| self.accepts(format, alternative.bits, actual));
            if !accepted {
                let kind = MismatchKind::of(&self.variant, format, expected, actual);
                violations.push(Violation { row: element / lanes, kind });
            }
        }
        nans.count(self.nan, tally);
    }

    /// Counts, for each choice that arose, the interpretations that the answer agrees with.
    fn count_choices(
        &self,
        format: &Format,
        truth: &Truth,
        batch: Batch,
        actual: impl Fn(usize) -> u64,
        tally: &mut Tally,
    ) {
        let (alternatives, lanes) = (truth.alternatives(), self.variant.lanes());
        // For each relaxation, how often the answer agreed with each set of interpretations, as bits.
        let mut chosen = [[0u64; 1 << INTERPRETATIONS_MAX]; Relaxation::ALL.len()];
        let mut firsts = [[usize::MAX; 1 << INTERPRETATIONS_MAX]; Relaxation::ALL.len()];
        let mut joint_answers = JointAnswers::default();
        for group in alternatives.chunk_by(|a, b| a.element == b.element) {
            let (actual, row) = (actual(group[0].element), group[0].element / lanes);
            let agrees = |a: &Alternative| Combinations::from(self.accepts(format, a.bits, actual));
            // From the last one on, so that alternative `n` becomes bit `n`.
            let agreeing = group.iter().rev().fold(0, |set, a| set << 1 | agrees(a));
            for relaxation in group[0].open.relaxations() {
                let agreeing = group.iter().enumerate().filter(|(at, _)| agreeing >> at & 1 == 1);
                let number = |a: &Alternative| a.interpretation[relaxation as usize];
                let set = agreeing.fold(0, |set, (_, a)| set | 1 << number(a));
                chosen[relaxation as usize][set as usize] += 1;
                let first = &mut firsts[relaxation as usize][set as usize];
                *first = (*first).min(row);
            }
            joint_answers.count(group, agreeing, row);
        }
        for (answer, count, row) in joint_answers.answers() {
            tally.joint_answer(answer, count, batch.number(row), || self.describe(truth, batch, row));
        }
        for (relaxation, counts) in Relaxation::ALL.into_iter().zip(chosen) {
            tally.agreement(relaxation, &counts[..1 << relaxation.interpretations().len()]);
        }
        for relaxation in Relaxation::ALL.into_iter().filter(|relaxation| relaxation.is_of_sentence()) {
            let found = firsts[relaxation as usize].into_iter().enumerate();
            for (set, row) in found.filter(|(_, row)| *row != usize::MAX) {
                tally.first(relaxation, set, batch.number(row), || self.describe(truth, batch, row));
            }
        }
    }
}
