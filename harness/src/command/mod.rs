//! The commands, one file each.

pub mod conformance;
pub mod explain;
pub mod legality;
pub mod list;
pub mod mutants;
mod progress;
pub mod qualify;
pub mod replay;
pub mod report;
pub mod selfcheck;
pub mod serve;
pub mod setup;
pub mod vectors;

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use crate::{AGREE, Ending, FAILED, MISMATCH};

/// Who the output is for.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

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

/// A flag that the first Ctrl-C (or SIGTERM) sets; the second ends the process.
fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(FAILED.into());
        }
        eprintln!("Stopping after the work in hand; press Ctrl-C again to stop at once.");
    })
    .context("Ctrl-C cannot be caught")?;
    Ok(stop)
}

/// A seed, as the command line has it.
fn seed(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| "a seed is a whole number of 64 bits, like 7 or 0x1f".into())
}

/// The number of processors: that many threads work, unless another number is asked for.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, |processors| processors.get())
}
