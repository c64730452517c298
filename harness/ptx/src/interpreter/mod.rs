//! What a tree does, a warp at a time, so that printing is checked where there is no GPU. It knows
//! nothing of what trees are printed from; what it cannot do is an error, whatever the tree.

mod bulk;
mod emulated;
mod error;
pub(crate) mod fragments;
pub(crate) mod integer;
mod matrices;
mod memory;
mod reduction;
mod registers;
mod resolve;
mod run;
mod scopes;
mod shared;
mod tile;
mod word;

use std::collections::HashMap;

use vectors::Variant;
use vectors::matrix::MatrixVariant;

use crate::syntax::{Entry, Integer, Space, Special, Statement};
use bulk::Bulk;
use reduction::Reduction;
use registers::Registers;
use tile::Moved;
use word::Word;

pub use emulated::Emulated;
pub use error::{Error, MemoryError, Problem};
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
    /// The registers declared outside of inner braces.
    outer: HashMap<String, usize>,
    /// The name of each register.
    names: Vec<String>,
    /// Bytes of memory that a block's threads share.
    shared: usize,
}

/// An instruction.
#[derive(Debug)]
struct Step {
    /// The predicate, and what it must be.
    guard: Option<(usize, bool)>,
    action: Action,
}

#[derive(Debug)]
enum Action {
    Compute {
        integer: Integer,
        into: usize,
        sources: Vec<Source>,
    },
    /// The halves of a word to two registers, and back.
    Unpack {
        into: [usize; 2],
        from: Source,
        half: u32,
    },
    Pack {
        into: usize,
        from: [Source; 2],
        half: u32,
    },
    LoadParameter {
        into: usize,
        name: String,
        bytes: usize,
    },
    Load {
        into: usize,
        at: Address,
        bytes: usize,
    },
    Store {
        at: Address,
        bytes: usize,
        from: Source,
    },
    ReduceAdd {
        at: Address,
        bytes: usize,
        from: Source,
    },
    /// A matrix from or to memory.
    Tile(Moved),
    /// All threads of a warp are there …
    WarpBarrier,
    /// … or of a block, which may have one warp.
    Barrier,
    /// From the thread whose number differs by these bits.
    Shuffle {
        into: usize,
        from: Source,
        flipped: usize,
    },
    /// To the step of this number.
    Branch(usize),
    Return,
    Tested {
        tested: Tested,
        into: Vec<usize>,
        sources: Vec<Source>,
    },
    /// Of all threads of a warp.
    Reduce(Reduction),
    /// On a word in memory.
    Word(Word),
    /// The same by a word of shared memory, some time before …
    Bulk(Bulk),
    /// … what belongs to a group …
    BulkCommit,
    /// … has been waited for; it sees what was stored before this.
    BulkWait,
    ProxyFence,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Register(usize),
    Constant(u64),
    Special(Special),
}

/// The threads of a warp, each with whether it is meant.
type Threads = [bool; WARP];

/// The address of each thread that has one.
type Addresses = [Option<u64>; WARP];

#[derive(Clone, Copy, Debug)]
struct Address {
    space: Space,
    base: Source,
    offset: u64,
}

/// An instruction that is not the interpreter's own.
#[derive(Clone, Debug)]
pub struct Tested {
    /// Its name.
    pub spelling: String,
    /// The variant that it is …
    pub variant: Option<&'static Variant>,
    /// … or the matrix instruction, which all threads of a warp execute.
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

impl Program {
    /// The program of an entry.
    ///
    /// # Errors
    /// At names that are not declared, and at what the interpreter does not know.
    pub fn of(entry: &Entry) -> Result<Program, Error> {
        Program::of_body(&entry.body)
    }

    /// The program of statements.
    ///
    /// # Errors
    /// As [`Program::of`].
    pub fn of_body(body: &[Statement]) -> Result<Program, Error> {
        resolve::program(body)
    }

    /// Runs a warp, until all of its threads have returned or there are no more instructions.
    ///
    /// # Errors
    /// If it does what it may not, or takes too many steps. What it has stored by then remains.
    pub fn run(&self, around: &mut Surroundings) -> Result<(), Error> {
        self.carry_out(&mut Registers::new(&self.names), around)
    }

    /// What instructions of integers alone make of the values of some outer registers: those of `result`.
    ///
    /// # Errors
    /// As [`Program::run`], and if there is no register of such a name.
    pub fn compute(&self, inputs: &[(&str, Values)], result: &str) -> Result<Values, Error> {
        let undeclared = |name: &str| {
            let problem = Problem::Undeclared(name.to_owned());
            Error { instruction: self.steps.len(), problem }
        };
        let mut registers = Registers::new(&self.names);
        for (name, values) in inputs {
            let input = self.outer.get(*name).ok_or_else(|| undeclared(name))?;
            registers.set(*input, [true; WARP], *values);
        }
        let mut around = Surroundings {
            parameters: &HashMap::new(),
            place: Place { block: 0, threads: WARP as u64, first: 0 },
            memory: &mut memory::Nothing,
            execute: &mut |tested, _| Err(format!("`{}` is not of integers", tested.spelling)),
            steps: STEPS,
        };
        self.carry_out(&mut registers, &mut around)?;
        let result_of = self.outer.get(result).ok_or_else(|| undeclared(result))?;
        let values = registers.get(*result_of, [true; WARP]);
        values.copied().map_err(|problem| Error { instruction: self.steps.len(), problem })
    }
}
