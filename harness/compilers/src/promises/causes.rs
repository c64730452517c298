//! Looks for the causes of a function's wrong results that its instructions show: what a compiler with a known defect
//! makes of the promise.

use std::sync::atomic::{AtomicBool, Ordering};

use reports::{Class, Explanation, Flaw, VariantReport};

use super::expected::{Expected, Units};
use super::function_executor::FunctionExecutor;
use super::instead::{DEFECTS, instead};
use super::standard::Standard;
use super::trial::{Aim, Trial};
use super::try_function::TrialVectors;
use crate::program::Defect;
use crate::rows::{Expression, Open};

/// Defects, and what a compiler that has them computes in the place of the promise.
struct Hypothesis {
    defects: Vec<Defect>,
    expected: Expected,
}

/// Explains the classes of a report that nothing explains yet, or for which there are several explanations, by defects
/// of the compiler. A defect explains them if it gives the result of every vector that the function was tried on, right
/// ones as well. What a function is made of says only what is worth a trial.
pub(super) fn explained(
    trial: &Trial,
    vectors: &TrialVectors,
    mut report: VariantReport,
    stop: &AtomicBool,
) -> VariantReport {
    if !report.classes.iter().any(is_open) {
        return report;
    }
    let defects = match is_right_with_nearest(trial, vectors, stop) {
        true => Some(vec![Defect::Approximation]),
        false => first_of(trial, vectors, hypotheses(trial), stop),
    };
    let Some(defects) = defects else { return report };
    let agreeing = report.vectors - report.mismatches;
    for class in report.classes.iter_mut().filter(|class| is_open(class)) {
        let flaws = defects.iter().map(|defect| Flaw::new(defect.name(), defect.words()));
        let explanation = Explanation::of(flaws.collect());
        class.explanation = Some(Explanation { mismatches: class.count, agreeing, ..explanation });
    }
    report
}

/// Whether nothing explains a class, or nothing alone.
fn is_open(class: &Class) -> bool {
    class.explanation.as_ref().is_none_or(|of| !of.others.is_empty())
}

/// Whether approximate instructions are at an end of their bounds in a trial, and all results are right where they give
/// the nearest: then nothing but the approximation makes them wrong.
fn is_right_with_nearest(trial: &Trial, vectors: &TrialVectors, stop: &AtomicBool) -> bool {
    if !trial.approximation.is_end() {
        return false;
    }
    let nearest = trial.with_nearest();
    let mut standard = Standard::of(&nearest.aim, nearest.approximation);
    let mut executor = FunctionExecutor::default();
    let mut parts = vectors.plan.tasks.iter().flat_map(|task| vectors.rows(task));
    parts.all(|rows| {
        let due = executor.expected_result(&nearest.aim, &rows.operands);
        let result = executor.result(&nearest, &rows.operands, due.as_ref());
        !stop.load(Ordering::Relaxed)
            && result.is_ok_and(|result| standard.wrong(&rows.operands, &[result], 1).is_empty())
    })
}

/// Returns what compilers with one defect, and with two, may compute in the place of a trial's promise.
fn hypotheses(trial: &Trial) -> Vec<Hypothesis> {
    let (promised, open) = match &trial.aim {
        Aim::Instruction(variant) => (vec![Expression::parse(variant.text())], Open::default()),
        Aim::Expected(expected) => expected.promised(),
    };
    let made = &trial.opcodes;
    let single = DEFECTS.into_iter().flat_map(|defect| {
        let others = promised.iter().flat_map(move |one| instead(one, defect, made));
        others.map(move |other| (vec![defect], other))
    });
    let single: Vec<(Vec<Defect>, Expression)> = single.collect();
    let pairs = single.iter().flat_map(|(first, one)| {
        let others = DEFECTS.into_iter().filter(|defect| !first.contains(defect));
        others.flat_map(move |defect| {
            let both = [first[0], defect].to_vec();
            instead(one, defect, made).into_iter().map(move |other| (both.clone(), other))
        })
    });
    let mut all: Vec<(Vec<Defect>, Expression)> = Vec::new();
    for (defects, expression) in single.iter().cloned().chain(pairs) {
        let is_known = promised.contains(&expression) || all.iter().any(|(_, of)| *of == expression);
        if !is_known {
            all.push((defects, expression));
        }
    }
    let shape = trial.aim.shape();
    let hypothesis = |(defects, expression): (Vec<Defect>, Expression)| Hypothesis {
        defects,
        expected: Expected::new(vec![expression], open, shape),
    };
    all.into_iter().map(hypothesis).collect()
}

/// Returns the defects of the first hypothesis that gives all results of a trial, if one does.
fn first_of(
    trial: &Trial,
    vectors: &TrialVectors,
    mut hypotheses: Vec<Hypothesis>,
    stop: &AtomicBool,
) -> Option<Vec<Defect>> {
    let mut executor = FunctionExecutor::default();
    let mut units = Units::of(trial.approximation);
    for rows in vectors.plan.tasks.iter().flat_map(|task| vectors.rows(task)) {
        if hypotheses.is_empty() || stop.load(Ordering::Relaxed) {
            return None;
        }
        let due = executor.expected_result(&trial.aim, &rows.operands);
        let result = executor.result(trial, &rows.operands, due.as_ref()).ok()?;
        hypotheses.retain(|of| of.expected.wrong(&mut units, &rows.operands, &result, 1).is_empty());
    }
    hypotheses.into_iter().next().map(|of| of.defects)
}

#[cfg(test)]
mod tests;
