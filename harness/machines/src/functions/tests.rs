//! Tests of functions that are run: texts in the manner of compilers, every variant of the table, and texts that are
//! wrong.

mod blocks;
mod errors;
mod hostile;
mod kernels;
mod memory;
mod open;
mod table;
mod texts;
mod together;

use formats::Column;
use ptx::syntax::Module;

use super::{Error, Nearest, Passed, RunnableFunction};

/// A number of steps that is enough for every text.
const STEPS: u64 = 10_000;

/// Reads the module of a text, and checks that its print reads back as the same module.
fn module(text: &str) -> Module {
    let module: Module = text.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(module.to_string().parse().as_ref(), Ok(&module), "{text}");
    module
}

/// Returns a function of a text, with all that it calls.
fn function(text: &str, name: &str) -> RunnableFunction {
    RunnableFunction::of(&module(text), name).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

/// Returns a column of these rows.
fn column(row_bytes: usize, rows: &[u64]) -> Column {
    let mut column = Column::new(row_bytes, rows.len());
    rows.iter().enumerate().for_each(|(row, &bits)| column.set(row, bits));
    column
}

/// Runs a function with one result of this many bytes, and returns the column of its results.
fn results(function: &RunnableFunction, inputs: &[Column], bytes: usize) -> Result<Column, Box<Error>> {
    let mut passed: Vec<Passed> = inputs.iter().map(Passed::Value).collect();
    let mut results = [Column::new(bytes, inputs[0].rows())];
    function.run(&mut Nearest::default(), &mut passed, &mut results, STEPS)?;
    // Where registers are filled, none shares a column with another.
    let mut apart = [Column::new(bytes, inputs[0].rows())];
    function.run_filled(|_| 0, &mut Nearest::default(), &mut passed, &mut apart, STEPS)?;
    assert_eq!(results, apart);
    let [result] = results;
    Ok(result)
}
