//! Functions that were compiled, as implementations of the instructions that they should compute.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, anyhow};
use base::pool::Pool;
use findings::diagnosis;
use findings::report::variants;
use formats::Column;
use implementations::{Description, Implementation, Support, Worker};
use isa::{Type, Variant, results_for};
use machines::functions::{Function, Nearest, Unit};
use reports::VariantReport;
use runner::{Display, Plan, Request, Settings};
use selection::budget::Tier;

use super::bed;
use super::body::Body;
use super::cells::{Cell, Compilation};
use super::expected::Expected;
use crate::execute::{NOTHING, execute, execute_unset, in_words};
use crate::rows::Promise;
use crate::unit::{Approximating, Extreme};

/// Where approximations are in turn.
pub(super) const EXTREMES: [Option<Extreme>; 3] = [None, Some(Extreme::Lowest), Some(Extreme::Highest)];

/// A function and what it should compute.
#[derive(Clone, Debug)]
pub struct Trial {
    pub(super) aim: Aim,
    function: Arc<Function>,
    /// At which end of their bounds its approximations are; nowhere, they are the nearest numbers.
    pub(super) extreme: Option<Extreme>,
    /// Whether it is what an assembler may make of the compiler's.
    contracted: bool,
    /// What all are known by.
    key: Key,
}

/// What a function should compute.
#[derive(Clone, Debug)]
pub(super) enum Aim {
    Instruction(&'static Variant),
    /// One of some results for each vector.
    Expected(Arc<Expected>),
}

/// The text of what is due, and of the function with the end that its approximations are at.
type Key = (String, String);

/// What trials came to.
pub type Computed = BTreeMap<Key, VariantReport>;

fn key(aim: &Aim, extreme: Option<Extreme>, body: &Body) -> Key {
    (aim.text().to_owned(), format!("{extreme:?} {}", body.text()))
}

impl Aim {
    /// The instruction whose vectors it is tried on.
    pub(super) fn shape(&self) -> &'static Variant {
        match self {
            Aim::Instruction(variant) => variant,
            Aim::Expected(expected) => expected.shape,
        }
    }

    /// The outermost instruction of what is due.
    pub(super) fn outer(&self) -> &'static Variant {
        match self {
            Aim::Instruction(variant) => variant,
            Aim::Expected(expected) => expected.outer(),
        }
    }

    /// What is due.
    pub(super) fn text(&self) -> &str {
        match self {
            Aim::Instruction(variant) => variant.text(),
            Aim::Expected(expected) => &expected.text,
        }
    }
}

impl Trial {
    /// Those of a function with an aim, all of which have to be passed: an instruction that is approximate may be
    /// right by chance, and where another is promised, it is not.
    pub(super) fn all(aim: &Aim, function: &Arc<Function>, body: &Body) -> Vec<Trial> {
        let count = if body.approximates { EXTREMES.len() } else { 1 };
        let trial = |extreme| Trial {
            aim: aim.clone(),
            function: function.clone(),
            extreme,
            contracted: false,
            key: key(aim, extreme, body),
        };
        EXTREMES[..count].iter().copied().map(trial).collect()
    }

    /// The same of what an assembler may make of it.
    fn contracted(self) -> Trial {
        let (due, own) = self.key;
        Trial { contracted: true, key: (due, format!("contracted {own}")), ..self }
    }

    /// A report that says what was assumed of the instructions, if it is not what one expects.
    fn told(&self, report: VariantReport) -> VariantReport {
        let end = self.extreme.map(|extreme| match extreme {
            Extreme::Lowest => "lowest",
            Extreme::Highest => "highest",
        });
        let end =
            end.map(|end| format!("approximate instructions give the {end} results that PTX permits"));
        let fused =
            self.contracted.then(|| "a product and a sum without a rounding are fused".to_owned());
        let all: Vec<String> = fused.into_iter().chain(end).collect();
        VariantReport { reason: (!all.is_empty()).then(|| all.join(", and ")), ..report }
    }

    /// What came of the same with another function, if that was tried.
    pub(super) fn report_of<'a>(
        &self,
        body: &Body,
        computed: &'a Computed,
    ) -> Option<&'a VariantReport> {
        // Where nothing is approximate, there are no ends.
        computed.get(&key(&self.aim, self.extreme.filter(|_| body.approximates), body))
    }

    /// The same of another function.
    pub(super) fn with(&self, function: &Arc<Function>) -> Trial {
        Trial { function: function.clone(), ..self.clone() }
    }
}

