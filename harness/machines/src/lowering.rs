//! The one way from statements to steps: names become registers and places in memory, operands sources and targets,
//! labels the numbers of steps. Two machines execute steps, [`crate::interpreter`] a warp at a time and
//! [`crate::functions`] rows of a batch, and each says here what it lacks ([`Machine`]).

mod actions;
mod collective;
mod extent;
mod names;
mod operands;
mod step;
mod together;

use std::collections::HashMap;

use ptx::syntax::{Instruction, MOST_NESTED, Opcode, Operand, Parameter, Space, Statement, Variable};

use crate::problem::Problem;
use names::Names;

pub use collective::barrier_problem;
pub use extent::Extent;
pub use names::UsedRegister;
pub use step::{
    Action, Address, BarrierDoes, Call, Collective, CopiedBytes, ResultRegister, Source, Step, StepGuard,
};

/// A machine that executes steps: says what it lacks, and what statements find around them.
pub trait Machine {
    /// The number of registers that may be declared at most.
    const MOST_REGISTERS: u64;

    /// Whether the threads of a block run together, whatever its size, and each warp exchanges words among members.
    const HAS_BLOCKS: bool = false;

    /// Returns the first address that shared memory may be placed at.
    fn shared_start(&self) -> u64 {
        0
    }

    /// Whether the machine has the things that a statement declares.
    fn declares(&self, statement: &Statement) -> bool;

    /// Whether the machine has anything that is spelled like this.
    fn has(&self, opcode: &Opcode) -> bool;

    /// Accepts an instruction that is lowered to this operation.
    ///
    /// # Errors
    /// If the machine cannot execute it, says why.
    fn takes(&self, of: &Instruction, action: &Action) -> Result<(), Problem>;

    /// Returns the address of a variable that is declared outside.
    fn address(&self, variable: &str) -> Option<u64>;

    /// Returns the function of a name, if it may be called.
    fn function(&mut self, name: &str) -> Option<Callee>;
}

/// A function that is called.
pub struct Callee {
    /// The number that the machine knows it by.
    pub number: usize,
    /// The place of each of its parameters, in order.
    pub parameters: Vec<Extent>,
    /// The place of each of its results, in order.
    pub results: Vec<Extent>,
}

/// A problem, and where it stands in the text.
pub struct LoweringProblem {
    /// The number of the instruction, counted from 1; of a declaration, the number of the instruction before it.
    pub instruction: usize,
    /// Whether a declaration is wrong, and no instruction.
    pub declares: bool,
    /// The reason, in words.
    pub problem: Problem,
}

/// The steps of some statements, and all that is wrong with them: where anything is, the steps mean nothing.
pub struct Lowered<'a> {
    /// The steps, in the order of the text.
    pub steps: Vec<Step>,
    /// The instructions of the text, which steps belong to.
    pub instructions: Vec<&'a Instruction>,
    /// The registers that are used, by number.
    pub registers: Vec<UsedRegister>,
    /// The numbers of used registers that are declared outside of inner braces, by name.
    pub outer: HashMap<String, usize>,
    /// The places of variables, parameters and results first.
    pub extents: Vec<Extent>,
    /// The name of each parameter, and its place.
    pub parameters: Vec<(String, Extent)>,
    /// The name of each result, and its place.
    pub results: Vec<(String, Extent)>,
    /// Bytes of shared memory.
    pub shared: usize,
    /// The name of each variable in shared memory, and its place.
    pub shared_variables: Vec<(String, Extent)>,
    /// Everything that is wrong, in the order of the text, with labels that are nowhere last.
    pub wrong: Vec<LoweringProblem>,
}

/// Returns the places of parameters and results of a function, which come first in it; `None` if two have one name.
pub fn places(each: [&[Parameter]; 2]) -> Option<[Vec<Extent>; 2]> {
    let mut names = Names::default();
    names.open();
    let mut place = |parameters: &[Parameter]| {
        parameters.iter().map(|one| names.place(one)).collect::<Result<Vec<_>, _>>().ok()
    };
    // The order is that of `lower`, so that callers find the extents that the function itself has.
    let [parameters, results] = each;
    Some([place(parameters)?, place(results)?])
}

