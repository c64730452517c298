//! `cargo xtask completions` and `cargo xtask man`: print what a shell needs to complete commands, and write manual
//! pages.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{AGREE, Ending, make_directory, print_raw};

/// The name of the program by itself, as a shell that completes it knows it.
const PROGRAM: &str = "conformance";

/// Print what a shell needs to complete commands and options of the program `conformance`, which is
/// `target/release/conformance` once built.
#[derive(Args)]
pub struct Completions {
    /// The shell.
    shell: Shell,
}

/// Write a manual page for each command.
#[derive(Args)]
pub struct Man {
    /// The folder of the pages.
    #[arg(long, value_name = "DIR", default_value = "target/man")]
    out: PathBuf,
}

fn program() -> clap::Command {
    crate::Arguments::command().name(PROGRAM).bin_name(PROGRAM)
}

/// Runs `cargo xtask completions`, which prints the script that completes commands and options in a shell.
pub fn completions(arguments: &Completions) -> Ending {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program(), PROGRAM, &mut script);
    print_raw(&String::from_utf8(script).context("the completions are no text")?)?;
    Ok(ExitCode::from(AGREE))
}

/// Runs `cargo xtask man`, which writes a manual page for each command.
pub fn man(arguments: &Man) -> Ending {
    let out = &arguments.out;
    make_directory(out)?;
    clap_mangen::generate_to(program(), out)
        .with_context(|| format!("the pages cannot be written to {}", out.display()))?;
    print_raw(&format!(
        "Manual pages: {}; `man {}` shows the first\n",
        reports::printable(&out.display().to_string()),
        reports::printable(&out.join(PROGRAM).with_extension("1").display().to_string())
    ))?;
    Ok(ExitCode::from(AGREE))
}
