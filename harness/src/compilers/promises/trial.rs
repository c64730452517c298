//! Functions that were compiled, as implementations of the instructions that they should compute.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, anyhow};
use ptx::functions::{Function, Nearest, Unit};
use reports::VariantReport;
use vectors::sweep::results_for;
use vectors::{Column, Variant};

use super::body::Body;
use super::cells::{Cell, Compilation};
use crate::budget::Tier;
use crate::compilers::execute::execute;
use crate::compilers::unit::{Approximating, Extreme};
use crate::diagnosis;
use crate::implementation::{Description, Implementation, Support, Worker};
use crate::report::variants;
use crate::run::{self, Display, Plan, Request, Settings};

/// A function and what it should compute.
#[derive(Clone, Debug)]
pub struct Trial {
    pub(super) variant: &'static Variant,
    function: Arc<Function>,
    /// At which end of their bounds its approximations are; nowhere, they are the nearest numbers.
    extreme: Option<Extreme>,
    /// What all are known by.
    key: (&'static str, String),
}

/// What a trial came to.
pub type Computed = BTreeMap<(&'static str, String), VariantReport>;

impl Trial {
    /// Those of a function that should compute an instruction, all of which have to be passed: an instruction
    /// that is approximate may be right by chance, and where another is promised, it is not.
    pub(super) fn all(variant: &'static Variant, function: &Arc<Function>, body: &Body) -> Vec<Trial> {
        let extremes = [None, Some(Extreme::Lowest), Some(Extreme::Highest)];
        let count = if body.approximates { extremes.len() } else { 1 };
        let trial = |extreme| Trial {
            variant,
            function: function.clone(),
            extreme,
            key: (variant.text(), format!("{extreme:?} {}", body.text())),
        };
        extremes[..count].iter().copied().map(trial).collect()
    }

    /// The same of another function.
    pub(super) fn with(&self, function: &Arc<Function>) -> Trial {
        Trial { function: function.clone(), ..self.clone() }
    }
}

impl Cell {
    /// The trials of a cell: some for each instruction that is promised, those of one of which have to be passed.
    pub fn trials(&self) -> Vec<Vec<Trial>> {
        let Compilation::Function(function, body) = &self.compilation else { return Vec::new() };
        self.promise.means.iter().map(|variant| Trial::all(variant, function, body)).collect()
    }

    /// What the cell computes, by trials that were made: of the first instruction whose trials were passed, else of
    /// the first.
    pub fn computed<'a>(&self, computed: &'a Computed) -> Option<&'a VariantReport> {
        let of_one = |trials: Vec<Trial>| {
            let reports = trials.iter().map(|trial| computed.get(&trial.key));
            let reports: Vec<_> = reports.collect::<Option<_>>()?;
            reports.iter().copied().find(|report| report.mismatches > 0).or(reports.first().copied())
        };
        let each: Vec<_> = self.trials().into_iter().filter_map(of_one).collect();
        let passed = each.iter().copied().find(|report| report.mismatches == 0);
        passed.or(each.first().copied())
    }
}

