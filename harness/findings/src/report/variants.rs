//! Builds the reports of single variants: what a run found about each of them.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use formats::{FormatId, RowBits, Shown};
use isa::matrix::{DotOperand, MatrixVariant};
use isa::{Contract, Range, Type, Variant};
use judge::{EXAMPLES, Errors, Mismatch, MismatchKind, Tally};
use reports::{
    BinadeReport, Class, Datum, Example, Lane, RangeReport, RelaxationReport, Status, SweepReport,
    VariantReport, WorstReport,
};
use runner::{ALL_OPERANDS, JudgedBy, LeftOut, Plan, Progress, Task};
use selection::subject::Subject;

use crate::diagnosis::Diagnoses;

/// The place of each variant in the tables, matrix instructions behind the others: the order of reports. It is kept,
/// because trials of compilers make thousands of reports of one variant each.
static PLACES: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
    let names = Variant::all().iter().map(Variant::text);
    names.chain(MatrixVariant::all().iter().map(MatrixVariant::text)).zip(0..).collect()
});

/// Builds a report for each variant, in the order of the tables; `planned` is [`Plan::vectors_per_task`].
pub fn variants(
    plan: &Plan,
    planned: &[u64],
    progress: &Progress,
    diagnoses: &Diagnoses,
) -> Vec<VariantReport> {
    let mut reports = BTreeMap::new();
    let place = |subject: Subject| PLACES[subject.id()];
    for (status, left_out) in [(Status::Unsupported, &plan.unsupported), (Status::Fail, &plan.failing)] {
        for LeftOut { subject, reason } in left_out {
            let report = VariantReport { status, reason: Some(reason.clone()), ..empty(*subject) };
            reports.insert(place(*subject), report);
        }
    }
    let tasks: Vec<_> = plan.tasks.iter().zip(planned).zip(&progress.tallies).collect();
    for of_subject in tasks.chunk_by(|a, b| a.0.0.subject() == b.0.0.subject()) {
        let of_subject: Vec<(&Task, u64, &Tally)> =
            of_subject.iter().map(|((task, planned), tally)| (*task, **planned, *tally)).collect();
        let subject = of_subject[0].0.subject();
        let mut report = supported(subject, &of_subject, diagnoses);
        if let Some(meaning) = &plan.meaning {
            let bound = meaning.bound();
            report.accuracy = bound
                .map(|bound| range(subject, &of_subject, ALL_OPERANDS, bound))
                .into_iter()
                .collect();
            report.max_ulp = largest(&report.accuracy);
            hold_to_meaning(&mut report, &meaning.text());
        }
        reports.insert(place(subject), report);
    }
    reports.into_values().collect()
}

/// Makes the report of an instruction whose operands and results code has one of the code's meaning.
fn hold_to_meaning(report: &mut VariantReport, text: &str) {
    for class in &mut report.classes {
        if let Some(kind) = class.id.strip_prefix(report.variant.as_str()) {
            class.id = format!("{text}{kind}");
        }
    }
    // What is open about the instruction was not asked.
    report.relaxations.clear();
    report.variant = text.to_owned();
}

/// Returns the report of a subject of which nothing was tried.
fn empty(subject: Subject) -> VariantReport {
    VariantReport {
        variant: subject.to_string(),
        status: Status::Pass,
        reason: None,
        judge: reports::Judge::Mpfr,
        vectors: 0,
        unanswered: 0,
        mismatches: 0,
        sweeps: Vec::new(),
        relaxations: Vec::new(),
        max_ulp: None,
        accuracy: Vec::new(),
        classes: Vec::new(),
    }
}

