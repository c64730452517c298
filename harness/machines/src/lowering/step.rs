//! Steps: instructions whose names are registers and places in memory, for either machine to execute.

use isa::Variant;
use isa::matrix::MatrixVariant;
use ptx::syntax::{
    Atomic, BarrierReduction, Carry, Integer, Scalar, ShuffleMode, Space, Special, TileAccess, VoteMode,
    WordOperation,
};

use super::extent::Extent;

/// An instruction, or a part of one that has to be done before it.
#[derive(Debug)]
pub struct Step {
    /// The guard of the step, if it is not executed in all threads or rows.
    pub guard: Option<StepGuard>,
    /// The operation, which says what the registers of `into` are given and the sources of `from` mean.
    pub action: Action,
    /// The registers that the step sets, in order.
    pub into: Vec<ResultRegister>,
    /// The sources that the step reads, in order, besides its guard and the address of memory.
    pub from: Vec<Source>,
    /// The number of the text's instruction that the step belongs to, counted from 1.
    pub instruction: usize,
}

/// A predicate that decides whether a thread or row executes a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepGuard {
    /// The predicate's register.
    pub predicate: usize,
    /// The value that the predicate must have.
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
    /// An instruction of the table that each thread executes for itself.
    Tested(&'static Variant),
    /// Takes a word apart, into parts of so many bits each, the lowest first.
    Unpack(u32),
    /// Puts a word together of parts of so many bits each, the lowest first.
    Pack(u32),
    /// Loads words of so many bytes each into a register each; they lie behind each other from the address on.
    Load(Address, usize),
    /// Stores words of so many bytes each, one behind the other from the address on.
    Store(Address, usize),
    /// Goes on at the step of this number.
    Branch(usize),
    /// Goes on at one of these steps: the source is the place of the step in this list, counted from 0.
    BranchIndexed(Vec<usize>),
    /// Calls a function.
    Call(Call),
    /// Returns from the function, or ends the thread of a kernel.
    Return,
    /// Ends the thread, which gives no result.
    End,
    /// Whether a generic address lies in a state space.
    IsInSpace(Space),
    /// Changes nothing.
    Nothing,
    /// An operation that more than one thread takes part in, or sees the result of.
    Collective(Collective),
}

/// A call of the function that a machine knows by a number.
#[derive(Debug)]
pub struct Call {
    /// The number that the machine knows the function by.
    pub function: usize,
    /// The place of each argument in the caller, and its place in the function.
    pub arguments: Vec<[Extent; 2]>,
    /// The place of each result in the caller, and its place in the function.
    pub results: Vec<[Extent; 2]>,
}

