//! `conformance compilers`: tests whether compilers keep their promises.

mod functions;
mod list;
pub(super) mod own_row;
mod own_source;
mod pieces;
mod programs;
mod show;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::bail;
use base::interrupt::{is_interruption, unless_interrupted};
use base::invocation;
use base::terminal::say;
use clap::{Args, Subcommand};
use compilers::promises::{self, Compilation, PromiseCell, PromiseSelection};
use compilers::report::{Started, add_texts, of_machine, of_rows};
use compilers::{Compiler, machine};
use implementations::bundled::compilers as known;
use implementations::bundled::compilers::Want;
use reports::compilers::CompilerReport;
use reports::{Verdict, counted};

use self::own_source::{OwnRow, OwnSource};
use super::options::{Compilers, Formatted, Jobs, Reported, Rows, Sample, Settings, Targets};
use super::{
    Ending, Format, REVISION, code, conclude, make_directory, print_json, processors, stop_on_interrupt,
};

/// The most lines that are printed of a compiler's words about a source that it refuses.
const REFUSAL_LINES: usize = 12;

/// Test whether compilers compute what their manuals promise.
///
/// Without a command, every row that `{program} compilers list` prints is tested. A row is a source line with
/// the PTX instruction that a document promises for it. Each row is compiled for several GPU targets, under
/// every setting. A setting is a combination of the compiler's options. The suite's interpreter executes the
/// PTX on the processor. Each result must be one that the promised instruction permits. The machine code that
/// ptxas and tile write is not executed: the suite reads which operations it contains. With --source, a source line
/// of your own takes the place of the rows.
///
/// Exit code: 0 if every promise is kept, or with --show; 1 if one is broken; 2 if a compiler could not be run, or
/// accepted nothing, or if --source has no --as.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    promises: Promises,
}

#[derive(Subcommand)]
enum Command {
    Functions(functions::Arguments),
    Programs(programs::Arguments),
    List(list::Arguments),
}

#[derive(Args)]
struct Promises {
    #[command(flatten)]
    compilers: Compilers,
    #[command(flatten)]
    rows: Rows,
    #[command(flatten)]
    own: OwnSource,
    /// Print the source and the PTX of each row, and judge nothing. With ptxas and tile, print the operations that
    /// stand in machine code.
    #[arg(long)]
    show: bool,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    sample: Sample,
    #[command(flatten)]
    jobs: Jobs,
    /// Directory of the reports, one file for each compiler, named after it.
    #[arg(long, value_name = "DIR", default_value = "target/compilers")]
    out: PathBuf,
    #[command(flatten)]
    reported: Reported,
    #[command(flatten)]
    formatted: Formatted,
}

/// Runs `conformance compilers`.
pub fn run(arguments: &Arguments) -> Ending {
    match &arguments.command {
        Some(Command::Functions(arguments)) => functions::run(arguments),
        Some(Command::Programs(arguments)) => programs::run(arguments),
        Some(Command::List(arguments)) => list::run(arguments),
        None => {
            let promises = &arguments.promises;
            let own = promises.own.row()?;
            match promises.show || promises.own.is_unpromised() {
                true => show::run(promises, own.as_ref()),
                false => test(promises, own.as_ref()),
            }
        }
    }
}

impl Promises {
    /// Returns the selection of rows, settings and targets.
    fn selection(&self) -> PromiseSelection {
        PromiseSelection {
            only: self.rows.only.clone(),
            targets: self.targets.targets.clone(),
            settings: self.settings.settings.clone(),
        }
    }
}

