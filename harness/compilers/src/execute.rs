//! Executes compiled functions on columns of values.

use formats::Column;
use machines::functions::{Error, ExecutionUnit, Filling, Passed, RunnableFunction};
use machines::interpreter::Problem;

/// The fillings of registers that were never set, tried one after the other: zeros, ones, and bits that differ from
/// register to register and set every second predicate.
const UNSET: [Filling; 3] = [
    |_| 0,
    |_| u64::MAX,
    |number| 0x5555_5555_5555_5555_u64.rotate_left(number as u32) ^ (number as u64) << 8,
];

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
    let mut given = given(function, unit, shape, values, &mut [])?;
    match given.unset {
        Some(error) => Err(error),
        None => Ok(given.results.swap_remove(0)),
    }
}

/// Executes a function whose last parameters are the addresses of the columns `behind`, and returns its results. There
/// are several columns of results if they depend on a register that was never set: one for each filling of such
/// registers.
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
    let given = given(function, unit, shape, values, behind);
    let given = given.map_err(|fault| in_words(&fault))?;
    given.results.into_iter().collect::<Option<_>>().ok_or_else(|| NOTHING.into())
}

/// Returns the words that a fault is counted by: the same whichever lane has it, and wherever in the function.
pub fn in_words(fault: &Error) -> String {
    match fault.opcode.is_empty() {
        true => fault.problem.to_string(),
        false => format!("{}: {}", fault.opcode, fault.problem),
    }
}

/// The results of a function, with what they owe to registers that were never set.
struct FunctionResults {
    /// The function's results: one column or, where something depends on a register that was never set, one for each of
    /// [`UNSET`].
    results: Vec<Option<Column>>,
    /// The fault of the first register that was read and never set, where something depends on it.
    unset: Option<Box<Error>>,
}

/// Executes a function, and again with each filling of [`UNSET`] if it reads a register that was never set.
fn given(
    function: &RunnableFunction,
    unit: &mut dyn ExecutionUnit,
    (count, rows): (usize, usize),
    values: impl Fn(usize, usize) -> u64,
    behind: &mut [Column],
) -> Result<FunctionResults, Box<Error>> {
    // Values are passed and returned as `u64`.
    let mut all = function.parameters().chain(function.results());
    if let Some((name, _)) = all.find(|(_, bytes)| !(1..=VALUE_BYTES).contains(bytes)) {
        return Err(Box::new(Error::whole_function(name, Problem::Passed)));
    }
    let parameters = function.parameters().take(count).enumerate();
    let columns: Vec<Column> = parameters
        .map(|(at, (_, bytes))| {
            let mut column = Column::new(bytes, rows);
            (0..rows).for_each(|row| column.set(row, values(at, row)));
            column
        })
        .collect();
    // A function may write behind its addresses, and each run has to find what the first one found.
    let before = behind.to_vec();
    let mut run = |unset: Option<Filling>, behind: &mut [Column]| -> Result<Vec<Column>, Box<Error>> {
        let behind = behind.iter_mut().map(Passed::Behind);
        let mut passed: Vec<Passed> = columns.iter().map(Passed::Value).chain(behind).collect();
        let mut results: Vec<Column> =
            function.results().map(|(_, bytes)| Column::new(bytes, rows)).collect();
        match unset {
            None => function.run(unit, &mut passed, &mut results, STEPS)?,
            Some(filling) => function.run_filled(filling, unit, &mut passed, &mut results, STEPS)?,
        }
        Ok(results)
    };
    let error = match run(None, behind) {
        Err(error) if matches!(error.problem, Problem::Unset(_)) => error,
        results => {
            return Ok(FunctionResults { results: vec![results?.into_iter().next()], unset: None });
        }
    };
    let mut all = Vec::new();
    for filling in UNSET {
        behind.clone_from_slice(&before);
        all.push((run(Some(filling), behind)?, behind.to_vec()));
    }
    // The columns behind addresses are compared as well, since what is stored there is a result, too.
    let depends = all.iter().any(|other| *other != all[0]);
    all.truncate(if depends { UNSET.len() } else { 1 });
    let results = all.into_iter().map(|(results, _)| results.into_iter().next()).collect();
    Ok(FunctionResults { results, unset: depends.then_some(error) })
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
