//! Runs a function that reads registers which were never set: compilers write such code where nothing depends on them,
//! and join the sign of one number to the magnitude of none.

use formats::Column;

use super::{Error, ExecutionUnit, Filling, Limits, NEVER_STORED, Passed, RunnableFunction, run};

/// The fillings of registers that were never set, tried one after the other: zeros, ones, and bits that differ from
/// register to register and set every second predicate.
const FILLINGS: [Filling; 3] = [
    |_| 0,
    |_| u64::MAX,
    |number| 0x5555_5555_5555_5555_u64.rotate_left(number as u32) ^ (number as u64) << 8,
];

/// An argument for a parameter, with a row for each lane, which several runs are given.
#[derive(Clone, Debug)]
pub enum Argument {
    /// The bytes of the parameter.
    Value(Column),
    /// The bytes that the parameter, an address, points to. Each run finds these, and writes to a copy.
    Behind(Column),
}

/// The columns that a run gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The results of the function.
    pub results: Vec<Column>,
    /// The bytes behind each [`Argument::Behind`], in order.
    pub behind: Vec<Column>,
}

/// The outcome of a function, with what it owes to registers that were never set.
#[derive(Debug)]
pub struct Settled {
    /// The columns that the function gave: several if something depends on a register that was never set, one for each
    /// filling of such registers.
    pub each: Vec<Given>,
    /// The fault of the first register that was read and never set, where something depends on it.
    pub unset: Option<Box<Error>>,
    /// The fault of the first register that was read and never set, whether something depends on it or not.
    pub read: Option<Box<Error>>,
}

impl RunnableFunction {
    /// Runs all rows as [`RunnableFunction::run`] does, and once more with each of several fillings if the function
    /// reads a register that was never set.
    ///
    /// # Errors
    /// As [`RunnableFunction::run`], but not at a register that was never set.
    pub fn run_settled(
        &self,
        unit: &mut dyn ExecutionUnit,
        rows: usize,
        arguments: &[Argument],
        steps: u64,
    ) -> Result<Settled, Box<Error>> {
        self.run_settled_over(NEVER_STORED, unit, rows, arguments, steps)
    }

    /// Runs all rows as [`RunnableFunction::run_settled`] does, but results and variables that are never stored have
    /// bytes of `never_stored`.
    ///
    /// # Errors
    /// As [`RunnableFunction::run_settled`].
    pub fn run_settled_over(
        &self,
        never_stored: u8,
        unit: &mut dyn ExecutionUnit,
        rows: usize,
        arguments: &[Argument],
        steps: u64,
    ) -> Result<Settled, Box<Error>> {
        let mut run = |unset: Option<Filling>| {
            let limits = Limits { unset, never_stored, ..Limits::of(steps) };
            self.run_arguments(unit, rows, arguments, limits)
        };
        let error = match run(None) {
            Err(error) if error.problem.is_unset() => error,
            given => return Ok(Settled { each: vec![given?], unset: None, read: None }),
        };
        let mut each =
            FILLINGS.into_iter().map(|filling| run(Some(filling))).collect::<Result<Vec<_>, _>>()?;
        // What is stored behind addresses is a result, too.
        let depends = each.iter().any(|other| Some(other) != each.first());
        each.truncate(if depends { FILLINGS.len() } else { 1 });
        let unset = depends.then(|| error.clone());
        Ok(Settled { each, unset, read: Some(error) })
    }

    /// Runs all rows once, on copies of the bytes behind addresses.
    pub(super) fn run_arguments(
        &self,
        unit: &mut dyn ExecutionUnit,
        rows: usize,
        arguments: &[Argument],
        limits: Limits,
    ) -> Result<Given, Box<Error>> {
        let mut behind: Vec<Column> = arguments.iter().filter_map(Argument::behind).collect();
        let mut written = behind.iter_mut();
        let passed = arguments.iter().filter_map(|argument| match argument {
            Argument::Value(column) => Some(Passed::Value(column)),
            // There is a column for each of these arguments.
            Argument::Behind(_) => written.next().map(Passed::Behind),
        });
        let mut passed: Vec<Passed> = passed.collect();
        let mut results: Vec<Column> =
            self.results().map(|(_, bytes)| Column::new(bytes, rows)).collect();
        run::run(self, unit, &mut passed, &mut results, limits)?;
        Ok(Given { results, behind })
    }
}

impl Argument {
    /// Returns a copy of the bytes that the argument points to, if it is an address.
    fn behind(&self) -> Option<Column> {
        match self {
            Argument::Value(_) => None,
            Argument::Behind(column) => Some(column.clone()),
        }
    }
}
