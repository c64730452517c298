//! `conformance supervise SOCKET COMMAND…`: the process between the suite and a program under test. The suite starts
//! it, not people.

use std::ffi::OsString;
use std::os::fd::RawFd;
use std::process::ExitCode;

use clap::Args;
use implementations::process;

use super::{AGREE, Ending};

/// Start a program and end all that it has started when it ends, or when the suite does.
#[derive(Args)]
pub struct Arguments {
    /// Number of the socket to the suite, which this process has inherited.
    socket: RawFd,
    /// The program and its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

/// Runs `conformance supervise`.
pub fn run(arguments: &Arguments) -> Ending {
    process::supervise(arguments.socket, &arguments.command)?;
    Ok(ExitCode::from(AGREE))
}
