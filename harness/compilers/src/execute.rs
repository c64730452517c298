//! Executes compiled functions on columns of values.

use formats::Column;
use machines::functions::{Argument, Error, ExecutionUnit, RunnableFunction, Settled};
use machines::interpreter::Problem;

/// The largest number of bytes in a value of a row.
const VALUE_BYTES: usize = 8;

/// The words for a function that returns nothing, which is a fault as well.
pub const NOTHING: &str = "it returns nothing";

/// The number of steps of one lane that are enough for a row or a program.
const STEPS: u64 = 1 << 16;

/// Executes a function, and returns a column of its results; `None` if it returns nothing. `shape` has the number of
/// first parameters that `values` sets, and the number of rows; `values` gives the value of one of these parameters in
/// a row. Parameters and results have the widths that the compiler gave them: a value narrower than 32 bits may be
/// passed in 32.
///
/// A register that was never set may be read where nothing depends on it, as compilers write it: they join the sign of
/// one number to the magnitude of none.
///
/// # Errors
/// If a lane does what it may not, if a result depends on a register that was never set, or if the function has other
/// parameters than those that are passed.
pub fn execute(
    function: &RunnableFunction,
    unit: &mut dyn ExecutionUnit,
    shape: (usize, usize),
    values: impl Fn(usize, usize) -> u64,
) -> Result<Option<Column>, Box<Error>> {
    let mut settled = settled(function, unit, shape, values, &mut [])?;
    match settled.unset.take() {
        Some(error) => Err(error),
        None => Ok(first_results(settled).swap_remove(0)),
    }
}

/// Executes a function whose last parameters are the addresses of the columns `behind`, and returns its results. There
/// are several columns of results if they depend on a register that was never set, see [`Settled::each`].
///
/// # Errors
/// As [`execute`], in words, except that a result may depend on a register that was never set; and [`NOTHING`].
pub fn execute_unset(
    function: &RunnableFunction,
    unit: &mut dyn ExecutionUnit,
    shape: (usize, usize),
    values: impl Fn(usize, usize) -> u64,
    behind: &mut [Column],
) -> Result<Vec<Column>, String> {
    let settled = settled(function, unit, shape, values, behind);
    let settled = settled.map_err(|fault| in_words(&fault))?;
    first_results(settled).into_iter().collect::<Option<_>>().ok_or_else(|| NOTHING.into())
}

/// Returns the words that a fault is counted by: the same whichever lane has it, and wherever in the function.
pub fn in_words(fault: &Error) -> String {
    match fault.opcode.is_empty() {
        true => fault.problem.to_string(),
        false => format!("{}: {}", fault.opcode, fault.problem),
    }
}

/// Runs a function on its first parameters' values, and on the addresses of the columns `behind`, where what is stored
/// then stands.
fn settled(
    function: &RunnableFunction,
    unit: &mut dyn ExecutionUnit,
    (count, rows): (usize, usize),
    values: impl Fn(usize, usize) -> u64,
    behind: &mut [Column],
) -> Result<Settled, Box<Error>> {
    // Values are passed and returned as `u64`.
    let mut all = function.parameters().chain(function.results());
    if let Some((name, _)) = all.find(|(_, bytes)| !(1..=VALUE_BYTES).contains(bytes)) {
        return Err(Box::new(Error::whole_function(name, Problem::Passed)));
    }
    let parameters = function.parameters().take(count).enumerate();
    let columns = parameters.map(|(at, (_, bytes))| {
        let mut column = Column::new(bytes, rows);
        (0..rows).for_each(|row| column.set(row, values(at, row)));
        Argument::Value(column)
    });
    let addresses = behind.iter().map(|column| Argument::Behind(column.clone()));
    let arguments: Vec<Argument> = columns.chain(addresses).collect();
    let settled = function.run_settled(unit, rows, &arguments, STEPS)?;
    if let Some(last) = settled.each.last() {
        behind.clone_from_slice(&last.behind);
    }
    Ok(settled)
}

/// Returns the first result of each run; `None` where the function returns nothing.
fn first_results(settled: Settled) -> Vec<Option<Column>> {
    settled.each.into_iter().map(|given| given.results.into_iter().next()).collect()
}

#[cfg(test)]
mod tests {
    use machines::functions::Nearest;

    use super::*;
    use crate::module::Ptx;
    use crate::program_verdict::function;

    /// LLVM reads a register that was never set in a remainder of which only the sign is asked for.
    #[test]
    fn what_is_not_set_may_be_read_where_nothing_depends_on_it() {
        let of = |body: &str| {
            let text = format!(
                ".version 8.0\n.target sm_80\n.address_size 64\n.visible .func (.param .b64 r) f(\n\t.param \
                 .b64 a\n)\n{{\n\t.reg .b64 %rd<9>;\n\tld.param.b64 %rd1, [a];\n\t{body}\n\t\
                 st.param.b64 [r], %rd4;\n\tret;\n}}\n"
            );
            let function = function(&Ptx { tree: text.parse(), text }, "f").unwrap();
            execute(&function, &mut Nearest::default(), (1, 1), |_, _| 0xc000_0000_0000_0000)
        };
        let signs = "copysign.f64 %rd3, %rd1, %rd2;";
        let of_sign = of(&format!("{signs} copysign.f64 %rd4, %rd3, 0d3FF0000000000000;"));
        assert_eq!(of_sign.unwrap().unwrap().get(0), 0xbff0_0000_0000_0000);
        let of_magnitude = of(&format!("{signs} mov.b64 %rd4, %rd3;")).unwrap_err();
        assert_eq!(of_magnitude.problem, Problem::Unset("%rd2".into()));
    }
}