/// Returns the report of a subject that was tried, from the tallies of all its tasks.
fn supported(subject: Subject, tasks: &[(&Task, u64, &Tally)], diagnoses: &Diagnoses) -> VariantReport {
    let planned = tasks.iter().map(|(_, planned, _)| planned).sum();
    let sum = |count: fn(&Tally) -> u64| tasks.iter().map(|(_, _, tally)| count(tally)).sum();
    let vectors = sum(|tally| tally.vectors);
    let unanswered = sum(|tally| tally.unanswered);
    let mismatches = sum(|tally| tally.mismatches);
    let judge = |task: &Task, tally: &Tally| match task.judged_by {
        JudgedBy::Series => reports::Judge::Series,
        JudgedBy::Model => reports::Judge::Model,
        JudgedBy::Emulator if tally.on_device > 0 => reports::Judge::Device,
        JudgedBy::Emulator => reports::Judge::Screened,
        JudgedBy::Mpfr => reports::Judge::Mpfr,
    };
    let judges = || tasks.iter().map(|(task, _, tally)| judge(task, tally));
    let disproven = tasks.iter().find(|(task, planned, tally)| {
        // A proof is of all vectors: a shard, or a run that was broken off, has the digest of a part.
        let whole = *planned == task.vectors && tally.asked() == task.vectors;
        let proof = task.proven.filter(|_| whole);
        proof.is_some_and(|proof| (proof.inputs, proof.results) != (tally.inputs, tally.expected))
    });
    let disproven = disproven.map(|(task, ..)| {
        format!(
            "{} or the sweep {} has changed since MPFR judged all its vectors: run with --judge mpfr, \
             and please report it",
            if task.judged_by == JudgedBy::Series { "the series" } else { "the emulator" },
            task.asked.sweep()
        )
    });
    let sweep = |(task, planned, tally): &(&Task, u64, &Tally)| SweepReport {
        name: task.asked.sweep().into(),
        planned: *planned,
        vectors: tally.vectors,
        unanswered: tally.unanswered,
        mismatches: tally.mismatches,
        judge: judge(task, tally),
        confirmed: tally.confirmed,
        inputs: format!("{:#018x}", tally.inputs),
        results: format!("{:#018x}", tally.results),
        expected: format!("{:#018x}", tally.expected),
    };
    let accuracy = accuracy(subject, tasks);
    let status = match &disproven {
        Some(_) => Status::Fail,
        None => Status::of(planned, vectors, unanswered, mismatches),
    };
    let lacking = status == Status::Unsupported;
    let nothing = || format!("it has no result for any of {unanswered} vectors");
    VariantReport {
        status,
        reason: disproven.or_else(|| lacking.then(nothing)),
        // A variant with another judge may have sweeps that MPFR judges: those without a proof or series.
        judge: judges().find(|judge| *judge != reports::Judge::Mpfr).unwrap_or(reports::Judge::Mpfr),
        vectors,
        unanswered,
        mismatches,
        // A shard may have no block of a short sweep.
        sweeps: tasks.iter().filter(|(_, planned, _)| *planned > 0).map(sweep).collect(),
        relaxations: relaxations(subject, tasks),
        classes: classes(subject, tasks, diagnoses),
        max_ulp: largest(&accuracy),
        accuracy,
        ..empty(subject)
    }
}

/// Reports the errors of an approximate function by range of operands; nothing for other subjects.
fn accuracy(subject: Subject, tasks: &[(&Task, u64, &Tally)]) -> Vec<RangeReport> {
    let Subject::Variant(variant) = subject else { return Vec::new() };
    let Contract::Within(accuracy) = variant.form().contract else { return Vec::new() };
    let report = |of: &Range| range(subject, tasks, of.name, of.bound.to_string());
    accuracy.ranges.iter().map(report).collect()
}

/// Returns the largest error of some ranges. Of a result that is infinite or NaN and should not be, the ranges tell.
fn largest(accuracy: &[RangeReport]) -> Option<f64> {
    RangeReport::worst_of(accuracy).filter(|ulp| ulp.is_finite())
}