/// Lowers a body with parameters and results to steps, for a machine.
pub fn lower<'a, M: Machine>(
    machine: &mut M,
    [parameters, results]: [&[Parameter]; 2],
    body: &'a [Statement],
) -> Lowered<'a> {
    let mut lowering = Lowering {
        machine,
        names: Names::default(),
        steps: Vec::new(),
        instructions: Vec::new(),
        flag: None,
        labels: HashMap::new(),
        branches: Vec::new(),
        tables: Vec::new(),
        targets: HashMap::new(),
        wrong: Vec::new(),
    };
    lowering.names.shared = lowering.machine.shared_start();
    lowering.names.open();
    let [parameters, results] = [parameters, results].map(|each| lowering.places(each));
    // The body has braces inside those of the parameters, and what they declare is `outer`.
    lowering.names.open();
    lowering.body(body, 0);
    lowering.settle_branches();
    let Lowering { mut names, steps, instructions, wrong, .. } = lowering;
    let outer = names.close();
    let Names { registers, extents, shared, shared_variables, .. } = names;
    // There is less shared memory than any `usize` holds.
    let shared = shared as usize;
    Lowered {
        steps,
        instructions,
        registers,
        outer,
        extents,
        parameters,
        results,
        shared,
        shared_variables,
        wrong,
    }
}

/// Whether a constant is written with the bits of a wider or a narrower number than the instruction takes: it would have
/// to be converted.
fn converts_constant(of: &Instruction) -> bool {
    let name = of.opcode.to_string();
    of.operands.iter().any(|operand| match operand {
        Operand::Double(_) => !name.contains("64"),
        Operand::Single(_) => name.contains("64") && !name.contains("32"),
        _ => false,
    })
}

