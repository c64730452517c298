//! `cargo xtask report`: works on reports, which it prints, converts, validates, compares and merges.

pub mod diff;
mod merge;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use base::terminal::{self, say};
use clap::{Args, Subcommand};
use reports::terminal::{annotations, junit, markdown};
use reports::{AnyReport, Report, Style, counted, html};

use super::{AGREE, Ending, colored, explain, load_report, print_json, print_line, print_raw};

/// The most contradictions of a report that are told.
const CONTRADICTIONS: usize = 20;

/// Work on reports.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    work: Work,
}

#[derive(Subcommand)]
enum Work {
    /// Print a shortened copy, to be kept: without the variants that the implementation lacks, and with
    /// one example of each class; of a compiler without what does not fail, but for its first place.
    Compact {
        /// The report's file.
        report: PathBuf,
    },
    /// Print what a report says, as the run that made it did.
    Show {
        /// The report's file.
        report: PathBuf,
        /// Print, in place of that, which of PTX's rules the implementation follows in which instructions.
        #[arg(long)]
        rules: bool,
        /// List the variants that the implementation does not support, which are only counted otherwise.
        #[arg(long, conflicts_with = "rules")]
        unsupported: bool,
    },
    /// Write a page for a browser: one file with everything in it, which loads nothing.
    Html {
        /// The report's file.
        report: PathBuf,
        /// The page's file; without it the page is printed.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Print the same in JUnit's form of XML, for CI systems: a test for each variant, or class of a compiler.
    Junit {
        /// The report's file.
        report: PathBuf,
    },
    /// Print the same in Markdown, for a comment on a pull request or the summary of a CI job, and no longer than
    /// these may be.
    Markdown {
        /// The report's file.
        report: PathBuf,
        /// Bytes at most. A comment of GitHub's may have 65,536, the summary of a job 1 MiB.
        #[arg(long, value_name = "BYTES", default_value_t = markdown::COMMENT,
            value_parser = at_least)]
        most: usize,
    },
    /// Print its causes as commands to GitHub's runner, which annotates the run with them.
    Annotations {
        /// The report's file.
        report: PathBuf,
    },
    /// Read a report, hold it against its form, its checksum and itself, and say what it is. Exit code: 2 if it is
    /// none, or contradicts itself.
    Validate {
        /// The report's file.
        report: PathBuf,
    },
    /// Print what changed from one report to another of the same questions: of implementations variant by
    /// variant, of compilers class by class. Exit code: 0 if nothing got worse, 1 if anything did; of
    /// compilers 1 if anything differs; 2 if they cannot be compared, or one contradicts itself.
    Diff(diff::Arguments),
    Merge(merge::Arguments),
}

/// Runs `cargo xtask report`.
pub fn run(arguments: &Arguments) -> Ending {
    match &arguments.work {
        Work::Compact { report } => {
            let copy = match load_report(report)? {
                AnyReport::Implementation(report) => serde_json::to_string(&report.compact()),
                AnyReport::Compiler(report) => serde_json::to_string(&report.compact()),
            };
            print_json(&(copy.context("the report cannot be printed")? + "\n"))?;
            Ok(ExitCode::from(AGREE))
        }
        Work::Show { report, rules: true, .. } => {
            let style = Style { color: colored(), columns: terminal::columns(), ..Style::default() };
            match load_report(report)? {
                AnyReport::Implementation(report) => {
                    print_raw(&reports::terminal::rules(&report, &style))?;
                }
                AnyReport::Compiler(_) => bail!(
                    "{} is the report of a compiler, which promises rows and follows no rules of PTX",
                    report.display()
                ),
            }
            Ok(ExitCode::from(AGREE))
        }
        Work::Show { report, rules: false, unsupported } => {
            print_raw(&text(report, *unsupported)?)?;
            Ok(ExitCode::from(AGREE))
        }
        Work::Html { report, out } => {
            let page = page(report)?;
            match out {
                Some(out) => reports::write_atomically(out, page.as_bytes())?,
                None => print_raw(&page)?,
            }
            Ok(ExitCode::from(AGREE))
        }
        Work::Junit { report } => {
            let (report, style) = read(report)?;
            print_raw(&junit::page(&report, &style))?;
            Ok(ExitCode::from(AGREE))
        }
        Work::Markdown { report, most } => {
            let (report, style) = read(report)?;
            print_raw(&markdown::page(&report, &style, *most))?;
            Ok(ExitCode::from(AGREE))
        }
        Work::Annotations { report } => {
            let (report, style) = read(report)?;
            print_raw(&annotations::commands(&report, &style))?;
            Ok(ExitCode::from(AGREE))
        }
        Work::Validate { report } => {
            print_line(&valid(report)?)?;
            Ok(ExitCode::from(AGREE))
        }
        Work::Diff(arguments) => diff::run(arguments),
        Work::Merge(arguments) => merge::run(arguments),
    }
}

