//! `cargo xtask defences`: attacks the suite in every known way, and prints what was done to it and what it did.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use base::terminal::say;
use clap::Args;
use cli::defences::{self, PAGE, RowOutcome};

use super::{AGREE, Ending, MISMATCH, print, processors};

/// Attack the suite in every way that is known, and print what it did, as a table.
///
/// Takes less than five minutes. Exit code: 0 if all of it is what is expected, 1 if something is not.
#[derive(Args)]
pub struct Arguments {
    /// Only faults that match one of these patterns (`*` any text, `?` any character).
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Renew the committed table, harness/DEFENCES.md; for the whole of it.
    #[arg(long, conflicts_with = "only")]
    write: bool,
}

/// Runs `cargo xtask defences`.
pub fn run(arguments: &Arguments) -> Ending {
    if !cfg!(target_os = "linux") {
        bail!("only Linux tells which processes are left: run this there");
    }
    let binary: PathBuf = std::env::current_exe().context("this program does not find itself")?;
    let tell = |RowOutcome { row, what }: &RowOutcome| match what {
        Ok(_) => say(&format!("as expected: {}", row.fault)),
        Err(other) => say(&format!("NOT AS EXPECTED: {}: {other}", row.fault)),
    };
    // More threads than processors, as most rows wait for a deadline.
    let seen = defences::attack(&binary, &arguments.only, 4 * processors(), &tell)?;
    if seen.is_empty() {
        bail!("no fault matches: without --only all are tried");
    }
    let page = defences::page(&seen);
    print(&page)?;
    if arguments.write {
        reports::write_atomically(Path::new(PAGE), page.as_bytes())
            .context("run this in the repository")?;
    }
    let others = seen.iter().filter(|one| one.what.is_err()).count();
    let all = reports::counted(seen.len() as u64, "fault");
    print(&format!("\n{all}, {others} not as expected.\n"))?;
    Ok(ExitCode::from(if others == 0 { AGREE } else { MISMATCH }))
}

/// Speak the protocol, rightly but for a fault. Not for people.
#[derive(Args)]
pub struct Client {
    /// The fault.
    fault: String,
    /// What a program that is spoken to in lines is given.
    word: Option<String>,
}

/// Runs `conformance hostile-client`, which speaks the protocol rightly but for a fault.
pub fn client(arguments: &Client) -> Ending {
    defences::client::run(&arguments.fault, arguments.word.as_deref())?;
    Ok(ExitCode::from(AGREE))
}
