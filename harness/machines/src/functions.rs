//! Executes functions as compilers write them: `sinf`, or one line of a source file. All rows of a batch are run at
//! once, each in a lane of its own; lanes are independent of each other.
//!
//! Each lane has a step that it executes next. Lanes with the smallest step are executed together, so that lanes that
//! branched apart meet again where their ways do. Instructions of the table are computed by a [`ExecutionUnit`], a
//! column at a time; the instructions of integers are those of [`crate::interpreter`], too; the rest moves bits.

mod atomics;
mod code;
mod computed;
mod coverage;
mod lanes;
mod launch;
mod memory;
mod registers;
mod run;
mod settled;
mod shared;
mod slots;
mod steps;
mod tables;
#[cfg(test)]
mod tests;
mod touched;
mod trace;
mod unit;
mod waiting;
mod warps;

use std::fmt;

use formats::Column;
use isa::Variant;
use ptx::syntax::{Function, Linkage, Module, Space, Special};

use crate::lowering::{Action, Address, Source, Step};
use crate::problem::Problem;
use code::{Code, RowThreads};
use shared::SharedLayout;
use tables::Tables;
use touched::TouchedRecord;
use trace::TraceRecord;

pub use coverage::{Unreached, UnreachedWay};
pub use launch::{Grid, Launch, MOST_BLOCKS, MOST_THREADS};
pub use settled::{Argument, Given, Settled};
pub use touched::Touched;
pub use trace::TracedInstruction;
pub use unit::{ExecutionUnit, Nearest};

/// A function of a module, and all that it calls, ready to be run.
#[derive(Debug)]
pub struct RunnableFunction {
    /// The code of the function, and behind it that of all functions that it calls.
    code: Vec<Code>,
    tables: Tables,
    /// The threads of a row, if all are executed.
    grid: Option<Grid>,
    shared: SharedLayout,
}

/// An argument for a parameter, with a row for each lane.
#[derive(Debug)]
pub enum Passed<'a> {
    /// The bytes of the parameter.
    Value(&'a Column),
    /// The bytes that the parameter, an address, points to. They may be written.
    Behind(&'a mut Column),
    /// The bytes that the parameter, an address, points to for all lanes together. They may be written. Lanes that
    /// write what others read see each other's writes in no order.
    Common(&'a mut [u8]),
}

/// The reason why something cannot be executed, or came to no end, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The name of the function.
    pub function: String,
    /// The number of the function's instruction, counted from 1; 0 if the function as a whole is meant.
    pub instruction: usize,
    /// The line of the text that the instruction stands in, counted from 1; 0 if the function as a whole is meant.
    pub line: usize,
    /// The opcode of the instruction, without operands: errors are counted by it.
    pub opcode: String,
    /// The text of the instruction.
    pub text: String,
    /// The row that the problem was found in, if it is not in all.
    pub lane: Option<usize>,
    /// The number of the block, and of the thread in it, if a row has several threads.
    pub thread: Option<[u32; 2]>,
    /// The problem itself.
    pub problem: Problem,
}

/// Returns the address that a parameter has which is the number `passed` of those that are passed, [`Passed::Behind`].
/// Further ones may be passed behind those of the parameters, for addresses that lie in structures.
pub fn address_behind(passed: usize) -> u64 {
    memory::address_behind(passed)
}

/// A function that gives the bits of a register that is not set, from its number in the function.
pub type Filling = fn(usize) -> u64;

/// The bounds of a lane, and what is recorded of it.
#[derive(Clone, Copy)]
struct Limits<'a> {
    /// The number of steps that a lane may take.
    steps: u64,
    /// The bits of registers that are not set, if they may be read.
    unset: Option<Filling>,
    /// The record of what is touched behind addresses, if somebody asks for it.
    record: Option<&'a TouchedRecord>,
    /// The record of what the only row does, if somebody asks for it.
    trace: Option<&'a TraceRecord>,
    /// The byte of variables and results that were never stored.
    never_stored: u8,
    /// The grid whose threads the rows are, if they are those of one grid.
    grid: Option<Grid>,
    /// Whether nothing but what a kernel touches is looked for: then threads that do not wait for each other, or for ever,
    /// are no error, and shared memory that was never stored is one, also where registers need not be set.
    probes: bool,
}

