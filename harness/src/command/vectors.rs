//! `cargo xtask vectors`: digests that prove results, and vectors for other tools.

mod blocks;
mod check;
mod export;

use clap::{Args, Subcommand};

use super::Ending;

/// Check the committed digests, or write vectors and what they should give for other tools.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Compare what is expected with the committed digests.
    Check(check::Arguments),
    /// Print the digests of single blocks.
    Blocks(blocks::Arguments),
    /// Write vectors of a sweep with the results that are expected.
    Export(export::Arguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    match &arguments.action {
        Action::Check(arguments) => check::run(arguments),
        Action::Blocks(arguments) => blocks::run(arguments),
        Action::Export(arguments) => export::run(arguments),
    }
}
