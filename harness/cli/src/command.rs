//! The commands of the program, one file each, and what several of them share.

pub mod cluster;
pub mod compilers;
pub mod conformance;
pub mod defences;
pub mod dev;
pub mod explain;
mod former;
pub mod fuzz;
pub mod identify;
pub mod judge;
pub mod legality;
pub mod line;
pub mod list;
pub mod mutants;
mod options;
mod own_formats;
pub mod qualify;
pub mod replay;
pub mod report;
pub mod selfcheck;
pub mod serve;
pub mod setup;
pub mod shell;
#[cfg(unix)]
pub mod supervise;
pub mod vectors;

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use base::interrupt;
use base::invocation;
use base::terminal::{self, say};
use reports::compilers::CompilerReport;
use reports::{AnyReport, Style, Verdict, printable, printable_json, printable_lines};

use crate::{AGREE, Ending, FAILED, MISMATCH};

/// The format of standard output.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Format {
    /// Text for people.
    Text,
    /// JSON for programs.
    Json,
}

/// Whether output has colours: standard output is a terminal, and `NO_COLOR` is not set.
fn colored() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Prints text to standard output. Whatever the text quotes, a terminal gets nothing but text and ends of lines.
fn print(text: &str) -> anyhow::Result<()> {
    print_raw(&printable_lines(text))
}

/// Prints one line to standard output, which stays one line whatever the names in it are.
fn print_line(text: &str) -> anyhow::Result<()> {
    print_raw(&(printable(text) + "\n"))
}

/// Prints JSON to standard output, which programs read as it is, and a terminal may get.
fn print_json(json: &str) -> anyhow::Result<()> {
    print_raw(&printable_json(json))
}

/// Prints to standard output a text that has been cleaned already, and may have colours. Whatever it quotes, a runner in
/// CI gets no command.
fn print_raw(text: &str) -> anyhow::Result<()> {
    print_commands(&reports::without_commands(text))
}

/// Prints to standard output a text that has been cleaned already, and may have commands to a runner in CI. A reader that
/// has seen enough (`| head`) is no error.
fn print_commands(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("standard output could not be written"))
        }
        _ => Ok(()),
    }
}

/// Reads a report, and notes what could not be checked of it, and which of its fields are ignored.
///
/// # Errors
/// If the file cannot be read as a report.
fn load_report(path: &Path) -> anyhow::Result<AnyReport> {
    let report = reports::load_any(path)?;
    let doubts = match &report {
        AnyReport::Implementation(report) => reports::doubts(&**report),
        AnyReport::Compiler(report) => reports::doubts(&**report),
    };
    for doubt in doubts {
        say(&format!("note: {} {doubt}", path.display()));
    }
    Ok(report)
}

/// Returns the exit code for the verdict of a report.
fn code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Agree => AGREE,
        Verdict::Mismatches => MISMATCH,
        Verdict::Incomplete | Verdict::Nothing => FAILED,
    }
}

/// The git revision of the sources that this binary was built from, as `cargo xtask` tells when it builds.
const REVISION: Option<&str> = option_env!("PTX_CONFORMANCE_REVISION");

/// Writes the report of a compiler, prints it if the format is text, and returns its verdict.
///
/// # Errors
/// If the report cannot be written or printed.
fn conclude(report: &CompilerReport, path: &Path, format: Format) -> anyhow::Result<Verdict> {
    let saved = reports::save(report, path);
    let shown = path.display().to_string();
    if let Format::Text = format {
        let name = &report.compiler.name;
        let style = Style {
            color: colored(),
            replay: saved.is_ok().then(|| shown.clone()),
            columns: terminal::columns(),
            implementation: Some(name.clone()),
            ..called()
        };
        let mut text = reports::compiler_summary(report, &style);
        if saved.is_ok() {
            text += &format!("Report: {}\n", printable(&shown));
        }
        print_raw(&text)?;
    }
    saved?;
    Ok(report.verdict())
}

/// Returns a style whose commands are called as this program was.
fn called() -> Style {
    Style { program: Some(invocation::program()), ..Style::default() }
}

/// Makes the directory that `--out` names, with those above it.
fn make_directory(out: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(out).with_context(|| {
        format!("the directory {} cannot be created: give another with --out", out.display())
    })
}

/// The time within which a second signal is ignored: no person presses a key twice so fast. `timeout` and others that
/// end a process signal it, and at once its whole group.
const TWICE: Duration = Duration::from_millis(250);

/// Returns a flag that the first Ctrl-C, SIGTERM or SIGHUP sets; the second one ends the process.
///
/// # Errors
/// If these signals cannot be caught.
fn stop_on_interrupt() -> anyhow::Result<&'static AtomicBool> {
    static CAUGHT: AtomicBool = AtomicBool::new(false);
    // A command may have several runs, which one handler stops.
    if CAUGHT.swap(true, Ordering::Relaxed) {
        return Ok(interrupt::flag());
    }
    let mut first = None::<Instant>;
    let handler = move || match first {
        Some(first) if first.elapsed() > TWICE => std::process::exit(FAILED.into()),
        Some(_) => {}
        None => {
            first = Some(Instant::now());
            interrupt::flag().store(true, Ordering::Relaxed);
            say("Stopping once the running batches are done; press Ctrl-C again to stop at once.");
        }
    };
    handled(handler).context("the handler for Ctrl-C cannot be installed")?;
    Ok(interrupt::flag())
}

/// Sets the handler of all signals that ask for an end. A process that goes on when its terminal has gone, as under
/// `nohup`, still goes on.
#[cfg(unix)]
fn handled(handler: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    // `signal` tells what was done about SIGHUP before. `set_handler` takes that signal, too, and does not tell.
    // SAFETY: no other thread changes what signals do.
    let hangup = unsafe { libc::signal(libc::SIGHUP, libc::SIG_DFL) };
    ctrlc::set_handler(handler)?;
    if hangup == libc::SIG_IGN {
        // SAFETY: no other thread changes what signals do.
        unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
    }
    Ok(())
}

#[cfg(not(unix))]
fn handled(handler: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(handler)
}

/// Returns the number of processors: that many threads work, unless another number is asked for.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, |processors| processors.get())
}
