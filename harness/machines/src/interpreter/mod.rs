//! What a tree does, a warp at a time, so that printing is checked where there is no GPU. It knows
//! nothing of what trees are printed from; what it cannot do is an error, whatever the tree.

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

use crate::lowering::{Extent, Lowered, Register, Source, Step, Target, Wrong, lower};
use lacks::Warps;
use registers::Registers;

pub use crate::problem::{MemoryError, Problem};
pub use emulated::Emulated;
pub use error::Error;
pub use fragments::result_at;
pub use memory::Memory;

/// Threads of a warp.
pub const WARP: usize = 32;
/// What a register holds in each thread; a predicate is 0 or 1.
pub type Values = [u64; WARP];

/// Steps of a warp that are enough for every kernel of this crate.
pub const STEPS: u64 = 1 << 24;

/// An entry whose names are places.
#[derive(Debug)]
pub struct Program {
    steps: Vec<Step>,
    registers: Vec<Register>,
    /// The registers that are declared outside of inner braces and used, by name.
    outer: HashMap<String, usize>,
    /// Where each parameter lies.
    parameters: Vec<(String, Extent)>,
    /// Bytes of memory that a block's threads share.
    shared: usize,
    /// How many instructions there are.
    instructions: usize,
}

/// The threads of a warp, each with whether it is meant.
type Threads = [bool; WARP];

/// The address of each thread that has one.
type Addresses = [Option<u64>; WARP];

/// An instruction that is not the interpreter's own.
#[derive(Clone, Copy, Debug)]
pub struct Tested {
    /// Its name.
    pub spelling: &'static str,
    /// The variant that it is, if it is one.
    pub variant: Option<&'static Variant>,
    /// The matrix instruction that it is, if it is one: all threads of a warp execute it together.
    pub matrix: Option<&'static MatrixVariant>,
    /// Whether a register of its results is one of its sources as well.
    pub in_place: bool,
}

/// Carries out what is not the interpreter's own, from the values of its sources: as many results as
/// it has, or a word on why there are none.
pub type Execute<'a> = dyn FnMut(&Tested, &[Values]) -> Result<Vec<Values>, String> + 'a;

/// What a warp finds around it.
pub struct Surroundings<'a> {
    /// Parameters by name.
    pub parameters: &'a HashMap<String, u64>,
    /// Where it stands.
    pub place: Place,
    /// The memory of the device.
    pub memory: &'a mut dyn Memory,
    /// The unit under test.
    pub execute: &'a mut Execute<'a>,
    /// How many steps it may take.
    pub steps: u64,
}

/// Where a warp stands in its grid.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The number of its block.
    pub block: u64,
    /// Threads in a block.
    pub threads: u64,
    /// The number of its first thread there.
    pub first: u64,
}

impl Tested {
    /// An instruction of the table, whose results are not put where its sources are.
    fn alone(variant: &'static Variant) -> Tested {
        let spelling = variant.spelling();
        Tested { spelling, variant: Some(variant), matrix: None, in_place: false }
    }

    /// An instruction of the table, of a step.
    fn variant(variant: &'static Variant, step: &Step) -> Tested {
        Tested { in_place: is_in_place(step), ..Tested::alone(variant) }
    }

    /// A matrix instruction, of a step.
    fn matrix(matrix: &'static MatrixVariant, step: &Step) -> Tested {
        let (spelling, in_place) = (matrix.spelling(), is_in_place(step));
        Tested { spelling, variant: None, matrix: Some(matrix), in_place }
    }

    /// The results of the unit under test.
    ///
    /// # Errors
    /// If it fails, or does not give `count` results.
    fn results(
        &self,
        execute: &mut Execute,
        sources: &[Values],
        count: usize,
    ) -> Result<Vec<Values>, Problem> {
        let results = execute(self, sources).map_err(Problem::Tested)?;
        match results.len() == count {
            true => Ok(results),
            false => Err(Problem::Tested(format!("`{}` has other results", self.spelling))),
        }
    }
}

fn is_in_place(step: &Step) -> bool {
    let is = |source: &Source| match source {
        Source::Register(register) => step.into.iter().any(|target| target.register == Some(*register)),
        _ => false,
    };
    step.from.iter().any(is)
}

impl Program {
    /// The program of an entry.
    ///
    /// # Errors
    /// At names that are not declared, and at what the interpreter does not know.
    pub fn of(entry: &Entry) -> Result<Program, Error> {
        let lowered = lower(&mut Warps, [&entry.parameters, &[]], &entry.body);
        if let Some(Wrong { instruction, declares, problem }) = lowered.wrong.into_iter().next() {
            // A declaration belongs to the instruction behind it.
            return Err(Error { instruction: instruction + usize::from(declares), problem });
        }
        let Lowered { steps, instructions, registers, outer, parameters, shared, .. } = lowered;
        let instructions = instructions.len();
        Ok(Program { steps, registers, outer, parameters, shared, instructions })
    }

    /// Runs a warp, until all of its threads have returned or there are no more instructions.
    ///
    /// # Errors
    /// If it does what it may not, or takes too many steps. What it has stored by then remains.
    pub fn run(&self, around: &mut Surroundings) -> Result<(), Error> {
        self.carry_out(&mut Registers::new(&self.registers), around)
    }

    /// Runs instructions of integers alone on values of outer registers, and gives those of `result`. Values of registers
    /// that no instruction uses change nothing.
    ///
    /// # Errors
    /// As [`Program::run`], and if there is no result.
    pub fn compute(&self, inputs: &[(&str, Values)], result: &str) -> Result<Values, Error> {
        let mut registers = Registers::new(&self.registers);
        for (name, values) in inputs {
            if let Some(register) = self.outer.get(*name) {
                registers.set(&self.whole(*register), [true; WARP], values);
            }
        }
        let mut around = Surroundings {
            parameters: &HashMap::new(),
            place: Place { block: 0, threads: WARP as u64, first: 0 },
            memory: &mut memory::Nothing,
            execute: &mut |tested, _| Err(format!("`{}` is not of integers", tested.spelling)),
            steps: STEPS,
        };
        self.carry_out(&mut registers, &mut around)?;
        let given = match self.outer.get(result) {
            Some(register) => registers.get(*register, [true; WARP]).copied(),
            None => {
                let input = inputs.iter().find(|(name, _)| *name == result).map(|input| input.1);
                input.ok_or_else(|| Problem::Undeclared(result.to_owned()))
            }
        };
        given.map_err(|problem| Error { instruction: self.instructions, problem })
    }

    /// A register, as an instruction that sets all of it.
    fn whole(&self, register: usize) -> Target {
        Target::whole(register, self.registers.get(register).map_or(0, |of| of.width))
    }
}
