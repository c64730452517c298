//! `conformance report diff`: compares reports with an earlier one of the same questions.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use base::terminal;
use clap::{Args, ValueEnum};
use reports::compilers::CompilerReport;
use reports::terminal::compare;
use reports::{AnyReport, Report, Style, html};
use serde_json::{Value, json};

use crate::command::{AGREE, Ending, MISMATCH, colored, load_report, print_json, print_raw};

/// Compare reports.
#[derive(Args)]
pub struct Arguments {
    /// Earlier report file.
    before: PathBuf,
    /// Later report files; each is compared with the earlier one.
    #[arg(required = true)]
    after: Vec<PathBuf>,
    /// Format of standard output.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people.
    Text,
    /// JSON for programs: an array with an object for each later report.
    Json,
    /// Web page.
    Html,
}

/// The result of comparing two reports.
pub struct Said {
    /// The comparison as text for a person.
    pub text: String,
    json: Value,
    /// Whether anything got worse.
    pub worse: bool,
}

/// Runs `conformance report diff`.
pub fn run(arguments: &Arguments) -> Ending {
    let Arguments { before, after, format } = arguments;
    let first = load_report(before)?;
    let style = match format {
        Format::Html => Style { color: true, ..Style::default() },
        _ => Style { color: colored(), columns: terminal::columns(), ..Style::default() },
    };
    // All are compared before anything is printed: where one cannot be compared, nothing is printed.
    let mut said = Vec::new();
    for path in after {
        said.push(match (&first, load_report(path)?) {
            (AnyReport::Implementation(first), AnyReport::Implementation(second)) => {
                implementations([first, &second], [before, path], &style)?
            }
            (AnyReport::Compiler(first), AnyReport::Compiler(second)) => {
                compilers([first, &second], [before, path])?
            }
            (AnyReport::Implementation(_), AnyReport::Compiler(_)) => return Err(unlike(path, before)),
            (AnyReport::Compiler(_), AnyReport::Implementation(_)) => return Err(unlike(before, path)),
        });
    }
    let worse = said.iter().any(|said| said.worse);
    let texts: Vec<&str> = said.iter().map(|said| &*said.text).collect();
    let text = texts.join("\n");
    match format {
        Format::Text => print_raw(&text)?,
        Format::Html => print_raw(&html::text::page(&before.display().to_string(), &text))?,
        Format::Json => {
            let all: Value = said.into_iter().map(|said| said.json).collect();
            print_json(&format!("{all:#}\n"))?;
        }
    }
    Ok(ExitCode::from(if worse { MISMATCH } else { AGREE }))
}

/// Compares two reports of implementations, the earlier one first. The result names them by their paths.
///
/// # Errors
/// If the reports were not asked alike, or one contradicts itself.
pub fn implementations(reports: [&Report; 2], paths: [&Path; 2], style: &Style) -> anyhow::Result<Said> {
    let [before, after] = reports;
    let changes = before.compare(after).with_context(|| incomparable(paths))?;
    let names = paths.map(|path| path.display().to_string());
    let mut json = json!({ "before": names[0], "after": names[1], "variants": changes.variants });
    if let Some(ends) = changes.complete {
        json["complete"] = json!(ends);
    }
    Ok(Said {
        text: compare::changes(reports, [&names[0], &names[1]], &changes, style),
        json,
        worse: changes.is_worse(),
    })
}

/// Returns the words for two reports that cannot be compared.
fn incomparable(paths: [&Path; 2]) -> String {
    let [before, after] = paths.map(Path::display);
    format!("{before} and {after} cannot be compared")
}

/// Returns the error about a compiler's report and an implementation's, which have nothing to compare.
fn unlike(compiler: &Path, implementation: &Path) -> anyhow::Error {
    let [compiler, implementation] = [compiler, implementation].map(Path::display);
    anyhow!(
        "{compiler} is the report of a compiler, and {implementation} is the report of an implementation"
    )
}

/// Compares two reports of compilers, the earlier one first.
fn compilers(reports: [&CompilerReport; 2], paths: [&Path; 2]) -> anyhow::Result<Said> {
    let [before, after] = reports;
    let changes = before.compare(after).with_context(|| incomparable(paths))?;
    let [first, second] = reports.map(compare::name);
    Ok(Said {
        text: compare::compilers(reports, &changes),
        worse: changes.differs(),
        json: json!({ "before": first, "after": second, "run": changes.run, "classes": changes.classes }),
    })
}
