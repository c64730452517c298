//! The program's side of the protocol; and that of `lib:`, which loads the library and speaks for it.

use std::ffi::CString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use vectors::Column;

use super::abi::Loaded;

/// Answers for a library until standard input ends.
///
/// # Errors
/// If the library cannot be loaded, or the suite sends what is not of the protocol.
pub fn serve(path: &Path) -> Result<()> {
    let answers = answers()?;
    converse(&mut Loaded::load(path)?, answers)
}

/// Who answers the suite.
pub trait Side {
    /// Its name and version, or why it has none.
    fn name(&mut self) -> Result<String>;

    /// Why it does not have a variant; nothing if it has.
    fn lacks(&mut self, variant: &str) -> Result<Option<String>>;

    /// Computes a batch; gives the reason if it fails.
    fn run(
        &mut self,
        variant: &str,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<Option<String>>;
}

impl Side for Loaded {
    fn name(&mut self) -> Result<String> {
        Loaded::name(self).context("ptx_conformance_name returned nothing")
    }

    fn lacks(&mut self, variant: &str) -> Result<Option<String>> {
        Ok(Loaded::lacks(self, &CString::new(variant)?))
    }

    fn run(
        &mut self,
        variant: &str,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<Option<String>> {
        Ok(Loaded::run(self, &CString::new(variant)?, operands, results))
    }
}

/// Answers what comes on standard input until that ends.
///
/// # Errors
/// If the suite sends what is not of the protocol, or whoever answers cannot.
pub fn converse(side: &mut impl Side, mut answers: impl Write) -> Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line).context("standard input")? == 0 {
            return Ok(());
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ptx-conformance", "1"] => {
                writeln!(answers, "ptx-conformance 1 {}", side.name()?)?;
            }
            ["supports", variant] => match side.lacks(variant)? {
                Some(reason) => writeln!(answers, "no {reason}")?,
                None => writeln!(answers, "yes")?,
            },
            ["run", variant, rows, operands, results] => {
                let rows = rows.parse()?;
                let mut operands = columns(operands, rows)?;
                let mut results = columns(results, rows)?;
                for column in &mut operands {
                    input.read_exact(column.bytes_mut()).context("a batch that ends before its end")?;
                }
                match side.run(variant, &operands, &mut results)? {
                    Some(reason) => writeln!(answers, "failed {reason}")?,
                    None => {
                        writeln!(answers, "results")?;
                        results.iter().try_for_each(|column| answers.write_all(column.bytes()))?;
                    }
                }
            }
            _ => bail!("`{}` is not of the protocol", line.trim()),
        }
        answers.flush()?;
    }
}

/// Columns for a list of widths, like `2,2,4`.
pub fn columns(widths: &str, rows: usize) -> Result<Vec<Column>> {
    let column = |width: &str| Ok(Column::new(width.parse()?, rows));
    widths.split(',').map(column).collect()
}

/// Standard output for the answers alone: what the library prints goes to standard error.
#[cfg(unix)]
pub fn answers() -> Result<impl Write> {
    let ours = rustix::io::dup(rustix::stdio::stdout()).context("standard output")?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr()).context("standard output")?;
    Ok(std::fs::File::from(ours))
}

/// Standard output.
#[cfg(not(unix))]
pub fn answers() -> Result<impl Write> {
    Ok(std::io::stdout().lock())
}

/// Standard input for the questions alone: a library may close its own, or read it.
#[cfg(unix)]
pub fn questions() -> Result<impl Read> {
    let ours = rustix::io::dup(rustix::stdio::stdin()).context("standard input")?;
    let nothing = std::fs::File::open("/dev/null").context("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing).context("standard input")?;
    Ok(std::fs::File::from(ours))
}

/// Standard input.
#[cfg(not(unix))]
pub fn questions() -> Result<impl Read> {
    Ok(std::io::stdin().lock())
}
