//! `conformance serve-library PATH`: the process in which `lib:PATH` has a library loaded. The suite starts it, not
//! people.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use implementations::{isolated, library, ptx_emulator};

use super::{AGREE, Ending};
use crate::coverage;

/// Answer for a shared library or a driver, by harness/protocol/README.md.
///
/// Exit code: 0 at the end of the input; 2 on an error.
#[derive(Args)]
pub struct Arguments {
    /// Library, or name of a GPU.
    path: PathBuf,
    /// The library is an emulator of PTX, by harness/protocol/emulators.md.
    #[arg(long)]
    emulator: bool,
    /// The name is that of a GPU, whose driver runs kernels as an emulator does.
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
