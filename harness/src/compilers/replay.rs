//! What a report says of a compiler, again: its source is compiled under the same options for the same target, and
//! the PTX executed on the same vector.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail, ensure};
use ptx::functions::{Nearest, Unit};
use reports::compilers::{CompilerReport, Finding, Sequence, Sources};
use reports::{Datum, Example, printable};
use vectors::Column;
use vectors::isa::Type;

use super::execute::execute_beside;
use super::judged::{function, is_illegal};
use super::machine::{self, Verdict};
use super::module::{Compiled, Ptx};
use super::program::{Language, permits};
use super::promises::{Again, Body, Cell, Compilation, again, language};
use super::rows;
use super::setting::{Setting, Switch};
use super::unit::{Approximating, Extreme};
use super::{Compiler, Request, Want};
use crate::implementation::cuda::{Calls, Executor, Loaded};

/// What became of a sequence of instructions now.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The target.
    pub target: String,
    /// The setting.
    pub setting: String,
    /// The instructions that there are now, without those that move values.
    pub instructions: Vec<String>,
    /// The compiler's words, where there are none, or what is not executed.
    pub words: Option<String>,
    /// The vectors of the report.
    pub vectors: Vec<Vector>,
    /// Whether it fails as it did.
    pub fails: bool,
    /// Whether that is not known, because the device does not execute it.
    pub untried: bool,
}

/// A vector now.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The operands with their names.
    pub operands: String,
    /// What came.
    pub result: String,
    /// All that may come, where instructions are approximate.
    pub all: BTreeSet<String>,
    /// What is permitted; of an instruction the first of it.
    pub permitted: Vec<String>,
    /// Whether the result is none of it.
    pub is_wrong: bool,
}

/// Does again what a finding is of, in the first place of each of its sequences. Functions are executed by the device,
/// if there is one, and else by the interpreter.
///
/// # Errors
/// If the report cannot be meant: it has other rows, settings or options than this suite; as [`Compiler::compile`];
/// and if the device is unable to go on.
pub fn replay(
    compiler: &Compiler,
    report: &CompilerReport,
    finding: &Finding,
    device: Option<&Executor>,
) -> Result<Vec<Replayed>> {
    let due = &report.compiler.language;
    if let Some(source) = machine::source(compiler) {
        ensure!(
            source.name() == due,
            "the report is of {}, and {} assembles {}",
            printable(due),
            compiler.name(),
            source.name()
        );
        return of_machine(compiler, finding);
    }
    let own = language(compiler)?;
    ensure!(
        own.name() == due,
        "the report is of {}, and {} compiles {}",
        printable(due),
        compiler.name(),
        own.name()
    );
    let mut all = Vec::new();
    for sequence in &finding.sequences {
        if let Some(source) = &sequence.source {
            all.push(of_sequence(compiler, report, finding, (sequence, source), (own, device))?);
        }
    }
    if all.is_empty() {
        bail!("the class `{}` has no source that could be compiled again", printable(&finding.class));
    }
    // Two sequences are there because they differ.
    if finding.kind() == "indifferent" && !all.iter().any(|of| of.untried) {
        let same = |one: &[Vector]| all.iter().all(|of| results(&of.vectors) == results(one));
        let fails = !same(&all[0].vectors);
        all.iter_mut().for_each(|of| of.fails = fails);
    }
    Ok(all)
}

/// The row of a class of machine code, again: its own source, for that of a file might do anything.
fn of_machine(compiler: &Compiler, finding: &Finding) -> Result<Vec<Replayed>> {
    let (kind, name) = finding.class.split_once('/').unwrap_or_default();
    let row = machine::rows::all().iter().find(|row| row.name == name);
    let row = row.with_context(|| {
        format!("this suite has no row of the class `{}`", printable(&finding.class))
    })?;
    let of_place = |target: &str, setting: &str| -> Result<Replayed> {
        let cell = machine::again(compiler, row, target, setting)?;
        let (instructions, words) = match &cell.compilation {
            machine::Compilation::Code(all) => (all.iter().map(ToString::to_string).collect(), None),
            machine::Compilation::Refused(words) => (Vec::new(), Some(format!("refused: {words}"))),
            machine::Compilation::Died(words) => (Vec::new(), Some(format!("died: {words}"))),
        };
        let fails = match cell.verdict() {
            Verdict::Kept(_) => false,
            Verdict::Selected => kind == "selected",
            Verdict::Accepted => kind == "accepted",
            Verdict::Refused => kind == "refused",
            Verdict::Died => kind == "died",
        };
        let (target, setting) = (target.to_owned(), setting.to_owned());
        Ok(Replayed { target, setting, instructions, words, vectors: Vec::new(), fails, untried: false })
    };
    let places = finding.sequences.iter().flat_map(|sequence| &sequence.places);
    let each = places.flat_map(|place| place.settings.iter().map(|setting| (&place.target, setting)));
    each.map(|(target, setting)| of_place(target, setting)).collect()
}

