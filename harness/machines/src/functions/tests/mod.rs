//! Functions that are run: texts in the manner of compilers, every variant of the table, and texts that
//! are wrong.

mod errors;
mod hostile;
mod table;
mod texts;

use formats::Column;
use ptx::syntax::Module;

use super::{Error, Function, Nearest, Passed};

/// Steps that are enough for every text.
const STEPS: u64 = 10_000;

/// The module of a text, which is read again from what it prints.
fn module(text: &str) -> Module {
    let module: Module = text.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(module.to_string().parse().as_ref(), Ok(&module), "{text}");
    module
}

fn function(text: &str, name: &str) -> Function {
    Function::of(&module(text), name).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

/// A column of these rows.
fn column(row_bytes: usize, rows: &[u64]) -> Column {
    let mut column = Column::new(row_bytes, rows.len());
    rows.iter().enumerate().for_each(|(row, &bits)| column.set(row, bits));
    column
}

/// The results of a function that gives one of this many bytes.
fn results(function: &Function, inputs: &[Column], bytes: usize) -> Result<Column, Box<Error>> {
    let mut passed: Vec<Passed> = inputs.iter().map(Passed::Value).collect();
    let mut results = [Column::new(bytes, inputs[0].rows())];
    function.run(&mut Nearest::default(), &mut passed, &mut results, STEPS)?;
    // Then no register shares a column with another.
    let mut apart = [Column::new(bytes, inputs[0].rows())];
    function.run_filled(|_| 0, &mut Nearest::default(), &mut passed, &mut apart, STEPS)?;
    assert_eq!(results, apart);
    let [result] = results;
    Ok(result)
}
