//! Results of the suite's emulator.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use isa::{Variant, columns_for, results_for};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::caught;
use crate::layout::Layout;
use crate::variants::named;
use crate::waiting::interruptibly;

/// The number of rows that are computed at a time, so that columns stay in a processor's cache.
const CHUNK: usize = 1 << 14;

/// The largest size of operands in bytes that are computed at once, which takes less time than to start a thread.
const SMALL: usize = 1 << 16;

/// An array of bytes of Python.
pub type Bytes<'py> = Bound<'py, PyArray1<u8>>;

/// Computes the results of a variant, one array for each output. The elements of an array are little-endian, and as
/// wide as the next power of two of bytes.
#[pyfunction]
pub fn compute<'py>(
    py: Python<'py>,
    name: &str,
    inputs: Vec<PyReadonlyArray1<'py, u8>>,
) -> PyResult<Vec<Bytes<'py>>> {
    let variant = caught(|| named(name))?;
    let inputs = slices(&inputs)?;
    let bytes: usize = inputs.iter().map(|array| array.len()).sum();
    let results = match bytes <= SMALL {
        true => caught(|| results(variant, &inputs, &AtomicBool::new(false)))?,
        false => interruptibly(py, |stop| results(variant, &inputs, stop))?,
    };
    Ok(results.into_iter().map(|bytes| PyArray1::from_vec(py, bytes)).collect())
}

/// Returns the bytes of arrays.
///
/// # Errors
/// If an array is not contiguous.
pub fn slices<'a>(arrays: &'a [PyReadonlyArray1<'_, u8>]) -> PyResult<Vec<&'a [u8]>> {
    let slice = |array: &'a PyReadonlyArray1<'_, u8>| {
        array.as_slice().map_err(|error| PyValueError::new_err(error.to_string()))
    };
    arrays.iter().map(slice).collect()
}

/// Computes the results of a variant, until `stop` is set.
fn results(variant: &'static Variant, inputs: &[&[u8]], stop: &AtomicBool) -> Result<Vec<Vec<u8>>> {
    let layout = Layout::of(variant);
    let rows = Layout::rows(&layout.inputs, inputs, "operand")?;
    let mut arrays: Vec<Vec<u8>> =
        layout.outputs.iter().map(|datum| vec![0; datum.elements(rows) * datum.bytes]).collect();
    let emulator = implementations::named("emulator")?;
    let mut worker = emulator.worker()?;
    let (mut operands, mut results) = (columns_for(variant, 0), results_for(variant, 0));
    for first in (0..rows).step_by(CHUNK) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let chunk = first..rows.min(first + CHUNK);
        layout.fill(inputs, chunk.clone(), &mut operands);
        results.iter_mut().for_each(|column| column.resize(chunk.len()));
        worker.run(variant, &operands, &mut results)?;
        layout.take(&results, chunk, &mut arrays);
    }
    Ok(arrays)
}
