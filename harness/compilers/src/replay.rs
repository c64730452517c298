//! Replays what a report says of a compiler: its source is compiled again under the same options for the same target,
//! and the PTX is executed on the same vector.

mod on_device;
mod vectors;

use std::collections::BTreeSet;

use anyhow::{Context, Result, anyhow, bail, ensure};
use implementations::bundled::compilers::Want;
use implementations::cuda::Executor;
use reports::compilers::{CompilerReport, Finding, Sequence, Sources};
use reports::printable;

use super::language::Language;
use super::machine::{self, Verdict};
use super::module::Compiled;
use super::program_verdict::{UNROUNDED, is_illegal};
use super::promises::{Body, Compilation, PromiseCell, language};
use super::rows::PromiseRow;
use super::setting::{Setting, Switch};
use super::{CompileRequest, Compiler, rows};
use on_device::OnDevice;

/// The outcome of replaying a sequence of instructions.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The target.
    pub target: String,
    /// The setting.
    pub setting: String,
    /// The instructions that the compiler gives now, without those that move values.
    pub instructions: Vec<String>,
    /// The compiler's words, where it gave no instructions, or what is not executed.
    pub words: Option<String>,
    /// The vectors of the report, tried again.
    pub vectors: Vec<Vector>,
    /// Whether the sequence fails as it did in the report.
    pub fails: bool,
    /// Whether it is not known if the sequence fails, because what was compiled is not executed.
    pub untried: bool,
}

/// A vector of a report, tried again.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The operands with their names.
    pub operands: String,
    /// The result that came.
    pub result: String,
    /// All results that may come, where instructions are approximate.
    pub all: BTreeSet<String>,
    /// The results that are permitted; for an instruction, only the first of them.
    pub permitted: Vec<String>,
    /// Whether the result is none of the permitted ones.
    pub is_wrong: bool,
}

/// Replays a finding, in the first place of each of its sequences. Functions are executed by the device, if there is
/// one, and else by the interpreter.
///
/// # Errors
/// If the report does not fit: it has other rows, settings or options than this suite; as [`Compiler::compile`]; and if
/// the device is unable to go on.
pub fn replay(
    compiler: &Compiler,
    report: &CompilerReport,
    finding: &Finding,
    device: Option<&Executor>,
) -> Result<Vec<Replayed>> {
    replay_own(compiler, report, finding, device, None)
}

/// Replays a finding as [`replay`] does. `row` is the finding's row if it is a user's own, which is in no table.
///
/// # Errors
/// As [`replay`].
pub fn replay_own(
    compiler: &Compiler,
    report: &CompilerReport,
    finding: &Finding,
    device: Option<&Executor>,
    row: Option<&'static PromiseRow>,
) -> Result<Vec<Replayed>> {
    let due = &report.compiler.language;
    if let Some(source) = machine::source(compiler) {
        ensure!(
            source.name() == due,
            "the report is about {}, but {} assembles {}",
            printable(due),
            compiler.name(),
            source.name()
        );
        ensure!(device.is_none(), "machine code is read, not executed: leave --impl out");
        return of_machine(compiler, finding);
    }
    let own = language(compiler)?;
    ensure!(
        own.name() == due,
        "the report is about {}, but {} compiles {}",
        printable(due),
        compiler.name(),
        own.name()
    );
    let mut all = Vec::new();
    for sequence in &finding.sequences {
        if let Some(source) = &sequence.source {
            all.push(of_sequence(compiler, report, finding, (sequence, source), (own, device, row))?);
        }
    }
    if all.is_empty() {
        bail!("the class `{}` has no source that could be compiled again", printable(&finding.class));
    }
    if finding.kind() == "indifferent" {
        // A finding has two sequences because they differ; where one was not executed, it is unknown whether they do.
        let untried = all.iter().any(|of| of.untried);
        let fails = !untried && all.iter().any(|of| results(&of.vectors) != results(&all[0].vectors));
        all.iter_mut().for_each(|of| (of.fails, of.untried) = (fails, untried));
    }
    Ok(all)
}

