//! Executes a syntax tree of PTX, a warp at a time, so that printing is checked where there is no GPU. The interpreter
//! knows nothing of what trees are printed from; what it cannot do is an error, whatever the tree.

mod bulk;
mod collective;
mod emulated;
mod error;
pub(crate) mod fragments;
mod lacks;
mod matrices;
mod memory;
mod reduction;
mod registers;
mod run;
mod shared;
mod tile;
mod word;

use std::collections::HashMap;

use isa::Variant;
use isa::matrix::MatrixVariant;
use ptx::syntax::Entry;

use crate::lowering::{
    Extent, Lowered, LoweringProblem, ResultRegister, Source, Step, UsedRegister, lower,
};
use lacks::Warps;
use registers::WarpRegisters;

pub use crate::problem::{MemoryError, Problem};
pub use emulated::Emulated;
pub use error::Error;
pub use fragments::result_at;
pub use memory::Memory;

/// The number of threads in a warp.
pub const WARP: usize = 32;
/// The word that a register holds in each thread of a warp; a predicate is 0 or 1.
pub type Values = [u64; WARP];

/// A number of steps of a warp that is enough for every kernel of this crate.
pub const STEPS: u64 = 1 << 24;

/// An entry as steps, whose names are registers and places in memory.
#[derive(Debug)]
pub struct EntryProgram {
    steps: Vec<Step>,
    registers: Vec<UsedRegister>,
    /// The numbers of registers that are declared outside of inner braces and used, by name.
    outer: HashMap<String, usize>,
    /// The name of each parameter, and where it lies.
    parameters: Vec<(String, Extent)>,
    /// Bytes of memory that a block's threads share.
    shared: usize,
    /// The number of instructions.
    instructions: usize,
}

/// A choice of a warp's threads: for each, whether it is meant.
type ThreadMask = [bool; WARP];

/// The address of each thread of a warp, if it has one.
type Addresses = [Option<u64>; WARP];

/// An instruction that the unit under test executes, and not the interpreter itself.
#[derive(Clone, Copy, Debug)]
pub struct Tested {
    /// The spelling of the instruction.
    pub spelling: &'static str,
    /// The variant that the instruction is, if it is one.
    pub variant: Option<&'static Variant>,
    /// The matrix instruction that it is, if it is one: all threads of a warp execute it together.
    pub matrix: Option<&'static MatrixVariant>,
    /// Whether a register of its results is one of its sources as well.
    pub in_place: bool,
}

/// A function that executes an instruction of the unit under test from the values of its sources: returns as many
/// results as the instruction has, or a word on why there are none.
pub type Execute<'a> = dyn FnMut(&Tested, &[Values]) -> Result<Vec<Values>, String> + 'a;

/// The parameters, memory and unit under test that a warp runs with.
pub struct Surroundings<'a> {
    /// The values of parameters, by name.
    pub parameters: &'a HashMap<String, u64>,
    /// The place of the warp in its grid.
    pub place: WarpPlace,
    /// The memory of the device.
    pub memory: &'a mut dyn Memory,
    /// The unit under test.
    pub execute: &'a mut Execute<'a>,
    /// The number of steps that the warp may take.
    pub steps: u64,
}

/// The place of a warp in its grid.
#[derive(Clone, Copy, Debug)]
pub struct WarpPlace {
    /// The number of the warp's block.
    pub block: u64,
    /// The number of threads in a block.
    pub threads: u64,
    /// The number of the warp's first thread in its block.
    pub first: u64,
}

impl Tested {
    /// Returns an instruction of the table, whose results are not put where its sources are.
    fn tested_alone(variant: &'static Variant) -> Tested {
        let spelling = variant.spelling();
        Tested { spelling, variant: Some(variant), matrix: None, in_place: false }
    }

    /// Returns the instruction of the table that a step executes.
    fn variant(variant: &'static Variant, step: &Step) -> Tested {
        Tested { in_place: is_in_place(step), ..Tested::tested_alone(variant) }
    }