impl Limits<'_> {
    /// Returns the bounds of a lane that may take so many steps and read no register that is not set; nothing is
    /// recorded of it.
    fn of(steps: u64) -> Limits<'static> {
        let (never_stored, probes) = (NEVER_STORED, false);
        Limits { steps, unset: None, record: None, trace: None, never_stored, grid: None, probes }
    }
}

/// The byte of variables and results that were never stored, if no other is asked for: nothing that anybody would take
/// for a result.
pub const NEVER_STORED: u8 = 0xcd;

impl RunnableFunction {
    /// Returns the function of a name, with all that it calls.
    ///
    /// # Errors
    /// Everything in it, or in what it calls, that cannot be executed.
    pub fn of(module: &Module, name: &str) -> Result<RunnableFunction, Vec<Error>> {
        let tables = Tables::of(&module.variables);
        let mut loading = code::Loading::new(module, &tables);
        if loading.number(name).is_none() {
            return Err(vec![Error::whole_function(name, Problem::NoFunction(name.to_owned()))]);
        }
        let code = loading.all()?;
        drop(loading);
        Ok(RunnableFunction { code, tables, grid: None, shared: SharedLayout::default() })
    }

    /// Returns the kernel of a name, with all that it calls. Each row is the first thread of a launch of its own, and
    /// shares nothing with other rows: a kernel whose threads exchange words, or wait for each other, cannot be
    /// executed so.
    ///
    /// # Errors
    /// As [`RunnableFunction::of`].
    pub fn of_kernel(
        module: &Module,
        name: &str,
        launch: Launch,
    ) -> Result<RunnableFunction, Vec<Error>> {
        RunnableFunction::of_threads(module, name, RowThreads::One(launch))
    }

    /// Returns the kernel of a name, with all that it calls. Each row is a grid whose threads are all executed, so they
    /// can exchange words and wait for each other.
    ///
    /// # Errors
    /// As [`RunnableFunction::of`], and if the grid is not possible.
    pub fn of_grid(module: &Module, name: &str, grid: Grid) -> Result<RunnableFunction, Vec<Error>> {
        if !grid.is_possible() {
            return Err(vec![Error::whole_function(name, Problem::Grid)]);
        }
        RunnableFunction::of_threads(module, name, RowThreads::All(grid))
    }

    /// Returns the kernel of a name, with all that it calls, whose rows are the threads of one grid: see
    /// [`RunnableFunction::run_grid`]. A kernel whose threads exchange words, or wait for each other, cannot be executed
    /// so.
    ///
    /// # Errors
    /// As [`RunnableFunction::of`].
    pub fn of_one_grid(module: &Module, name: &str) -> Result<RunnableFunction, Vec<Error>> {
        RunnableFunction::of_threads(module, name, RowThreads::OfGrid)
    }

    fn of_threads(
        module: &Module,
        name: &str,
        threads: RowThreads,
    ) -> Result<RunnableFunction, Vec<Error>> {
        let Some(entry) = module.entries.iter().find(|entry| entry.name == name) else {
            return Err(vec![Error::whole_function(name, Problem::NoFunction(name.to_owned()))]);
        };
        let kernel = Function {
            linkage: Linkage::Visible,
            results: Vec::new(),
            name: entry.name.clone(),
            parameters: entry.parameters.clone(),
            body: Some(entry.body.clone()),
        };
        let tables = Tables::of(&module.variables);
        let mut loading = code::Loading::of_kernel(module, &tables, &kernel, threads);
        let code = loading.all()?;
        let shared = std::mem::take(&mut loading.shared);
        let grid = match threads {
            RowThreads::All(grid) => Some(grid),
            RowThreads::Call | RowThreads::One(_) | RowThreads::OfGrid => None,
        };
        drop(loading);
        Ok(RunnableFunction { code, tables, grid, shared })
    }

    /// Whether threads use shared memory, exchange words or wait for each other. It is known only of a kernel whose rows
    /// are grids.
    pub fn shares(&self) -> bool {
        let mut steps = self.code.iter().flat_map(|code| &code.steps);
        steps.any(|step| match &step.action {
            Action::Collective(_) => true,
            Action::Load(Address::Of(space, ..), _) | Action::Store(Address::Of(space, ..), _) => {
                *space == Space::Shared
            }
            // A generic address of shared memory is made of one there.
            _ => step.from.iter().any(|source| matches!(source, Source::Constant(shared::WINDOW))),
        })
    }

