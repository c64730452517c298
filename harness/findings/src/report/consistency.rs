//! Finds answers to open points that no single interpretation gives.
//!
//! Every vector may be right by some interpretation, and the implementation by none: an open point is how
//! a sentence of the manual is read, and whoever implements it reads it one way. So the answers within a
//! variant must have an interpretation in common, and so should those of all variants of a section, which
//! share the sentence. Where several points meet in a vector, an answer may go with some interpretations
//! of them only together, so the points are looked at together as well. What is found fails nothing: an
//! interpretation may be one that no relaxation has.

mod joint_answers;

use std::collections::{BTreeMap, BTreeSet};

use isa::{Clamp, Relaxation, Variant};
use judge::{Agreement, Mismatch, Tally};
use reports::{AnswerReport, Inconsistency};
use runner::{Plan, Progress, Task};
use selection::subject::Subject;

use super::variants::example;

/// An answer that a variant gave: its first vector, the sweep that this is of, and how many such answers there were.
struct CountedAnswer<'a> {
    variant: &'static Variant,
    sweep: &'static str,
    first: &'a Mismatch,
    count: u64,
}

/// Answers by their text, either to one open point or to some at once.
type CountedAnswers<'a> = BTreeMap<String, CountedAnswer<'a>>;

/// A sentence of the manual: the section that it stands in, and whether it is about `.relu`, because `.sat` and
/// `.relu` have a sentence each.
type Sentence<'a> = (&'a str, bool);

/// Finds what was answered in two ways: within variants, and among the variants of a section each of which answered
/// in one way.
pub fn of_run(plan: &Plan, progress: &Progress) -> Vec<Inconsistency> {
    let mut found = Vec::new();
    let mut sections: BTreeMap<(Sentence, Relaxation), CountedAnswers> = BTreeMap::new();
    let mut together: BTreeMap<Sentence, CountedAnswers> = BTreeMap::new();
    let tasks: Vec<(&Task, &Tally)> = plan.tasks.iter().zip(&progress.tallies).collect();
    for of_subject in tasks.chunk_by(|a, b| a.0.subject() == b.0.subject()) {
        // What is open about sums of products is no choice that these instructions share.
        let Subject::Variant(variant) = of_subject[0].0.subject() else { continue };
        let sentence = (variant.form().section, variant.meaning().clamp == Clamp::Positive);
        let (known, mut all) = (found.len(), CountedAnswers::new());
        let is_wrong = of_subject.iter().any(|(_, tally)| tally.mismatches > 0);
        let is_doubtful = |of: Relaxation| is_wrong && is_told_by_carries(of);
        for relaxation in Relaxation::ALL.into_iter().filter(|of| !is_doubtful(*of)) {
            let answers = answers(variant, relaxation, of_subject);
            if !agree(relaxation, &answers) {
                found.push(report(relaxation.name(), variant.text(), &answers));
                continue;
            }
            let named = |text: &str| Agreement::of_one(relaxation, text).to_string();
            all.extend(answers.iter().map(|(text, answer)| (named(text), answer.copy())));
            let of_section = sections.entry((sentence, relaxation)).or_default();
            for (text, answer) in answers {
                of_section.entry(text).or_insert(answer);
            }
        }
        let doubtful = |text: &str| {
            Agreement::read(text).is_some_and(|of| of.points.iter().any(|of| is_doubtful(*of)))
        };
        let joint = joint_answers(variant, of_subject);
        all.extend(joint.into_iter().filter(|(text, _)| !doubtful(text)));
        // Where the answers to a single point contradict each other already, several points need no look.
        match disagreeing(&all).filter(|_| found.len() == known) {
            Some((names, answers)) => found.push(report(&names, variant.text(), &answers)),
            None => {
                let of_section = together.entry(sentence).or_default();
                for (text, answer) in all {
                    of_section.entry(text).or_insert(answer);
                }
            }
        }
    }
    // A sentence whose answers to one point contradict each other is told once, and not again for several points.
    let mut told = BTreeSet::new();
    for ((sentence, relaxation), answers) in &sections {
        if !agree(*relaxation, answers) {
            found.push(report(relaxation.name(), &format!("PTX ISA {}", sentence.0), answers));
            told.insert(*sentence);
        }
    }
    for (sentence, answers) in together.iter().filter(|(sentence, _)| !told.contains(*sentence)) {
        if let Some((names, answers)) = disagreeing(answers) {
            found.push(report(&names, &format!("PTX ISA {}", sentence.0), &answers));
        }
    }
    found
}

