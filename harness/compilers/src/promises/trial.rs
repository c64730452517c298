//! Makes and runs trials: which functions are held to which instructions or sets of results, and what came of it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use base::pool::Pool;
use isa::Variant;
use machines::functions::RunnableFunction;
use reports::VariantReport;

use super::body::Body;
use super::cells::{Compilation, PromiseCell};
use super::expected::Expected;
use super::try_function::{TrialVectors, try_function};
use crate::rows::Promise;
use crate::unit::Approximation;

/// A function and what it should compute.
#[derive(Clone, Debug)]
pub struct Trial {
    pub(super) aim: Aim,
    pub(super) function: Arc<RunnableFunction>,
    /// The names of the function's instructions, as [`Body::opcodes`] has them.
    pub(super) opcodes: Arc<[String]>,
    /// The kind of results that the function's approximate instructions give.
    pub(super) approximation: Approximation,
    /// Whether the function is what an assembler may make of the compiler's by contraction.
    contracted: bool,
    /// The key that the trial's report is known by.
    key: Key,
}

/// The aim of a function: what it should compute.
#[derive(Clone, Debug)]
pub(super) enum Aim {
    Instruction(&'static Variant),
    /// A set of results for each vector, of which one has to come.
    Expected(Arc<Expected>),
}

/// The key of a trial: the text of what is due, and that of the function with the end that its approximations are at.
type Key = (String, String);

/// The reports of trials, by their keys.
pub type Computed = BTreeMap<Key, VariantReport>;

/// Returns the key of a trial.
fn key(aim: &Aim, approximation: Approximation, body: &Body) -> Key {
    (aim.text().to_owned(), format!("{} {}", approximation.name(), body.text()))
}

impl Aim {
    /// Returns the instruction whose vectors a function of this aim is tried on.
    pub(super) fn shape(&self) -> &'static Variant {
        match self {
            Aim::Instruction(variant) => variant,
            Aim::Expected(expected) => expected.shape,
        }
    }

    /// Returns the outermost instruction of what is due.
    pub(super) fn outer(&self) -> &'static Variant {
        match self {
            Aim::Instruction(variant) => variant,
            Aim::Expected(expected) => expected.outer(),
        }
    }

    /// Returns the text of what is due.
    pub(super) fn text(&self) -> &str {
        match self {
            Aim::Instruction(variant) => variant.text(),
            Aim::Expected(expected) => &expected.text,
        }
    }
}

impl Trial {
    /// Makes the trials of a function with an aim, all of which have to be passed. A function that approximates is
    /// tried with every kind of approximation: an approximate instruction may be right by chance, and where another
    /// instruction is promised, it is not right.
    pub(super) fn all(aim: &Aim, function: &Arc<RunnableFunction>, body: &Body) -> Vec<Trial> {
        let all = if body.approximates { &Approximation::ALL[..] } else { &[Approximation::Nearest] };
        let opcodes: Arc<[String]> = body.opcodes.as_slice().into();
        let trial = |approximation| Trial {
            aim: aim.clone(),
            function: function.clone(),
            opcodes: opcodes.clone(),
            approximation,
            contracted: false,
            key: key(aim, approximation, body),
        };
        all.iter().copied().map(trial).collect()
    }

    /// Turns the trial into one of a function that an assembler may make by contraction.
    fn contracted(self) -> Trial {
        let (due, own) = self.key;
        Trial { contracted: true, key: (due, format!("contracted {own}")), ..self }
    }

    /// Returns a report that says what was assumed of the instructions, if that is not what one expects.
    fn with_assumptions(&self, report: VariantReport) -> VariantReport {
        let end = self.approximation.is_end().then(|| {
            let name = self.approximation.name();
            format!("approximate instructions give the {name} results that PTX permits")
        });
        let fused =
            self.contracted.then(|| "a product and a sum without a rounding are fused".to_owned());
        let all: Vec<String> = fused.into_iter().chain(end).collect();
        VariantReport { reason: (!all.is_empty()).then(|| all.join(", and ")), ..report }
    }