/// Replays the row of a class of machine code from the suite's own source, because that of a file might do anything.
fn of_machine(compiler: &Compiler, finding: &Finding) -> Result<Vec<Replayed>> {
    let (kind, name) = finding.class.split_once('/').unwrap_or_default();
    let row = machine::rows::all().iter().find(|row| row.name == name);
    let row = row.with_context(|| {
        format!("this suite has no row of the class `{}`", printable(&finding.class))
    })?;
    let of_place = |target: &str, setting: &str| -> Result<Replayed> {
        let cell = machine::recompile(compiler, row, target, setting)?;
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

/// Returns all results of each vector.
fn results(vectors: &[Vector]) -> Vec<&BTreeSet<String>> {
    vectors.iter().map(|vector| &vector.all).collect()
}

/// Compiles the source of a sequence again, as in its first place, and tries the vectors of the finding.
fn of_sequence(
    compiler: &Compiler,
    report: &CompilerReport,
    finding: &Finding,
    (sequence, source): (&Sequence, &str),
    (language, device, row): (Language, Option<&Executor>, Option<&'static PromiseRow>),
) -> Result<Replayed> {
    let place = sequence.places.first();
    let (place, name_of_setting) =
        place.and_then(|place| Some((place, place.settings.first()?))).with_context(|| {
            format!(
                "the report names no target and setting for the class `{}`",
                printable(&finding.class)
            )
        })?;
    let setting = setting(name_of_setting)?;
    let options = setting.options(language);
    // A file may not have a compiler do what this suite does not ask of it.
    if report.work.settings.get(name_of_setting) != Some(&options) {
        bail!(
            "the report's options for `{}` are not those that this suite uses: {}",
            printable(name_of_setting),
            options.join(" ")
        );
    }
    let request = CompileRequest {
        language: language.name().into(),
        source: source.to_owned(),
        options,
        target: place.target.clone(),
        want: Want::Ptx,
    };
    let outcome = compiler.compile(&[request])?.remove(0);
    let mut replayed = Replayed {
        target: place.target.clone(),
        setting: name_of_setting.clone(),
        instructions: Vec::new(),
        words: None,
        vectors: Vec::new(),
        fails: false,
        untried: false,
    };
    let compiled = Compiled::split_outcome(outcome, ["f".to_owned()].into_iter()).remove(0);
    let kind = finding.kind();
    // Whether results decide, and not what became of the source.
    let of_results = matches!(kind, "computed" | "indifferent");
    replayed.untried = of_results;
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
            let module = ptx.tree.as_ref().map_err(|error| anyhow!("{error}"))?;
            let body = Body::of(module, name).context("the module lacks the function")?;
            replayed.instructions.clone_from(&body.opcodes);
            replayed.fails = kind == "accepted";
            let classes = finding.classes.iter();
            let examples: Vec<_> =
                classes.flat_map(|class| class.simplest.iter().chain(&class.examples)).collect();
            let mut on_device = None;
            if let Some(device) = device.filter(|_| of_results) {
                match OnDevice::of(device, &body, &examples)? {
                    Ok(loaded) => on_device = Some(loaded),
                    Err(words) => {
                        replayed.words = Some(format!("not executed: {words}"));
                        return Ok(replayed);
                    }
                }
            }
            let by_aim: Vec<Vec<Vector>> = match report.work.sources {
                Sources::Programs => {
                    let unrounded = finding.class.starts_with(&format!("computed/program/{UNROUNDED}."));
                    let of =
                        |example| vectors::of_program(ptx, name, unrounded, example, on_device.as_mut());
                    examples.into_iter().map(of).collect::<Result<_>>()?
                }
                Sources::Rows => {
                    let place = (place, name_of_setting.as_str());
                    let cell = cell((finding, row), language, place, setting, compilation)?;
                    let of = |example| vectors::of_row(&cell, example, on_device.as_mut());
                    examples.into_iter().map(of).collect::<Result<_>>()?
                }
            };
            // With one vector that was executed, the results decide.
            replayed.untried &= by_aim.is_empty();
            replayed.vectors = best_matching(by_aim);
            replayed.fails |= replayed.vectors.iter().any(|of| of.is_wrong);
        }
        (Compilation::Function(..), _) => unreachable!("a function is of PTX"),
    }
    Ok(replayed)
}

/// Chooses the vectors of the promised instruction that is right most often, because one instruction has to be right in
/// all. `by_aim` has each vector once for every instruction of which one is promised.
fn best_matching(mut by_aim: Vec<Vec<Vector>>) -> Vec<Vector> {
    let aims = by_aim.iter().map(Vec::len).min().unwrap_or(0);
    let wrong = |aim: &usize| by_aim.iter().filter(|of| of[*aim].is_wrong).count();
    let Some(best) = (0..aims).min_by_key(wrong) else { return Vec::new() };
    by_aim.iter_mut().map(|of| of.swap_remove(best)).collect()
}

/// Makes the cell of a finding in a place.
fn cell(
    (finding, own): (&Finding, Option<&'static PromiseRow>),
    language: Language,
    (place, name): (&reports::compilers::TargetSettings, &str),
    setting: Setting,
    compilation: Compilation,
) -> Result<PromiseCell> {
    let row = finding.class.split_once('/').map_or("", |(_, row)| row);
    let row = own.or_else(|| rows::all().iter().find(|known| known.name == row));
    let row = row.with_context(|| {
        format!("this suite has no row of the class `{}`", printable(&finding.class))
    })?;
    let promise = row
        .promise(language, setting)
        .with_context(|| format!("{} promises nothing under `{}`", row.name, printable(name)))?;
    Ok(PromiseCell { row, promise, target: place.target.clone(), setting, compilation })
}

/// Reads the setting of that name.
fn setting(name: &str) -> Result<Setting> {
    let mut words = name.split(' ').filter(|word| *word != "default");
    let turned = |setting: Setting, word: &str| {
        let (of, on) = word.strip_prefix('!').map_or((word, true), |of| (of, false));
        Some(setting.with_switch(Switch::named(of)?, on))
    };
    words
        .try_fold(Setting::default(), turned)
        .with_context(|| format!("`{}` is not a setting", printable(name)))
}
