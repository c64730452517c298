//! Looks up the names of a function, and of all that it calls, before anything is run.

use std::collections::HashMap;

use ptx::syntax::{
    self, Binary, Instruction, Integer, Module, Opcode, Space, Special, Statement, TogetherDoes, U64,
};

use super::Error;
use super::coverage::StepCoverage;
use super::launch::{Grid, Launch};
use super::shared::{GLOBAL, SharedLayout, WINDOW};
use super::slots::Slots;
use super::tables::Tables;
use crate::lowering::{
    Action, Address, Callee, Collective, Extent, Lowered, LoweringProblem, Machine, Source, Step,
    UsedRegister, lower, places,
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
        Error { function, instruction, line, opcode, text, lane, thread: None, problem }
    }
}

/// The threads that execute the rows of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowThreads {
    /// A row is a call of a function, which knows of no threads.
    Call,
    /// A row is one thread of a kernel.
    One(Launch),
    /// A row is a grid, whose threads are all executed.
    All(Grid),
    /// The rows are the threads of one grid, which each run is told.
    OfGrid,
}

/// Functions that are being looked up: a function is added as soon as a call of it is found.
pub struct Loading<'a> {
    module: &'a Module,
    tables: &'a Tables,
    threads: RowThreads,
    /// The variables in shared memory of the module, and of the functions that are done.
    pub shared: SharedLayout,
    /// The functions that are reached, by number.
    reached: Vec<&'a syntax::Function>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Loading<'a> {
    /// Begins to load functions of a module, of which none is reached yet.
    pub fn new(module: &'a Module, tables: &'a Tables) -> Loading<'a> {
        let (threads, shared) = (RowThreads::Call, SharedLayout::default());
        Loading { module, tables, threads, shared, reached: Vec::new(), numbers: HashMap::new() }
    }

    /// Begins to load a kernel, which is given as a function that returns nothing, and is executed by these threads.
    pub fn of_kernel(
        module: &'a Module,
        tables: &'a Tables,
        kernel: &'a syntax::Function,
        threads: RowThreads,
    ) -> Loading<'a> {
        let loading = Loading::new(module, tables);
        let shared = match threads {
            RowThreads::All(_) => SharedLayout::of(&module.variables),
            RowThreads::Call | RowThreads::One(_) | RowThreads::OfGrid => SharedLayout::default(),
        };
        Loading { threads, shared, reached: vec![kernel], ..loading }
    }

    /// Whether all threads of a block are executed.
    fn has_all_threads(&self) -> bool {
        matches!(self.threads, RowThreads::All(_))
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
    pub fn all(&mut self) -> Result<Vec<Code>, Vec<Error>> {
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
        let Lowered {
            mut steps,
            instructions,
            registers,
            extents,
            parameters,
            results,
            shared_variables,
            wrong,
            ..
        } = lowered;
        self.shared.extend(shared_variables);
        if self.threads != RowThreads::Call {
            // A thread of a kernel that ends has done its work. A trap stays an error.
            for step in steps.iter_mut().filter(|step| matches!(step.action, Action::End)) {
                let of = step.instruction.checked_sub(1).and_then(|number| instructions.get(number));
                if of.is_some_and(|of| of.opcode == Opcode::Exit) {
                    step.action = Action::Return;
                }
            }
        }
        match self.threads {
            RowThreads::One(launch) => {
                let sources = steps.iter_mut().flat_map(|step| &mut step.from);
                sources.for_each(|source| {
                    if let Source::Special(special) = *source
                        && !special.is_open()
                    {
                        *source = Source::Constant(launch.value(special));
                    }
                });
            }
            RowThreads::All(_) => steps.iter_mut().for_each(with_window),
            RowThreads::Call | RowThreads::OfGrid => {}
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

/// Makes the conversion of an address of shared memory to a generic one, or back, set or clear its upper half.
fn with_window(step: &mut Step) {
    let (of, word) = match step.action {
        Action::Compute(Integer::ConvertToGeneric(Space::Shared)) => (Binary::Or, WINDOW),
        Action::Compute(Integer::ConvertAddress(Space::Shared)) => (Binary::And, 0xffff_ffff),
        _ => return,
    };
    step.action = Action::Compute(Integer::Binary(of, U64));
    step.from.push(Source::Constant(word));
}

/// Rows of a batch as a machine for the lowering. A row that is a thread has no other threads, and nothing that threads
/// share.
impl Machine for Loading<'_> {
    const HAS_BLOCKS: bool = true;

    fn shared_start(&self) -> u64 {
        self.shared.bytes as u64
    }

    /// No bound: registers that nobody uses take no room.
    const MOST_REGISTERS: u64 = u64::MAX;

    fn declares(&self, statement: &Statement) -> bool {
        let shares = match statement {
            Statement::Shared { .. } => true,
            Statement::Variable(variable) => variable.space == Space::Shared,
            _ => false,
        };
        // A kernel may declare what it does not use.
        !shares || self.threads != RowThreads::Call
    }

    fn has(&self, opcode: &Opcode) -> bool {
        match opcode {
            Opcode::Tile(_) | Opcode::ProxyFence | Opcode::BulkCommit | Opcode::BulkWait => false,
            Opcode::Shuffle(_)
            | Opcode::Vote(_)
            | Opcode::ActiveMask
            | Opcode::WarpBarrier
            | Opcode::Barrier
            | Opcode::BarrierSpelled(_) => self.has_all_threads(),
            Opcode::Load(space, _) | Opcode::Store(space, _) => {
                *space != Space::Shared || self.has_all_threads()
            }
            Opcode::Access(access) => access.space != Space::Shared || self.has_all_threads(),
            // Why there are no atomic operations, `takes` says.
            Opcode::Together(together) => match together.does {
                TogetherDoes::IsInSpace(_) | TogetherDoes::Atomic(_) | TogetherDoes::Nothing { .. } => {
                    true
                }
                _ => self.has_all_threads(),
            },
            _ => true,
        }
    }

    fn takes(&self, of: &Instruction, action: &Action) -> Result<(), Problem> {
        let unsupported = || Err(Problem::Unsupported(of.to_string()));
        // A call knows of no threads, and may read the time as every thread may.
        let of_thread = |one: Special| !one.is_time();
        if self.threads == RowThreads::Call && of.operands.iter().any(|one| one.has_special(of_thread)) {
            return unsupported();
        }
        match action {
            Action::Collective(Collective::ReduceAdd(..)) => Err(Problem::Refused(GLOBAL.to_owned())),
            Action::Collective(Collective::Atomic(_, at) | Collective::Word(_, at)) => match at {
                Address::Of(Space::Global, ..) => Err(Problem::Refused(GLOBAL.to_owned())),
                Address::Of(Space::Shared | Space::Generic, ..) if self.has_all_threads() => Ok(()),
                _ => unsupported(),
            },
            Action::Collective(
                Collective::Exchange(_)
                | Collective::Vote(_)
                | Collective::ActiveMask
                | Collective::BlockBarrier { .. }
                | Collective::MembersBarrier
                | Collective::Reduce(_)
                | Collective::ReduceMembers(..)
                | Collective::Match { .. }
                | Collective::Elect
                | Collective::CopyAsync { .. }
                | Collective::CopyCommit
                | Collective::CopyWait(_),
            ) if self.has_all_threads() => Ok(()),
            Action::Collective(_) => unsupported(),
            _ => Ok(()),
        }
    }

    fn address(&self, variable: &str) -> Option<u64> {
        self.tables.address(variable).or_else(|| self.shared.address(variable))
    }

    fn function(&mut self, name: &str) -> Option<Callee> {
        let number = self.number(name)?;
        let function = self.reached.get(number)?;
        let [parameters, results] = places([&function.parameters, &function.results])?;
        Some(Callee { number, parameters, results })
    }
}
