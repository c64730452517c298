//! Judging results that somebody already has.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};
use formats::{Column, RowBits, column};
use isa::{Variant, columns_for, results_for};
use judge::{Batch, Judge, Truth};
use numpy::PyReadonlyArray1;
use oracle::Oracle;
use pyo3::prelude::*;
use reports::Report;
use runner::Plan;
use selection::VectorList;

use crate::compute::slices;
use crate::errors::caught;
use crate::given::Given;
use crate::layout::Layout;
use crate::run;
use crate::variants::named;
use crate::waiting::interruptibly;

/// The number of rows that are judged at a time.
const CHUNK: usize = 1 << 12;
/// The largest number of wrong rows, and of right ones, that the search for causes is given.
const KEPT: usize = 1 << 15;
/// The name of the vectors in a report.
const LIST: &str = "given";

/// Judges the results of a variant, and returns the report as JSON. `label` is what the report calls the results.
#[pyfunction]
pub fn check<'py>(
    py: Python<'py>,
    name: &str,
    outputs: Vec<PyReadonlyArray1<'py, u8>>,
    inputs: Vec<PyReadonlyArray1<'py, u8>>,
    label: String,
) -> PyResult<String> {
    let variant = caught(|| named(name))?;
    let (outputs, inputs) = (slices(&outputs)?, slices(&inputs)?);
    let report = interruptibly(py, |stop| report(variant, &outputs, &inputs, label, stop))?;
    caught(|| Ok(serde_json::to_string(&report)?))
}

/// Rows for the search for causes: wrong ones from the beginning, and right ones from everywhere.
struct Kept {
    rows: Vec<Vec<RowBits>>,
    results: HashMap<Vec<RowBits>, Vec<RowBits>>,
}

impl Kept {
    /// Keeps a row. Where operands come twice, the first results count, so wrong rows are kept first.
    fn keep(&mut self, operands: &[Column], results: &[Column], row: usize) {
        let registers = column::row_bits(operands, row);
        if !self.results.contains_key(&registers) {
            self.rows.push(registers.clone());
            self.results.insert(registers, column::row_bits(results, row));
        }
    }
}

/// Judges results, and finds out what is behind the wrong ones.
fn report(
    variant: &'static Variant,
    outputs: &[&[u8]],
    inputs: &[&[u8]],
    label: String,
    stop: &AtomicBool,
) -> Result<Report> {
    let layout = Layout::of(variant);
    let rows = Layout::rows(&layout.inputs, inputs, "operand")?;
    let answered = Layout::rows(&layout.outputs, outputs, "result")?;
    if rows != answered {
        bail!("there are {answered} rows of results, and {rows} of operands");
    }
    if rows == 0 {
        bail!("the arrays are empty, so nothing can be said about them");
    }
    let judge = Judge::new(variant);
    let mut oracle = Oracle::new(variant);
    let mut truth = Truth::new(variant);
    let (mut operands, mut results) = (columns_for(variant, 0), results_for(variant, 0));
    let mut wrong = Kept { rows: Vec::new(), results: HashMap::new() };
    let mut right = Kept { rows: Vec::new(), results: HashMap::new() };
    let mut mismatches = 0_u64;
    // Right rows come from the whole range.
    let every = rows.div_ceil(KEPT);
    for first in (0..rows).step_by(CHUNK) {
        if stop.load(Ordering::Relaxed) {
            bail!("interrupted");
        }
        let chunk = first..rows.min(first + CHUNK);
        layout.fill(inputs, chunk.clone(), &mut operands);
        layout.fill_results(outputs, chunk.clone(), &mut results);
        oracle.expect(&operands, &mut truth);
        let verdicts = judge.verdicts(&truth, Batch::new(&operands, &results));
        mismatches += verdicts.len() as u64;
        let mut verdicts = verdicts.iter().map(|(row, _)| *row).peekable();
        for row in 0..chunk.len() {
            if verdicts.next_if_eq(&row).is_some() {
                if wrong.rows.len() < KEPT {
                    wrong.keep(&operands, &results, row);
                }
            } else if (first + row) % every == 0 {
                right.keep(&operands, &results, row);
            }
        }
    }
    let kept = wrong.rows.len() + right.rows.len();
    let mut given = wrong.rows;
    given.extend(right.rows);
    let mut results = right.results;
    results.extend(wrong.results);
    let implementation = Given { name: label, variant, results };
    let plan = Plan::of_given(vec![VectorList { variant, rows: given, name: LIST }], &implementation);
    let mut report = run::carry_out(&plan, &implementation, 1, stop)?;
    if kept != rows {
        report.reduced.push(format!(
            "All {rows} rows were judged, and {mismatches} of them are wrong. The counts and the causes are those of {kept} rows."
        ));
    }
    Ok(report)
}
