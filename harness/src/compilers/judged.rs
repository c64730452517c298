//! What became of a program: compiled, executed, and compared with what it permits.

use ptx::functions::{Error, Function, Nearest, Passed};
use vectors::Column;

use super::module::{Compiled, Ptx};
use super::program::{Defects, Program, Rules, permits, vectors};
use super::setting::{Setting, Switch};

/// Steps of one lane that are enough for a program.
const STEPS: u64 = 1 << 16;

/// What became of a program for one target and setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// All results are permitted, of so many vectors; of some others there were too many to say.
    Right {
        /// Vectors that were judged.
        judged: usize,
        /// Vectors of which too much is permitted to be told.
        undecided: usize,
    },
    /// A result is not permitted.
    Wrong(Wrong),
    /// The compiler does not take it, in its words.
    Refused(String),
    /// The compiler died of it.
    Died(String),
    /// What there is in it that the interpreter does not execute.
    Unexecuted(Vec<String>),
}

/// The first vector with a result that is not permitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The values of the parameters.
    pub operands: Vec<u64>,
    /// The result.
    pub result: u64,
    /// What is permitted.
    pub permitted: Vec<u64>,
    /// How many of the vectors have such a result.
    pub mismatches: usize,
    /// What explains all of the results, if anything.
    pub defects: Option<Defects>,
}

/// What a setting permits.
pub fn rules(setting: Setting) -> Rules {
    Rules { flush: setting.has(Switch::Ftz), contract: setting.has(Switch::Fma), defects: Defects::NONE }
}

/// A function of a compiler's PTX, or what there is in it that is not executed.
///
/// # Errors
/// Each name of what is not executed, once.
pub fn function(ptx: &Ptx, name: &str) -> Result<Function, Vec<String>> {
    let module = ptx.tree.as_ref().map_err(|error| vec![error.to_string()])?;
    Function::of(module, name).map_err(|faults| {
        let mut names: Vec<String> = faults.iter().map(unexecuted).collect();
        names.sort_unstable();
        names.dedup();
        names
    })
}

/// What a fault is counted by.
fn unexecuted(fault: &Error) -> String {
    if fault.opcode.is_empty() { fault.problem.to_string() } else { fault.opcode.clone() }
}

/// Executes a program that was compiled, on so many vectors.
pub fn judge(program: &Program, setting: Setting, compiled: &Compiled, seed: u64, rows: usize) -> Fate {
    let (ptx, name) = match compiled {
        Compiled::Ptx(ptx, name) => (ptx, name),
        Compiled::Refused(words) => return Fate::Refused(words.clone()),
        Compiled::Died(words) => return Fate::Died(words.clone()),
    };
    let function = match function(ptx, name) {
        Ok(function) => function,
        Err(names) => return Fate::Unexecuted(names),
    };
    let operands = vectors(program, seed, rows);
    match results(&function, program, &operands) {
        Ok(results) => compared(program, rules(setting), &operands, &results),
        Err(what) => Fate::Unexecuted(vec![what]),
    }
}

/// The results of rows, or what kept them from being computed.
fn results(function: &Function, program: &Program, operands: &[Vec<u64>]) -> Result<Vec<u64>, String> {
    let rows = operands.first().map_or(1, Vec::len);
    // What is narrower than 32 bits may be passed in as many.
    let bytes: Vec<usize> = function.parameters().map(|(_, bytes)| bytes).collect();
    let columns: Vec<Column> = operands
        .iter()
        .zip(&bytes)
        .map(|(values, &bytes)| {
            let mut column = Column::new(bytes, rows);
            values.iter().enumerate().for_each(|(row, &bits)| column.set(row, bits));
            column
        })
        .collect();
    let mut passed: Vec<Passed> = columns.iter().map(Passed::Value).collect();
    let mut results: Vec<Column> =
        function.results().map(|(_, bytes)| Column::new(bytes, rows)).collect();
    function
        .run(&mut Nearest::default(), &mut passed, &mut results, STEPS)
        .map_err(|fault| format!("{}: {}", fault.opcode, fault.problem))?;
    let result = results.first().ok_or("it returns nothing")?;
    let mask = program.result().format().mask();
    Ok((0..rows).map(|row| result.get(row) & mask).collect())
}

/// The results of rows beside those that are permitted.
fn compared(program: &Program, rules: Rules, operands: &[Vec<u64>], results: &[u64]) -> Fate {
    let format = program.result().format();
    let (mut judged, mut undecided, mut mismatches, mut first) = (0, 0, 0, None);
    for (row, permitted) in program.permitted(rules, operands).into_iter().enumerate() {
        let Some(permitted) = permitted else {
            undecided += 1;
            continue;
        };
        judged += 1;
        let result = results[row];
        if !permits(format, &permitted, result) {
            mismatches += 1;
            let operands = operands.iter().map(|values| values[row]).collect();
            first.get_or_insert((operands, result, permitted));
        }
    }
    let Some((first, result, permitted)) = first else { return Fate::Right { judged, undecided } };
    let explains = |defects: &Defects| {
        let permitted = program.permitted(Rules { defects: *defects, ..rules }, operands);
        let mut rows = permitted.iter().zip(results);
        rows.all(|(permitted, &result)| permitted.as_ref().is_none_or(|of| permits(format, of, result)))
    };
    let defects = Defects::all().into_iter().find(explains);
    Fate::Wrong(Wrong { operands: first, result, permitted, mismatches, defects })
}
