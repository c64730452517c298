//! `cargo xtask report`: what can be done with reports.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};

use super::{AGREE, Ending, load_report, print_json};

/// Work on reports.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    work: Work,
}

#[derive(Subcommand)]
enum Work {
    /// Print a shortened copy, to be kept: without the variants that the implementation lacks, and with
    /// one example of each class.
    Compact {
        /// The report's file.
        report: PathBuf,
    },
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    let Work::Compact { report } = &arguments.work;
    let copy = load_report(report)?.compact();
    print_json(&(serde_json::to_string(&copy).context("the report cannot be printed")? + "\n"))?;
    Ok(ExitCode::from(AGREE))
}