/// Tests whether compilers keep their promises, those of the rows or that of a user's own source.
fn test(arguments: &Promises, own: Option<&OwnRow>) -> Ending {
    let asked_for = &arguments.compilers.names;
    let format = arguments.formatted.format;
    let gives: &[Want] = if own.is_some() { &[Want::Ptx] } else { &[Want::Ptx, Want::Code] };
    let names = named(asked_for, gives)?;
    let stop = stop_on_interrupt()?;
    let jobs = arguments.jobs.or(processors());
    let options = arguments.selection();
    let waivers = arguments.reported.waivers.load()?;
    let paths = arguments.reported.paths(&arguments.out, &names)?;
    let (mut all, mut verdict) = (Vec::new(), Verdict::Agree);
    let mut ended = |mut report: CompilerReport, rows: &[&str], path: &Path| -> anyhow::Result<()> {
        report.suite.revision = REVISION.map(Into::into);
        if let Some(waivers) = &waivers {
            // A run of fewer settings or targets does not show that a waived failure is over.
            let whole = options.settings.is_empty() && options.targets.is_empty();
            waivers.apply_to_compiler(&mut report, if whole { rows } else { &[] });
        }
        verdict = worse(verdict, conclude(&report, path, format)?);
        all.push(report);
        Ok(())
    };
    let mut ask = |name: &str, path: &Path| -> anyhow::Result<()> {
        let started = Started::now();
        let compiler = Compiler::connect(name, jobs)?;
        // The folder is made before hours are spent on what cannot be kept.
        make_directory(reports::folder_of(path))?;
        let version = compiler.introduction().version.clone();
        let untried = |error: &anyhow::Error| {
            if is_interruption(error) {
                say(&format!("{name} {version}: nothing was tried yet, so there is no report"));
            }
        };
        let own_language = own.map(|own| own.language(&compiler, !asked_for.is_empty())).transpose()?;
        if let Some(None) = own_language {
            return Ok(());
        }
        if let (Some(source), None) = (machine::source(&compiler), own) {
            if asked_for.is_empty() && machine::selected(source, &options).is_empty() {
                say(&format!("{name} {version}: none of its rows is selected"));
                return Ok(());
            }
            say(&format!("{name} {version}: compiling"));
            let cells = machine::compile(&compiler, source, &options).inspect_err(untried)?;
            let rows: Vec<&str> = cells.iter().map(|cell| &*cell.row.name).collect();
            return ended(of_machine(&compiler, source, &options, &cells, started), &rows, path);
        }
        if own.is_none() && asked_for.is_empty() && !promises::is_asked(&compiler, &options)? {
            say(&format!("{name} {version}: none of its rows or none of its settings is selected"));
            return Ok(());
        }
        say(&format!("{name} {version}: compiling"));
        let cells = match (own, own_language.flatten()) {
            (Some(own), Some(language)) => {
                promises::compile_rows(&compiler, language, &[own.row], &options)
            }
            _ => promises::compile(&compiler, &options),
        };
        let cells = cells.inspect_err(untried)?;
        own.iter().for_each(|_| say_refusal(&cells));
        say(&format!("{name} {version}: testing {}", counted(cells.len() as u64, "cell")));
        let vectors = arguments.sample.vectors;
        let computed = promises::compute(&cells, vectors, jobs, stop)?;
        // A user's meaning does not say which options may change a result that it permits.
        let differences = match own {
            Some(_) => Vec::new(),
            None => promises::differences(&cells, &computed, vectors, jobs, stop)?,
        };
        let found = (&computed, &differences[..]);
        let rows: Vec<&str> = cells.iter().map(|cell| &*cell.row.name).collect();
        let mut report = of_rows(&compiler, &options, &cells, found, vectors, started)?;
        report.reduced.extend(own.map(OwnRow::reduction));
        let texts = add_texts(&compiler, &mut report);
        report.complete &= texts.is_ok() && !stop.load(Ordering::Relaxed);
        ended(report, &rows, path)?;
        texts
    };
    let mut asked = Ok(());
    for (name, path) in names.iter().zip(&paths) {
        if stop.load(Ordering::Relaxed) || asked.is_err() {
            break;
        }
        asked = ask(name, path);
    }
    if stop.load(Ordering::Relaxed) {
        verdict = worse(verdict, Verdict::Incomplete);
    }
    if let Format::Json = format {
        print_json(&(serde_json::to_string_pretty(&all)? + "\n"))?;
    }
    // All that was found is told before the error that kept the rest from being asked.
    unless_interrupted(asked)?;
    if all.is_empty() && !stop.load(Ordering::Relaxed) {
        if let Some(own) = own {
            return Err(own.without_compiler());
        }
        bail!(
            "--only and --option select no row of these compilers: {}. `{}` prints all rows",
            names.join(", "),
            invocation::line("compilers list")
        );
    }
    Ok(ExitCode::from(code(verdict)))
}

/// Prints why a compiler does not take a user's own source, in its words: a report has only the beginning of them.
fn say_refusal(cells: &[PromiseCell]) {
    let refusal = |cell: &PromiseCell| match &cell.compilation {
        Compilation::Refused(words) => Some(words.clone()),
        _ => None,
    };
    let Some((cell, words)) = cells.iter().find_map(|cell| Some((cell, refusal(cell)?))) else { return };
    say(&format!("The source is refused for {} under `{}`:", cell.target, cell.setting));
    words.lines().take(REFUSAL_LINES).for_each(|line| say(&format!("  {line}")));
}

/// Returns the worse of two verdicts. Mismatches are the worst: a failure is known, whatever was not asked.
pub fn worse(one: Verdict, other: Verdict) -> Verdict {
    let all = [Verdict::Mismatches, Verdict::Incomplete, Verdict::Nothing];
    all.into_iter().find(|verdict| [one, other].contains(verdict)).unwrap_or(Verdict::Agree)
}

/// Returns the compilers of these names, or without names those that are set up and give one of `gives`.
///
/// # Errors
/// If there are no names, and no such compiler is set up.
pub fn named(names: &[String], gives: &[Want]) -> anyhow::Result<Vec<String>> {
    let names = match names {
        [] => known::installed(gives),
        names => names.to_vec(),
    };
    if names.is_empty() {
        bail!(
            "no compiler is set up: `{}` (or nvrtc, nvvm, ptxas, tile) sets one up; or name one with --compiler",
            invocation::line("setup llvm")
        );
    }
    Ok(names)
}