/// Statements that are being lowered.
struct Lowering<'a, 'b, M> {
    machine: &'b mut M,
    names: Names,
    steps: Vec<Step>,
    instructions: Vec<&'a Instruction>,
    /// The register of the carry, once there is one.
    flag: Option<usize>,
    labels: HashMap<&'a str, usize>,
    /// The steps that branch, each with the label that it goes to.
    branches: Vec<(usize, &'a str)>,
    /// The steps that branch by a number, each with the table that they take it to.
    tables: Vec<(usize, &'a str)>,
    targets: HashMap<&'a str, &'a [String]>,
    wrong: Vec<LoweringProblem>,
}

impl<'a, M: Machine> Lowering<'a, '_, M> {
    /// Places parameters or results, and returns the name and the place of each.
    fn places(&mut self, parameters: &[Parameter]) -> Vec<(String, Extent)> {
        let mut places = Vec::new();
        for parameter in parameters {
            match self.names.place(parameter) {
                Ok(extent) => places.push((parameter.name.clone(), extent)),
                Err(problem) => {
                    self.wrong.push(LoweringProblem { instruction: 0, declares: true, problem });
                }
            }
        }
        places
    }

    /// Lowers statements that lie in `nested` inner braces, and notes what is wrong with each.
    fn body(&mut self, body: &'a [Statement], nested: usize) {
        for statement in body {
            if let Err(problem) = self.statement(statement, nested) {
                let declares = !matches!(statement, Statement::Instruction(_));
                self.wrong.push(LoweringProblem {
                    instruction: self.instructions.len(),
                    declares,
                    problem,
                });
            }
        }
    }

    /// Lowers one statement that lies in `nested` inner braces.
    fn statement(&mut self, statement: &'a Statement, nested: usize) -> Result<(), Problem> {
        let twice = |name: &str| Problem::Redeclared(name.to_owned());
        if !self.machine.declares(statement) {
            return Err(Problem::Unsupported(statement.to_string()));
        }
        match statement {
            Statement::Label(name) => {
                let before = self.labels.insert(name, self.steps.len());
                before.map_or(Ok(()), |_| Err(twice(name)))
            }
            Statement::Declaration(declaration) => {
                self.names.declare(declaration)?;
                let fits = self.names.declared <= M::MOST_REGISTERS;
                if fits { Ok(()) } else { Err(Problem::Registers) }
            }
            Statement::Variable(Variable { space: Space::Shared, of, values, .. })
                if values.is_empty() =>
            {
                let bytes = u32::try_from(of.bytes()).unwrap_or(u32::MAX);
                let align = of.align.unwrap_or(of.ty.bytes() as u32);
                self.names.share(&of.name, bytes, align, M::HAS_BLOCKS)
            }
            Statement::Variable(variable) if variable.values.is_empty() => {
                self.names.place(&variable.of).map(|_| ())
            }
            Statement::Variable(variable) => Err(Problem::Unsupported(variable.to_string())),
            Statement::Shared { name, bytes, align } => {
                self.names.share(name, *bytes, *align, M::HAS_BLOCKS)
            }
            Statement::Targets { name, labels } => {
                let before = self.targets.insert(name, labels);
                before.map_or(Ok(()), |_| Err(twice(name)))
            }
            Statement::Block(_) if nested == MOST_NESTED => Err(Problem::Nested),
            Statement::Block(body) => {
                self.names.open();
                self.body(body, nested + 1);
                self.names.close();
                Ok(())
            }
            Statement::Instruction(instruction) => {
                self.instructions.push(instruction);
                self.instruction(instruction)
            }
        }
    }

    /// Lowers an instruction to its step, and to those that prepare it, all under its guard.
    fn instruction(&mut self, of: &'a Instruction) -> Result<(), Problem> {
        let mut guard = None;
        if let Some(guarded) = &of.guard {
            let predicate = self.names.register(&guarded.predicate)?.0;
            guard = Some(StepGuard { predicate, wanted: !guarded.negated });
        }
        if !self.machine.has(&of.opcode) || converts_constant(of) {
            return Err(Problem::Unsupported(of.to_string()));
        }
        // Lowering may add steps that prepare the operation, and these begin here.
        let before = self.steps.len();
        let step = self.step(of);
        let taken = step.and_then(|step| self.machine.takes(of, &step.action).map(|()| step));
        let step = taken.inspect_err(|_| {
            // No step is there that could go to a label.
            for all in [&mut self.branches, &mut self.tables] {
                all.truncate(all.partition_point(|(step, _)| *step < before));
            }
        })?;
        self.push(step);
        // Steps that prepare the operation are executed under its guard, too.
        self.steps.iter_mut().skip(before).for_each(|step| step.guard = guard);
        Ok(())
    }

    /// Adds a step of the last instruction.
    fn push(&mut self, step: Step) {
        self.steps.push(Step { instruction: self.instructions.len(), ..step });
    }

    /// Finds the steps that branches go to, now that all labels are known.
    fn settle_branches(&mut self) {
        for (number, label) in std::mem::take(&mut self.branches) {
            let target = self.step_of(label);
            self.settle(number, target.map(Action::Branch));
        }
        for (number, table) in std::mem::take(&mut self.tables) {
            let none = || Problem::NoLabel(table.to_owned());
            // The first label that is nowhere is the problem of the whole table.
            let labels = self.targets.get(table).copied().ok_or_else(none);
            let targets = labels.and_then(|labels| labels.iter().map(|one| self.step_of(one)).collect());
            self.settle(number, targets.map(Action::BranchIndexed));
        }
    }

    /// Returns the number of the step behind a label.
    fn step_of(&self, label: &str) -> Result<usize, Problem> {
        self.labels.get(label).copied().ok_or_else(|| Problem::NoLabel(label.to_owned()))
    }

    /// Puts the settled action of a branch into its step, or notes why there is none.
    fn settle(&mut self, number: usize, action: Result<Action, Problem>) {
        let Some(step) = self.steps.get_mut(number) else { return };
        match action {
            Ok(action) => step.action = action,
            Err(problem) => {
                self.wrong.push(LoweringProblem {
                    instruction: step.instruction,
                    declares: false,
                    problem,
                });
            }
        }
    }
}
