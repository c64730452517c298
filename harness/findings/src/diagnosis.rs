//! Diagnoses the mismatches of a run. It finds for each class the fault, or the two faults, that give all of its
//! results and make no right result wrong, and the simplest vector that shows it. Approximations have no model: their
//! mismatches are explained by flushing where that explains them, or else described.
//!
//! The run keeps few mismatches of a class. So the vectors around the first of them, and some of every
//! other sweep, are run again: they are the evidence that a fault has to agree with in every bit.

mod approximation;
mod axis;
mod candidate;
mod condition;
mod descent;
mod dot_models;
mod evidence;
mod given;
mod hypotheses;
mod integers;
mod members;
mod pattern;
mod predicted;
mod range;
mod siblings;
mod simplest;
mod simplest_crash;
mod simplest_dot;
mod simplest_meaning;
mod source;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use base::pool::Pool;
use implementations::{Implementation, Worker};
use isa::Variant;
use isa::matrix::MatrixVariant;
use judge::{Mismatch, MismatchKind, Tally};
use model::Model;
use runner::{BlockJudge, Plan, Progress, RunRequest, Task};
use selection::subject::Subject;

use evidence::Rerun;
use pattern::Pattern;
pub use simplest::key as simplicity;

/// The diagnosis of one class of mismatches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// The explanation of the class; `None` if nothing explains it.
    pub explanation: Option<Explanation>,
    /// The description in words of where the mismatches lie and how they are wrong, if nothing explains them.
    pub description: Option<String>,
    /// The part of the description that other classes may share, by which classes are put together.
    pub common: Option<String>,
    /// The simplest vector that was found to show the class, after the name of the sweep of the mismatch that the
    /// search began with. The vector has the same index as that mismatch.
    pub simplest: Option<(&'static str, Mismatch)>,
}

/// Faults that give all results of a class, and change no right one.
pub use reports::Explanation;

/// The diagnoses of a run, by subject and kind of mismatch.
pub type Diagnoses = BTreeMap<(&'static str, MismatchKind), Diagnosis>;

/// Diagnoses the classes of a run until `stop` is set; classes that have not been looked at by then stay out.
///
/// # Errors
/// If the implementation cannot be asked again. The diagnoses that were found by then are in the map.
pub fn diagnose(
    plan: &Plan,
    progress: &Progress,
    implementation: &dyn Implementation,
    jobs: usize,
    stop: &AtomicBool,
) -> (Diagnoses, Result<()>) {
    let tasks: Vec<(&Task, &Tally)> = plan.tasks.iter().zip(&progress.tallies).collect();
    let of_variants = tasks.chunk_by(|a, b| a.0.subject() == b.0.subject());
    let wrong = |tasks: &&[(&Task, &Tally)]| {
        let concerns = |task: &Task, kind| has_results(kind) || simplest_crash::concerns(task, kind);
        tasks.iter().any(|(task, tally)| tally.classes.keys().any(|kind| concerns(task, *kind)))
    };
    let cases: Vec<&[(&Task, &Tally)]> = of_variants.filter(wrong).collect();
    let done = Pool::new(jobs).stopped_by(stop).run_on_each(
        &cases,
        || implementation.worker(),
        |worker, case| {
            let subject = case[0].0.subject();
            let diagnosed = match subject {
                Subject::Variant(variant) if let Some(meaning) = &plan.meaning => {
                    simplest_meaning::diagnose(plan, meaning.as_ref(), variant, case, worker.as_mut())
                }
                Subject::Variant(variant) => of_variant(plan, variant, case, worker.as_mut()),
                Subject::Matrix(variant) => of_matrix(plan, variant, case, worker.as_mut()),
            };
            let diagnosed = diagnosed.with_context(|| format!("{subject} could not be diagnosed"))?;
            Ok(diagnosed.into_iter().map(move |(kind, of)| ((subject.id(), kind), of)))
        },
    );
    (done.results.into_iter().flatten().flatten().collect(), done.error.map_or(Ok(()), Err))
}

/// Whether mismatches of a kind have results that a fault could give, the same ones every time.
fn has_results(kind: MismatchKind) -> bool {
    !matches!(
        kind,
        MismatchKind::Unstable
            | MismatchKind::BatchDependent
            | MismatchKind::Crashed
            | MismatchKind::Timeout
            | MismatchKind::Nonsense
            | MismatchKind::Failed
            | MismatchKind::Unwritten
    )
}

/// Collects the kept mismatches of one subject's tasks by kind, each with the name of its sweep.
fn examples<'a>(
    tasks: &[(&'a Task, &'a Tally)],
) -> BTreeMap<MismatchKind, Vec<(&'static str, &'a Mismatch)>> {
    let mut examples: BTreeMap<MismatchKind, Vec<_>> = BTreeMap::new();
    for (task, tally) in tasks {
        for (kind, mismatches) in tally.classes.iter().filter(|(kind, _)| has_results(**kind)) {
            let of_kind = mismatches.examples.iter().map(|example| (task.asked.sweep(), example));
            examples.entry(*kind).or_default().extend(of_kind);
        }
    }
    examples
}