/// An operation that more than one thread of a warp takes part in, or sees the result of in memory.
#[derive(Clone, Copy, Debug)]
pub enum Collective {
    /// Adds to a word of so many bytes.
    ReduceAdd(Address, usize),
    /// Loads a matrix of `wmma` from memory, or stores one. The source behind its registers says how many elements lie
    /// from one row to the next, or from one column; without it, as many as a row or column has.
    Tile(TileAccess, Address),
    /// Waits until all threads of the warp are there.
    WarpBarrier,
    /// Waits until all threads of the block are there, which may have one warp.
    Barrier,
    /// Gives each thread the word of the one whose number differs from its own in these bits.
    Shuffle(usize),
    /// `shfl.sync`: the sources are the words, the other threads or how far they are, the clamps, and the members. A
    /// second register is given whether there is such a thread.
    Exchange(ShuffleMode),
    /// `vote.sync`: the sources are the predicates and the members.
    Vote(VoteMode),
    /// Gives the threads of the warp that are here together, a bit for each.
    ActiveMask,
    /// Comes to the barrier of the number that the first source has, which is passed once all threads of the block have
    /// come, or as many as the third source says. The second source is a predicate. If it is aligned, the threads of a
    /// warp have to come by one instruction.
    BlockBarrier {
        /// Whether the threads of a warp have to come by one instruction.
        aligned: bool,
        /// The behaviour of the threads at the barrier.
        does: BarrierDoes,
    },
    /// `redux.sync` of integers: the sources are the words and the members.
    ReduceMembers(WordOperation, Scalar),
    /// `match.sync` of words of a type: the sources are the words and the members. If all words are to be equal, a second
    /// register is given whether they are.
    Match {
        /// Whether all are to be equal, and not any.
        all: bool,
        /// The type of the words.
        ty: Scalar,
    },
    /// `elect.sync`: the source is the members. Registers are given the thread that is elected, and whether it is the
    /// thread itself.
    Elect,
    /// An atomic operation of integers on a word in memory: the sources are its operands. A register is given the word as
    /// it was.
    Atomic(Atomic, Address),
    /// `cp.async`: copies so many bytes from the second address to the first, which is in shared memory.
    CopyAsync {
        /// The address in shared memory.
        into: Address,
        /// The address in global memory.
        from: Address,
        /// The bytes that are written.
        bytes: usize,
        /// The bytes that are read.
        copied: CopiedBytes,
    },
    /// Makes a group of the copies that the thread has begun.
    CopyCommit,
    /// Waits for the thread's copies: all of them, or those of all groups but so many.
    CopyWait(Option<u64>),
    /// Waits until the members of the warp, the source, are there.
    MembersBarrier,
    /// `mma`, `mma.sp` or `wmma.mma`
    Matrix(&'static MatrixVariant),
    /// `redux.sync`: one result of what the threads have.
    Reduce(&'static Variant),
    /// `atom` or `red`: each thread's arithmetic on a word in memory, with the elements of its operand. Registers are
    /// given the elements of the word as it was; of `red` there are none.
    Word(&'static Variant, Address),
    /// `cp.reduce.async.bulk`: arithmetic on a word in memory, as of `red`, by a word of shared memory, which the
    /// second address is of. It is done some time before it is waited for.
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
pub struct ResultRegister {
    /// The number of the register; `None` where the result is dropped, `_`.
    pub register: Option<usize>,
    /// The bits of the result that count.
    pub mask: u64,
    /// The extension of an integer with sign into the register: how far its sign is from bit 63, and the mask of the
    /// register's bits.
    pub sign: Option<(u32, u64)>,
}

/// The place of words in memory.
#[derive(Clone, Copy, Debug)]
pub enum Address {
    /// A variable or parameter, and how many bytes from its beginning the words lie.
    Own(Extent, usize),
    /// The address in a space that a source has, and how many bytes behind it the words lie.
    Of(Space, Source, u64),
}

/// The behaviour of threads at a barrier of their block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierDoes {
    /// The threads wait until the barrier is passed.
    Wait,
    /// The threads go on at once, and count as having come.
    Arrive,
    /// The threads wait, and each is given the reduction of the predicates of all threads.
    Reduce(BarrierReduction),
}

/// The number of bytes that `cp.async` reads; the others that it writes are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopiedBytes {
    /// The bytes that are written are all read.
    All,
    /// The source operand is the number of bytes that are read.
    Source,
    /// The source operand is a predicate: no byte is read if it holds, and otherwise all.
    NoneIf,
}

impl Collective {
    /// Whether a thread waits for others at the operation.
    pub fn waits(&self) -> bool {
        !matches!(
            self,
            Collective::ActiveMask
                | Collective::Atomic(..)
                | Collective::Word(..)
                | Collective::CopyAsync { .. }
                | Collective::CopyCommit
                | Collective::CopyWait(_)
        )
    }

    /// Lists the addresses of memory that is touched, in the machine of blocks.
    fn addresses(&self) -> [Option<&Address>; 2] {
        match self {
            Collective::Atomic(_, at) | Collective::Word(_, at) => [Some(at), None],
            Collective::CopyAsync { into, from, .. } => [Some(into), Some(from)],
            _ => [None, None],
        }
    }
}

impl Step {
    /// Returns a step without a guard, which belongs to no instruction yet.
    pub fn new(action: Action, into: Vec<ResultRegister>, from: Vec<Source>) -> Step {
        Step { guard: None, action, into, from, instruction: 0 }
    }

    /// Whether the step compares its sources, and sets a predicate or chooses by that.
    pub fn compares(&self) -> bool {
        match &self.action {
            Action::Compute(integer) => {
                matches!(integer, Integer::Compare(..) | Integer::CompareWith(..) | Integer::Select(_))
            }
            Action::Tested(variant) => variant.spelling().starts_with("set"),
            _ => false,
        }
    }

    /// Returns how many bytes of a variable, from its first byte on, lie before the last one that the step loads from it;
    /// `None` if the step loads nothing from there by its name.
    pub fn loaded_of(&self, variable: Extent) -> Option<usize> {
        match self.action {
            Action::Load(Address::Own(own, from), bytes) if own == variable => {
                Some(from + bytes * self.into.len())
            }
            _ => None,
        }
    }

    /// Lists the words that the step loads from a variable by its name: the offset and the bytes of each.
    pub fn fields_of(&self, variable: Extent) -> Vec<(usize, usize)> {
        match self.action {
            Action::Load(Address::Own(own, from), bytes) if own == variable => {
                (0..self.into.len()).map(|number| (from + number * bytes, bytes)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Lists the registers that the step reads, and those that it sets; addresses of what only whole warps do are left out.
    pub fn registers(&self) -> impl Iterator<Item = usize> {
        // The columns of functions are chosen by this list.
        let addresses = match &self.action {
            Action::Load(at, _) | Action::Store(at, _) => [Some(at), None],
            Action::Collective(collective) => collective.addresses(),
            _ => [None, None],
        };
        let bases = addresses.into_iter().flatten().filter_map(|address| match address {
            Address::Of(_, base, _) => Some(base),
            Address::Own(..) => None,
        });
        let read = self.from.iter().chain(bases).filter_map(|source| match source {
            Source::Register(register) | Source::Negated(register) => Some(*register),
            Source::Constant(_) | Source::Special(_) | Source::Variable(_) => None,
        });
        let set = self.into.iter().filter_map(|target| target.register);
        read.chain(set).chain(self.guard.map(|guard| guard.predicate))
    }
}

impl ResultRegister {
    /// Returns the register of a number and a width as the target of an instruction that sets it with `bits` of its
    /// own.
    pub fn new(register: usize, width: u32, bits: u32, signed: bool) -> ResultRegister {
        let ones = |bits: u32| u64::MAX >> (64 - bits.clamp(1, 64));
        let sign = (signed && bits < width).then(|| (64 - bits, ones(width)));
        ResultRegister { register: Some(register), mask: ones(bits), sign }
    }

    /// Returns the register of a number as the target of an instruction that sets it whole.
    pub fn whole_register(register: usize, width: u32) -> ResultRegister {
        ResultRegister::new(register, width, width, false)
    }

    /// The target of a result that nobody wants.
    pub const NOBODY: ResultRegister = ResultRegister { register: None, mask: 0, sign: None };

    /// Returns the bits that the register holds after it was given a word.
    #[inline]
    pub fn held(&self, word: u64) -> u64 {
        match self.sign {
            Some((above, ones)) => ((word << above) as i64 >> above) as u64 & ones,
            None => word & self.mask,
        }
    }
}
