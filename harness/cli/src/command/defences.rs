//! `conformance dev defences`: attacks the suite in every known way, and prints what was done to it and what it did.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use base::terminal::say;
use clap::Args;

use crate::defences::{self, PAGE, RowOutcome};

use super::{AGREE, Ending, MISMATCH, print, processors};

/// Attack the suite with hostile programs, files and signals.
///
/// Prints a Markdown table of the attacks, and of what the suite did about each. Takes less than five
/// minutes. Runs on Linux only.
///
/// Exit code: 0 if the suite did what is expected; 1 if it did not; 2 if it could not be attacked.
#[derive(Args)]
pub struct Arguments {
    /// Only attacks whose description, the first column of the table, matches GLOB (`*` any text, `?` any
    /// character). May be repeated: a description then has to match one of the patterns.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Write the table to harness/DEFENCES.md as well.
    #[arg(long, conflicts_with = "only")]
    write: bool,
}

/// Runs `conformance dev defences`.
pub fn run(arguments: &Arguments) -> Ending {
    if !cfg!(target_os = "linux") {
        bail!("this command runs only on Linux, which tells what processes are left");
    }
    let binary: PathBuf = std::env::current_exe().context("the path of this program is not known")?;
    let tell = |RowOutcome { row, what }: &RowOutcome| match what {
        Ok(_) => say(&format!("as expected: {}", row.fault)),
        Err(other) => say(&format!("NOT AS EXPECTED: {}: {other}", row.fault)),
    };
    // More threads than processors, as most rows wait for a deadline.
    let seen = defences::attack(&binary, &arguments.only, 4 * processors(), &tell)?;
    if seen.is_empty() {
        bail!("--only matches no fault: without it, all are tried");
    }
    let page = defences::page(&seen);
    print(&page)?;
    if arguments.write {
        reports::write_atomically(Path::new(PAGE), page.as_bytes())
            .context("the page cannot be written: run this command in the suite's folder")?;
    }
    let others = seen.iter().filter(|one| one.what.is_err()).count();
    let all = reports::counted(seen.len() as u64, "fault");
    print(&format!("\n{all}, {others} not as expected.\n"))?;
    Ok(ExitCode::from(if others == 0 { AGREE } else { MISMATCH }))
}
