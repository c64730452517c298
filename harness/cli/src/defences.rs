//! The matrix of attacks on the suite: every row attacks the built binary as it would be attacked in use.

pub mod client;
mod rows;
mod sandbox;

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use base::pool::Pool;
use wildmatch::WildMatch;

pub use rows::rows;
use sandbox::Sandbox;

/// The page of the repository that holds the matrix.
pub const PAGE: &str = "harness/DEFENCES.md";

/// A row of the matrix: a fault, and what the suite is expected to do about it.
pub struct DefenceRow {
    /// The heading of the page under which the row stands.
    pub group: &'static str,
    /// The fault, in words: what is done to the suite.
    pub fault: &'static str,
    /// The expected outcome, in words.
    pub expected: &'static str,
    /// The instruction that the hostile programs of the row are asked about.
    case: &'static client::DefenceCase,
    attempt: fn(&Sandbox) -> Result<String>,
}

/// The outcome of trying a row.
pub struct RowOutcome {
    /// The row that was tried.
    pub row: &'static DefenceRow,
    /// The outcome in words; an error is an outcome other than the expected one.
    pub what: Result<String, String>,
}

/// Returns the path of the hostile client, which Cargo builds beside the suite's binary, or for tests in the folder of examples.
///
/// # Errors
/// If it is not there.
pub fn client_beside(binary: &Path) -> Result<PathBuf> {
    let name = format!("hostile-client{EXE_SUFFIX}");
    let folder = binary.parent().context("the binary has no folder")?;
    let places = [folder.join(&name), folder.join("examples").join(&name)];
    places.into_iter().find(|path| path.is_file()).with_context(|| {
        format!(
            "hostile-client is not in {} or its folder `examples`: `cargo xtask dev defences`, run in \
             the suite's folder, builds it",
            folder.display()
        )
    })
}

/// Tries every row whose fault matches a pattern of `only`, or all rows if there is none, `jobs` at a time: most of
/// them wait.
///
/// `tell` is called with each outcome as it is seen. The returned outcomes are in the order of the rows.
///
/// # Errors
/// If the hostile client is missing, or if a thread could not be started, or panicked.
pub fn attack(
    binary: &Path,
    only: &[String],
    jobs: usize,
    tell: &(impl Fn(&RowOutcome) + Sync),
) -> Result<Vec<RowOutcome>> {
    let client = client_beside(binary)?;
    let patterns: Vec<WildMatch> = only.iter().map(|pattern| WildMatch::new(pattern)).collect();
    let chosen =
        |row: &&DefenceRow| patterns.is_empty() || patterns.iter().any(|p| p.matches(row.fault));
    let chosen: Vec<&'static DefenceRow> = rows().iter().filter(chosen).collect();
    Pool::new(jobs)
        .run_on_each(
            &chosen,
            || Ok(()),
            |(), row| {
                let sandbox =
                    Sandbox::new([binary, &client], row.case).map_err(|error| error.to_string());
                let what = sandbox.and_then(|sandbox| {
                    (row.attempt)(&sandbox).map_err(|error| sandbox.without_paths(&format!("{error:#}")))
                });
                let seen = RowOutcome { row, what };
                tell(&seen);
                Ok(seen)
            },
        )
        .all()
}

/// Returns the matrix as a Markdown page.
pub fn page(seen: &[RowOutcome]) -> String {
    let mut text = String::from(
        "# What was done to the suite, and what it did\n\n\
         `cargo xtask dev defences --write` makes this page: it does all of this to the built binary, as a user \
         has it, and exits with 1 if anything happens that is not expected. However a run ends, it must \
         not panic, no raw control character may reach a terminal, and a second later nothing that it \
         started may be alive; every row is held to that as well. The hostile programs are one, \
         `hostile-client FAULT`, which computes rightly but for its fault. What takes a compiler, \
         another clock or another program than the suite's, such as a hostile library, a wrong date or an \
         assembler without an end, `cargo test -p ptx-conformance-cli` tries.\n",
    );
    let mut group = "";
    for RowOutcome { row, what } in seen {
        if row.group != group {
            group = row.group;
            text += &format!(
                "\n## {group}\n\n| what was done | what is to happen | what was seen |\n| --- | --- | --- |\n"
            );
        }
        let seen = match what {
            Ok(seen) => cell(seen),
            Err(other) => format!("**NOT AS EXPECTED**: {}", cell(other)),
        };
        text += &format!("{}{seen} |\n", beginning(row));
    }
    text
}

/// Returns the beginning of a row's line on the page: the cells whose words are in the code.
pub fn beginning(row: &DefenceRow) -> String {
    format!("| {} | {} | ", cell(row.fault), cell(row.expected))
}

/// Returns a text as one cell of a Markdown table.
fn cell(text: &str) -> String {
    reports::printable(text).replace('|', "\\|")
}
