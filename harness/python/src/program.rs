//! What the program prints, and the program itself.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use pyo3::prelude::*;
use reports::{Report, Style};

use crate::errors::caught;

/// Explains a vector step by step. Operands are written as on the command line: bits such as `0x3c00`, or numbers such
/// as `=1.5`.
#[pyfunction]
pub fn explanation(name: &str, operands: Vec<String>) -> PyResult<String> {
    caught(|| {
        let (page, notes) = explain::page(name, &operands)?;
        let notes: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
        Ok(notes + &page)
    })
}

/// Returns what the program prints about a report.
#[pyfunction]
pub fn summary(json: &str, columns: usize) -> PyResult<String> {
    caught(|| {
        let style = Style { columns: Some(columns), ..Style::default() };
        Ok(reports::summary(&report(json)?, &style))
    })
}

/// Returns a report with its checksum.
#[pyfunction]
pub fn sealed(json: &str) -> PyResult<String> {
    caught(|| Ok(serde_json::to_string(&reports::sealed(report(json)?))?))
}

/// Returns the page of a report.
#[pyfunction]
pub fn page(json: &str) -> PyResult<String> {
    caught(|| {
        let explained = |variant: &str, example: &reports::Example| {
            let bits: Vec<String> =
                example.operands.iter().map(|operand| operand.bits.clone()).collect();
            explain::asked(variant, &bits)
        };
        Ok(reports::html::page(&report(json)?, &Style::default(), &explained))
    })
}

/// Reads a report that this module has made.
fn report(json: &str) -> anyhow::Result<Report> {
    Ok(serde_json::from_str(json)?)
}

/// Carries out a command line of the program, and returns its exit code. `script` is the file that starts this program:
/// the program starts it again to supervise what it tests.
#[pyfunction]
pub fn main(py: Python<'_>, words: Vec<OsString>, script: Option<PathBuf>) -> u8 {
    let code = py.detach(|| cli::run_by(words, script));
    // An exit code does not say its number.
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(2)
}
