//! `conformance completions` and `conformance man`: print what a shell needs to complete commands, and write manual
//! pages.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use base::invocation::PROGRAM;
use clap::Args;
use clap_complete::Shell;

use super::{AGREE, Ending, line, make_directory, print_raw};

/// The end of the help of `completions`.
const LOAD: &str = "\
Load the script at the end of the shell's start file, after cargo's own completions:

  bash  source <({program} completions bash)
  zsh   source <({program} completions zsh)
  fish  {program} completions fish | source";

/// Print a completion script for a shell.
///
/// The script completes `conformance`, and in bash, zsh and fish also `cargo xtask`; cargo's own
/// completions are kept.
///
/// Exit code: 0 on success; 2 on an error.
#[derive(Args)]
#[command(after_long_help = LOAD)]
pub struct Completions {
    /// Shell to print the script for.
    shell: Shell,
}

/// Write manual pages, one for each command.
///
/// Exit code: 0 on success; 2 if a page cannot be written.
#[derive(Args)]
pub struct Man {
    /// Directory of the pages.
    #[arg(long, value_name = "DIR", default_value = "target/man")]
    out: PathBuf,
}

/// The part of a script for bash that completes `cargo xtask` as it completes the program by itself.
const BASH: &str = include_str!("shell/xtask.bash");
/// The part of a script for zsh that completes `cargo xtask`.
const ZSH: &str = include_str!("shell/xtask.zsh");
/// The part of a script for fish that completes `cargo xtask`.
const FISH: &str = include_str!("shell/xtask.fish");

/// Returns a command with its options and the commands below it, as far as help shows them.
fn shown(command: &clap::Command) -> clap::Command {
    let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set());
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    clap::Command::new(command.get_name().to_owned())
        .about(command.get_about().cloned().unwrap_or_default())
        .disable_help_subcommand(true)
        .args(arguments.cloned())
        .subcommands(below.map(shown))
}

/// Runs `conformance completions`, which prints the script that completes commands and options in a shell.
pub fn completions(Completions { shell }: &Completions) -> Ending {
    let mut script = Vec::new();
    clap_complete::generate(*shell, &mut shown(&line::tree(PROGRAM)), PROGRAM, &mut script);
    let script = String::from_utf8(script).context("the completions are not UTF-8 text")?;
    let xtask = match shell {
        Shell::Bash => BASH,
        Shell::Zsh => ZSH,
        Shell::Fish => FISH,
        // Other shells complete the program by itself alone.
        _ => "",
    };
    print_raw(&format!("{script}\n{xtask}"))?;
    Ok(ExitCode::from(AGREE))
}

/// Runs `conformance man`, which writes a manual page for each command.
pub fn man(arguments: &Man) -> Ending {
    let out = &arguments.out;
    make_directory(out)?;
    clap_mangen::generate_to(line::tree(PROGRAM), out)
        .with_context(|| format!("the pages cannot be written to {}", out.display()))?;
    print_raw(&format!(
        "Manual pages: {}; `man {}` shows the first\n",
        reports::printable(&out.display().to_string()),
        reports::printable(&out.join(PROGRAM).with_extension("1").display().to_string())
    ))?;
    Ok(ExitCode::from(AGREE))
}