impl Cell {
    /// What its function should compute: one of these.
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

    /// The trials of a cell: some for each of its aims, those of one of which have to be passed.
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

    /// What the cell computes, by trials that were made: of the first instruction whose trials were passed, else of
    /// the first if all were tried.
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

/// Tries the functions of cells, each with each of its instructions once, on so many vectors of each sweep at
/// most, until `stop`. `directory` is for the state of runs.
///
/// # Errors
/// If a run cannot be made.
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
    // An implementation has one function for an instruction.
    let mut layers: Vec<BTreeMap<&'static str, Trial>> = Vec::new();
    let mut others: Vec<Trial> = Vec::new();
    for trial in trials.into_values() {
        let Aim::Instruction(variant) = trial.aim else {
            others.push(trial);
            continue;
        };
        let free = layers.iter().position(|layer| !layer.contains_key(variant.text()));
        let layer = free.unwrap_or_else(|| {
            layers.push(BTreeMap::new());
            layers.len() - 1
        });
        layers[layer].insert(variant.text(), trial);
    }
    // Of what was not tried to its end, what is wrong is known, and nothing else.
    let is_known = |report: &VariantReport| report.mismatches > 0 || !stop.load(Ordering::Relaxed);
    let mut computed = Computed::new();
    for functions in layers {
        let layer = Layer { functions, vectors, failed: Mutex::default() };
        let reports = layer.reports(jobs, directory, stop)?;
        let failed = layer.failed.into_inner().map_err(|_| anyhow!("a thread has died"))?;
        for report in reports {
            let trial =
                layer.functions.get(report.variant.as_str()).context("a variant of the layer")?;
            // What a lane may not do ends no run, and is told by one that looks at each lane.
            if failed.contains(report.variant.as_str()) {
                others.push(trial.clone());
                continue;
            }
            if is_known(&report) {
                computed.insert(trial.key.clone(), trial.told(report));
            }
        }
    }
    let reports = Pool::new(jobs).until(stop).map(&others, |trial| bed::report(trial, vectors, stop));
    for (trial, report) in others.iter().zip(reports.some()?) {
        if let Some(report) = report.filter(is_known) {
            computed.insert(trial.key.clone(), trial.told(report));
        }
    }
    Ok(computed)
}

/// Functions of different instructions, as an implementation.
pub(super) struct Layer {
    functions: BTreeMap<&'static str, Trial>,
    vectors: u64,
    /// Those that did in a run what a lane may not.
    failed: Mutex<BTreeSet<&'static str>>,
}

impl Layer {
    /// One function.
    pub(super) fn of(trial: &Trial, vectors: u64) -> Layer {
        let functions = BTreeMap::from([(trial.aim.shape().text(), trial.clone())]);
        Layer { functions, vectors, failed: Mutex::default() }
    }

    pub(super) fn executor(&self) -> Executor<'_> {
        Executor { layer: self, machine: Machine::default() }
    }

    fn reports(&self, jobs: usize, directory: &Path, stop: &AtomicBool) -> Result<Vec<VariantReport>> {
        let names = self.functions.keys().map(|name| (*name).to_owned()).collect();
        let plan = Plan::new(Request::of(Tier::Quick, names), self)?;
        let settings = Settings { jobs, directory: directory.to_owned(), resume: false };
        let planned = plan.vectors_per_task();
        let outcome = runner::run(&plan, self, &settings, stop, &Display::hidden())?;
        runner::forget(directory);
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
        Ok(Box::new(Enduring(self.executor())))
    }
}

/// Executes the functions of a layer in a run, which goes on where one fails: the results of that do not count.
struct Enduring<'a>(Executor<'a>);

impl Worker for Enduring<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        let layer = self.0.layer;
        let (name, _) =
            layer.functions.get_key_value(variant.text()).context("it has such a function")?;
        let failed = || layer.failed.lock().map_err(|_| anyhow!("a thread has died"));
        if !failed()?.contains(name) && self.0.run(variant, operands, results).is_err() {
            failed()?.insert(name);
        }
        Ok(())
    }
}

