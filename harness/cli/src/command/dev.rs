//! `conformance dev`: commands for work on the suite itself.

use clap::{Args, Subcommand};

use super::{Ending, defences, legality, mutants, selfcheck, vectors};

/// Check the suite itself; for people who change it.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Selfcheck(selfcheck::Arguments),
    Mutants(mutants::Arguments),
    Legality(legality::Arguments),
    Defences(defences::Arguments),
    Vectors(vectors::Proofs),
}

/// Runs `conformance dev`.
pub fn run(arguments: &Arguments) -> Ending {
    match &arguments.command {
        Command::Selfcheck(arguments) => selfcheck::run(arguments),
        Command::Mutants(arguments) => mutants::run(arguments),
        Command::Legality(arguments) => legality::run(arguments),
        Command::Defences(arguments) => defences::run(arguments),
        Command::Vectors(arguments) => vectors::prove(arguments),
    }
}
