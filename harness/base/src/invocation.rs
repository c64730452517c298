//! The words by which this program was called, for messages that tell a person which command to type.
//!
//! Files that are kept do not depend on them.

use std::ffi::OsStr;

use reports::terminal::XTASK;

// Public for the tests of `cli` alone, which call the program in both ways.
/// The environment variable that `cargo xtask` sets for the program that it starts.
#[doc(hidden)]
pub const VARIABLE: &str = "PTX_CONFORMANCE_XTASK";
/// The words before a command where the program was called by itself.
pub const PROGRAM: &str = "conformance";

/// Returns the words that a person types before a command: `cargo xtask` where that started the program, and
/// [`PROGRAM`] otherwise.
pub fn program() -> &'static str {
    words(std::env::var_os(VARIABLE).as_deref())
}

/// Returns the line that a person types for a command, such as `conformance list` for `list`.
pub fn line(command: &str) -> String {
    format!("{} {command}", program())
}

/// Returns the words before a command by the value of [`VARIABLE`]. An empty value counts as no value.
fn words(value: Option<&OsStr>) -> &'static str {
    match value {
        Some(value) if !value.is_empty() => XTASK,
        _ => PROGRAM,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_called_as_its_caller_says() {
        assert_eq!(words(None), "conformance");
        assert_eq!(words(Some(OsStr::new(""))), "conformance");
        assert_eq!(words(Some(OsStr::new("1"))), "cargo xtask");
    }
}
