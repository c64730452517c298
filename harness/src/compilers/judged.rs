//! What became of a program: compiled, executed, and compared with what it permits.

use ptx::functions::{Fault, Function, Nearest, Passed};
use vectors::Column;

use super::module::{Compiled, Ptx};
use super::program::{Program, Rules, permits, vectors};
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
}

/// What a setting permits.
pub fn rules(setting: Setting) -> Rules {
    Rules { flush: setting.has(Switch::Ftz), contract: setting.has(Switch::Fma) }
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
fn unexecuted(fault: &Fault) -> String {
    if fault.opcode.is_empty() { fault.to_string() } else { fault.opcode.clone() }
}

/// Executes a program that was compiled, on so many vectors.
pub fn judge(program: &Program, setting: Setting, compiled: &Compiled, seed: u64, rows: usize) -> Fate {
    let (ptx, number) = match compiled {
        Compiled::Ptx(ptx, number) => (ptx, number),
        Compiled::Refused(words) => return Fate::Refused(words.clone()),
        Compiled::Died(words) => return Fate::Died(words.clone()),
    };
    let function = match function(ptx, &format!("f{number}")) {
        Ok(function) => function,
        Err(names) => return Fate::Unexecuted(names),
    };
    let operands = vectors(program, seed, rows);
    let rows = operands.first().map_or(1, Vec::len);
    let column = |bytes: usize, values: &[u64]| {
        let mut column = Column::new(bytes, values.len());
        values.iter().enumerate().for_each(|(row, &bits)| column.set(row, bits));
        column
    };
    let bytes = |ty: super::program::Type| ty.format().width() as usize / 8;
    let types = program.parameters().into_iter().zip(&operands);
    let columns: Vec<Column> = types.map(|(ty, values)| column(bytes(ty), values)).collect();
    let mut passed: Vec<Passed> = columns.iter().map(Passed::Value).collect();
    let mut results = [Column::new(bytes(program.result()), rows)];
    if let Err(fault) = function.run(&mut Nearest::default(), &mut passed, &mut results, STEPS) {
        return Fate::Unexecuted(vec![fault.to_string()]);
    }
    let format = program.result().format();
    let (mut judged, mut undecided, mut mismatches, mut first) = (0, 0, 0, None);
    for (row, permitted) in program.permitted(rules(setting), &operands).into_iter().enumerate() {
        let Some(permitted) = permitted else {
            undecided += 1;
            continue;
        };
        judged += 1;
        let result = results[0].get(row);
        if !permits(format, &permitted, result) {
            mismatches += 1;
            let operands = operands.iter().map(|values| values[row]).collect();
            first.get_or_insert((operands, result, permitted));
        }
    }
    match first {
        Some((operands, result, permitted)) => {
            Fate::Wrong(Wrong { operands, result, permitted, mismatches })
        }
        None => Fate::Right { judged, undecided },
    }
}
