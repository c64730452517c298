//! `conformance serve-library PATH`: the process that `lib:PATH` has a library loaded in. Not for
//! people.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use harness::implementation::{library, ptx_emulator};

use super::{AGREE, Ending};

/// Load a shared library and answer for it, as harness/protocol/README.md has it.
#[derive(Args)]
pub struct Arguments {
    /// The library.
    path: PathBuf,
    /// It is an emulator of PTX, as harness/protocol/emulators.md has it.
    #[arg(long)]
    emulator: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    match arguments.emulator {
        true => ptx_emulator::serve(&arguments.path)?,
        false => library::serve(&arguments.path)?,
    }
    Ok(ExitCode::from(AGREE))
}
