//! Executes compiled functions, and gives their results the format of the instruction that they are held to.

use formats::Column;
use isa::{Type, Variant, results_for};
use machines::functions::ExecutionUnit;

use super::trial::{Aim, Trial};
use crate::execute::{NOTHING, execute, execute_unset, in_words};
use crate::unit::{Approximating, Approximation};

/// An executor of functions on columns of operands, with any of the approximations that they are tried with.
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
    /// Executes the function of a trial, and returns its results in the format of the instruction that it is held to;
    /// `due` is what [`FunctionExecutor::expected_result`] gave.
    ///
    /// # Errors
    /// If a lane does what it may not: the fault, in words.
    pub(super) fn result(
        &mut self,
        trial: &Trial,
        operands: &[Column],
        due: Option<&Column>,
    ) -> Result<Column, String> {
        let values = |at: usize, row: usize| operands[at].get(row);
        let (unit, shape) = (self.unit(trial.approximation), (operands.len(), operands[0].rows()));
        let answer = execute(&trial.function, unit, shape, values).map_err(|fault| in_words(&fault))?;
        Ok(as_instruction_results(trial.aim.shape(), &answer.ok_or(NOTHING)?, due))
    }

    /// Executes the function of a trial, whose results may depend on a register that was never set. Then it returns
    /// several columns, one for each of some fillings of such registers, and otherwise a single one.
    ///
    /// # Errors
    /// If a lane does what it may not: the fault, in words.
    pub(super) fn each_result(
        &mut self,
        trial: &Trial,
        operands: &[Column],
        due: Option<&Column>,
    ) -> Result<Vec<Column>, String> {
        let values = |at: usize, row: usize| operands[at].get(row);
        let (unit, shape) = (self.unit(trial.approximation), (operands.len(), operands[0].rows()));
        let answers = execute_unset(&trial.function, unit, shape, values, &mut [])?;
        Ok(answers.iter().map(|answer| as_instruction_results(trial.aim.shape(), answer, due)).collect())
    }

    /// Returns the unit for a kind of approximation.
    fn unit(&mut self, approximation: Approximation) -> &mut dyn ExecutionUnit {
        // `Approximation::ALL` has the kinds in the order of their declaration.
        &mut self.units[approximation as usize]
    }

    /// Returns the emulator's result, which is right, where an instruction is due; `None` where expressions are.
    pub(super) fn expected_result(&mut self, aim: &Aim, operands: &[Column]) -> Option<Column> {
        let Aim::Instruction(variant) = aim else { return None };
        let mut results = results_for(variant, operands[0].rows());
        let unit = self.unit(Approximation::Nearest);
        unit.execute(variant, operands, &mut results).expect("it has every variant");
        Some(results.swap_remove(0))
    }
}

/// Turns what a function returned into results of the instruction that it is held to.
pub(super) fn as_instruction_results(shape: &Variant, answer: &Column, due: Option<&Column>) -> Column {
    let ty = &shape.results()[0].ty;
    let mut results = results_for(shape, answer.rows()).swap_remove(0);
    // A function may return a narrow result in a wider word.
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

/// Replaces each NaN among the results by the NaN that is due there, because no source language says which NaN it is.
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
