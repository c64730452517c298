//! Errors and panics of the suite as exceptions of Python.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::{PyErr, PyResult};

/// Does some work, and turns its error into `ValueError`. A panic becomes an error that says where, and never an
/// exception that `except Exception` lets pass.
pub fn caught<T>(work: impl FnOnce() -> anyhow::Result<T>) -> PyResult<T> {
    base::bug::catch_panic(work).map_err(as_exception)
}

/// Turns an error of the suite into an exception. An exception of Python that the error was made of comes out again as
/// it was.
pub fn as_exception(error: anyhow::Error) -> PyErr {
    let text = format!("{error:#}");
    match error.downcast::<PyErr>() {
        Ok(exception) => exception,
        Err(_) if text.starts_with("this is a bug") => PyRuntimeError::new_err(text),
        Err(_) => PyValueError::new_err(text),
    }
}