/// Tries the functions of cells, each with each of its instructions once, on so many vectors of each sweep at
/// most. `directory` is for the state of runs.
///
/// # Errors
/// If a run cannot be made, or a function does what it may not.
pub fn compute(
    cells: &[Cell],
    vectors: u64,
    jobs: usize,
    directory: &Path,
    stop: &AtomicBool,
) -> Result<Computed> {
    let mut trials: BTreeMap<(&'static str, String), Trial> = BTreeMap::new();
    for trial in cells.iter().flat_map(Cell::trials).flatten() {
        trials.entry(trial.key.clone()).or_insert(trial);
    }
    // An implementation has one function for an instruction.
    let mut layers: Vec<BTreeMap<&'static str, Trial>> = Vec::new();
    for trial in trials.into_values() {
        let free = layers.iter().position(|layer| !layer.contains_key(trial.variant.text()));
        let layer = free.unwrap_or_else(|| {
            layers.push(BTreeMap::new());
            layers.len() - 1
        });
        layers[layer].insert(trial.variant.text(), trial);
    }
    let mut computed = Computed::new();
    for functions in layers {
        let layer = Layer { functions, vectors };
        for report in layer.reports(jobs, directory, stop)? {
            let trial =
                layer.functions.get(report.variant.as_str()).context("a variant of the layer")?;
            computed.insert(trial.key.clone(), report);
        }
    }
    Ok(computed)
}

/// Functions of different instructions, as an implementation.
pub(super) struct Layer {
    functions: BTreeMap<&'static str, Trial>,
    vectors: u64,
}

impl Layer {
    /// One function.
    pub(super) fn of(trial: &Trial, vectors: u64) -> Layer {
        Layer { functions: BTreeMap::from([(trial.variant.text(), trial.clone())]), vectors }
    }

    pub(super) fn executor(&self) -> Executor<'_> {
        let [lowest, highest] = [Extreme::Lowest, Extreme::Highest].map(Approximating::new);
        Executor { layer: self, nearest: Nearest::default(), lowest, highest }
    }

    fn reports(&self, jobs: usize, directory: &Path, stop: &AtomicBool) -> Result<Vec<VariantReport>> {
        let names = self.functions.keys().map(|name| (*name).to_owned()).collect();
        let plan = Plan::new(Request::of(Tier::Quick, names), self)?;
        let settings = Settings { jobs, directory: directory.to_owned(), resume: false };
        let planned = plan.vectors_per_task();
        let outcome = run::run(&plan, self, &settings, stop, &Display::hidden())?;
        run::forget(directory);
        if let Some(error) = outcome.error {
            return Err(error);
        }
        let (diagnoses, diagnosed) =
            diagnosis::diagnose(&plan, &outcome.progress, self, settings.jobs, stop);
        diagnosed?;
        Ok(variants(&plan, &planned, &outcome.progress, &diagnoses))
    }
}

impl Implementation for Layer {
    fn describe(&self) -> Description {
        Description { name: "functions that were compiled".into(), ..Description::default() }
    }

    fn support(&self, variant: &Variant) -> Support {
        match self.functions.contains_key(variant.text()) {
            true => Support::Yes,
            false => Support::No("there is no function of it".into()),
        }
    }

    fn vectors_max(&self) -> Option<u64> {
        Some(self.vectors)
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(Box::new(self.executor()))
    }
}

/// Executes functions.
pub(super) struct Executor<'a> {
    layer: &'a Layer,
    nearest: Nearest,
    lowest: Approximating,
    highest: Approximating,
}

impl Worker for Executor<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        let trial = self.layer.functions.get(variant.text()).context("it has such a function")?;
        let rows = results[0].rows();
        let unit: &mut dyn Unit = match trial.extreme {
            None => &mut self.nearest,
            Some(Extreme::Lowest) => &mut self.lowest,
            Some(Extreme::Highest) => &mut self.highest,
        };
        let values = |at: usize, row: usize| operands[at].get(row);
        let answer = execute(&trial.function, unit, (operands.len(), rows), values)
            .map_err(|fault| anyhow!("{variant}: {fault}"))?
            .with_context(|| format!("a function for {variant} returns nothing"))?;
        let format = variant.outputs()[0].format;
        let mask = u64::MAX >> (64 - format.width());
        for row in 0..rows {
            results[0].set(row, answer.get(row) & mask);
        }
        self.same_nan(trial.variant, operands, results);
        Ok(())
    }
}

impl Executor<'_> {
    /// Which NaN a NaN is, no source language says: it becomes the one that the instruction gives.
    fn same_nan(&mut self, variant: &'static Variant, operands: &[Column], results: &mut [Column]) {
        let format = variant.outputs()[0].format;
        if format.is_fixed() {
            return;
        }
        let expected = self.nearest(variant, operands);
        for row in 0..results[0].rows() {
            let [due, came] = [expected[0].get(row), results[0].get(row)];
            if format.is_nan(due) && format.is_nan(came) {
                results[0].set(row, due);
            }
        }
    }

    /// The emulator's results, which are right.
    pub(super) fn nearest(&mut self, variant: &'static Variant, operands: &[Column]) -> Vec<Column> {
        let mut results = results_for(variant, operands[0].rows());
        self.nearest.execute(variant, operands, &mut results).expect("it has every variant");
        results
    }
}