    /// Returns the matrix instruction that a step executes.
    fn matrix(matrix: &'static MatrixVariant, step: &Step) -> Tested {
        let (spelling, in_place) = (matrix.spelling(), is_in_place(step));
        Tested { spelling, variant: None, matrix: Some(matrix), in_place }
    }

    /// Asks the unit under test for the results of this instruction.
    ///
    /// # Errors
    /// If the unit fails, or does not give `count` results.
    fn results(
        &self,
        execute: &mut Execute,
        sources: &[Values],
        count: usize,
    ) -> Result<Vec<Values>, Problem> {
        let results = execute(self, sources).map_err(Problem::Tested)?;
        match results.len() == count {
            true => Ok(results),
            false => Err(Problem::Tested(format!("`{}` has wrong results", self.spelling))),
        }
    }
}

/// Whether a register that a step sets is one of those that it reads.
fn is_in_place(step: &Step) -> bool {
    let is = |source: &Source| match source {
        Source::Register(register) => step.into.iter().any(|target| target.register == Some(*register)),
        _ => false,
    };
    step.from.iter().any(is)
}

impl EntryProgram {
    /// Lowers an entry to a program.
    ///
    /// # Errors
    /// At names that are not declared, and at what the interpreter does not know.
    pub fn of(entry: &Entry) -> Result<EntryProgram, Error> {
        let lowered = lower(&mut Warps, [&entry.parameters, &[]], &entry.body);
        if let Some(LoweringProblem { instruction, declares, problem }) =
            lowered.wrong.into_iter().next()
        {
            // A declaration belongs to the instruction behind it.
            return Err(Error { instruction: instruction + usize::from(declares), problem });
        }
        let Lowered { steps, instructions, registers, outer, parameters, shared, .. } = lowered;
        let instructions = instructions.len();
        Ok(EntryProgram { steps, registers, outer, parameters, shared, instructions })
    }

    /// Runs a warp, until all of its threads have returned or there are no more instructions.
    ///
    /// # Errors
    /// If the warp does what it may not, or takes too many steps. What it has stored by then remains.
    pub fn run(&self, around: &mut Surroundings) -> Result<(), Error> {
        self.carry_out(&mut WarpRegisters::new(&self.registers), around)
    }

    /// Runs instructions of integers alone on values of outer registers, and returns the values of `result`. Values of
    /// registers that no instruction uses change nothing.
    ///
    /// # Errors
    /// As [`EntryProgram::run`], and if there is no result.
    pub fn compute(&self, inputs: &[(&str, Values)], result: &str) -> Result<Values, Error> {
        let mut registers = WarpRegisters::new(&self.registers);
        for (name, values) in inputs {
            if let Some(register) = self.outer.get(*name) {
                registers.set(&self.whole_register(*register), [true; WARP], values);
            }
        }
        let mut around = Surroundings {
            parameters: &HashMap::new(),
            place: WarpPlace { block: 0, threads: WARP as u64, first: 0 },
            memory: &mut memory::Nothing,
            execute: &mut |tested, _| Err(format!("`{}` is not of integers", tested.spelling)),
            steps: STEPS,
        };
        self.carry_out(&mut registers, &mut around)?;
        let given = match self.outer.get(result) {
            Some(register) => registers.get(*register, [true; WARP]).copied(),
            None => {
                // `outer` has only what an instruction uses, and a program without instructions gives back an input.
                let input = inputs.iter().find(|(name, _)| *name == result).map(|input| input.1);
                input.ok_or_else(|| Problem::Undeclared(result.to_owned()))
            }
        };
        given.map_err(|problem| Error { instruction: self.instructions, problem })
    }

    /// Returns a register as the target of an instruction that sets all of it.
    fn whole_register(&self, register: usize) -> ResultRegister {
        ResultRegister::whole_register(register, self.registers.get(register).map_or(0, |of| of.width))
    }
}
