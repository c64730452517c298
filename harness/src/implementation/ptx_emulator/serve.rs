//! The process that an emulator's library is loaded in: the program's side of
//! `harness/protocol/emulators.md`.

use std::ffi::CString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use vectors::Column;

use super::abi::Emulator;
use crate::implementation::library::{answers, columns, questions};

/// A kernel has at most so many bytes.
const LARGEST: usize = 1 << 24;

/// What runs kernels, one at a time.
pub trait Backend {
    /// What it calls itself, with its version.
    fn name(&self) -> String;

    /// Loads a kernel in the place of the one before; gives the reason why it does not, if so.
    ///
    /// # Errors
    /// If it cannot go on.
    fn load(&mut self, module: &str, entry: &str) -> Result<Option<String>>;

    /// Runs the kernel on all rows of its columns, of which so many are results and stand first; gives the
    /// reason why it does not, if so.
    ///
    /// # Errors
    /// If it cannot go on.
    fn run(&mut self, columns: &mut [Column], results: usize, rows: usize) -> Result<Option<String>>;
}

/// A library, and where it was found.
struct OfFile<'a>(Emulator, &'a Path);

impl Backend for OfFile<'_> {
    fn name(&self) -> String {
        self.0.name(self.1)
    }

    fn load(&mut self, module: &str, entry: &str) -> Result<Option<String>> {
        Ok(self.0.load(&CString::new(module)?, &CString::new(entry)?))
    }

    fn run(&mut self, columns: &mut [Column], _: usize, rows: usize) -> Result<Option<String>> {
        Ok(self.0.run(columns, rows))
    }
}

/// Answers for a library until standard input ends.
///
/// # Errors
/// If the library cannot be loaded, or the suite sends what is not of the protocol.
pub fn serve(path: &Path) -> Result<()> {
    converse(|| Ok(OfFile(Emulator::open(path)?, path)))
}

/// Answers until standard input ends, for what is begun when both streams are ours alone.
///
/// # Errors
/// If it does not begin or cannot go on, or the suite sends what is not of the protocol.
pub fn converse<B: Backend>(begin: impl FnOnce() -> Result<B>) -> Result<()> {
    let mut answers = answers()?;
    let mut input = BufReader::with_capacity(1 << 16, questions()?);
    let mut backend = begin()?;
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line).context("standard input")? == 0 {
            return Ok(());
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ptx-emulator", "1"] => writeln!(answers, "ptx-emulator 1 {}", backend.name())?,
            ["load", entry, bytes] => {
                let bytes: usize = bytes.parse()?;
                if bytes > LARGEST {
                    bail!("a kernel of {bytes} bytes");
                }
                let mut text = vec![0; bytes];
                input.read_exact(&mut text).context("a kernel that ends before its end")?;
                match backend.load(&String::from_utf8(text)?, entry)? {
                    Some(reason) => writeln!(answers, "no {reason}")?,
                    None => writeln!(answers, "loaded")?,
                }
            }
            ["run", rows, widths, results] => {
                let (rows, results) = (rows.parse()?, results.parse()?);
                let mut columns = columns(widths, rows)?;
                for column in &mut columns {
                    input.read_exact(column.bytes_mut()).context("a batch that ends before its end")?;
                }
                match backend.run(&mut columns, results, rows)? {
                    Some(reason) => writeln!(answers, "failed {reason}")?,
                    None => {
                        writeln!(answers, "results")?;
                        let results = columns.iter().take(results);
                        for column in results {
                            answers.write_all(column.bytes())?;
                        }
                    }
                }
            }
            _ => bail!("`{}` is not of the protocol", line.trim()),
        }
        answers.flush()?;
    }
}