/// Returns the report in a file as a page for a browser; that of a compiler has what the terminal has.
///
/// # Errors
/// If the file cannot be read as a report.
fn page(path: &Path) -> anyhow::Result<String> {
    Ok(match read(path)? {
        (AnyReport::Implementation(report), style) => {
            html::page(&report, &style, &|variant, example| {
                let bits: Vec<String> =
                    example.operands.iter().map(|operand| operand.bits.clone()).collect();
                explain::asked(variant, &bits)
            })
        }
        (AnyReport::Compiler(report), style) => {
            let text = reports::compiler_summary(&report, &Style { color: true, ..style });
            html::text::page(&path.display().to_string(), &text)
        }
    })
}

/// Returns the report of a run as a page for a browser, with mismatches explained.
pub fn run_page(report: &Report, style: &Style) -> String {
    html::page(report, style, &|variant, example| {
        let bits: Vec<String> = example.operands.iter().map(|operand| operand.bits.clone()).collect();
        explain::asked(variant, &bits)
    })
}

/// Returns what the report in a file says, in the colours and the width of this terminal.
fn text(path: &Path, unsupported: bool) -> anyhow::Result<String> {
    let (report, style) = read(path)?;
    let style = Style { color: colored(), columns: terminal::columns(), unsupported, ..style };
    Ok(match report {
        AnyReport::Implementation(report) => reports::summary(&report, &style),
        AnyReport::Compiler(report) => reports::compiler_summary(&report, &style),
    })
}

/// Returns a sentence on what a report is of, in which form, and by which revision of the suite.
///
/// # Errors
/// If the file cannot be read as a report, or the report contradicts itself; the contradictions are told.
fn valid(path: &Path) -> anyhow::Result<String> {
    let text = |form: &str, of: &str, revision: Option<&str>| {
        let revision =
            revision.map(|revision| format!(", by a suite of {revision}")).unwrap_or_default();
        format!("{} is a report of {of}, in the form {form}{revision}.", path.display())
    };
    let report = load_report(path)?;
    let contradictions = report.contradictions();
    contradictions.iter().take(CONTRADICTIONS).for_each(|line| say(line));
    if !contradictions.is_empty() {
        let count = counted(contradictions.len() as u64, "time");
        bail!("{} contradicts itself {count}: make it anew", path.display());
    }
    Ok(match report {
        AnyReport::Implementation(report) => {
            text(&report.schema, &report.implementation.name, report.suite.revision.as_deref())
        }
        AnyReport::Compiler(report) => {
            text(&report.schema, &report.compiler.name, report.suite.revision.as_deref())
        }
    })
}

/// Reads a number of bytes that a summary in Markdown fits in.
///
/// # Errors
/// If it is no number, or less than [`markdown::LEAST`].
fn at_least(text: &str) -> Result<usize, String> {
    let bytes: usize = text.parse().map_err(|error| format!("{error}"))?;
    match bytes >= markdown::LEAST {
        true => Ok(bytes),
        false => Err(format!("{} bytes at least", markdown::LEAST)),
    }
}

/// Reads a report, and returns it with the style in which it is printed.
///
/// # Errors
/// If the file cannot be read as a report.
fn read(path: &Path) -> anyhow::Result<(AnyReport, Style)> {
    let report = load_report(path)?;
    let style = match &report {
        AnyReport::Implementation(report) => style_of(report, path),
        AnyReport::Compiler(report) => {
            let name = &report.compiler.name;
            replaying(path, Some(name))
        }
    };
    Ok((report, style))
}

/// Returns the style in which the report of a run, read from the file `path`, is printed.
pub fn style_of(report: &Report, path: &Path) -> Style {
    let name = &report.implementation.name;
    replaying(path, (!implementations::is_built_in(name)).then_some(name))
}

/// Returns a style whose commands replay the report in the file `path`. They name `started`, an implementation or a
/// compiler that would start a program.
fn replaying(path: &Path, started: Option<&String>) -> Style {
    let replay = Some(path.display().to_string());
    Style { replay, implementation: started.cloned(), ..Style::default() }
}
