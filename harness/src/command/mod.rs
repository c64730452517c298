//! The commands, one file each.

pub mod conformance;
pub mod list;
pub mod replay;
pub mod selfcheck;

use std::io::{IsTerminal, Write};

use crate::{AGREE, Ending, FAILED, MISMATCH};

/// Whether standard output is a person's.
fn colored() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Prints to standard output. A reader that has seen enough (`| head`) is no error.
fn print(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("standard output could not be written"))
        }
        _ => Ok(()),
    }
}