/// Diagnoses the classes of one matrix instruction, by kind of mismatch.
fn of_matrix(
    plan: &Plan,
    variant: &'static MatrixVariant,
    tasks: &[(&Task, &Tally)],
    worker: &mut dyn Worker,
) -> Result<BTreeMap<MismatchKind, Diagnosis>> {
    // One cause is looked for that gives the results of all classes together.
    let explanation = dot_models::explain(plan, variant, tasks, worker)?;
    let RunRequest { judging, model, .. } = plan.request;
    let mut judge = BlockJudge::held_to(Subject::Matrix(variant), judging, model);
    let mut diagnoses = BTreeMap::new();
    for (kind, examples) in examples(tasks) {
        let simple = |(_, example): &(_, &Mismatch)| simplest_dot::key(variant, &example.operands);
        if let Some((sweep, from)) = examples.into_iter().min_by_key(simple) {
            let most = plan.vectors_max;
            let simplest = simplest_dot::search(variant, &mut judge, worker, kind, from, most)?;
            let (explanation, simplest) = (explanation.clone(), Some((sweep, simplest)));
            diagnoses.insert(kind, Diagnosis { explanation, simplest, ..Diagnosis::default() });
        }
    }
    Ok(diagnoses)
}

/// Diagnoses the classes of one variant, by kind of mismatch.
fn of_variant(
    plan: &Plan,
    variant: &'static Variant,
    tasks: &[(&Task, &Tally)],
    worker: &mut dyn Worker,
) -> Result<BTreeMap<MismatchKind, Diagnosis>> {
    let without_results = simplest_crash::search(plan, variant, tasks, worker)?.into_iter();
    let without_results = without_results
        .map(|(kind, simplest)| (kind, Diagnosis { simplest: Some(simplest), ..Diagnosis::default() }));
    // Classes with results are added to these below: the kinds of the two are never the same.
    let mut diagnoses: BTreeMap<MismatchKind, Diagnosis> = without_results.collect();
    let examples = examples(tasks);
    if examples.is_empty() {
        return Ok(diagnoses);
    }
    let mut rerun = Rerun::new(variant);
    let mut evidence = evidence::gather(plan, tasks, &mut rerun, worker)?;
    let modelled = Model::covers(variant);
    let explanations = match modelled {
        true => hypotheses::explain(&mut rerun, &evidence, plan.request.seed, tasks),
        false => approximation::explain(&rerun, &evidence),
    };
    for (kind, examples) in examples {
        let simple = |(_, example): &(_, &Mismatch)| simplest::key(variant, &example.operands);
        let simplest = match examples.into_iter().min_by_key(simple) {
            Some((sweep, from)) => {
                Some((sweep, simplest::search(&mut rerun, worker, kind, from, plan.vectors_max)?))
            }
            None => None,
        };
        let explanation = explanations.get(&kind).cloned();
        diagnoses.insert(kind, Diagnosis { explanation, simplest, ..Diagnosis::default() });
    }
    // Words must hold of every vector that the report shows, and not only of the evidence that explanations took.
    evidence.extend(evidence::rerun_shown_vectors(tasks, &diagnoses, &evidence, &mut rerun, worker)?);
    let open =
        |(kind, of): &(&MismatchKind, &mut Diagnosis)| has_results(**kind) && of.explanation.is_none();
    for (kind, diagnosis) in diagnoses.iter_mut().filter(open) {
        let of_kind = tasks.iter().filter_map(|(_, tally)| tally.classes.get(kind));
        let count = of_kind.map(|class| class.count).sum();
        let pattern = match modelled {
            true => pattern::describe(variant, &evidence, *kind, count),
            false => approximation::describe(variant, &evidence, *kind, count),
        };
        if let Some(Pattern { words, common }) = pattern {
            (diagnosis.description, diagnosis.common) = (Some(words), common);
        }
    }
    Ok(diagnoses)
}
