//! `conformance report`: works on reports, which it prints, converts, validates, compares and merges.

pub mod diff;
mod merge;
mod upstream;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use base::terminal::{self, say};
use clap::{Args, Subcommand};
use reports::terminal::{annotations, junit, markdown};
use reports::{AnyReport, Report, Style, counted, html};

use super::{
    AGREE, Ending, called, colored, load_report, print_commands, print_json, print_line, print_raw,
};

/// The most contradictions of a report that are told.
const CONTRADICTIONS: usize = 20;

/// Show, convert, check, compare or merge reports.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    work: Work,
}

#[derive(Subcommand)]
enum Work {
    /// Print a report as text, the same text that the run printed.
    ///
    /// Exit code: 0 on success, whatever the report says; 2 if it cannot be read.
    Show {
        /// Report file.
        report: PathBuf,
        /// Print, instead of the report, which rules of PTX the implementation follows, instruction by instruction.
        #[arg(long)]
        rules: bool,
        /// List the variants that the implementation does not support, instead of only counting them.
        #[arg(long, conflicts_with = "rules")]
        unsupported: bool,
    },
    /// Write a report as one self-contained web page.
    ///
    /// Exit code: 0 on success, whatever the report says; 2 if it cannot be read or written.
    Html {
        /// Report file.
        report: PathBuf,
        /// File of the page [default: standard output].
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Print what changed from one report to a later one.
    ///
    /// Reports of implementations are compared variant by variant. Reports of compilers are compared class by
    /// class, where a class is a set of failures of one kind.
    ///
    /// Exit code: 0 if nothing got worse; 1 if something got worse, or if reports of compilers differ; 2
    /// if the reports cannot be compared.
    Diff(diff::Arguments),
    Merge(merge::Arguments),
    Upstream(upstream::Arguments),
    /// Check that a file is a report and does not contradict itself.
    ///
    /// Exit code: 0 if it is valid; 2 if it is not.
    Validate {
        /// Report file.
        report: PathBuf,
    },
    /// Print a report as JUnit XML for CI systems.
    ///
    /// Each variant is a test. In the report of a compiler, each class of failures is a test.
    ///
    /// Exit code: 0 on success, whatever the report says; 2 if it cannot be read.
    Junit {
        /// Report file.
        report: PathBuf,
    },
    /// Print a report as Markdown for a pull request or a CI summary.
    ///
    /// Exit code: 0 on success, whatever the report says; 2 if it cannot be read.
    Markdown {
        /// Report file.
        report: PathBuf,
        /// Largest size in bytes. GitHub takes 65,536 in a comment and 1 MiB in the summary of a job.
        #[arg(long, value_name = "BYTES", default_value_t = markdown::COMMENT,
            value_parser = at_least)]
        most: usize,
    },
    /// Print the causes of mismatches as annotations for GitHub Actions.
    ///
    /// Exit code: 0 on success, whatever the report says; 2 if it cannot be read.
    Annotations {
        /// Report file.
        report: PathBuf,
    },
    /// Print a shortened copy of a report.
    ///
    /// The copy leaves out the variants that the implementation does not support, and keeps one example of each
    /// class of mismatches. The copy of a compiler's report keeps one example of each class, too. Its notes keep
    /// only their first target and setting.
    ///
    /// Exit code: 0 on success, whatever the report says; 2 if it cannot be read.
    Compact {
        /// Report file.
        report: PathBuf,
    },
}

/// Runs `conformance report`.
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
            let style = Style { color: colored(), columns: terminal::columns(), ..called() };
            match load_report(report)? {
                AnyReport::Implementation(report) => {
                    print_raw(&reports::terminal::rules(&report, &style))?;
                }
                AnyReport::Compiler(_) => bail!(
                    "{} is the report of a compiler, and only reports of implementations have rules of \
                     PTX",
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
            print_commands(&annotations::commands(&report, &style))?;
            Ok(ExitCode::from(AGREE))
        }
        Work::Validate { report } => {
            print_line(&valid(report)?)?;
            Ok(ExitCode::from(AGREE))
        }
        Work::Diff(arguments) => diff::run(arguments),
        Work::Merge(arguments) => merge::run(arguments),
        Work::Upstream(arguments) => upstream::run(arguments),
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
            let text =
                reports::compiler_summary(&report, &Style { color: true, program: None, ..style });
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
        bail!("{} contradicts itself {count}: make the report again", path.display());
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
    Style { replay, implementation: started.cloned(), ..called() }
}
