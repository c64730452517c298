//! Reads the command line, and carries out the command that it asks for; also the tree of all commands with their help.

use std::ffi::OsString;
use std::process::ExitCode;

use base::invocation;
use base::terminal::say;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use super::former;
use crate::{AGREE, Ending, FAILED};

/// The word in help texts in whose place the words come by which the program was called: `conformance` or
/// `cargo xtask`, see [`invocation::program`].
const PLACEHOLDER: &str = "{program}";

/// The commands that the help of the whole program does not list, so that it fits a screen. Its last lines, in
/// `after_help` of [`Arguments`], name them.
const OTHERS: &[&str] = &["cluster", "vectors", "completions", "man", "dev"];

/// The end of the long help: the commands that it does not list, and the words that help texts use.
const WORDS: &str = "\
Also: cluster (split a run over machines), vectors (test vectors as files),
completions, man, and dev (for work on the suite itself).
`{program} COMMAND --help` describes a command.

Words:

  variant      an instruction with one choice of modifiers and types, such as
               fma.rn.ftz.f16
  matrix instruction
               an instruction that multiplies matrices, such as mma; each of
               its vectors gives one element of the result
  vector       one set of operands of a variant
  sweep        a numbered sequence of vectors, built on one idea, such as
               results near the overflow threshold
  tier         how many vectors are tested: quick, nightly or exhaustive
  shard        one part of a run that is split over several machines
  state        a file of an interrupted run, from which --resume continues
  mismatch     a result that PTX does not permit
  class        mismatches of one kind in one variant
  cause        the fault that explains the mismatches of one or more classes
  waiver       a known mismatch, with a reason, in the file of --waivers
  open point   a sentence of the manual with more than one interpretation
  emulator     the suite's own implementation of PTX instructions, in integer
               arithmetic
  canary       the emulator with planted faults; a run must find each of them
  host         this machine's own processor
  MPFR         a library for exactly rounded arithmetic; its results decide what
               is right
  interpreter  the part of the suite that executes PTX programs without a GPU
  row          a source line, with what a compiler promises for it
  setting      a combination of a compiler's options
  target       a GPU architecture such as sm_90; a fuzz target is a program that
               a fuzzer feeds with inputs
  digest       a sum of hashes over operands or results, to compare two runs
  mutant       a variant with one planted fault, to measure what vectors detect

docs/build/glossary.md has more words.";

/// Conformance tests for the floating-point instructions of NVIDIA PTX.
#[derive(Parser)]
#[command(
    name = "conformance",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    after_help = "Also: cluster (split a run over machines), vectors (test vectors as files),\n\
        completions, man, and dev (for work on the suite itself).\n\
        `{program} COMMAND --help` describes a command; `--help` alone explains words.",
    after_long_help = WORDS
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

impl Arguments {
    /// Returns the options of `judge`; `None` if the command line asks for another command.
    pub fn judgement(self) -> Option<super::judge::Arguments> {
        match self.command {
            Command::Judge(arguments) => Some(arguments),
            _ => None,
        }
    }
}

// In the order of the help: first what most people need.
#[derive(Subcommand)]
enum Command {
    Conformance(super::conformance::Arguments),
    Judge(super::judge::Arguments),
    Explain(super::explain::Arguments),
    Replay(super::replay::Arguments),
    Report(super::report::Arguments),
    List(super::list::Arguments),
    Qualify(super::qualify::Arguments),
    Identify(super::identify::Arguments),
    Setup(super::setup::Arguments),
    Fuzz(super::fuzz::Arguments),
    Compilers(super::compilers::Arguments),
    Cluster(super::cluster::Arguments),
    Vectors(super::vectors::Arguments),
    Completions(super::shell::Completions),
    Man(super::shell::Man),
    Dev(super::dev::Arguments),
    // Hidden, since the suite starts these two itself, as processes of its own.
    #[command(hide = true)]
    ServeLibrary(super::serve::Arguments),
    #[cfg(unix)]
    #[command(hide = true)]
    Supervise(super::supervise::Arguments),
}

/// Returns the tree of commands, with `program` as the words that stand before a command.
pub fn tree(program: &'static str) -> clap::Command {
    named(Arguments::command(), program).bin_name(program)
}

/// Returns a command with `program` in the place of [`PLACEHOLDER`] in its help texts, in those of its arguments, and
/// in those of all commands below it.
fn named(mut command: clap::Command, program: &str) -> clap::Command {
    let text = |text: Option<&clap::builder::StyledStr>| {
        text.map(|text| text.to_string().replace(PLACEHOLDER, program))
    };
    let texts = [
        text(command.get_about()),
        text(command.get_long_about()),
        text(command.get_after_help()),
        text(command.get_after_long_help()),
    ];
    let [about, long_about, after, after_long] = texts;
    if let Some(about) = about {
        command = command.about(about);
    }
    if let Some(about) = long_about {
        command = command.long_about(about);
    }
    if let Some(after) = after {
        command = command.after_help(after);
    }
    if let Some(after) = after_long {
        command = command.after_long_help(after);
    }
    command
        .mut_args(|argument| {
            let [help, long] = [text(argument.get_help()), text(argument.get_long_help())];
            let argument = match help {
                Some(help) => argument.help(help),
                None => argument,
            };
            match long {
                Some(long) => argument.long_help(long),
                None => argument,
            }
        })
        .mut_subcommands(|below| named(below, program))
}