fn results(vectors: &[Vector]) -> Vec<&BTreeSet<String>> {
    vectors.iter().map(|vector| &vector.all).collect()
}

fn of_sequence(
    compiler: &Compiler,
    report: &CompilerReport,
    finding: &Finding,
    (sequence, source): (&Sequence, &str),
    (language, device): (Language, Option<&Executor>),
) -> Result<Replayed> {
    let place = sequence.places.first();
    let (place, name) = place
        .and_then(|place| Some((place, place.settings.first()?)))
        .with_context(|| format!("the class `{}` is nowhere", printable(&finding.class)))?;
    let setting = setting(name)?;
    let options = setting.options(language);
    // A file may not have a compiler do what this suite does not ask of it.
    if report.work.settings.get(name) != Some(&options) {
        bail!(
            "the report has other options for `{}` than this suite hands over: {}",
            printable(name),
            options.join(" ")
        );
    }
    let request = Request {
        language: language.name().into(),
        source: source.to_owned(),
        options,
        target: place.target.clone(),
        want: Want::Ptx,
    };
    let outcome = compiler.compile(&[request])?.remove(0);
    let mut replayed = Replayed {
        target: place.target.clone(),
        setting: name.clone(),
        instructions: Vec::new(),
        words: None,
        vectors: Vec::new(),
        fails: false,
        untried: false,
    };
    let compiled = Compiled::each(outcome, ["f".to_owned()].into_iter()).remove(0);
    let examples = finding.classes.iter().flat_map(|class| class.simplest.iter().chain(&class.examples));
    let kind = finding.kind();
    match (Compilation::of(compiled.clone()), &compiled) {
        (Compilation::Refused(words), _) => replayed.words = Some(format!("refused: {words}")),
        (Compilation::Died(words), _) => {
            replayed.fails = kind == "died";
            replayed.words = Some(format!("died: {words}"));
        }
        (Compilation::Unexecuted(names), _) => {
            replayed.fails = kind == "illegal" && names.iter().any(|name| is_illegal(name));
            replayed.words = Some(format!("not executed: {}", names.join(", ")));
        }
        (compilation @ Compilation::Function(..), Compiled::Ptx(ptx, name)) => {
            let body = ptx.tree.as_ref().ok().and_then(|module| Body::of(module, name));
            let mut on_device = None;
            if let (Some(device), Some(body)) = (device, &body) {
                let mut operands = examples.clone().flat_map(|example| &example.operands);
                let loaded = match operands.any(is_in_memory) {
                    true => Err("a device is given no memory, and the program reads some".into()),
                    false => OnDevice::of(device, body)?,
                };
                match loaded {
                    Ok(loaded) => on_device = Some(loaded),
                    Err(words) => {
                        replayed.words = Some(format!("not executed: {words}"));
                        replayed.untried = true;
                        return Ok(replayed);
                    }
                }
            }
            replayed.instructions = body.map(|body| body.opcodes).unwrap_or_default();
            replayed.vectors = match report.work.sources {
                Sources::Programs => examples
                    .map(|example| of_program(ptx, name, example, on_device.as_mut()))
                    .collect::<Result<_>>()?,
                Sources::Rows => {
                    let row = finding.class.split_once('/').map_or("", |(_, row)| row);
                    let row = rows::all().iter().find(|known| known.name == row);
                    let row = row.with_context(|| {
                        format!("this suite has no row of the class `{}`", printable(&finding.class))
                    })?;
                    let promise = row.promise(language, setting).with_context(|| {
                        format!("{} promises nothing under `{}`", row.name, printable(name))
                    })?;
                    let target = place.target.clone();
                    let cell = Cell { row, promise, target, setting, compilation };
                    examples
                        .map(|example| of_row(&cell, example, on_device.as_mut()))
                        .collect::<Result<_>>()?
                }
            };
            replayed.fails = kind == "accepted" || replayed.vectors.iter().any(|of| of.is_wrong);
        }
        (Compilation::Function(..), _) => unreachable!("a function is of PTX"),
    }
    Ok(replayed)
}

/// The setting of that name.
fn setting(name: &str) -> Result<Setting> {
    let mut words = name.split(' ').filter(|word| *word != "default");
    let turned = |setting: Setting, word: &str| {
        let (of, on) = word.strip_prefix('!').map_or((word, true), |of| (of, false));
        Some(setting.with(Switch::named(of)?, on))
    };
    words
        .try_fold(Setting::default(), turned)
        .with_context(|| format!("`{}` is no setting", printable(name)))
}

