//! `cargo xtask compilers`: tests whether compilers keep their promises.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::bail;
use base::interrupt::{is_interruption, unless_interrupted};
use base::terminal::say;
use clap::Args;
use compilers::promises::{self, PromiseSelection};
use compilers::report::{Started, add_texts, of_machine, of_rows};
use compilers::{Compiler, machine};
use implementations::bundled::compilers as known;
use implementations::bundled::compilers::Want;
use reports::Verdict;
use reports::compilers::CompilerReport;

use super::options::{Jobs, Reported};
use super::{
    Ending, Format, REVISION, code, conclude, functions, print_json, processors, stop_on_interrupt,
};

/// What compilers make of a source line under their options, and whether that computes what is promised.
///
/// Each row of `cargo xtask list --rows` is compiled under every setting, for several targets; the PTX is executed
/// on the suite's sweeps and judged by the contract of the instruction that the row promises. What ptxas and tile
/// make is machine code, which is read and not executed. Exit code: 0 if
/// all promises are kept, 1 if some is not, 2 if a compiler could not be asked, or took nothing.
#[derive(Args)]
pub struct Arguments {
    /// A compiler: nvrtc, nvvm, llvm, ptxas, tile, one of these in a version (`nvrtc@12.9.86`), or exec:COMMAND [default:
    /// those that are set up].
    #[arg(long = "compiler", value_name = "NAME")]
    compilers: Vec<String>,
    /// Only rows that match one of these patterns (`*` any text, `?` any character).
    #[arg(long, value_name = "ROW")]
    only: Vec<String>,
    /// Only settings with these words: `ftz`, `!prec-div`, `!prec-sqrt`, `!fma`, `fast-math`, `!optimised`, `default`.
    #[arg(long = "option", value_name = "WORD")]
    options: Vec<String>,
    /// Targets, as the compiler spells them [default: three or four].
    #[arg(long = "target", value_name = "NAME")]
    targets: Vec<String>,
    /// How many vectors of each sweep a function is tried on.
    #[arg(long, value_name = "N", default_value_t = 16384, value_parser = clap::value_parser!(u64).range(1..))]
    vectors: u64,
    #[command(flatten)]
    functions: functions::Functions,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    reported: Reported,
    /// For people or for programs.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs `cargo xtask compilers`.
pub fn run(arguments: &Arguments) -> Ending {
    if arguments.functions.functions {
        let Arguments { compilers, only, options, targets, .. } = arguments;
        let jobs = arguments.jobs.or(processors());
        return functions::run(&arguments.functions, compilers, [only, options, targets], jobs);
    }
    let names = named(&arguments.compilers, &[Want::Ptx, Want::Code])?;
    let stop = stop_on_interrupt()?;
    let jobs = arguments.jobs.or(processors());
    let options = PromiseSelection {
        only: arguments.only.clone(),
        targets: arguments.targets.clone(),
        settings: arguments.options.clone(),
    };
    let waivers = arguments.reported.waivers()?;
    let paths = arguments.reported.paths("target/compilers", &names)?;
    let (mut all, mut verdict) = (Vec::new(), Verdict::Agree);
    let mut ended = |mut report: CompilerReport, rows: &[&str], path: &Path| -> anyhow::Result<()> {
        report.suite.revision = REVISION.map(Into::into);
        if let Some(waivers) = &waivers {
            // A run of fewer settings or targets does not show that a waived failure is over.
            let whole = options.settings.is_empty() && options.targets.is_empty();
            waivers.apply_to_compiler(&mut report, if whole { rows } else { &[] });
        }
        verdict = worse(verdict, conclude(&report, path, arguments.format)?);
        all.push(report);
        Ok(())
    };
    let mut ask = |name: &str, path: &Path| -> anyhow::Result<()> {
        let started = Started::now();
        let compiler = Compiler::connect(name, jobs)?;
        let version = compiler.introduction().version.clone();
        let untried = |error: &anyhow::Error| {
            if is_interruption(error) {
                say(&format!("{name} {version}: nothing was tried yet, so there is no report"));
            }
        };
        if let Some(source) = machine::source(&compiler) {
            if arguments.compilers.is_empty() && machine::selected(source, &options).is_empty() {
                say(&format!("{name} {version}: none of its rows is selected"));
                return Ok(());
            }
            say(&format!("{name} {version}: compiling"));
            let cells = machine::compile(&compiler, source, &options).inspect_err(untried)?;
            let rows: Vec<&str> = cells.iter().map(|cell| &*cell.row.name).collect();
            return ended(of_machine(&compiler, source, &options, &cells, started), &rows, path);
        }
        if arguments.compilers.is_empty() && !promises::is_asked(&compiler, &options)? {
            say(&format!("{name} {version}: none of its rows is selected, or none of its settings"));
            return Ok(());
        }
        say(&format!("{name} {version}: compiling"));
        let cells = promises::compile(&compiler, &options).inspect_err(untried)?;
        say(&format!("{name} {version}: {} cells are tried", cells.len()));
        let vectors = arguments.vectors;
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
    if let Format::Json = arguments.format {
        print_json(&(serde_json::to_string_pretty(&all)? + "\n"))?;
    }
    // All that was found is told before the error that kept the rest from being asked.
    unless_interrupted(asked)?;
    if all.is_empty() && !stop.load(Ordering::Relaxed) {
        bail!(
            "--only and --option select nothing that these compilers have: {}. `cargo xtask list --rows` prints all rows",
            names.join(", ")
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
            "no compiler is set up: `cargo xtask setup llvm` (or nvrtc, nvvm, ptxas, tile) sets one up; or name one with --compiler"
        );
    }
    Ok(names)
}
