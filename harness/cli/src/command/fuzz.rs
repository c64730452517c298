//! `conformance fuzz`: reports of fuzz campaigns. The fuzz targets are built from the sources, by `cargo xtask fuzz`.

mod report;

use std::ffi::OsString;

use anyhow::bail;
use clap::{Args, Subcommand};
use reports::printable;

use super::Ending;

/// Search for wrong results with a fuzzer, and report what it found.
///
/// In the suite's folder, `cargo xtask fuzz TARGET` builds a fuzz target and searches with it. A fuzz target is
/// a program that the fuzzer feeds with inputs. `cargo xtask fuzz --help` describes the fuzz targets.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Report(report::Campaign),
    #[command(external_subcommand)]
    Target(Vec<OsString>),
}

/// Runs `conformance fuzz`.
pub fn run(arguments: &Arguments) -> Ending {
    match &arguments.command {
        Command::Report(arguments) => report::run(arguments),
        Command::Target(words) => {
            let name = words.first().map(|word| printable(&word.to_string_lossy())).unwrap_or_default();
            bail!(
                "`{name}` is not `report`; fuzz targets are built from source: run `cargo xtask fuzz \
                 {name}` in the suite's folder"
            )
        }
    }
}
