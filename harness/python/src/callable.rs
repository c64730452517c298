//! A function of Python as an implementation.

use std::sync::Mutex;

use anyhow::{Context, Result, anyhow};
use base::locks::lock;
use formats::Column;
use implementations::{Description, Implementation, Support, Worker};
use isa::Variant;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::layout::Layout;

/// An implementation that calls a function of Python, which several threads share by the interpreter's lock.
pub struct Callable {
    function: Py<PyAny>,
    label: String,
    /// The first exception of the function.
    exception: Mutex<Option<PyErr>>,
}

impl Callable {
    /// Creates the implementation; `label` is its name in reports.
    pub fn new(function: Py<PyAny>, label: String) -> Callable {
        Callable { function, label, exception: Mutex::new(None) }
    }

    /// Returns the first exception of the function, and forgets it.
    pub fn exception(&self) -> Option<PyErr> {
        lock(&self.exception).take()
    }

    /// Calls the function for a batch.
    fn call(&self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> PyResult<()> {
        let layout = Layout::of(variant);
        let rows = operands.first().map_or(0, Column::rows);
        let mut arrays: Vec<Vec<u8>> =
            layout.inputs.iter().map(|datum| vec![0; datum.elements(rows) * datum.bytes]).collect();
        layout.take_operands(operands, 0..rows, &mut arrays);
        Python::attach(|py| {
            let arrays: Vec<_> = arrays.into_iter().map(|bytes| PyArray1::from_vec(py, bytes)).collect();
            let answers = self.function.bind(py).call1((variant.text(), arrays))?;
            let answers: Vec<PyReadonlyArray1<u8>> = answers.extract()?;
            let answers = crate::compute::slices(&answers)?;
            let fits = Layout::rows(&layout.outputs, &answers, "result")
                .map_err(crate::errors::as_exception)?;
            if fits != rows {
                return Err(crate::errors::as_exception(anyhow!(
                    "{fits} rows of results for {rows} of operands"
                )));
            }
            layout.fill_results(&answers, 0..rows, results);
            Ok(())
        })
    }
}

impl Implementation for Callable {
    fn describe(&self) -> Description {
        Description { name: self.label.clone(), ..Description::default() }
    }

    fn support(&self, _: &Variant) -> Support {
        Support::Yes
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(Box::new(CallableWorker(self)))
    }
}

/// The worker of [`Callable`].
struct CallableWorker<'a>(&'a Callable);

impl Worker for CallableWorker<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.0
            .call(variant, operands, results)
            .map_err(|exception| {
                let text = exception.to_string();
                lock(&self.0.exception).get_or_insert(exception);
                anyhow!(text)
            })
            .context("the function raised an exception")
    }
}