    /// Whether the kernel, or anything that it calls, reads a special register. It is known only of a kernel whose rows
    /// are grids.
    pub fn reads(&self, is: impl Fn(Special) -> bool) -> bool {
        let sources = self.code.iter().flat_map(|code| &code.steps).flat_map(|step| &step.from);
        sources.into_iter().any(|source| matches!(source, Source::Special(special) if is(*special)))
    }

    /// Lists the name and the bytes of each parameter.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, usize)> {
        self.code.first().into_iter().flat_map(Code::parameters)
    }

    /// Lists the places of a parameter that the function reads by its name: the offset and the bytes of each, in order.
    /// `None` if the function takes the parameter's address, or reads places that overlap.
    pub fn fields(&self, parameter: usize) -> Option<Vec<(usize, usize)>> {
        let code = self.code.first()?;
        let [mut places, _] = code.places();
        let place = places.nth(parameter)?;
        let is_address = |source: &Source| matches!(source, Source::Variable(at) if place.holds(*at, 0));
        if code.steps.iter().any(|step| step.from.iter().any(is_address)) {
            return None;
        }
        let mut all: Vec<(usize, usize)> =
            code.steps.iter().flat_map(|step| step.fields_of(place)).collect();
        all.sort_unstable();
        all.dedup();
        let overlaps = all.windows(2).any(|pair| match pair {
            [(first, bytes), (second, _)] => first + bytes > *second,
            _ => false,
        });
        (!overlaps).then_some(all)
    }

    /// Returns how many bytes of each parameter the function reads, from its first byte on: compilers pass a value of
    /// 16 bits in 32, and read 16.
    pub fn loaded(&self) -> Vec<usize> {
        let Some(code) = self.code.first() else { return Vec::new() };
        let [places, _] = code.places();
        places
            .map(|place| code.steps.iter().filter_map(|step| step.loaded_of(place)).max().unwrap_or(0))
            .collect()
    }

    /// Lists the name and the bytes of each result.
    pub fn results(&self) -> impl Iterator<Item = (&str, usize)> {
        self.code.first().into_iter().flat_map(Code::results)
    }

    /// Lists the instructions of the table in the function, and in what it calls.
    pub fn variants(&self) -> impl Iterator<Item = &'static Variant> + '_ {
        let steps = self.code.iter().flat_map(|code| &code.steps);
        steps.filter_map(|step| match step.action {
            Action::Tested(variant) => Some(variant),
            _ => None,
        })
    }

    /// Returns the constants that instructions of the function, and of what it calls, have as sources: those of
    /// comparisons first, and the words of tables last.
    pub fn constants(&self) -> Vec<u64> {
        let steps = || self.code.iter().flat_map(|code| &code.steps);
        let of = |step: &Step| -> Vec<u64> {
            let constant = |source: &Source| match source {
                Source::Constant(bits) => Some(*bits),
                _ => None,
            };
            step.from.iter().filter_map(constant).collect()
        };
        let (compare, others): (Vec<&Step>, Vec<&Step>) = steps().partition(|step| step.compares());
        let compared = compare.into_iter().chain(others).flat_map(of);
        compared.chain(self.tables.words()).collect()
    }

    /// Counts the instructions of the function, and of what it calls.
    pub fn instructions(&self) -> usize {
        self.code.iter().map(|code| code.texts.len()).sum()
    }

    /// Returns what no row of any run so far has done, in the order of the text: instructions that were not executed,
    /// branches and selections that went one way alone.
    pub fn unreached(&self) -> Vec<Unreached> {
        let mut all: Vec<Unreached> = Vec::new();
        for code in &self.code {
            for (step, seen) in code.steps.iter().zip(&code.coverage) {
                let Some(way) = Unreached::of(step, seen) else { continue };
                let (function, instruction) = (code.name.clone(), step.instruction);
                let text = instruction.checked_sub(1).and_then(|number| code.texts.get(number));
                let text = text.map(|[_, text]| text.clone()).unwrap_or_default();
                // Several steps may belong to one instruction.
                let of_step = Unreached { function, instruction, text, way };
                if all.last() != Some(&of_step) {
                    all.push(of_step);
                }
            }
        }
        all
    }

    /// Runs all rows: there is a column for each parameter and for each result, in order, with rows of its bytes. No
    /// lane takes more than `steps` steps.
    ///
    /// # Errors
    /// If a column does not fit, and at what a lane may not do. Columns that may be written are then
    /// in no order.
    pub fn run(
        &self,
        unit: &mut dyn ExecutionUnit,
        passed: &mut [Passed],
        results: &mut [Column],
        steps: u64,
    ) -> Result<(), Box<Error>> {
        run::run(self, unit, passed, results, Limits::of(steps))
    }

    /// Runs all threads of a grid. Registers that were never set hold zeros. Columns that are passed have a row for each
    /// thread. No thread takes more than `steps` steps.
    ///
    /// # Errors
    /// If a column does not fit, and at what a thread may not do. What is passed is then in no order.
    pub fn run_grid(
        &self,
        grid: Grid,
        unit: &mut dyn ExecutionUnit,
        passed: &mut [Passed],
        steps: u64,
    ) -> Result<(), Box<Error>> {
        let limits = Limits { unset: Some(|_| 0), grid: Some(grid), ..Limits::of(steps) };
        run::run(self, unit, passed, &mut [], limits)
    }

    /// Runs a single row as [`RunnableFunction::run_filled`] does, with registers of zeros, and returns the first `most`
    /// instructions that it executes, or that the thread of a number executes if a row is a grid: a run that fails has
    /// executed some, too.
    pub fn trace(
        &self,
        unit: &mut dyn ExecutionUnit,
        arguments: &[Argument],
        steps: u64,
        most: usize,
        thread: usize,
    ) -> Vec<TracedInstruction> {
        let trace = TraceRecord::new(most, thread);
        let limits = Limits { unset: Some(|_| 0), trace: Some(&trace), ..Limits::of(steps) };
        // What stopped the row is no part of what it did.
        let _ = self.run_arguments(unit, 1, arguments, limits);
        trace.into_instructions()
    }

    /// Runs all rows as [`RunnableFunction::run_filled`] does, and returns which bytes behind each parameter were read
    /// and written, beside the outcome: a run that fails has touched some, too.
    pub fn probe(
        &self,
        unset: Filling,
        unit: &mut dyn ExecutionUnit,
        passed: &mut [Passed],
        results: &mut [Column],
        steps: u64,
    ) -> (Vec<Touched>, Result<(), Box<Error>>) {
        let record = TouchedRecord::new(passed.len());
        let (unset, record_of) = (Some(unset), Some(&record));
        let limits = Limits { unset, record: record_of, probes: true, ..Limits::of(steps) };
        let outcome = run::run(self, unit, passed, results, limits);
        (record.into_touched(), outcome)
    }

    /// Runs all rows as [`RunnableFunction::run`] does, but registers hold the bits of `unset`, as many as fit, until
    /// they are set: to read one then is no error. PTX does not say what they hold, so what depends on it has no
    /// meaning.
    ///
    /// # Errors
    /// As [`RunnableFunction::run`].
    pub fn run_filled(
        &self,
        unset: Filling,
        unit: &mut dyn ExecutionUnit,
        passed: &mut [Passed],
        results: &mut [Column],
        steps: u64,
    ) -> Result<(), Box<Error>> {
        run::run(self, unit, passed, results, Limits { unset: Some(unset), ..Limits::of(steps) })
    }
}

impl Error {
    /// Returns an error of a function as a whole, and none of its instructions.
    pub fn whole_function(function: &str, problem: Problem) -> Error {
        Error {
            function: function.to_owned(),
            instruction: 0,
            line: 0,
            opcode: String::new(),
            text: String::new(),
            lane: None,
            thread: None,
            problem,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.function)?;
        if self.instruction > 0 {
            write!(f, ", line {}, instruction {}, `{}`", self.line, self.instruction, self.text)?;
        }
        if let Some(lane) = self.lane {
            write!(f, ", row {lane}")?;
        }
        if let Some([block, thread]) = self.thread {
            write!(f, ", thread {thread} of block {block}")?;
        }
        match &self.problem {
            // The text stands there already.
            Problem::Operands(text) if *text == self.text => f.write_str(" has wrong operands"),
            Problem::Unsupported(text) if *text == self.text => f.write_str(" is not interpreted"),
            problem => write!(f, ": {problem}"),
        }
    }
}

impl std::error::Error for Error {}
