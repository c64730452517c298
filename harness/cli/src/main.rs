//! The conformance binary, which `cargo xtask` builds and hands its command line to.

mod command;
mod coverage;

use std::process::ExitCode;

use base::bug;
use base::terminal::say;
use clap::{Parser, Subcommand};
#[cfg(unix)]
use implementations::process;

/// Differential conformance tests for NVIDIA PTX floating-point instructions.
#[derive(Parser)]
#[command(
    bin_name = "cargo xtask",
    version,
    max_term_width = 100,
    after_help = "cargo xtask fuzz TARGET [--impl NAME] [--seconds N] [--jobs N] [FILE…] runs a fuzz target."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Cluster(command::cluster::Arguments),
    Compilers(command::compilers::Arguments),
    Completions(command::shell::Completions),
    Conformance(command::conformance::Arguments),
    Defences(command::defences::Arguments),
    Explain(command::explain::Arguments),
    Fuzz(command::fuzz::Arguments),
    #[command(hide = true)]
    HostileClient(command::defences::Client),
    Identify(command::identify::Arguments),
    Legality(command::legality::Arguments),
    List(command::list::Arguments),
    Man(command::shell::Man),
    Mutants(command::mutants::Arguments),
    Qualify(command::qualify::Arguments),
    Replay(command::replay::Arguments),
    Report(command::report::Arguments),
    Selfcheck(command::selfcheck::Arguments),
    #[command(hide = true)]
    ServeLibrary(command::serve::Arguments),
    Setup(command::setup::Arguments),
    #[cfg(unix)]
    #[command(hide = true)]
    Supervise(command::supervise::Arguments),
    Vectors(command::vectors::Arguments),
}

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

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return explain(&error),
    };
    bug::watch();
    supervise();
    match bug::catch_panic(|| carry_out(arguments.command)) {
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
    process::supervise_by("/proc/self/exe".into());
    #[cfg(all(unix, not(target_os = "linux")))]
    if let Ok(this) = std::env::current_exe() {
        process::supervise_by(this);
    }
}

fn carry_out(command: Command) -> Ending {
    match command {
        Command::Cluster(arguments) => command::cluster::run(&arguments),
        Command::Compilers(arguments) => command::compilers::run(&arguments),
        Command::Completions(arguments) => command::shell::completions(&arguments),
        Command::Conformance(arguments) => command::conformance::run(&arguments),
        Command::Defences(arguments) => command::defences::run(&arguments),
        Command::Fuzz(arguments) => command::fuzz::run(&arguments),
        Command::HostileClient(arguments) => command::defences::client(&arguments),
        Command::Explain(arguments) => command::explain::run(&arguments),
        Command::Identify(arguments) => command::identify::run(&arguments),
        Command::Legality(arguments) => command::legality::run(&arguments),
        Command::List(arguments) => command::list::run(&arguments),
        Command::Man(arguments) => command::shell::man(&arguments),
        Command::Mutants(arguments) => command::mutants::run(&arguments),
        Command::Qualify(arguments) => command::qualify::run(&arguments),
        Command::Replay(arguments) => command::replay::run(&arguments),
        Command::Report(arguments) => command::report::run(&arguments),
        Command::Selfcheck(arguments) => command::selfcheck::run(&arguments),
        Command::ServeLibrary(arguments) => command::serve::run(&arguments),
        Command::Setup(arguments) => command::setup::run(&arguments),
        #[cfg(unix)]
        Command::Supervise(arguments) => command::supervise::run(&arguments),
        Command::Vectors(arguments) => command::vectors::run(&arguments),
    }
}

/// Prints what clap has to say: help and version as they are, errors on one line.
fn explain(error: &clap::Error) -> ExitCode {
    if error.exit_code() == 0 {
        // The text is a courtesy: where it cannot be printed there is nothing to do about it.
        let _ = error.print();
        return ExitCode::from(AGREE);
    }
    let text = error.render().to_string();
    let parts = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage"));
    let parts: Vec<&str> =
        parts.filter(|line| !line.is_empty() && !line.starts_with("For more")).collect();
    say(&format!("{} (see --help)", parts.join("; ")));
    ExitCode::from(FAILED)
}
