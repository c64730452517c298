//! The tally: the sum of what judging finds. A tally is the same whatever order its parts were added in, so
//! that threads, shards and resumed runs give one report.

use std::collections::BTreeMap;

use isa::Relaxation;
use serde::{Deserialize, Serialize};

use super::error::Errors;
use super::joint_answer::{JOINT_ANSWERS_MAX, JointAnswer};
use super::kind::MismatchKind;
use super::mismatch::Mismatch;

/// The number of mismatches of a class that are kept: those with the lowest indices.
pub const EXAMPLES: usize = 4;

/// The sum of what judging found over some vectors of one variant and sweep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Number of vectors judged.
    pub vectors: u64,
    /// Number of vectors that the implementation says it has no result of: they are not among those judged.
    pub unanswered: u64,
    /// Number of vectors that break the contract.
    pub mismatches: u64,
    /// Digest of the operands; see [`formats::digests::digest`].
    pub inputs: u64,
    /// Digest of the implementation's results.
    pub results: u64,
    /// Digest of the results that the first interpretation of every open point gives.
    pub expected: u64,
    /// Number of vectors that MPFR judged; the emulator compared the others.
    pub confirmed: u64,
    /// Number of vectors that were made and judged where the implementation computed them.
    pub on_device: u64,
    /// Counts of each answer where the choice arose, by relaxation.
    pub answers: BTreeMap<String, BTreeMap<String, u64>>,
    /// The first vector with each answer, for those relaxations whose answers ought to agree with one
    /// interpretation ([`Relaxation::is_of_sentence`]).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub firsts: BTreeMap<String, BTreeMap<String, Mismatch>>,
    /// Results that several open points decide together, by the text of the [`Agreement`](super::Agreement) that
    /// says what they agree with. Each point by itself is among `answers`. States call this field `meetings`.
    #[serde(default, rename = "meetings", skip_serializing_if = "BTreeMap::is_empty")]
    pub joint_answers: BTreeMap<String, JointAnswer>,
    /// Errors by range of operands, where the contract is a bound.
    pub errors: BTreeMap<String, Errors>,
    /// Mismatches by kind.
    pub classes: BTreeMap<MismatchKind, Mismatches>,
}

/// Mismatches of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mismatches {
    /// Number of mismatches of the kind.
    pub count: u64,
    /// The first few mismatches, in order of index.
    pub examples: Vec<Mismatch>,
}

impl Tally {
    /// Returns the number of vectors that were asked, whether they have a result or not.
    pub const fn asked(&self) -> u64 {
        self.vectors + self.unanswered
    }

    /// Counts an answer to an open point, `count` times.
    pub fn answer(&mut self, relaxation: &str, answer: &str, count: u64) {
        if count > 0 {
            let answers = self.answers.entry(relaxation.into()).or_default();
            *answers.entry(answer.into()).or_default() += count;
        }
    }

    /// Keeps a vector with an answer, unless one with the same or a lower number is kept already; `set` is as in
    /// [`Self::agreement`].
    pub fn first(
        &mut self,
        relaxation: Relaxation,
        set: usize,
        index: u64,
        describe: impl FnOnce() -> Mismatch,
    ) {
        let Some(answer) = answer_of(relaxation, set) else { return };
        let known = self.firsts.get(relaxation.name()).and_then(|firsts| firsts.get(&answer));
        if known.is_none_or(|known| index < known.index) {
            self.firsts.entry(relaxation.name().into()).or_default().insert(answer, describe());
        }
    }

    /// Counts results that several open points decide together; `describe` gives the first of them.
    pub fn joint_answer(
        &mut self,
        answer: String,
        count: u64,
        index: u64,
        describe: impl FnOnce() -> Mismatch,
    ) {
        match self.joint_answers.get_mut(&answer) {
            Some(known) => {
                known.count += count;
                if index < known.first.index {
                    known.first = describe();
                }
            }
            None => _ = self.joint_answers.insert(answer, JointAnswer { count, first: describe() }),
        }
        while self.joint_answers.len() > JOINT_ANSWERS_MAX {
            self.joint_answers.pop_last();
        }
    }

    /// Counts how often answers agreed with each set of interpretations of an open point. The index in `counts` is
    /// the set: its bit `n` is the interpretation `n`.
    pub fn agreement(&mut self, relaxation: Relaxation, counts: &[u64]) {
        for set in (0..counts.len()).filter(|&set| counts[set] > 0) {
            if let Some(answer) = answer_of(relaxation, set) {
                self.answer(relaxation.name(), &answer, counts[set]);
            }
        }
    }

