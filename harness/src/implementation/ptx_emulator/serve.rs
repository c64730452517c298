//! The process that an emulator's library is loaded in: the program's side of
//! `harness/protocol/emulators.md`.

use std::ffi::CString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::abi::Emulator;
use crate::implementation::library::{answers, columns, questions};

/// A kernel has at most so many bytes.
const LARGEST: usize = 1 << 24;

/// Answers for a library until standard input ends.
///
/// # Errors
/// If the library cannot be loaded, or the suite sends what is not of the protocol.
pub fn serve(path: &Path) -> Result<()> {
    let mut answers = answers()?;
    let mut input = BufReader::with_capacity(1 << 16, questions()?);
    let mut emulator = Emulator::open(path)?;
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line).context("standard input")? == 0 {
            return Ok(());
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ptx-emulator", "1"] => writeln!(answers, "ptx-emulator 1 {}", emulator.name(path))?,
            ["load", entry, bytes] => {
                let bytes: usize = bytes.parse()?;
                if bytes > LARGEST {
                    bail!("a kernel of {bytes} bytes");
                }
                let mut text = vec![0; bytes];
                input.read_exact(&mut text).context("a kernel that ends before its end")?;
                match emulator.load(&CString::new(text)?, &CString::new(entry)?) {
                    Some(reason) => writeln!(answers, "no {reason}")?,
                    None => writeln!(answers, "loaded")?,
                }
            }
            ["run", rows, widths, results] => {
                let rows = rows.parse()?;
                let mut columns = columns(widths, rows)?;
                for column in &mut columns {
                    input.read_exact(column.bytes_mut()).context("a batch that ends before its end")?;
                }
                match emulator.run(&mut columns, rows) {
                    Some(reason) => writeln!(answers, "failed {reason}")?,
                    None => {
                        writeln!(answers, "results")?;
                        let results = columns.iter().take(results.parse()?);
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