/// Reports the errors in the range of this name, against a bound in words.
fn range(subject: Subject, tasks: &[(&Task, u64, &Tally)], name: &str, bound: String) -> RangeReport {
    let mut all = Errors::default();
    let mut worst_sweep = "";
    for (task, _, tally) in tasks {
        let Some(errors) = tally.errors.get(name) else { continue };
        let before = all.worst.clone();
        all.merge(errors.clone());
        if all.worst != before {
            worst_sweep = task.asked.sweep();
        }
    }
    let profile = match subject {
        Subject::Variant(variant) => {
            all.profile.iter().map(|binade| self::binade(variant, binade)).collect()
        }
        Subject::Matrix(_) => Vec::new(),
    };
    RangeReport {
        range: name.into(),
        bound,
        results: all.count(),
        histogram: all.histogram.to_vec(),
        worst: all.worst.map(|worst| WorstReport {
            ulp: worst.ulp,
            sweep: worst_sweep.into(),
            index: worst.index,
            operands: operands(subject, &worst.operands),
        }),
        profile,
    }
}

/// Reports one binade of the errors of a function of one operand.
fn binade(variant: &Variant, (key, share): (&u16, &f64)) -> BinadeReport {
    let format = variant.inputs()[0].format;
    // The key is the sign and the exponent field of an operand.
    let fields = format.exponent_mask() >> format.trailing_bits;
    let field = u64::from(*key) & fields;
    BinadeReport {
        negative: format.is_negative(u64::from(*key) << format.trailing_bits),
        // Field 1 is the exponent of the smallest normal number.
        exponent: field as i32 + format.exponent_min() - 1,
        // A drawing, and a reader, have use for four digits.
        share: if *share < 1e6 { (share * 1e4).round() / 1e4 } else { *share },
    }
}

/// Decodes the operands and the results of a mismatch of an instruction.
pub fn decoded(variant: &Variant, sweep: &str, mismatch: &Mismatch) -> Example {
    let text = variant.text();
    example(Subject::named(text).expect("it is a variant"), sweep, mismatch)
}

/// Decodes a value of the type that PTX calls `ty`.
///
/// # Panics
/// If there is no type of that name.
pub fn value(name: &str, ty: &str, bits: u64) -> Datum {
    datum(name, &Type::named(ty).expect("a type of PTX"), bits)
}

/// Decodes the operands of a vector.
fn operands(subject: Subject, bits: &[RowBits]) -> Vec<Datum> {
    match subject {
        Subject::Variant(variant) => {
            let operands = variant.operands().iter().zip(bits);
            operands.map(|(operand, bits)| datum(operand.name, &operand.ty, bits.word())).collect()
        }
        Subject::Matrix(variant) => {
            variant.operands().iter().zip(bits).map(|(operand, bits)| elements(operand, bits)).collect()
        }
    }
}

/// Adds up the answers to each point that the manual leaves open for a subject.
fn relaxations(subject: Subject, tasks: &[(&Task, u64, &Tally)]) -> Vec<RelaxationReport> {
    let report = |(name, reason): (&str, &str)| {
        let mut answers = BTreeMap::new();
        let given = tasks.iter().filter_map(|(_, _, tally)| tally.answers.get(name));
        for (answer, count) in given.flatten() {
            *answers.entry(answer.clone()).or_default() += count;
        }
        RelaxationReport {
            name: name.into(),
            reason: reports::observed_answers::with_observed_answers(name, reason),
            results: answers.values().sum(),
            answers,
        }
    };
    match subject {
        Subject::Variant(variant) => {
            variant.relaxations().map(|of| report((of.name(), of.reason()))).collect()
        }
        Subject::Matrix(variant) => {
            variant.relaxations().into_iter().map(|of| report((of.name(), of.reason()))).collect()
        }
    }
}