    /// Returns the report of the same trial with another function, whose body is `body`, if that was tried.
    pub(super) fn report_of<'a>(
        &self,
        body: &Body,
        computed: &'a Computed,
    ) -> Option<&'a VariantReport> {
        // A function that approximates nothing was tried once.
        let nearest = Approximation::Nearest;
        let approximation = if body.approximates { self.approximation } else { nearest };
        computed.get(&key(&self.aim, approximation, body))
    }

    /// Returns the trial with approximate instructions that give their nearest results.
    pub(super) fn with_nearest(&self) -> Trial {
        Trial { approximation: Approximation::Nearest, ..self.clone() }
    }

    /// Returns the trial with another function in the place of its own.
    pub(super) fn with_function(&self, function: &Arc<RunnableFunction>) -> Trial {
        Trial { function: function.clone(), ..self.clone() }
    }
}

impl PromiseCell {
    /// Returns the aims of the cell's function, which should compute one of them.
    pub(super) fn aims(&self) -> Vec<Aim> {
        let expected = |promise: &Promise| Aim::Expected(Arc::new(Expected::of(self.row, promise)));
        let mut aims: Vec<Aim> = match self.promise.instructions() {
            Some(variants) => variants.into_iter().map(Aim::Instruction).collect(),
            None => vec![expected(&self.promise)],
        };
        aims.extend(self.promise.of_flushed.iter().map(|of| {
            expected(&Promise { means: vec![of.clone()], of_flushed: None, ..self.promise.clone() })
        }));
        aims
    }

    /// Returns the trials of the cell, a list for each of its aims. The trials of one aim have to be passed, all of
    /// them.
    pub fn trials(&self) -> Vec<Vec<Trial>> {
        let Compilation::Function(function, body, contracted) = &self.compilation else {
            return Vec::new();
        };
        let of_aim = |aim: &Aim| {
            let mut all = Trial::all(aim, function, body);
            for (function, body) in contracted.iter() {
                all.extend(Trial::all(aim, function, body).into_iter().map(Trial::contracted));
            }
            all
        };
        self.aims().iter().map(of_aim).collect()
    }

    /// Returns the report of what the cell computes, by trials that were made: that of the first aim whose trials were
    /// passed, else that of the first aim if all were tried.
    pub fn computed<'a>(&self, computed: &'a Computed) -> Option<&'a VariantReport> {
        let of_one = |trials: Vec<Trial>| {
            let reports: Vec<_> = trials.iter().map(|trial| computed.get(&trial.key)).collect();
            let wrong = reports.iter().flatten().copied().find(|report| report.mismatches > 0);
            let right = || reports.iter().copied().collect::<Option<Vec<_>>>()?.first().copied();
            wrong.or_else(right)
        };
        let each: Vec<Option<_>> = self.trials().into_iter().map(of_one).collect();
        let passed = each.iter().flatten().copied().find(|report| report.mismatches == 0);
        passed.or(each.into_iter().collect::<Option<Vec<_>>>()?.first().copied())
    }
}

/// Tries the functions of cells, each once for each of the instructions or sets of results that it may be held to, on
/// at most `vectors` vectors of each sweep, until `stop`. Returns the reports by the keys of the trials.
///
/// # Errors
/// If a plan cannot be made, or the suite contradicts itself.
pub fn compute(cells: &[PromiseCell], vectors: u64, jobs: usize, stop: &AtomicBool) -> Result<Computed> {
    let mut trials: BTreeMap<Key, Trial> = BTreeMap::new();
    for trial in cells.iter().flat_map(PromiseCell::trials).flatten() {
        trials.entry(trial.key.clone()).or_insert(trial);
    }
    let trials: Vec<Trial> = trials.into_values().collect();
    // Making a plan looks at the whole table, and many functions are tried on the same one.
    let mut of_shapes: BTreeMap<&'static str, TrialVectors> = BTreeMap::new();
    for trial in &trials {
        if let Entry::Vacant(entry) = of_shapes.entry(trial.aim.shape().text()) {
            entry.insert(TrialVectors::of(trial, vectors)?);
        }
    }
    let reports = Pool::new(jobs)
        .stopped_by(stop)
        .map(&trials, |trial| try_function(trial, &of_shapes[trial.aim.shape().text()], stop));
    // Where a trial was not run to its end, what is wrong is known, and nothing else.
    let is_known = |report: &VariantReport| report.mismatches > 0 || !stop.load(Ordering::Relaxed);
    let known = trials.iter().zip(reports.partial_results()?).filter_map(|(trial, report)| {
        let report = report.filter(is_known)?;
        Some((trial.key.clone(), trial.with_assumptions(report)))
    });
    Ok(known.collect())
}
