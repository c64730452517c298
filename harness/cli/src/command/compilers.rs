//! `conformance compilers`: tests whether compilers keep their promises.

mod functions;
mod list;
mod programs;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::bail;
use base::interrupt::{is_interruption, unless_interrupted};
use base::invocation;
use base::terminal::say;
use clap::{Args, Subcommand};
use compilers::promises::{self, PromiseSelection};
use compilers::report::{Started, add_texts, of_machine, of_rows};
use compilers::{Compiler, machine};
use implementations::bundled::compilers as known;
use implementations::bundled::compilers::Want;
use reports::Verdict;
use reports::compilers::CompilerReport;

use super::options::{Compilers, Formatted, Jobs, Reported, Rows, Sample, Settings, Targets};
use super::{
    Ending, Format, REVISION, code, conclude, make_directory, print_json, processors, stop_on_interrupt,
};

/// Test whether compilers compute what their manuals promise.
///
/// Without a command, every row that `{program} compilers list` prints is tested. A row is a source line with
/// the PTX instruction that a document promises for it. Each row is compiled for several GPU targets, under
/// every setting. A setting is a combination of the compiler's options. The suite's interpreter executes the
/// PTX on the processor. Each result must be one that the promised instruction permits. The machine code that
/// ptxas and tile write is not executed: the suite reads which operations it contains.
///
/// Exit code: 0 if every promise is kept; 1 if one is broken; 2 if a compiler could not be run, or
/// accepted nothing.
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
        None => test(&arguments.promises),
    }
}

/// Tests whether compilers keep their promises.
fn test(arguments: &Promises) -> Ending {
    let asked_for = &arguments.compilers.names;
    let format = arguments.formatted.format;
    let names = named(asked_for, &[Want::Ptx, Want::Code])?;
    let stop = stop_on_interrupt()?;
    let jobs = arguments.jobs.or(processors());
    let options = PromiseSelection {
        only: arguments.rows.only.clone(),
        targets: arguments.targets.targets.clone(),
        settings: arguments.settings.settings.clone(),
    };
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
        if let Some(source) = machine::source(&compiler) {
            if asked_for.is_empty() && machine::selected(source, &options).is_empty() {
                say(&format!("{name} {version}: none of its rows is selected"));
                return Ok(());
            }
            say(&format!("{name} {version}: compiling"));
            let cells = machine::compile(&compiler, source, &options).inspect_err(untried)?;
            let rows: Vec<&str> = cells.iter().map(|cell| &*cell.row.name).collect();
            return ended(of_machine(&compiler, source, &options, &cells, started), &rows, path);
        }
        if asked_for.is_empty() && !promises::is_asked(&compiler, &options)? {
            say(&format!("{name} {version}: none of its rows or none of its settings is selected"));
            return Ok(());
        }
        say(&format!("{name} {version}: compiling"));
        let cells = promises::compile(&compiler, &options).inspect_err(untried)?;
        say(&format!("{name} {version}: testing {} cells", cells.len()));
        let vectors = arguments.sample.vectors;
        let computed = promises::compute(&cells, vectors, jobs, stop)?;
        let differences = promises::differences(&cells, &computed, vectors, jobs, stop)?;
        let found = (&computed, &differences[..]);
        let rows: Vec<&str> = cells.iter().map(|cell| &*cell.row.name).collect();
        let mut report = of_rows(&compiler, &options, &cells, found, vectors, started)?;
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
        bail!(
            "--only and --option select no row of these compilers: {}. `{}` prints all rows",
            names.join(", "),
            invocation::line("compilers list")
        );
    }
    Ok(ExitCode::from(code(verdict)))
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