/// Whether the answers to an open point are told from whether random bits carry. A variant that rounds wrongly gives such
/// answers by accident: a result is the one of another interpretation, and none was chosen.
fn is_told_by_carries(relaxation: Relaxation) -> bool {
    matches!(relaxation, Relaxation::RandomLayout | Relaxation::RandomAlignment)
}

/// Collects the answers of one variant to one open point, with the first vector of each.
fn answers<'a>(
    variant: &'static Variant,
    relaxation: Relaxation,
    tasks: &[(&Task, &'a Tally)],
) -> CountedAnswers<'a> {
    let mut answers = CountedAnswers::new();
    for (task, tally) in tasks {
        let counts = tally.answers.get(relaxation.name());
        for (text, first) in tally.firsts.get(relaxation.name()).into_iter().flatten() {
            let count = counts.and_then(|counts| counts.get(text)).copied().unwrap_or(0);
            let sweep = task.asked.sweep();
            let answer = answers.entry(text.clone());
            answer.or_insert(CountedAnswer { variant, sweep, first, count: 0 }).count += count;
        }
    }
    answers
}

/// Collects the results that several open points decide together, by the interpretations that they agree with.
fn joint_answers<'a>(variant: &'static Variant, tasks: &[(&Task, &'a Tally)]) -> CountedAnswers<'a> {
    let mut answers = CountedAnswers::new();
    for (task, tally) in tasks {
        for (text, joint) in &tally.joint_answers {
            let (sweep, first) = (task.asked.sweep(), &joint.first);
            let answer = answers.entry(text.clone());
            answer.or_insert(CountedAnswer { variant, sweep, first, count: 0 }).count += joint.count;
        }
    }
    answers
}

/// Whether some interpretation gives all of the answers.
fn agree(relaxation: Relaxation, answers: &CountedAnswers) -> bool {
    // Each bit is an interpretation that all answers so far agree with.
    answers.keys().fold(u8::MAX, |common, text| common & relaxation.interpretations_of(text)) != 0
}

/// Returns as few answers as no interpretation of their points gives, and the points' names; `None` if one
/// interpretation gives all. Each answer is written as an [`Agreement`].
fn disagreeing<'a>(answers: &CountedAnswers<'a>) -> Option<(String, CountedAnswers<'a>)> {
    let read = |(text, answer): (&String, &CountedAnswer<'a>)| {
        Some((Agreement::read(text)?, (text.clone(), answer.copy())))
    };
    let (agreements, answers): (Vec<_>, Vec<_>) = answers.iter().filter_map(read).unzip();
    let few = joint_answers::contradiction(&agreements)?;
    let points: BTreeSet<Relaxation> =
        few.iter().flat_map(|&at| agreements[at].points.iter().copied()).collect();
    let names: Vec<&str> = points.into_iter().map(Relaxation::name).collect();
    let kept = answers.into_iter().enumerate().filter(|(at, _)| few.contains(at));
    Some((names.join(" × "), kept.map(|(_, answer)| answer).collect()))
}

impl<'a> CountedAnswer<'a> {
    /// Returns a copy: the same answer counts for its variant, its section, and several points together.
    fn copy(&self) -> CountedAnswer<'a> {
        let &CountedAnswer { variant, sweep, first, count } = self;
        CountedAnswer { variant, sweep, first, count }
    }
}

/// Makes the entry of the report about answers that contradict each other, in a variant or a section.
fn report(points: &str, scope: &str, answers: &CountedAnswers) -> Inconsistency {
    let answer = |(text, answer): (&String, &CountedAnswer)| AnswerReport {
        answer: text.clone(),
        variant: answer.variant.text().into(),
        count: answer.count,
        example: example(Subject::Variant(answer.variant), answer.sweep, answer.first),
    };
    Inconsistency {
        relaxation: points.into(),
        scope: scope.into(),
        answers: answers.iter().map(answer).collect(),
    }
}
