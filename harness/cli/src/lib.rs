#![doc = include_str!("../README.md")]
//!
//! ## How it is made
//!
//! The command line of the suite: commands, waivers, and attacks on the built binary.

mod command;
mod coverage;
pub mod defences;
pub mod memory;
mod strict;
mod surroundings;
pub mod waivers;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use base::terminal::say;
use base::{bug, invocation};

/// The result of every command: its exit code, or an error.
///
/// `Err` is for what kept a command from doing its work, and becomes exit code 2.
type Ending = anyhow::Result<ExitCode>;

/// The exit code of a run in which every result agrees with the contract.
const AGREE: u8 = 0;
/// The exit code of a run in which some result does not agree with the contract.
const MISMATCH: u8 = 1;
/// The exit code of a command that could not do its work, or not to its end.
const FAILED: u8 = 2;

/// Carries out a command line, without the program, and returns the exit code. What the process was given, such as its
/// stack and some of its signals, is brought into order first.
pub fn run(words: Vec<OsString>) -> ExitCode {
    carried_out(words, supervise)
}

/// Carries out a command line as [`run`] does, in a process whose executable is not this program, such as an interpreter
/// that has loaded it. `script` is a file that starts this program; without one, programs under test are not supervised.
pub fn run_by(words: Vec<OsString>, script: Option<PathBuf>) -> ExitCode {
    carried_out(words, || {
        if let Some(script) = script {
            implementations::process::supervise_by(script);
        }
    })
}

/// Brings the process into order, and carries out a command line.
fn carried_out(words: Vec<OsString>, supervise: impl FnOnce() + Send) -> ExitCode {
    surroundings::prepare();
    surroundings::on_a_stack(|| match command::line::read(words) {
        Ok(arguments) => ended(|| {
            supervise();
            command::line::carry_out(arguments)
        }),
        Err(error) => command::line::refuse(&error),
    })
}

/// Reads a command line, without the program, and carries nothing out.
///
/// # Errors
/// If the suite does not take it, or if it asks for help or the version.
pub fn accepts(words: Vec<OsString>) -> Result<(), clap::Error> {
    command::line::read(words).map(drop)
}

/// Returns the tree of commands of the program by itself.
pub fn tree() -> clap::Command {
    command::line::tree(invocation::PROGRAM)
}

/// Does the work of a program, and returns its exit code. An error or a panic is one line on standard error.
pub fn ended(work: impl FnOnce() -> Ending) -> ExitCode {
    bug::watch();
    match bug::catch_panic(work) {
        Ok(code) => code,
        Err(error) => {
            say(&format!("error: {error:#}"));
            ExitCode::from(FAILED)
        }
    }
}

/// Makes this binary the supervisor of the processes that the suite starts.
fn supervise() {
    // The file may be replaced while a run goes on, as by a build: on Linux there is another way to it.
    #[cfg(target_os = "linux")]
    implementations::process::supervise_by("/proc/self/exe".into());
    #[cfg(all(unix, not(target_os = "linux")))]
    if let Ok(this) = std::env::current_exe() {
        implementations::process::supervise_by(this);
    }
}
