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
    Compute {
        integer: Integer,
        into: Target,
        /// The predicate that is the opposite of a comparison.
        opposite: Option<Target>,
        sources: Vec<Source>,
    },
    Carry {
        carry: Carry,
        into: Target,
        /// The register of the carry.
        flag: usize,
        sources: Vec<Source>,
    },
    /// An instruction of the table, of each thread for itself.
    Tested {
        variant: &'static Variant,
        into: Vec<Target>,
        sources: Vec<Source>,
    },
    /// Parts of a word to registers, the lowest first …
    Unpack {
        into: Vec<Target>,
        from: Source,
        part: u32,
    },
    /// … and back, the bits of each part given.
    Pack {
        into: Target,
        from: Vec<Source>,
        part: u32,
    },
    /// Words that lie behind each other, to registers …
    Load {
        into: Vec<Target>,
        at: Address,
        bytes: usize,
    },
    /// … and back, the bytes of each word given.
    Store {
        at: Address,
        bytes: usize,
        from: Vec<Source>,
    },
    /// To the step of this number.
    Branch(usize),
    /// To one of these, by its number.
    BranchIndexed {
        index: Source,
        targets: Vec<usize>,
    },
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
#[derive(Debug)]
pub enum Collective {
    ReduceAdd {
        at: Address,
        bytes: usize,
        from: Source,
    },
    Tile(Moved),
    /// All threads of a warp are there …
    WarpBarrier,
    /// … or of a block, which may have one warp.
    Barrier,
    /// From the thread whose number differs by these bits.
    Shuffle {
        into: Target,
        from: Source,
        flipped: usize,
    },
    Matrix {
        matrix: &'static MatrixVariant,
        into: Vec<Target>,
        sources: Vec<Source>,
    },
    Reduce(Reduction),
    Word(Word),
    Bulk(Bulk),
    /// Makes a group of what was begun …
    BulkCommit,
    /// … and waits until it is done.
    BulkWait,
    /// What was stored before is seen by what is no thread.
    ProxyFence,
}

/// A matrix of `wmma` that goes from or to memory.
#[derive(Debug)]
pub struct Moved {
    pub tile: Tile,
    /// Its place in memory.
    pub at: Address,
    /// The registers of its fragment.
    pub registers: Vec<Target>,
    /// Elements from a row to the next, or from a column; where there is none, as many as it has.
    pub stride: Option<Source>,
}

/// `redux.sync`: one result of what the threads have.
#[derive(Debug)]
pub struct Reduction {
    pub variant: &'static Variant,
    /// The register that has the result in all threads.
    pub into: Target,
    pub from: Source,
}

/// `atom` or `red`: each thread's arithmetic on a word in memory.
#[derive(Debug)]
pub struct Word {
    pub variant: &'static Variant,
    /// The elements of the register that has the word as it was; none of `red`.
    pub into: Vec<Target>,
    pub at: Address,
    /// The elements of the operand.
    pub from: Vec<Source>,
}

/// `cp.reduce.async.bulk`: the same by a word of shared memory, some time before it is waited for.
#[derive(Debug)]
pub struct Bulk {
    /// What is done; its operand is in memory.
    pub word: Word,
    /// Where the other words lie, in shared memory.
    pub from: Address,
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
    /// The registers that it reads, and those that it sets; those of what a warp does together are left out.
    pub fn registers(&self) -> impl Iterator<Item = usize> {
        let (mut into, mut from): (Vec<&Target>, Vec<&Source>) = (Vec::new(), Vec::new());
        let mut more: Vec<usize> = self.guard.iter().map(|guard| guard.predicate).collect();
        match &self.action {
            Action::Compute { into: one, opposite, sources, .. } => {
                into.extend(opposite.iter().chain([one]));
                from.extend(sources);
            }
            Action::Carry { into: one, flag, sources, .. } => {
                into.push(one);
                from.extend(sources);
                more.push(*flag);
            }
            Action::Tested { into: all, sources, .. } => {
                into.extend(all);
                from.extend(sources);
            }
            Action::Unpack { into: all, from: one, .. } => {
                into.extend(all);
                from.push(one);
            }
            Action::Pack { into: one, from: all, .. } => {
                into.push(one);
                from.extend(all);
            }
            Action::Load { into: all, at, .. } => {
                into.extend(all);
                from.extend(at.source());
            }
            Action::Store { at, from: all, .. } => {
                from.extend(at.source().into_iter().chain(all));
            }
            Action::BranchIndexed { index, .. } => from.push(index),
            Action::Branch(_) | Action::Call(_) | Action::Return | Action::End => {}
            Action::Collective(_) => {}
        }
        more.extend(into.into_iter().filter_map(|target| target.register));
        more.extend(from.into_iter().filter_map(|source| match source {
            Source::Register(register) | Source::Negated(register) => Some(*register),
            Source::Constant(_) | Source::Special(_) | Source::Variable(_) => None,
        }));
        more.into_iter()
    }
}

impl Address {
    fn source(&self) -> Option<&Source> {
        match self {
            Address::Own(..) => None,
            Address::Of(_, source, _) => Some(source),
        }
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
