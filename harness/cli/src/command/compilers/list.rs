//! `conformance compilers list`: prints the rows of what compilers promise.

use std::process::ExitCode;

use anyhow::bail;
use base::invocation;
use clap::Args;
use compilers::language::Language;
use compilers::setting::Setting;
use compilers::{machine, rows};
use serde::Serialize;

use crate::command::options::{Formatted, Rows};
use crate::command::{AGREE, Ending, Format, print, print_json};

/// List the source lines that `{program} compilers` tests.
///
/// Each row has a name, the source line, and the PTX instruction that a document promises for it.
///
/// Exit code: 0 on success; 2 if nothing matches.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    rows: Rows,
    #[command(flatten)]
    formatted: Formatted,
}

/// A row of what compilers promise, for programs.
#[derive(Serialize)]
struct Promised<'a> {
    row: &'a str,
    /// The languages that have the row, each with the row's expression in it.
    sources: Vec<(&'static str, &'a str)>,
    /// The computation that the row promises under the default setting of compilers, or what has to stand in machine
    /// code.
    means: Vec<String>,
    /// The place where `means` is promised.
    source: &'static str,
    /// The promises, each under its condition; the first that applies counts.
    cases: Vec<Case<'a>>,
}

#[derive(Serialize)]
struct Case<'a> {
    /// The condition: options, with `!` where they are off, and languages; empty where there is no condition.
    when: &'a str,
    /// The promise. In it `{.ftz}` stands for `.ftz` where flushing is on, in LLVM's language if the compiler chooses
    /// it, and `{.ftz?}` for `.ftz` where any compiler may choose.
    means: String,
    source: &'a str,
}

/// Returns a row that is tried by executing what was compiled.
fn promised(row: &'static rows::PromiseRow) -> Promised<'static> {
    let languages = || Language::ALL.into_iter();
    let sources = languages()
        .filter(|language| row.is_in(*language))
        .filter_map(|language| Some((language.name(), row.expression(language)?)))
        .collect::<Vec<_>>();
    let promise = languages()
        .filter(|language| row.is_in(*language))
        .find_map(|language| row.promise(language, Setting::default()));
    let means = promise.iter().map(rows::Promise::text).collect();
    let source = promise.map_or("", |promise| promise.source);
    let case = |[when, means, source]: [&'static str; 3]| {
        let means = means.replace("{.z}", "{.ftz}").replace("{?z}", "{.ftz?}");
        Case { when, means, source }
    };
    Promised { row: &row.name, sources, means, source, cases: row.cases().map(case).collect() }
}

/// Returns a row that is only read: what it promises has to stand in machine code.
fn stands(row: &'static machine::rows::MachineRow) -> Promised<'static> {
    let sources = vec![(row.language.name(), &*row.text)];
    let cases = vec![Case { when: "", means: row.due_text.clone(), source: row.source }];
    Promised { row: &row.name, sources, means: vec![row.due_text.clone()], source: row.source, cases }
}

/// Runs `conformance compilers list`.
pub fn run(arguments: &Arguments) -> Ending {
    let only = &arguments.rows.only;
    let machine = machine::rows::matching(only).map(stands);
    let all: Vec<Promised> = rows::matching(only).map(promised).chain(machine).collect();
    if all.is_empty() {
        bail!("--only selects no row: `{}` prints all rows", invocation::line("compilers list"));
    }
    match arguments.formatted.format {
        Format::Json => print_json(&(serde_json::to_string_pretty(&all)? + "\n"))?,
        Format::Text => {
            let width = all.iter().map(|row| row.row.len()).max().unwrap_or(0);
            let mut text = String::new();
            for row in &all {
                // A condition may name a language; where it names nothing else, later cases are of other languages.
                let mut left = row.sources.clone();
                for Case { when, means, .. } in &row.cases {
                    let is_meant = |of: &&(&str, &str)| when.split(' ').any(|word| word == of.0);
                    let named = left.iter().find(is_meant).or(left.first());
                    let (_, source) = named.copied().unwrap_or_default();
                    left.retain(|of| of.0 != *when);
                    let when = if when.is_empty() { String::new() } else { format!("{when}: ") };
                    text += &format!("{:width$}  {:40}  {source}\n", row.row, when + means);
                }
            }
            text += &format!("{} rows\n", all.len());
            print(&text)?;
        }
    }
    Ok(ExitCode::from(AGREE))
}
