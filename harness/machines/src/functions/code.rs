//! Looks up the names of a function, and of all that it calls, before anything is run.

use std::collections::HashMap;

use ptx::syntax::{self, Instruction, Module, Opcode, Space, Statement};

use super::Error;
use super::coverage::StepCoverage;
use super::launch::KernelRows;
use super::slots::Slots;
use super::tables::Tables;
use crate::lowering::{
    Action, Callee, Extent, Lowered, LoweringProblem, Machine, Source, Step, UsedRegister, lower, places,
};
use crate::problem::Problem;

/// A function as steps, whose names are registers and places in memory.
#[derive(Debug)]
pub struct Code {
    pub name: String,
    pub steps: Vec<Step>,
    /// What rows have done at each step, in all runs so far.
    pub coverage: Vec<StepCoverage>,
    /// The opcode and the text of each instruction.
    pub texts: Vec<[String; 2]>,
    /// The line of each instruction.
    pub lines: Vec<usize>,
    /// The registers that the function uses, by number.
    pub registers: Vec<UsedRegister>,
    /// The columns that its registers lie in.
    pub slots: Slots,
    /// The places of its parameters, results and variables, in this order.
    pub extents: Vec<Extent>,
    parameters: Vec<(String, Extent)>,
    results: Vec<(String, Extent)>,
}

impl Code {
    /// Lists the name and the bytes of each parameter.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, usize)> {
        self.parameters.iter().map(|(name, extent)| (name.as_str(), extent.bytes))
    }

    /// Lists the name and the bytes of each result.
    pub fn results(&self) -> impl Iterator<Item = (&str, usize)> {
        self.results.iter().map(|(name, extent)| (name.as_str(), extent.bytes))
    }

    /// Lists the place of each parameter, and that of each result.
    pub fn places(&self) -> [impl Iterator<Item = Extent>; 2] {
        [&self.parameters, &self.results].map(|each| each.iter().map(|&(_, extent)| extent))
    }

    /// Returns a problem of an instruction as an error, with the names of the function and of the instruction.
    pub fn error(&self, instruction: usize, lane: Option<usize>, problem: Problem) -> Error {
        // Instructions are counted from 1; 0 is the function as a whole, which has no text.
        let text = instruction.checked_sub(1).and_then(|number| self.texts.get(number));
        let [opcode, text] = text.cloned().unwrap_or_default();
        let line = instruction.checked_sub(1).and_then(|number| self.lines.get(number).copied());
        let (function, line) = (self.name.clone(), line.unwrap_or_default());
        Error { function, instruction, line, opcode, text, lane, problem }
    }
}