fn bits(datum: &Datum) -> Result<u64> {
    let digits = datum.bits.strip_prefix("0x").unwrap_or(&datum.bits);
    u64::from_str_radix(digits, 16).with_context(|| format!("`{}` is no value", printable(&datum.bits)))
}

fn operands(example: &Example) -> Result<(Vec<u64>, String)> {
    let each = example.operands.iter().map(bits).collect::<Result<Vec<_>>>()?;
    let shown: Vec<String> =
        example.operands.iter().map(|datum| format!("{}={}", datum.name, datum.bits)).collect();
    Ok((each, shown.join(" ")))
}

/// A function that a device has loaded.
struct OnDevice<'a> {
    calls: Calls<'a>,
    loaded: Loaded,
}

impl OnDevice<'_> {
    /// The inner error is what the driver says of it.
    fn of<'a>(device: &'a Executor, body: &Body) -> Result<Result<OnDevice<'a>, String>> {
        let calls = device.calls()?;
        Ok(device.load(&body.module, &body.name)?.map(|loaded| OnDevice { calls, loaded }))
    }

    fn result(&mut self, values: &[u64]) -> Result<u64> {
        self.calls.run_once(&self.loaded, values)
    }
}

fn of_row(cell: &Cell, example: &Example, device: Option<&mut OnDevice>) -> Result<Vector> {
    let (bits, operands) = operands(example)?;
    let came = device.map(|device| device.result(&bits)).transpose()?;
    let again = again(cell, &bits, came)?.context("it has a function")?;
    let Again { result, all, permitted, is_wrong } = again;
    let ty = &cell.row.shape().results()[0].ty;
    let mut permitted: Vec<String> = permitted.into_iter().map(|bits| ty.hex(bits)).collect();
    permitted.dedup();
    let all = all.into_iter().map(|bits| ty.hex(bits)).collect();
    Ok(Vector { operands, result: ty.hex(result), all, permitted, is_wrong })
}

/// By a device, or with the nearest results of approximations and with those at either end of their bounds.
fn of_program(
    ptx: &Ptx,
    name: &str,
    example: &Example,
    device: Option<&mut OnDevice>,
) -> Result<Vector> {
    let (values, operands) = operands(example)?;
    let function = function(ptx, name).map_err(|names| anyhow::anyhow!(names.join(", ")))?;
    let due = example.expected.first().context("a vector without an expected result")?;
    let ty = Type::named(&due.ty).with_context(|| format!("`{}` is no type", printable(&due.ty)))?;
    let accepted = example.accepted.iter().map(|bits| Datum { bits: bits.clone(), ..due.clone() });
    let permitted: Vec<Datum> = [due.clone()].into_iter().chain(accepted).collect();
    let passed = example.operands.iter().take_while(|datum| !is_in_memory(datum)).count();
    let stored = example.operands[passed..].iter().zip(&values[passed..]);
    let stored: Vec<Column> =
        stored.map(|(datum, &bits)| in_one_row(datum, bits)).collect::<Result<_>>()?;
    let result = |unit: &mut dyn Unit| -> Result<u64> {
        let of_row = |at: usize, _| values[at];
        let results = execute_beside(&function, unit, (passed, 1), of_row, &mut stored.clone());
        let results = results.map_err(|fault| anyhow::anyhow!("{}: {}", fault.opcode, fault.problem))?;
        Ok(results.context("the function returns nothing")?.get(0) & ty.format.mask())
    };
    let mut all = Vec::new();
    if let Some(device) = device {
        all.push(device.result(&values)? & ty.format.mask());
    } else {
        all.push(result(&mut Nearest::default())?);
        for extreme in [Extreme::Lowest, Extreme::Highest] {
            all.push(result(&mut Approximating::new(extreme))?);
        }
    }
    let first = all[0];
    let due: Vec<u64> = permitted.iter().map(bits).collect::<Result<_>>()?;
    let is_wrong = all.iter().any(|&result| !permits(ty.format, &due, result));
    let permitted = permitted.into_iter().map(|datum| datum.bits).collect();
    let all = all.into_iter().map(|bits| ty.hex(bits)).collect();
    Ok(Vector { operands, all, result: ty.hex(first), permitted, is_wrong })
}

/// What stands in brackets is in memory, and its address is passed.
fn is_in_memory(datum: &Datum) -> bool {
    datum.name.starts_with('[')
}

/// A column of one row.
fn in_one_row(datum: &Datum, bits: u64) -> Result<Column> {
    let ty = Type::named(&datum.ty).with_context(|| format!("`{}` is no type", printable(&datum.ty)))?;
    let mut column = Column::new(ty.format.width() as usize / 8, 1);
    column.set(0, bits);
    Ok(column)
}