/// Reads the words of a command line that follow the program, in the spelling of now or of an earlier version.
///
/// # Errors
/// If the suite has no such command or option. Help and the version come as errors, too, as clap has them; their exit
/// code is 0.
pub fn read(words: Vec<OsString>) -> Result<Arguments, clap::Error> {
    // Hidden here and not in `tree`, of which completions and manual pages are made: these have all commands.
    let mut tree = tree(invocation::program()).no_binary_name(true).mut_subcommands(|command| {
        let is_other = OTHERS.contains(&command.get_name());
        if is_other { command.hide(true) } else { command }
    });
    let matches = tree.try_get_matches_from_mut(former::renewed(words))?;
    Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut tree))
}

/// Carries out a command.
pub fn carry_out(arguments: Arguments) -> Ending {
    match arguments.command {
        Command::Conformance(arguments) => super::conformance::run(&arguments),
        Command::Judge(arguments) => super::judge::run(&arguments),
        Command::Explain(arguments) => super::explain::run(&arguments),
        Command::Replay(arguments) => super::replay::run(&arguments),
        Command::Report(arguments) => super::report::run(&arguments),
        Command::List(arguments) => super::list::run(&arguments),
        Command::Qualify(arguments) => super::qualify::run(&arguments),
        Command::Identify(arguments) => super::identify::run(&arguments),
        Command::Setup(arguments) => super::setup::run(&arguments),
        Command::Fuzz(arguments) => super::fuzz::run(&arguments),
        Command::Compilers(arguments) => super::compilers::run(&arguments),
        Command::Cluster(arguments) => super::cluster::run(&arguments),
        Command::Vectors(arguments) => super::vectors::run(&arguments),
        Command::Completions(arguments) => super::shell::completions(&arguments),
        Command::Man(arguments) => super::shell::man(&arguments),
        Command::Dev(arguments) => super::dev::run(&arguments),
        Command::ServeLibrary(arguments) => super::serve::run(&arguments),
        #[cfg(unix)]
        Command::Supervise(arguments) => super::supervise::run(&arguments),
    }
}

/// Prints what clap has to say, and returns the exit code: help and the version as they are, a refusal on one line.
///
/// Where a command is missing, the help is printed, which has the commands; the exit code is then that of a refusal.
pub fn refuse(error: &clap::Error) -> ExitCode {
    let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if error.exit_code() == 0 || is_help {
        // The text is a courtesy: where it cannot be printed there is nothing to do about it.
        let _ = error.print();
        return ExitCode::from(if is_help { FAILED } else { AGREE });
    }
    // The message is a line, the arguments that it is about, and tips; usage and a word about help follow.
    let text = error.render().to_string();
    let parts = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage"));
    let mut parts: Vec<String> = parts
        .filter(|line| !line.is_empty() && !line.starts_with("For more"))
        .map(str::to_owned)
        .collect();
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word)), None) = (
        error.kind(),
        error.get(ContextKind::InvalidSubcommand),
        error.get(ContextKind::SuggestedSubcommand),
    ) && let Some(near) = former::nearest(word)
    {
        parts.push(format!("tip: a similar command exists: '{near}'"));
    }
    say(&format!("{} (see --help)", in_one_line(&parts)));
    ExitCode::from(FAILED)
}

/// Joins the lines of a message. What follows a colon at the end of a line is a list; each other line is a sentence.
fn in_one_line(lines: &[String]) -> String {
    let mut text = String::new();
    let mut in_list = false;
    for line in lines {
        in_list &= !line.starts_with("tip:");
        let between = match (text.is_empty(), in_list, text.ends_with(':')) {
            (true, ..) => "",
            (_, true, true) => " ",
            (_, true, false) => ", ",
            _ => "; ",
        };
        text = text + between + line;
        in_list |= line.ends_with(':');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::in_one_line;

    #[test]
    fn lists_and_sentences_are_joined() {
        let joined =
            |lines: &[&str]| in_one_line(&lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>());
        assert_eq!(
            joined(&["error: no such command", "tip: another"]),
            "error: no such command; tip: another"
        );
        let missing = ["error: these were not provided:", "<VARIANT>", "<BITS>...", "tip: a tip"];
        assert_eq!(joined(&missing), "error: these were not provided: <VARIANT>, <BITS>...; tip: a tip");
    }
}
