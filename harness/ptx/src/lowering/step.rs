//! What a step does, when its names are places.

use vectors::Variant;
use vectors::matrix::MatrixVariant;

use super::extent::Extent;
use crate::syntax::{Carry, Integer, Space, Special, Tile};

/// An instruction, or a part of one.
#[derive(Debug)]
pub struct Step {
    pub guard: Option<Guard>,
    pub action: Action,
    /// The registers that it sets; which of its results each is given, the action says.
    pub into: Vec<Target>,
    /// What it reads, besides its guard and the address of memory.
    pub from: Vec<Source>,
    /// Which instruction of the text it belongs to, counted from 1.
    pub instruction: usize,
}

/// A predicate, and what it must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The predicate's register.
    pub predicate: usize,
    pub wanted: bool,
}

#[derive(Debug)]
pub enum Action {
    /// Into a second register goes the opposite of a comparison.
    Compute(Integer),
    /// The carry is the last of the sources where one is taken, and the second result where one is given.
    Carry(Carry),
    /// An instruction of the table, of each thread for itself.
    Tested(&'static Variant),
    /// Parts of a word, of so many bits, the lowest first: to registers …
    Unpack(u32),
    /// … and back.
    Pack(u32),
    /// Words of so many bytes that lie behind each other: to registers …
    Load(Address, usize),
    /// … and back.
    Store(Address, usize),
    /// To the step of this number.
    Branch(usize),
    /// To one of these, by the number that is read.
    BranchIndexed(Vec<usize>),
    Call(Call),
    Return,
    /// The thread ends, and gives no result.
    End,
    /// What the threads of a warp do together, or leave to each other in memory.
    Collective(Collective),
}

/// A call of the function of a number.
#[derive(Debug)]
pub struct Call {
    pub function: usize,
    /// Where the caller has each argument, and where the function has it.
    pub arguments: Vec<[Extent; 2]>,
    /// The same of results.
    pub results: Vec<[Extent; 2]>,
}

/// What the threads of a warp do together, or leave to each other in memory.
#[derive(Clone, Copy, Debug)]
pub enum Collective {
    /// Adds to a word of so many bytes.
    ReduceAdd(Address, usize),
    /// A matrix of `wmma` from or to memory. Behind its registers is read how many elements lie from a row to the next,
    /// or from a column; if nothing is, as many as it has.
    Tile(Tile, Address),
    /// All threads of a warp are there …
    WarpBarrier,
    /// … or of a block, which may have one warp.
    Barrier,
    /// From the thread whose number differs by these bits.
    Shuffle(usize),
    /// `mma`, `mma.sp` or `wmma.mma`
    Matrix(&'static MatrixVariant),
    /// `redux.sync`: one result of what the threads have.
    Reduce(&'static Variant),
    /// `atom` or `red`: each thread's arithmetic on a word in memory, with the elements of its operand. Registers are
    /// given the elements of the word as it was; of `red` there are none.
    Word(&'static Variant, Address),
    /// `cp.reduce.async.bulk`: the same by a word of shared memory, which the second address is of, some time before it is
    /// waited for.
    Bulk(&'static Variant, Address, Address),
    /// Makes a group of what was begun …
    BulkCommit,
    /// … and waits until it is done.
    BulkWait,
    /// What was stored before is seen by what is no thread.
    ProxyFence,
}

#[derive(Clone, Copy, Debug)]
pub enum Source {
    Register(usize),
    /// The opposite of a predicate.
    Negated(usize),
    Constant(u64),
    Special(Special),
    /// The address of a place among the function's variables.
    Variable(usize),
}

/// A register that is written, in a type; none, where nobody wants it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub register: Option<usize>,
    /// The bits that count.
    pub mask: u64,
    /// Of an integer with sign, by how much its sign lies above the bits that count, and the bits of the
    /// register.
    pub sign: Option<(u32, u64)>,
}

#[derive(Clone, Copy, Debug)]
pub enum Address {
    /// A variable or parameter, so many bytes from its beginning, where such words lie.
    Own(Extent, usize),
    /// What a source points to in a space, plus so many bytes.
    Of(Space, Source, u64),
}

impl Step {
    /// A step without a guard, which belongs to no instruction yet.
    pub fn new(action: Action, into: Vec<Target>, from: Vec<Source>) -> Step {
        Step { guard: None, action, into, from, instruction: 0 }
    }

    /// The registers that it reads, and those that it sets; addresses of what a warp does together are left out.
    pub fn registers(&self) -> impl Iterator<Item = usize> {
        let base = match &self.action {
            Action::Load(Address::Of(_, base, _), _) | Action::Store(Address::Of(_, base, _), _) => {
                Some(base)
            }
            _ => None,
        };
        let read = self.from.iter().chain(base).filter_map(|source| match source {
            Source::Register(register) | Source::Negated(register) => Some(*register),
            Source::Constant(_) | Source::Special(_) | Source::Variable(_) => None,
        });
        let set = self.into.iter().filter_map(|target| target.register);
        read.chain(set).chain(self.guard.map(|guard| guard.predicate))
    }
}

impl Target {
    /// The register of a number and a width, which an instruction sets with `bits` of its own.
    pub fn new(register: usize, width: u32, bits: u32, signed: bool) -> Target {
        let ones = |bits: u32| u64::MAX >> (64 - bits.clamp(1, 64));
        let sign = (signed && bits < width).then(|| (64 - bits, ones(width)));
        Target { register: Some(register), mask: ones(bits), sign }
    }

    /// The register of a number, which an instruction sets whole.
    pub fn whole(register: usize, width: u32) -> Target {
        Target::new(register, width, width, false)
    }

    /// Nobody wants what is given.
    pub const NOBODY: Target = Target { register: None, mask: 0, sign: None };

    /// What the register holds when it is given a word.
    #[inline]
    pub fn held(&self, word: u64) -> u64 {
        match self.sign {
            Some((above, ones)) => ((word << above) as i64 >> above) as u64 & ones,
            None => word & self.mask,
        }
    }
}
