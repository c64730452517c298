//! Checks whether a state can be what was done of a plan.

use formats::RowBits;
use isa::limits::ELEMENTS_MAX;
use judge::{Mismatch, Tally, Worst};
use selection::subject::Subject;

use super::{Departure, Progress, RunIdentity};

impl Progress {
    /// Returns why this cannot be the progress of a run with this identity; `None` if it can.
    pub(super) fn damage(&self, identity: &RunIdentity) -> Option<&'static str> {
        let tasks = &identity.tasks;
        let of = |task: &(String, String, u64)| Subject::named(&task.0).ok();
        let each = || self.tallies.iter().zip(tasks);
        let departs = |Departure { task, mismatch, .. }: &Departure| {
            let subject = tasks.get(*task).and_then(of);
            subject.is_some_and(|subject| has_vectors_of(&Tally::default(), subject, Some(mismatch)))
        };
        let has_index = |Departure { task, mismatch, .. }: &Departure| {
            tasks.get(*task).is_some_and(|(.., vectors)| mismatch.index < *vectors)
        };
        match () {
            () if identity.shard().is_some_and(|shard| !shard.exists()) => {
                Some("it is of a part that its run does not have")
            }
            () if self.tallies.len() != tasks.len() => {
                Some("it has another number of tasks than its plan")
            }
            () if !each().all(|(tally, (.., vectors))| is_possible(tally, *vectors)) => {
                Some("it counts more vectors than its plan has")
            }
            () if !each().all(|(tally, task)| {
                of(task).is_some_and(|subject| has_vectors_of(tally, subject, None))
            }) || !self.departures.iter().all(departs) =>
            {
                Some("it has a vector that is none of its variant")
            }
            // Vectors are asked again by their numbers.
            () if !each().all(|(tally, (.., vectors))| indices(tally).all(|index| index < *vectors))
                || !self.departures.iter().all(has_index) =>
            {
                Some("it has a vector that its plan does not have")
            }
            () => None,
        }
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

/// Whether the vectors that a tally keeps, and that of `more`, have the registers of a subject, and no bits beyond
/// those.
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

/// Whether so many vectors can have added up to a tally, in whose counts each vector counts at most once for a lane.
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
