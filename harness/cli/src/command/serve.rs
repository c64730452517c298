//! `conformance serve-library PATH`: the process in which `lib:PATH` has a library loaded. The suite starts it, not
//! people.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use implementations::{isolated, library, ptx_emulator};

use super::{AGREE, Ending};
use crate::coverage;

/// Load a shared library or a driver and answer for it, as harness/protocol/README.md has it.
#[derive(Args)]
pub struct Arguments {
    /// The library, or the name of a GPU.
    path: PathBuf,
    /// It is an emulator of PTX, as harness/protocol/emulators.md has it.
    #[arg(long)]
    emulator: bool,
    /// It is a GPU, whose driver runs kernels as an emulator does.
    #[arg(long)]
    driver: bool,
}

/// Runs `conformance serve-library`.
pub fn run(arguments: &Arguments) -> Ending {
    match arguments {
        Arguments { driver: true, path, .. } => isolated::serve(&path.to_string_lossy())?,
        Arguments { emulator: true, path, .. } => ptx_emulator::serve(path)?,
        Arguments { path, .. } => {
            coverage::keep();
            library::serve(path)?;
        }
    }
    Ok(ExitCode::from(AGREE))
}
