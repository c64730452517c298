//! Functions on columns of values.

use ptx::functions::{Error, Function, Passed, Unit};
use vectors::Column;

/// Steps of one lane that are enough for a row or a program.
const STEPS: u64 = 1 << 16;

/// What a function gives of so many rows; `values` has that of a row of each of its first `count` parameters. `None`
/// if it returns nothing. Parameters and results have the widths that the compiler gave them: what is narrower than
/// 32 bits may be passed in as many.
///
/// # Errors
/// At what a lane may not do, and if there are other parameters.
pub fn execute(
    function: &Function,
    unit: &mut dyn Unit,
    shape: (usize, usize),
    values: impl Fn(usize, usize) -> u64,
) -> Result<Option<Column>, Box<Error>> {
    execute_beside(function, unit, shape, values, &mut [])
}

/// The same of a function whose last parameters are addresses, behind which there are these columns.
///
/// # Errors
/// As [`execute`].
pub fn execute_beside(
    function: &Function,
    unit: &mut dyn Unit,
    (count, rows): (usize, usize),
    values: impl Fn(usize, usize) -> u64,
    behind: &mut [Column],
) -> Result<Option<Column>, Box<Error>> {
    let parameters = function.parameters().take(count).enumerate();
    let columns: Vec<Column> = parameters
        .map(|(at, (_, bytes))| {
            let mut column = Column::new(bytes, rows);
            (0..rows).for_each(|row| column.set(row, values(at, row)));
            column
        })
        .collect();
    let behind = behind.iter_mut().map(Passed::Behind);
    let mut passed: Vec<Passed> = columns.iter().map(Passed::Value).chain(behind).collect();
    let mut results: Vec<Column> =
        function.results().map(|(_, bytes)| Column::new(bytes, rows)).collect();
    function.run(unit, &mut passed, &mut results, STEPS)?;
    Ok(results.into_iter().next())
}
