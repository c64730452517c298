//! Steps: instructions whose names are registers and places in memory, for either machine to execute.

use isa::Variant;
use isa::matrix::MatrixVariant;
use ptx::syntax::{Carry, Integer, Space, Special, Tile};

use super::extent::Extent;

/// An instruction, or a part of one that has to be done before it.
#[derive(Debug)]
pub struct Step {
    /// Where it is executed, if not in all threads or rows.
    pub guard: Option<Guard>,
    /// The operation, which says what the registers of `into` are given and the sources of `from` mean.
    pub action: Action,
    /// The registers that it sets, in order.
    pub into: Vec<Target>,
    /// The sources that it reads, in order, besides its guard and the address of memory.
    pub from: Vec<Source>,
    /// Which instruction of the text it belongs to, counted from 1.
    pub instruction: usize,
}

/// A predicate that decides whether a thread or row executes a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The predicate's register.
    pub predicate: usize,
    /// The value that it must have there.
    pub wanted: bool,
}

/// The operation of a step.
#[derive(Debug)]
pub enum Action {
    /// An instruction of integers. A second register is given the opposite of a comparison.
    Compute(Integer),
    /// An instruction of extended precision. The last source is the carry that it takes, and the second result the
    /// carry that it gives, if it does.
    Carry(Carry),
    /// An instruction of the table, of each thread for itself.
    Tested(&'static Variant),
    /// Takes a word apart, into parts of so many bits each, the lowest first.
    Unpack(u32),
    /// Puts a word together of parts of so many bits each, the lowest first.
    Pack(u32),
    /// Loads words of so many bytes each, which lie behind each other from the address on, a register each.
    Load(Address, usize),
    /// Stores words of so many bytes each, one behind the other from the address on.
    Store(Address, usize),
    /// Goes on at the step of this number.
    Branch(usize),
    /// Goes on at one of these steps: the source says at which.
    BranchIndexed(Vec<usize>),
    /// Calls a function.
    Call(Call),
    /// Returns from the function, or ends the thread of a kernel.
    Return,
    /// The thread ends, and gives no result.
    End,
    /// An operation that more than one thread takes part in, or sees the result of.
    Collective(Collective),
}

/// A call of the function of a number.
#[derive(Debug)]
pub struct Call {
    /// The number that the machine knows the function by.
    pub function: usize,
    /// Where the caller has each argument, and where the function has it.
    pub arguments: Vec<[Extent; 2]>,
    /// Where the caller has each result, and where the function has it.
    pub results: Vec<[Extent; 2]>,
}

/// An operation that more than one thread of a warp takes part in, or sees the result of in memory.
#[derive(Clone, Copy, Debug)]
pub enum Collective {
    /// Adds to a word of so many bytes.
    ReduceAdd(Address, usize),
    /// A matrix of `wmma` from or to memory. Behind its registers is read how many elements lie from a row to the next,
    /// or from a column; if nothing is, as many as it has.
    Tile(Tile, Address),
    /// Waits until all threads of the warp are there.
    WarpBarrier,
    /// Waits until all threads of the block are there, which may have one warp.
    Barrier,
    /// Gives each thread the word of the one whose number differs from its own in these bits.
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
    /// Makes a group of the bulk operations that were begun.
    BulkCommit,
    /// Waits until the bulk operations of all groups are done.
    BulkWait,
    /// Makes visible to bulk operations what threads have stored.
    ProxyFence,
}

/// A word that a step reads.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// The register of a number.
    Register(usize),
    /// The opposite of the predicate in the register of a number.
    Negated(usize),
    /// A literal, or an address that is known.
    Constant(u64),
    /// A special register, such as the number of the thread.
    Special(Special),
    /// The address of a place among the function's variables.
    Variable(usize),
}

/// A register that a step sets, with the width of the result that it is given.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The number of the register; `None` where the result is dropped, `_`.
    pub register: Option<usize>,
    /// The bits that count.
    pub mask: u64,
    /// How an integer with sign is extended into the register: how far its sign is from bit 63, and the mask of the
    /// register's bits.
    pub sign: Option<(u32, u64)>,
}

/// Where words of memory lie.
#[derive(Clone, Copy, Debug)]
pub enum Address {
    /// A variable or parameter, so many bytes from its beginning, where such words lie.
    Own(Extent, usize),
    /// Behind the address in a space that a source has, by so many bytes.
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

    /// The bits that the register holds after it was given a word.
    #[inline]
    pub fn held(&self, word: u64) -> u64 {
        match self.sign {
            Some((above, ones)) => ((word << above) as i64 >> above) as u64 & ones,
            None => word & self.mask,
        }
    }
}