/// Functions that are being looked up: a function is added as soon as a call of it is found.
pub struct Loading<'a> {
    module: &'a Module,
    tables: &'a Tables,
    /// The threads that rows are, if the first function is a kernel: else no function knows of threads.
    kernel: Option<KernelRows>,
    /// The functions that are reached, by number.
    reached: Vec<&'a syntax::Function>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Loading<'a> {
    /// Begins to load functions of a module, of which none is reached yet.
    pub fn new(module: &'a Module, tables: &'a Tables) -> Loading<'a> {
        Loading { module, tables, kernel: None, reached: Vec::new(), numbers: HashMap::new() }
    }

    /// Begins to load a kernel, which is given as a function that returns nothing, and whose rows are these
    /// threads.
    pub fn of_kernel(
        module: &'a Module,
        tables: &'a Tables,
        kernel: &'a syntax::Function,
        rows: KernelRows,
    ) -> Loading<'a> {
        let loading = Loading::new(module, tables);
        Loading { kernel: Some(rows), reached: vec![kernel], ..loading }
    }

    /// Returns the number of a function, if its body is in the module.
    pub fn number(&mut self, name: &str) -> Option<usize> {
        if let Some(&number) = self.numbers.get(name) {
            return Some(number);
        }
        let is = |function: &&syntax::Function| function.name == name && function.body.is_some();
        let function = self.module.functions.iter().find(is)?;
        self.numbers.insert(&function.name, self.reached.len());
        self.reached.push(function);
        Some(self.reached.len() - 1)
    }

    /// Returns the code of all functions that were reached, or everything that is wrong with them.
    pub fn all(mut self) -> Result<Vec<Code>, Vec<Error>> {
        let (mut all, mut errors) = (Vec::new(), Vec::new());
        // Lowering a function may reach further ones, which are then behind those that are done.
        while let Some(&function) = self.reached.get(all.len()) {
            all.push(self.code(function, &mut errors));
        }
        if errors.is_empty() { Ok(all) } else { Err(errors) }
    }

    /// Lowers one function, and adds to `errors` what cannot be executed in it.
    fn code(&mut self, function: &syntax::Function, errors: &mut Vec<Error>) -> Code {
        let body = function.body.as_deref().unwrap_or_default();
        let lowered = lower(self, [&function.parameters, &function.results], body);
        let Lowered { mut steps, instructions, registers, extents, parameters, results, wrong, .. } =
            lowered;
        if let Some(rows) = self.kernel {
            // A thread of a kernel that ends has done its work. A trap stays an error.
            for step in steps.iter_mut().filter(|step| matches!(step.action, Action::End)) {
                let of = step.instruction.checked_sub(1).and_then(|number| instructions.get(number));
                if of.is_some_and(|of| of.opcode == Opcode::Exit) {
                    step.action = Action::Return;
                }
            }
            let sources = steps.iter_mut().flat_map(|step| &mut step.from);
            sources.for_each(|source| {
                if let (Source::Special(special), KernelRows::Alone(launch)) = (*source, rows) {
                    *source = Source::Constant(launch.value(special));
                }
            });
        }
        let texts = instructions.iter().map(|of| [of.opcode.to_string(), of.to_string()]).collect();
        let lines = instructions.iter().map(|of| of.line.0).collect();
        let (name, slots) = (function.name.clone(), Slots::of(&steps, registers.len()));
        let coverage = steps.iter().map(|_| StepCoverage::default()).collect();
        let code =
            Code { name, steps, coverage, texts, lines, registers, slots, extents, parameters, results };
        errors.extend(wrong.into_iter().map(|LoweringProblem { instruction, declares, problem }| {
            code.error(if declares { 0 } else { instruction }, None, problem)
        }));
        code
    }
}

/// Rows of a batch as a machine for the lowering: a row has no other threads, and nothing that threads share.
impl Machine for Loading<'_> {
    /// No bound: registers that nobody uses take no room.
    const MOST_REGISTERS: u64 = u64::MAX;

    fn declares(&self, statement: &Statement) -> bool {
        !matches!(statement, Statement::Shared { .. })
    }

    fn has(&self, opcode: &Opcode) -> bool {
        match opcode {
            Opcode::ReduceAdd(..)
            | Opcode::Tile(_)
            | Opcode::Shuffle
            | Opcode::WarpBarrier
            | Opcode::Barrier
            | Opcode::ProxyFence
            | Opcode::BulkCommit
            | Opcode::BulkWait => false,
            Opcode::Load(space, _) | Opcode::Store(space, _) => *space != Space::Shared,
            Opcode::Access(access) => access.space != Space::Shared,
            _ => true,
        }
    }

    fn takes(&self, of: &Instruction, action: &Action) -> Result<(), Problem> {
        let special = self.kernel.is_none() && of.operands.iter().any(|one| one.has_special(|_| true));
        match special || matches!(action, Action::Collective(_)) {
            true => Err(Problem::Unsupported(of.to_string())),
            false => Ok(()),
        }
    }

    fn address(&self, variable: &str) -> Option<u64> {
        self.tables.address(variable)
    }

    fn function(&mut self, name: &str) -> Option<Callee> {
        let number = self.number(name)?;
        let function = self.reached.get(number)?;
        let [parameters, results] = places([&function.parameters, &function.results])?;
        Some(Callee { number, parameters, results })
    }
}