    /// Counts a mismatch; `describe` is called only if the mismatch is to be kept.
    pub fn mismatch(&mut self, kind: MismatchKind, index: u64, describe: impl FnOnce() -> Mismatch) {
        self.mismatches += 1;
        let class = self.classes.entry(kind).or_default();
        class.count += 1;
        // Examples are kept in order, so that the last one gives way to a lower index.
        let worst = class.examples.last().map(|example| example.index);
        if class.examples.len() < EXAMPLES || worst.is_some_and(|worst| index < worst) {
            class.keep([describe()]);
        }
    }

    /// Adds another tally of the same variant and sweep, over other vectors.
    pub fn add(&mut self, other: Tally) {
        self.vectors += other.vectors;
        self.unanswered += other.unanswered;
        self.mismatches += other.mismatches;
        // Digests add up modulo 2^64, so that the order of parts makes no difference.
        self.inputs = self.inputs.wrapping_add(other.inputs);
        self.results = self.results.wrapping_add(other.results);
        self.expected = self.expected.wrapping_add(other.expected);
        self.confirmed += other.confirmed;
        self.on_device += other.on_device;
        for (relaxation, answers) in other.answers {
            for (answer, count) in answers {
                self.answer(&relaxation, &answer, count);
            }
        }
        for (relaxation, firsts) in other.firsts {
            let known = self.firsts.entry(relaxation).or_default();
            for (answer, first) in firsts {
                let earlier = known.get(&answer).is_some_and(|known| known.index <= first.index);
                if !earlier {
                    known.insert(answer, first);
                }
            }
        }
        for (answer, JointAnswer { count, first }) in other.joint_answers {
            self.joint_answer(answer, count, first.index, || first);
        }
        for (range, errors) in other.errors {
            self.errors.entry(range).or_default().merge(errors);
        }
        for (kind, mismatches) in other.classes {
            let class = self.classes.entry(kind).or_default();
            class.count += mismatches.count;
            class.keep(mismatches.examples);
        }
    }
}

/// Returns a set of interpretations as an answer in words; `None` if the set tells nothing. All of several
/// interpretations alike tell nothing, and an empty set is a mismatch.
fn answer_of(relaxation: Relaxation, set: usize) -> Option<String> {
    let names = relaxation.interpretations();
    let all = (1usize << names.len()) - 1;
    let telling = set > 0 && (set < all || names.len() == 1);
    let in_set = names.iter().enumerate().filter(|(number, _)| set >> number & 1 == 1);
    let answer: Vec<&str> = in_set.map(|(_, name)| *name).collect();
    telling.then(|| answer.join(" or "))
}

impl Mismatches {
    fn keep(&mut self, more: impl IntoIterator<Item = Mismatch>) {
        self.examples.extend(more);
        self.examples.sort_by_key(|example| example.index);
        self.examples.truncate(EXAMPLES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(index: u64) -> Mismatch {
        Mismatch {
            index,
            operands: vec![1.into(), 2.into()],
            expected: vec![0.into()],
            accepted: vec![],
            actual: vec![1.into()],
            words: None,
        }
    }

    #[test]
    fn order_of_addition_does_not_matter_and_the_lowest_indices_stay() {
        let parts: Vec<Tally> = (0..10)
            .map(|part| {
                let (inputs, results) = (u64::MAX - part, part << 60);
                let mut tally =
                    Tally { vectors: 3, unanswered: part, inputs, results, ..Tally::default() };
                tally.answer("any-nan", "canonical", part);
                for answer in 0..30 + part {
                    tally.joint_answer(format!("{:02}", answer * 7 % 40), 1, part, || example(part));
                }
                tally.mismatch(MismatchKind::Number, part * 7 % 10, || example(part * 7 % 10));
                tally
            })
            .collect();
        let sum = |order: &mut dyn Iterator<Item = &Tally>| {
            let mut sum = Tally::default();
            order.for_each(|part| sum.add(part.clone()));
            sum
        };
        let forwards = sum(&mut parts.iter());
        assert_eq!(forwards, sum(&mut parts.iter().rev()));
        let digests = (0u64.wrapping_sub(10 + 45), 45u64 << 60);
        assert_eq!((forwards.vectors, forwards.inputs, forwards.results), (30, digests.0, digests.1));
        assert_eq!((forwards.unanswered, forwards.asked()), (45, 75));
        assert_eq!(forwards.joint_answers["00"], JointAnswer { count: 10, first: example(0) });
        let class = &forwards.classes[&MismatchKind::Number];
        assert_eq!(class.examples.iter().map(|e| e.index).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(
            (class.count, forwards.mismatches, forwards.answers["any-nan"]["canonical"]),
            (10, 10, 45)
        );
    }
}
