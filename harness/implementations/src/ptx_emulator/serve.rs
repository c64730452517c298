//! The process that an emulator's library is loaded in: the program's side of
//! `harness/protocol/emulators.md`.

use std::ffi::CString;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use formats::Column;

use super::abi::EmulatorLibrary;
use crate::library::messages;

/// Number of bytes that a kernel has at most.
const LARGEST: usize = 1 << 24;

/// Backend that runs kernels, one at a time.
pub trait Backend {
    /// Returns the name and version that the backend gives itself.
    fn name(&self) -> String;

    /// Loads a kernel in the place of the one before; returns the reason why the backend does not, if so.
    ///
    /// # Errors
    /// If the backend cannot go on.
    fn load(&mut self, module: &str, entry: &str) -> Result<Option<String>>;

    /// Runs the kernel on all rows of its columns, of which the first `results` are results; returns the reason
    /// why the backend does not, if so.
    ///
    /// # Errors
    /// If the backend cannot go on.
    fn run(&mut self, columns: &mut [Column], results: usize) -> Result<Option<String>>;
}

/// A library, and where it was found.
struct OfFile<'a>(EmulatorLibrary, &'a Path);

impl Backend for OfFile<'_> {
    fn name(&self) -> String {
        self.0.name(self.1)
    }

    fn load(&mut self, module: &str, entry: &str) -> Result<Option<String>> {
        Ok(self.0.load(&CString::new(module)?, &CString::new(entry)?))
    }

    fn run(&mut self, columns: &mut [Column], _: usize) -> Result<Option<String>> {
        Ok(self.0.run(columns))
    }
}

/// Answers for a library until standard input ends.
///
/// # Errors
/// If the library cannot be loaded, or the suite sends what is not of the protocol.
pub fn serve(path: &Path) -> Result<()> {
    converse(|| Ok(OfFile(EmulatorLibrary::open(path)?, path)))
}

/// Answers until standard input ends, for the backend that `begin` makes when both streams are ours alone.
///
/// # Errors
/// If the backend does not begin or cannot go on, or the suite sends what is not of the protocol.
pub fn converse<B: Backend>(begin: impl FnOnce() -> Result<B>) -> Result<()> {
    let answers = messages::answers()?;
    let input = BufReader::with_capacity(1 << 16, messages::questions()?);
    let mut backend = begin()?;
    messages::answer_each(input, answers, |words, input, answers| {
        match *words {
            ["ptx-emulator", "1"] => writeln!(answers, "ptx-emulator 1 {}", backend.name())?,
            ["load", entry, bytes] => match backend.load(&text(input, bytes.parse()?)?, entry)? {
                Some(reason) => writeln!(answers, "no {reason}")?,
                None => writeln!(answers, "loaded")?,
            },
            ["run", rows, widths, results] => {
                let mut columns = messages::read_columns(input, widths, rows.parse()?)?;
                let results = columns.len().min(results.parse()?);
                let failed = backend.run(&mut columns, results)?;
                messages::answer_batch(answers, failed, &columns[..results])?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    })
}

/// Reads the text of a module.
fn text(input: &mut impl Read, bytes: usize) -> Result<String> {
    if bytes > LARGEST {
        bail!("a kernel of {bytes} bytes");
    }
    let mut text = vec![0; bytes];
    input.read_exact(&mut text).context("a kernel that ends before its end")?;
    Ok(String::from_utf8(text)?)
}
