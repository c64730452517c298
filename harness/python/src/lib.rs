//! The native part of the Python package `ptx_conformance`: arrays of bytes in and out, for the suite's emulator, judge
//! and runner. Types of elements, shapes and broadcasting are the business of the Python part.

mod callable;
mod check;
mod compute;
mod errors;
mod given;
mod layout;
mod matrix;
mod program;
mod run;
mod variants;
mod vectors;
mod waiting;

use pyo3::prelude::*;

/// The native module. Its functions are wrapped by the package, and are not meant to be called by others.
#[pymodule]
#[pyo3(name = "_native")]
fn native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    base::bug::watch();
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(variants::names, module)?)?;
    module.add_function(wrap_pyfunction!(variants::describe, module)?)?;
    module.add_function(wrap_pyfunction!(compute::compute, module)?)?;
    module.add_function(wrap_pyfunction!(matrix::matrix, module)?)?;
    module.add_function(wrap_pyfunction!(matrix::matrix_product, module)?)?;
    module.add_function(wrap_pyfunction!(check::check, module)?)?;
    module.add_function(wrap_pyfunction!(run::run, module)?)?;
    module.add_function(wrap_pyfunction!(vectors::sweep_lengths, module)?)?;
    module.add_function(wrap_pyfunction!(vectors::vectors, module)?)?;
    module.add_function(wrap_pyfunction!(program::explanation, module)?)?;
    module.add_function(wrap_pyfunction!(program::summary, module)?)?;
    module.add_function(wrap_pyfunction!(program::sealed, module)?)?;
    module.add_function(wrap_pyfunction!(program::page, module)?)?;
    module.add_function(wrap_pyfunction!(program::main, module)?)?;
    Ok(())
}