/// Puts the mismatches of all tasks together by kind, with what is known of their cause.
fn classes(subject: Subject, tasks: &[(&Task, u64, &Tally)], diagnoses: &Diagnoses) -> Vec<Class> {
    let mut classes: BTreeMap<MismatchKind, Class> = BTreeMap::new();
    for (task, _, tally) in tasks {
        for (kind, mismatches) in &tally.classes {
            let class = classes.entry(*kind).or_insert_with(|| Class {
                id: format!("{subject}/{}", kind.id()),
                diagnosis: kind.diagnosis().into(),
                count: 0,
                explanation: None,
                pattern: None,
                simplest: None,
                waiver: None,
                examples: Vec::new(),
            });
            class.count += mismatches.count;
            for mismatch in &mismatches.examples {
                if class.examples.len() == EXAMPLES {
                    break;
                }
                let example = example(subject, task.asked.sweep(), mismatch);
                // Several sweeps may have the same operands, which are told once.
                if class.examples.iter().all(|other| other.operands != example.operands) {
                    class.examples.push(example);
                }
            }
        }
    }
    for (kind, class) in &mut classes {
        if let Some(diagnosis) = diagnoses.get(&(subject.id(), *kind)) {
            class.explanation = diagnosis.explanation.clone();
            if let Some(description) = &diagnosis.description {
                class.diagnosis = format!("{}: {description}", class.diagnosis);
            }
            class.pattern = diagnosis.common.clone();
            let simplest = diagnosis.simplest.as_ref();
            class.simplest = simplest.map(|(sweep, mismatch)| example(subject, sweep, mismatch));
        }
    }
    classes.into_values().collect()
}

/// Decodes a mismatch: its operands, and its expected and actual results.
pub(super) fn example(subject: Subject, sweep: &str, mismatch: &Mismatch) -> Example {
    let results = |bits: &[RowBits]| match subject {
        Subject::Variant(variant) => {
            let results = variant.results().iter().zip(bits);
            results.map(|(result, bits)| datum(result.name, &result.ty, bits.word())).collect()
        }
        Subject::Matrix(variant) => bits.iter().map(|bits| elements(&variant.result(), bits)).collect(),
    };
    Example {
        sweep: sweep.into(),
        index: mismatch.index,
        operands: operands(subject, &mismatch.operands),
        expected: results(&mismatch.expected),
        accepted: mismatch.accepted.clone(),
        actual: results(&mismatch.actual),
        words: mismatch.words.clone(),
    }
}

/// Decodes the bits of a register, lane by lane.
fn datum(name: &str, ty: &Type, bits: u64) -> Datum {
    let lane = |lane: usize| {
        let shown = ty.format.show(ty.lane(bits, lane));
        let value = match (ty.format.id == FormatId::Pred, ty.lane(bits, lane)) {
            (true, 0) => "false".into(),
            (true, _) => "true".into(),
            _ => shown.decimal(),
        };
        match ty.format.is_integer() {
            // An integer has no fields to show.
            true => Lane { bits: shown.hex(), value, ..Lane::default() },
            false => Lane { value, ..number(shown) },
        }
    };
    Datum {
        name: name.into(),
        ty: ty.to_string(),
        bits: ty.hex(bits),
        lanes: (0..ty.lanes).map(lane).collect(),
    }
}

/// Decodes a value of a format that has fields.
fn number(shown: Shown) -> Lane {
    let (significand, exponent) = shown.scaled().unzip();
    Lane { bits: shown.hex(), value: shown.decimal(), fields: shown.fields(), significand, exponent }
}

/// Decodes one operand or result of a dot product, element by element.
fn elements(operand: &DotOperand, bits: &RowBits) -> Datum {
    let row = bits.to_bytes(operand.row_bytes());
    let element = |at: usize| {
        let bits = operand.get(&row, at);
        match operand.format {
            Some(format) => number(format.show(bits)),
            None => {
                Lane { bits: format!("{bits:#x}"), value: format!("{bits:#06b}"), ..Lane::default() }
            }
        }
    };
    Datum {
        name: operand.role.name().into(),
        ty: operand.ty(),
        bits: bits.hex(operand.row_bytes()),
        lanes: (0..operand.elements as usize).map(element).collect(),
    }
}

#[cfg(test)]
mod tests;
