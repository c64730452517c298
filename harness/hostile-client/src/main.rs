//! The hostile program that `conformance dev defences` attacks the suite with. People do not start it.
//!
//! Whoever installs the suite does not get it: it is a crate of its own, and an example for the tests of `cli`.

use std::process::ExitCode;

use anyhow::Context;

/// Computes rightly but for the fault that the first argument names. A second one is the word for programs that are
/// spoken to in lines.
fn main() -> ExitCode {
    cli::ended(|| {
        let mut words = std::env::args().skip(1);
        let fault = words.next().context("give a fault: `conformance dev defences` does that")?;
        cli::defences::client::run(&fault, words.next().as_deref())?;
        Ok(ExitCode::SUCCESS)
    })
}
