//! What functions compute, as compilers write them: `sinf`, or one line of a source file. All rows of a
//! batch are run at once, each in a lane of its own; lanes are independent of each other.
//!
//! Each lane has a step that it executes next. Those with the smallest are executed together, so that
//! lanes that branched apart meet again where their ways do. What the instruction table has is computed
//! by a [`Unit`], a column at a time; the instructions of integers are those of
//! [`crate::interpreter`], too; the rest moves bits.

mod code;
mod computed;
mod lanes;
mod memory;
mod registers;
mod run;
mod slots;
mod tables;
#[cfg(test)]
mod tests;
mod unit;

use std::fmt;

use formats::Column;
use isa::Variant;
use ptx::syntax::Module;

use crate::lowering::Action;
use crate::problem::Problem;
use code::Code;
use tables::Tables;

pub use unit::{Nearest, Unit};

/// A function of a module, and all that it calls, ready to be run.
#[derive(Debug)]
pub struct Function {
    /// What is called, itself first.
    code: Vec<Code>,
    tables: Tables,
}

/// What a parameter is, with a row for each lane.
#[derive(Debug)]
pub enum Passed<'a> {
    /// The bytes of the parameter.
    Value(&'a Column),
    /// What the parameter, an address, points to. It may be written.
    Behind(&'a mut Column),
}

/// What cannot be executed, or came to no end, and where that stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The name of the function.
    pub function: String,
    /// Which of its instructions, counted from 1; 0 if it is the whole.
    pub instruction: usize,
    /// How that is spelled, without operands: what errors are counted by.
    pub opcode: String,
    /// The instruction.
    pub text: String,
    /// The row it was found in, if it is not wrong in all.
    pub lane: Option<usize>,
    /// What is wrong.
    pub problem: Problem,
}

/// What a register holds that is not set, by its number in the function.
pub type Filling = fn(usize) -> u64;

/// What a lane may do.
#[derive(Clone, Copy)]
struct Limits {
    /// How many steps it may take.
    steps: u64,
    /// What registers hold that are not set, if they may be read.
    unset: Option<Filling>,
}

impl Function {
    /// The function of a name.
    ///
    /// # Errors
    /// Everything in it, or in what it calls, that cannot be executed.
    pub fn of(module: &Module, name: &str) -> Result<Function, Vec<Error>> {
        let tables = Tables::of(&module.variables);
        let mut loading = code::Loading::new(module, &tables);
        if loading.number(name).is_none() {
            return Err(vec![Error::whole(name, Problem::NoFunction(name.to_owned()))]);
        }
        let code = loading.all()?;
        Ok(Function { code, tables })
    }

    /// The name and the bytes of each parameter.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, usize)> {
        self.code.first().into_iter().flat_map(Code::parameters)
    }

    /// The name and the bytes of each result.
    pub fn results(&self) -> impl Iterator<Item = (&str, usize)> {
        self.code.first().into_iter().flat_map(Code::results)
    }

    /// The instructions of the table in it, and in what it calls.
    pub fn variants(&self) -> impl Iterator<Item = &'static Variant> + '_ {
        let steps = self.code.iter().flat_map(|code| &code.steps);
        steps.filter_map(|step| match step.action {
            Action::Tested(variant) => Some(variant),
            _ => None,
        })
    }

    /// Runs all rows: of each parameter and of each result there is a column, in order, with rows of its
    /// bytes. No lane takes more than `steps` steps.
    ///
    /// # Errors
    /// If a column does not fit, and at what a lane may not do. Columns that may be written are then
    /// in no order.
    pub fn run(
        &self,
        unit: &mut dyn Unit,
        passed: &mut [Passed],
        results: &mut [Column],
        steps: u64,
    ) -> Result<(), Box<Error>> {
        run::run(self, unit, passed, results, Limits { steps, unset: None })
    }

    /// The same where registers hold these bits, as many as fit, until they are set: to read one then is no error.
    /// PTX does not say what they hold, so what depends on it has no meaning.
    ///
    /// # Errors
    /// As [`Function::run`].
    pub fn run_filled(
        &self,
        unset: Filling,
        unit: &mut dyn Unit,
        passed: &mut [Passed],
        results: &mut [Column],
        steps: u64,
    ) -> Result<(), Box<Error>> {
        run::run(self, unit, passed, results, Limits { steps, unset: Some(unset) })
    }
}

impl Error {
    /// What is wrong with a function, and none of its instructions.
    pub fn whole(function: &str, problem: Problem) -> Error {
        Error {
            function: function.to_owned(),
            instruction: 0,
            opcode: String::new(),
            text: String::new(),
            lane: None,
            problem,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.function)?;
        if self.instruction > 0 {
            write!(f, ", instruction {}, `{}`", self.instruction, self.text)?;
        }
        if let Some(lane) = self.lane {
            write!(f, ", row {lane}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for Error {}
