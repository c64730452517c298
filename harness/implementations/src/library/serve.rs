//! The program's side of the protocol, and the process of `lib:`, which loads the library and speaks for it.

use std::ffi::CString;
use std::io::{BufReader, Write};
use std::path::Path;

use anyhow::{Context, Result};
use formats::Column;

use super::abi::LoadedLibrary;
use super::messages;

/// Answers for a library until standard input ends.
///
/// # Errors
/// If the library cannot be loaded, or the suite sends what is not of the protocol.
pub fn serve(path: &Path) -> Result<()> {
    // Before the library is loaded: what it prints must not come among the answers.
    let answers = messages::answers()?;
    converse(&mut LoadedLibrary::load(path)?, answers)
}

/// Side of the conversation that answers the suite.
pub trait ServingSide {
    /// Returns the name and version of this side, or why it has none.
    fn name(&mut self) -> Result<String>;

    /// Returns why this side does not have a variant; nothing if it has.
    fn lacks(&mut self, variant: &str) -> Result<Option<String>>;

    /// Computes a batch; returns the reason if that fails.
    fn run(
        &mut self,
        variant: &str,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<Option<String>>;
}

impl ServingSide for LoadedLibrary {
    fn name(&mut self) -> Result<String> {
        LoadedLibrary::name(self).context("ptx_conformance_name returned nothing")
    }

    fn lacks(&mut self, variant: &str) -> Result<Option<String>> {
        Ok(LoadedLibrary::lacks(self, &CString::new(variant)?))
    }

    fn run(
        &mut self,
        variant: &str,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<Option<String>> {
        Ok(LoadedLibrary::run(self, &CString::new(variant)?, operands, results))
    }
}

/// Answers the messages on standard input until it ends.
///
/// # Errors
/// If the suite sends what is not of the protocol, or `side` cannot answer.
pub fn converse(side: &mut impl ServingSide, answers: impl Write) -> Result<()> {
    let input = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
    messages::answer_each(input, answers, |words, input, answers| {
        match *words {
            ["ptx-conformance", "1"] => writeln!(answers, "ptx-conformance 1 {}", side.name()?)?,
            ["supports", variant] => match side.lacks(variant)? {
                Some(reason) => writeln!(answers, "no {reason}")?,
                None => writeln!(answers, "yes")?,
            },
            ["run", variant, rows, operands, results] => {
                let rows = rows.parse()?;
                let mut results = messages::columns(results, rows)?;
                let operands = messages::read_columns(input, operands, rows)?;
                let failed = side.run(variant, &operands, &mut results)?;
                messages::answer_batch(answers, failed, &results)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    })
}
