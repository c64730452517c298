//! Replays one vector on the function of a cell, as a trial would.

use std::collections::BTreeSet;

use anyhow::ensure;
use formats::Column;

use super::cells::{Compilation, PromiseCell};
use super::function_executor::{FunctionExecutor, as_instruction_results};
use super::standard::Standard;

/// The result of a function for one vector, held to one of the promised instructions.
#[derive(Clone, Debug)]
pub struct ReplayedVector {
    /// The function's result, or what a lane may not do, in words; where approximations give several, the first that is
    /// wrong.
    pub result: Result<u64, String>,
    /// All results that the function may give, where its instructions are approximate.
    pub all: BTreeSet<u64>,
    /// The results that are due.
    pub permitted: Vec<u64>,
    /// Whether the result is wrong.
    pub is_wrong: bool,
}

/// Tries the function of a cell on one vector, once for each instruction of which one is promised. `came` is the result
/// of a device, if one executed the function; without it, the function is executed here. Returns `None` if the cell has
/// no function, and for an expression with approximations that a device executed: what they gave there is unknown.
///
/// # Errors
/// If the row takes another number of operands.
pub fn replay_vector(
    cell: &PromiseCell,
    operands: &[u64],
    came: Option<u64>,
) -> anyhow::Result<Option<Vec<ReplayedVector>>> {
    let unknown = came.is_some() && cell.promise.is_of_approximations();
    if unknown || !matches!(cell.compilation, Compilation::Function(..)) {
        return Ok(None);
    }
    let shape = cell.row.shape();
    let registers = shape.operands();
    ensure!(
        registers.len() == operands.len(),
        "{} takes {} operands, not {}",
        cell.row.name,
        registers.len(),
        operands.len()
    );
    let mut columns = Vec::new();
    for (register, &bits) in registers.iter().zip(operands) {
        let mut column = Column::new(register.ty.row_bytes(), 1);
        column.set(0, bits & register.ty.mask());
        columns.push(column);
    }
    let mut all: Vec<ReplayedVector> = Vec::new();
    for (aim, trials) in cell.aims().into_iter().zip(cell.trials()) {
        let mut of_aim: Vec<(Result<u64, String>, bool, Vec<u64>)> = Vec::new();
        for trial in trials {
            let mut standard = Standard::of(&aim, trial.approximation);
            let mut executor = FunctionExecutor::default();
            let due = executor.expected_result(&aim, &columns);
            let each = match came {
                None => executor.each_result(&trial, &columns, due.as_ref()),
                Some(bits) => {
                    // A device gives a word of 64 bits, whatever the width of the result.
                    let mut answer = Column::new(8, 1);
                    answer.set(0, bits);
                    Ok(vec![as_instruction_results(shape, &answer, due.as_ref())])
                }
            };
            match each {
                Err(fault) => of_aim.push((Err(fault), true, standard.permitted(&columns))),
                Ok(each) => of_aim.extend(each.into_iter().map(|result| {
                    let results = [result];
                    let is_wrong = !standard.wrong(&columns, &results, 1).is_empty();
                    (Ok(results[0].get(0)), is_wrong, standard.permitted(&columns))
                })),
            }
        }
        let of_all = of_aim.iter().filter_map(|(result, ..)| result.clone().ok()).collect();
        let shown = of_aim.iter().position(|(_, is_wrong, _)| *is_wrong).unwrap_or(0);
        ensure!(shown < of_aim.len(), "a trial at least");
        let (result, is_wrong, permitted) = of_aim.swap_remove(shown);
        all.push(ReplayedVector { result, all: of_all, permitted, is_wrong });
    }
    Ok(Some(all))
}
