//! Answers to open points that no single interpretation gives.
//!
//! Every vector may be right by some interpretation, and the implementation by none: an open point is how
//! a sentence of the manual is read, and whoever implements it reads it one way. So the answers within a
//! variant must have an interpretation in common, and so should those of all variants of a section, which
//! share the sentence. What is found fails nothing: an interpretation may be one that no relaxation has.

use std::collections::BTreeMap;

use judge::{Mismatch, Tally};
use reports::{AnswerReport, Inconsistency};
use vectors::Variant;
use vectors::isa::{Clamp, Relaxation};

use super::variants::example;
use crate::run::{Plan, Progress, Subject, Task};

/// The first vector of an answer, the sweep that it is of, and how many there were.
struct Answer<'a> {
    variant: &'a Variant,
    sweep: &'static str,
    first: &'a Mismatch,
    count: u64,
}

/// The answers to one open point, by their text.
type Answers<'a> = BTreeMap<&'a str, Answer<'a>>;

/// What was answered in two ways: within variants, and among those of a section each of which gave one.
pub fn of_run(plan: &Plan, progress: &Progress) -> Vec<Inconsistency> {
    let mut found = Vec::new();
    let mut sections: BTreeMap<(&str, Relaxation, bool), Answers> = BTreeMap::new();
    let tasks: Vec<(&Task, &Tally)> = plan.tasks.iter().zip(&progress.tallies).collect();
    for of_subject in tasks.chunk_by(|a, b| a.0.subject == b.0.subject) {
        let Subject::Variant(variant) = of_subject[0].0.subject;
        for relaxation in Relaxation::ALL {
            let answers = answers(variant, relaxation, of_subject.iter().copied());
            if !agree(relaxation, &answers) {
                found.push(report(relaxation, variant.text(), &answers));
                continue;
            }
            // `.sat` and `.relu` have a sentence each.
            let positive = variant.meaning().clamp == Clamp::Positive;
            let sentence = (variant.form().section, relaxation, positive);
            let of_section = sections.entry(sentence).or_default();
            for (text, answer) in answers {
                of_section.entry(text).or_insert(answer);
            }
        }
    }
    for ((section, relaxation, _), answers) in sections {
        if !agree(relaxation, &answers) {
            found.push(report(relaxation, &format!("PTX ISA {section}"), &answers));
        }
    }
    found
}

fn answers<'a>(
    variant: &'a Variant,
    relaxation: Relaxation,
    tasks: impl Iterator<Item = (&'a Task, &'a Tally)>,
) -> Answers<'a> {
    let mut answers = Answers::new();
    for (task, tally) in tasks {
        let counts = tally.answers.get(relaxation.name());
        for (text, first) in tally.firsts.get(relaxation.name()).into_iter().flatten() {
            let count = counts.and_then(|counts| counts.get(text)).copied().unwrap_or(0);
            let sweep = task.sweep.name;
            let answer = answers.entry(text.as_str());
            answer.or_insert(Answer { variant, sweep, first, count: 0 }).count += count;
        }
    }
    answers
}

/// Whether some interpretation gives all of the answers.
fn agree(relaxation: Relaxation, answers: &Answers) -> bool {
    answers.keys().fold(u8::MAX, |common, text| common & relaxation.interpretations_of(text)) != 0
}

fn report(relaxation: Relaxation, scope: &str, answers: &Answers) -> Inconsistency {
    let answer = |(text, answer): (&&str, &Answer)| AnswerReport {
        answer: (*text).into(),
        variant: answer.variant.text().into(),
        count: answer.count,
        example: example(answer.variant, answer.sweep, answer.first),
    };
    Inconsistency {
        relaxation: relaxation.name().into(),
        scope: scope.into(),
        answers: answers.iter().map(answer).collect(),
    }
}
