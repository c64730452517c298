//! `cargo xtask setup`: builds what connects the implementations of others.

use std::process::ExitCode;

use clap::Args;
use harness::implementation::bundled::{BUNDLED, set_up};
use harness::terminal::say;

use super::{AGREE, Ending, print};

/// Set up implementations that others wrote, for --impl; without a name, print those there are.
///
/// Their sources and packages are fetched, in the versions that harness/third-party pins, and built in
/// target/third-party.
#[derive(Args)]
pub struct Arguments {
    /// Their names.
    names: Vec<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    if arguments.names.is_empty() {
        let lines = BUNDLED.iter().map(|bundled| format!("{:14}{}\n", bundled.name, bundled.what));
        print(&lines.collect::<String>())?;
    }
    set_up(&arguments.names, say)?;
    Ok(ExitCode::from(AGREE))
}