/// Executes the functions of a layer.
pub(super) struct Executor<'a> {
    layer: &'a Layer,
    machine: Machine,
}

impl Worker for Executor<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        let trial = self.layer.functions.get(variant.text()).context("it has such a function")?;
        let due = self.machine.due(&trial.aim, operands);
        let result = self.machine.result(trial, operands, due.as_ref());
        results[0] = result.map_err(anyhow::Error::msg)?;
        Ok(())
    }
}

/// Executes functions.
pub(super) struct Machine {
    nearest: Nearest,
    lowest: Approximating,
    highest: Approximating,
}

impl Default for Machine {
    fn default() -> Machine {
        let [lowest, highest] = [Extreme::Lowest, Extreme::Highest].map(Approximating::new);
        Machine { nearest: Nearest::default(), lowest, highest }
    }
}

impl Machine {
    /// What a function gives, as results of its aim, of which [`Machine::due`] is due.
    ///
    /// # Errors
    /// What a lane may not do, in words.
    pub(super) fn result(
        &mut self,
        trial: &Trial,
        operands: &[Column],
        due: Option<&Column>,
    ) -> Result<Column, String> {
        let values = |at: usize, row: usize| operands[at].get(row);
        let (unit, shape) = (self.unit(trial.extreme), (operands.len(), operands[0].rows()));
        let answer = execute(&trial.function, unit, shape, values).map_err(|fault| in_words(&fault))?;
        Ok(taken(trial.aim.shape(), &answer.ok_or(NOTHING)?, due))
    }

    /// The same, more than once if it depends on a register that was never set: then for each of some bits in it.
    ///
    /// # Errors
    /// What else a lane may not do, in words.
    pub(super) fn each_result(
        &mut self,
        trial: &Trial,
        operands: &[Column],
        due: Option<&Column>,
    ) -> Result<Vec<Column>, String> {
        let values = |at: usize, row: usize| operands[at].get(row);
        let (unit, shape) = (self.unit(trial.extreme), (operands.len(), operands[0].rows()));
        let answers = execute_unset(&trial.function, unit, shape, values, &mut [])?;
        Ok(answers.iter().map(|answer| taken(trial.aim.shape(), answer, due)).collect())
    }

    fn unit(&mut self, extreme: Option<Extreme>) -> &mut dyn Unit {
        match extreme {
            None => &mut self.nearest,
            Some(Extreme::Lowest) => &mut self.lowest,
            Some(Extreme::Highest) => &mut self.highest,
        }
    }

    /// The emulator's result, which is right, where an instruction is due.
    pub(super) fn due(&mut self, aim: &Aim, operands: &[Column]) -> Option<Column> {
        let Aim::Instruction(variant) = aim else { return None };
        let mut results = results_for(variant, operands[0].rows());
        self.nearest.execute(variant, operands, &mut results).expect("it has every variant");
        Some(results.swap_remove(0))
    }
}

/// What a function returned, as results of what it is held to.
pub(super) fn taken(shape: &Variant, answer: &Column, due: Option<&Column>) -> Column {
    let ty = &shape.results()[0].ty;
    let mut results = results_for(shape, answer.rows()).swap_remove(0);
    let mask = u64::MAX >> (64 - ty.width());
    for row in 0..results.rows() {
        results.set(row, answer.get(row) & mask);
    }
    // Of expressions there is no such NaN: all are the canonical one.
    if !ty.format.is_fixed() {
        same_nan(ty, due, &mut results);
    }
    results
}

/// Which NaN a NaN is, no source language says: it becomes the one that is due there.
fn same_nan(ty: &Type, due: Option<&Column>, results: &mut Column) {
    let Some(canonical) = ty.format.nan() else { return };
    for row in 0..results.rows() {
        let came = results.get(row);
        let due = due.map(|due| due.get(row));
        let new = (0..ty.lanes).fold(came, |new, lane| {
            let nan = due.map_or(canonical, |due| ty.lane(due, lane));
            let both = [nan, ty.lane(came, lane)].into_iter().all(|bits| ty.format.is_nan(bits));
            let mask = ty.place(ty.format.mask(), lane);
            if both { new & !mask | ty.place(nan, lane) } else { new }
        });
        results.set(row, new);
    }
}
