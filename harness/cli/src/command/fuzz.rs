//! `cargo xtask fuzz`: the targets that are the suite's own. (The others are libFuzzer's, which `xtask` builds itself.)

mod programs;
mod report;

use clap::{Args, Subcommand};

use super::Ending;

/// Go on searching.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    target: Target,
}

#[derive(Subcommand)]
enum Target {
    Programs(programs::Programs),
    Report(report::Campaign),
}

/// Runs `cargo xtask fuzz`.
pub fn run(arguments: &Arguments) -> Ending {
    match &arguments.target {
        Target::Programs(arguments) => programs::run(arguments),
        Target::Report(arguments) => report::run(arguments),
    }
}
