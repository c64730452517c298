//! Messages to a person on standard error, beside results, and the width of terminals.

use std::io::Write;

/// Width in columns that is taken where a terminal does not tell its own.
const COLUMNS: usize = 80;

/// Says something to a person, on a line of standard error. Whatever the text quotes from files, programs and
/// command lines, the terminal gets text alone, and a runner in CI no command. Nobody need listen.
pub fn say(text: &str) {
    // Where standard error is closed or full, there is nowhere to say so.
    let text = reports::printable(text);
    let _ = writeln!(std::io::stderr(), "{}", reports::without_commands(&text));
}

/// Returns how many columns standard output has; `None` where it is no terminal.
pub fn columns() -> Option<usize> {
    columns_of(&std::io::stdout())
}

/// Returns how many columns standard error has if it is a terminal, and else [`COLUMNS`].
pub(crate) fn columns_of_messages() -> usize {
    columns_of(&std::io::stderr()).unwrap_or(COLUMNS)
}

#[cfg(unix)]
fn columns_of(stream: &impl std::os::fd::AsFd) -> Option<usize> {
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(stream)?;
    Some(columns.into())
}

#[cfg(windows)]
fn columns_of(stream: &impl std::os::windows::io::AsHandle) -> Option<usize> {
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(stream)?;
    Some(columns.into())
}
