//! Executes functions that were compiled, and gives their results the form of what they are held to.

use formats::Column;
use isa::{Type, Variant, results_for};
use machines::functions::Unit;

use super::trial::{Aim, Trial};
use crate::execute::{NOTHING, execute, execute_unset, in_words};
use crate::unit::{Approximating, Approximation};

/// Executes functions on columns of operands, with whichever approximations they are tried.
pub(super) struct FunctionExecutor {
    /// A unit for each of [`Approximation::ALL`].
    units: [Approximating; 3],
}

impl Default for FunctionExecutor {
    fn default() -> FunctionExecutor {
        FunctionExecutor { units: Approximation::ALL.map(Approximating::new) }
    }
}

impl FunctionExecutor {
    /// The results of a function, in the format of what it is held to; `due` is of [`FunctionExecutor::due`].
    ///
    /// # Errors
    /// What a lane may not do, in words.
    pub(super) fn result(
        &mut self,
        trial: &Trial,
        operands: &[Column],
        due: Option<&Column>,
    ) -> Result<Column, String> {
        let values = |at: usize, row: usize| operands[at].get(row);
        let (unit, shape) = (self.unit(trial.approximation), (operands.len(), operands[0].rows()));
        let answer = execute(&trial.function, unit, shape, values).map_err(|fault| in_words(&fault))?;
        Ok(taken(trial.aim.shape(), &answer.ok_or(NOTHING)?, due))
    }

    /// The results of a function that may depend on a register that was never set: then there are several, one for
    /// each of some bits in it.
    ///
    /// # Errors
    /// What a lane may not do, in words.
    pub(super) fn each_result(
        &mut self,
        trial: &Trial,
        operands: &[Column],
        due: Option<&Column>,
    ) -> Result<Vec<Column>, String> {
        let values = |at: usize, row: usize| operands[at].get(row);
        let (unit, shape) = (self.unit(trial.approximation), (operands.len(), operands[0].rows()));
        let answers = execute_unset(&trial.function, unit, shape, values, &mut [])?;
        Ok(answers.iter().map(|answer| taken(trial.aim.shape(), answer, due)).collect())
    }

    fn unit(&mut self, approximation: Approximation) -> &mut dyn Unit {
        &mut self.units[approximation as usize]
    }

    /// The emulator's result, which is right, where an instruction is due.
    pub(super) fn due(&mut self, aim: &Aim, operands: &[Column]) -> Option<Column> {
        let Aim::Instruction(variant) = aim else { return None };
        let mut results = results_for(variant, operands[0].rows());
        let unit = self.unit(Approximation::Nearest);
        unit.execute(variant, operands, &mut results).expect("it has every variant");
        Some(results.swap_remove(0))
    }
}

/// Makes what a function returned results of the instruction that it is held to.
pub(super) fn taken(shape: &Variant, answer: &Column, due: Option<&Column>) -> Column {
    let ty = &shape.results()[0].ty;
    let mut results = results_for(shape, answer.rows()).swap_remove(0);
    let mask = u64::MAX >> (64 - ty.width());
    for row in 0..results.rows() {
        results.set(row, answer.get(row) & mask);
    }
    // An expression specifies no NaN payload: its NaNs become the canonical one.
    if !ty.format.is_fixed() {
        same_nan(ty, due, &mut results);
    }
    results
}

/// Which NaN a NaN is, no source language says: it becomes the one that is due there.
fn same_nan(ty: &Type, due: Option<&Column>, results: &mut Column) {
    let Some(canonical) = ty.format.nan() else { return };
    for row in 0..results.rows() {
        let came = results.get(row);
        let mut new = came;
        for lane in 0..ty.lanes {
            if !ty.format.is_nan(ty.lane(came, lane)) {
                continue;
            }
            let nan = due.map_or(canonical, |due| ty.lane(due.get(row), lane));
            if ty.format.is_nan(nan) {
                new = new & !ty.place(ty.format.mask(), lane) | ty.place(nan, lane);
            }
        }
        if new != came {
            results.set(row, new);
        }
    }
}
