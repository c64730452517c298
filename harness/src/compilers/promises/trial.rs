//! Functions that were compiled, as implementations of the instructions that they should compute.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, anyhow};
use emulator::{Backend, Kernel};
use ptx::functions::{Function, Nearest, Passed, Unit};
use reports::VariantReport;
use vectors::sweep::results_for;
use vectors::{Column, Variant};

use super::cells::{Cell, Compilation};
use crate::budget::Tier;
use crate::compilers::unit::{Approximating, Extreme};
use crate::diagnosis;
use crate::implementation::{Description, Implementation, Support, Worker};
use crate::report::variants;
use crate::run::{self, Display, Plan, Request, Settings};

/// Steps of a lane, at most.
const STEPS: u64 = 1 << 16;

/// What approximate instructions give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reading {
    /// The nearest result.
    Nearest,
    /// The lowest that the manual permits …
    Lowest,
    /// … and the highest.
    Highest,
}

/// What a trial is known by: the instruction, the body, and what its approximations give.
type Key = (&'static str, Reading, String);

/// A function and what it should compute.
#[derive(Clone, Debug)]
pub struct Trial {
    variant: &'static Variant,
    function: Arc<Function>,
    key: Key,
}

/// What trials came to.
#[derive(Clone, Debug, Default)]
pub struct Computed(BTreeMap<Key, VariantReport>);

impl Cell {
    /// The trials of a cell, for each instruction that is promised: whatever approximations give, one of these
    /// has to be passed.
    pub fn trials(&self) -> Vec<Vec<Trial>> {
        let Compilation::Function(function, body) = &self.compilation else { return Vec::new() };
        let readings: &[Reading] = match body.approximates() {
            true => &[Reading::Nearest, Reading::Lowest, Reading::Highest],
            false => &[Reading::Nearest],
        };
        let trial = |variant: &'static Variant, reading: Reading| Trial {
            variant,
            function: function.clone(),
            key: (variant.text(), reading, body.text().to_owned()),
        };
        let each = self.promise.means.iter();
        each.map(|&variant| readings.iter().map(|&reading| trial(variant, reading)).collect()).collect()
    }

    /// What the cell computes, by trials that were made: of the first instruction whose trials were all passed,
    /// else of the first instruction what failed.
    pub fn computed<'a>(&self, computed: &'a Computed) -> Option<&'a VariantReport> {
        let of = |trials: Vec<Trial>| -> Option<&'a VariantReport> {
            let reports: Option<Vec<_>> =
                trials.iter().map(|trial| computed.0.get(&trial.key)).collect();
            let reports = reports?;
            reports.iter().find(|report| report.mismatches > 0).or(reports.first()).copied()
        };
        let all: Vec<&VariantReport> = self.trials().into_iter().filter_map(of).collect();
        all.iter().find(|report| report.mismatches == 0).or(all.first()).copied()
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
    let mut trials: BTreeMap<Key, Trial> = BTreeMap::new();
    for trial in cells.iter().flat_map(Cell::trials).flatten() {
        trials.entry(trial.key.clone()).or_insert(trial);
    }
    // An implementation has one function for an instruction, and one reading of approximations.
    let mut layers: Vec<Layer> = Vec::new();
    for trial in trials.into_values() {
        let (name, reading, _) = trial.key;
        let free = |layer: &Layer| layer.reading == reading && !layer.functions.contains_key(name);
        let layer = layers.iter().position(free).unwrap_or_else(|| {
            layers.push(Layer { functions: BTreeMap::new(), reading, vectors });
            layers.len() - 1
        });
        layers[layer].functions.insert(name, trial);
    }
    let mut computed = Computed::default();
    for layer in layers {
        for report in layer.reports(jobs, directory, stop)? {
            let trial =
                layer.functions.get(report.variant.as_str()).context("a variant of the layer")?;
            computed.0.insert(trial.key.clone(), report);
        }
    }
    Ok(computed)
}

/// Functions of different instructions, as an implementation.
struct Layer {
    functions: BTreeMap<&'static str, Trial>,
    reading: Reading,
    vectors: u64,
}

impl Layer {
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
        let unit: Box<dyn Unit> = match self.reading {
            Reading::Nearest => Box::new(Nearest::default()),
            Reading::Lowest => Box::new(Approximating::new(Extreme::Lowest)),
            Reading::Highest => Box::new(Approximating::new(Extreme::Highest)),
        };
        Ok(Box::new(Executor { layer: self, unit, kernels: BTreeMap::new() }))
    }
}

/// Executes functions.
struct Executor<'a> {
    layer: &'a Layer,
    unit: Box<dyn Unit>,
    kernels: BTreeMap<&'static str, Kernel>,
}

impl Worker for Executor<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        let trial = self.layer.functions.get(variant.text()).context("it has such a function")?;
        let rows = results[0].rows();
        // What is narrower than 32 bits may be passed in as many.
        let bytes: Vec<usize> = trial.function.parameters().map(|(_, bytes)| bytes).collect();
        let columns: Vec<Column> = operands
            .iter()
            .zip(&bytes)
            .map(|(operand, &bytes)| {
                let mut column = Column::new(bytes, rows);
                (0..rows).for_each(|row| column.set(row, operand.get(row)));
                column
            })
            .collect();
        let mut passed: Vec<Passed> = columns.iter().map(Passed::Value).collect();
        let mut answers: Vec<Column> =
            trial.function.results().map(|(_, bytes)| Column::new(bytes, rows)).collect();
        trial
            .function
            .run(self.unit.as_mut(), &mut passed, &mut answers, STEPS)
            .map_err(|fault| anyhow!("{variant}: {fault}"))?;
        let answer =
            answers.first().with_context(|| format!("a function for {variant} returns nothing"))?;
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
        let kernel = self
            .kernels
            .entry(variant.text())
            .or_insert_with(|| Kernel::of(variant, Backend::Lanes).expect("every variant has one"));
        let mut expected = results_for(variant, results[0].rows());
        kernel.run(operands, &mut expected);
        for row in 0..results[0].rows() {
            let [due, came] = [expected[0].get(row), results[0].get(row)];
            if format.is_nan(due) && format.is_nan(came) {
                results[0].set(row, due);
            }
        }
    }
}
