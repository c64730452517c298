//! Checks whether a state file can be the progress of its plan. A file may be edited, or half of it be another's; a run
//! that goes on from it, a merge and a report must neither panic nor wait for ever.

use formats::RowBits;
use isa::limits::ELEMENTS_MAX;
use judge::{Mismatch, Tally, Worst};
use selection::subject::Subject;

use super::{Departure, Progress, RunIdentity};
use crate::plan::block_count;

impl Progress {
    /// Returns why this cannot be the progress of a run with this identity: the first reason that is found, in the order
    /// below; `None` if nothing speaks against it.
    ///
    /// What is examined is what a run, a merge and a report rely on: the part, the number of tasks, the places of the
    /// blocks that are done, the counts, and the registers and numbers of the vectors that are kept. It is not examined
    /// whether the counts are exactly those of the blocks that are done, nor whether the implementation gave these
    /// results.
    pub(super) fn damage(&self, identity: &RunIdentity) -> Option<&'static str> {
        let tasks = &identity.tasks;
        let named = |subject: &str| Subject::named(subject).ok();
        let each = || {
            self.tallies
                .iter()
                .zip(tasks)
                .map(|(tally, (subject, _sweep, vectors))| (tally, subject, *vectors))
        };
        // A departure is a mismatch that came out otherwise when the finished run tried it again.
        let fits_its_subject = |Departure { task, mismatch, .. }: &Departure| {
            let subject = tasks.get(*task).and_then(|(subject, _sweep, _vectors)| named(subject));
            subject.is_some_and(|subject| has_vectors_of(&Tally::default(), subject, Some(mismatch)))
        };
        let is_in_plan = |Departure { task, mismatch, .. }: &Departure| {
            tasks.get(*task).is_some_and(|(_subject, _sweep, vectors)| mismatch.index < *vectors)
        };
        match () {
            () if identity.shard().is_some_and(|shard| !shard.exists()) => {
                Some("it is of a part that its run does not have")
            }
            () if self.tallies.len() != tasks.len() => {
                Some("its number of tasks differs from its plan's")
            }
            () if !self.has_places_of(identity) => {
                Some("its list of finished blocks does not fit its plan")
            }
            () if !each().all(|(tally, _, vectors)| is_possible(tally, vectors)) => {
                Some("it counts more vectors than its plan has")
            }
            () if !each().all(|(tally, subject, _)| {
                named(subject).is_some_and(|subject| has_vectors_of(tally, subject, None))
            }) || !self.departures.iter().all(fits_its_subject) =>
            {
                Some("it has a vector that its variant does not have")
            }
            // Vectors are run again by their numbers.
            () if !each().all(|(tally, _, vectors)| indices(tally).all(|index| index < vectors))
                || !self.departures.iter().all(is_in_plan) =>
            {
                Some("it has a vector that its plan does not have")
            }
            () => None,
        }
    }

    /// Whether the blocks that are done are blocks of the plan, and none in `beyond` belongs to `before`. A run that
    /// went on from another state would have no block left to do, and never be complete.
    fn has_places_of(&self, identity: &RunIdentity) -> bool {
        let vectors = identity.tasks.iter().map(|(_subject, _sweep, vectors)| *vectors);
        let blocks = block_count(vectors, identity.shard());
        self.before <= blocks && self.beyond.iter().all(|&place| self.before < place && place < blocks)
    }
}

/// Returns the vectors that a tally keeps with their results.
fn kept(tally: &Tally) -> impl Iterator<Item = &Mismatch> {
    let firsts = tally.firsts.values().flat_map(|firsts| firsts.values());
    let firsts = firsts.chain(tally.joint_answers.values().map(|joint| &joint.first));
    tally.classes.values().flat_map(|class| &class.examples).chain(firsts)
}

/// Returns the vectors with the largest errors that a tally keeps.
fn worst(tally: &Tally) -> impl Iterator<Item = &Worst> {
    tally.errors.values().filter_map(|errors| errors.worst.as_ref())
}

/// Returns the numbers, in their sweep, of all vectors that a tally keeps.
fn indices(tally: &Tally) -> impl Iterator<Item = u64> {
    kept(tally).map(|kept| kept.index).chain(worst(tally).map(|worst| worst.index))
}

/// Whether the vectors that a tally keeps, and the one in `more`, have the registers of a subject, and no bits beyond
/// these registers.
fn has_vectors_of(tally: &Tally, subject: Subject, more: Option<&Mismatch>) -> bool {
    let fit = |widths: &[usize], bits: &[RowBits]| {
        let mut each = widths.iter().zip(bits);
        widths.len() == bits.len() && each.all(|(width, bits)| bits.fits(*width))
    };
    let operand_widths: Vec<usize> =
        subject.operand_names().into_iter().map(|(_, row_bytes)| row_bytes).collect();
    let result_widths = subject.result_bytes();
    let mut examples = kept(tally).chain(more);
    worst(tally).all(|worst| fit(&operand_widths, &worst.operands))
        && examples.all(|Mismatch { operands, expected, actual, .. }| {
            fit(&operand_widths, operands)
                && fit(&result_widths, expected)
                // A row without a result has no actual bits.
                && (actual.is_empty() || fit(&result_widths, actual))
        })
}

/// Whether at most `vectors` vectors can have added up to a tally. In its counts, each vector counts at most once for each
/// lane.
fn is_possible(tally: &Tally, vectors: u64) -> bool {
    let Tally { mismatches, confirmed, on_device, answers, joint_answers, errors, classes, .. } = tally;
    let answers = answers.values().flat_map(|answers| answers.values());
    let answers = answers.chain(joint_answers.values().map(|joint| &joint.count));
    let errors = errors.values().flat_map(|errors| &errors.histogram);
    let classes = classes.values().map(|class| &class.count);
    let mut counts =
        [mismatches, confirmed, on_device].into_iter().chain(answers).chain(errors).chain(classes);
    // A damaged state may hold any numbers, also some whose sum does not fit.
    let asked = tally.vectors.checked_add(tally.unanswered);
    asked.is_some_and(|asked| asked <= vectors)
        && counts.all(|count| *count <= vectors.saturating_mul(ELEMENTS_MAX as u64))
}
