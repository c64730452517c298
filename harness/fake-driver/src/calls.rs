//! Runs kernels that call a function on each row: the function is run on whole columns.

use std::collections::HashMap;

use formats::Column;
use isa::Variant;
use machines::functions::{Error, ExecutionUnit, Nearest, Passed, RunnableFunction};
use machines::interpreter::MemoryError;
use ptx::syntax::{Entry, Module};

use crate::memory::Allocations;
use crate::settings::DriverSettings;

/// A number of steps that is enough for one row.
const STEPS: u64 = 1 << 16;

/// The function that a kernel calls.
pub struct Called {
    function: RunnableFunction,
    /// The parameters of the kernel that give the addresses of columns: that of results, and then those of the
    /// function's parameters.
    columns: Vec<String>,
}

impl Called {
    /// Returns the function that a kernel calls; `None` if the kernel is not one that calls a function of its module
    /// and does nothing else.
    ///
    /// # Errors
    /// Everything in the function that cannot be executed.
    pub fn called_by(entry: &Entry, module: &Module) -> Option<Result<Called, Vec<Error>>> {
        // Only what the suite writes for a function, word for word, counts as a call of it.
        let calls = |function: &&ptx::syntax::Function| ptx::caller(function).as_ref() == Some(entry);
        let called = module.functions.iter().find(calls)?;
        let columns = entry.parameters.iter().map(|one| one.name.clone());
        // The last parameter is the number of rows.
        let columns = columns.take(entry.parameters.len() - 1).collect();
        Some(RunnableFunction::of(module, &called.name).map(|function| Called { function, columns }))
    }

    /// Runs the function on all rows.
    ///
    /// # Errors
    /// If the kernel touches memory that it may not.
    pub fn run(
        &self,
        parameters: &HashMap<String, u64>,
        memory: &mut Allocations,
        settings: &DriverSettings,
    ) -> Result<(), MemoryError> {
        let rows = parameters.get("rows").copied().unwrap_or(0) as usize;
        let mut widths = self.function.results().chain(self.function.parameters());
        let mut columns = Vec::new();
        for name in &self.columns {
            let bytes = widths.next().map_or(0, |(_, bytes)| bytes);
            let address = parameters.get(name).copied().unwrap_or(0);
            let held = memory.bytes(address, bytes * rows).ok_or(MemoryError::Address)?;
            let mut column = Column::new(bytes, rows);
            column.bytes_mut().copy_from_slice(held);
            columns.push((address, column));
        }
        let [(address, result), given @ ..] = columns.as_mut_slice() else { return Ok(()) };
        let mut passed: Vec<Passed> = given.iter().map(|(_, column)| Passed::Value(column)).collect();
        let mut units = Units { exact: Nearest::default(), wrong: settings.wrong.as_deref() };
        let ran = self.function.run(&mut units, &mut passed, std::slice::from_mut(result), STEPS);
        ran.map_err(|_| MemoryError::Address)?;
        let to = memory.bytes(*address, result.bytes().len()).ok_or(MemoryError::Address)?;
        to.copy_from_slice(result.bytes());
        Ok(())
    }
}

/// The units of a device, which compute the instructions of the table; the one of the instruction `wrong` is wrong.
pub struct Units<'a> {
    /// The units that compute.
    pub exact: Nearest,
    /// The spelling of the instruction whose unit is wrong.
    pub wrong: Option<&'a str>,
}

impl ExecutionUnit for Units<'_> {
    fn execute(
        &mut self,
        variant: &'static Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<(), String> {
        self.exact.execute(variant, operands, results)?;
        if self.wrong == Some(variant.spelling()) {
            // As in kernels without calls, few operands show the fault: their last five bits have to add up to 21.
            let sum = |row: usize| operands.iter().map(|column| column.get(row) & 31).sum::<u64>();
            let result = &mut results[0];
            let wrong: Vec<usize> = (0..result.rows()).filter(|&row| sum(row) == 21).collect();
            wrong.into_iter().for_each(|row| result.set(row, result.get(row) ^ 1));
        }
        Ok(())
    }
}
