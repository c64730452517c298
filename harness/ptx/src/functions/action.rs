//! What a step of a function does, when its names are places.

use isa::Variant;

use super::memory::Extent;
use crate::syntax::{Carry, Integer};

/// An instruction.
#[derive(Debug)]
pub struct Step {
    /// The predicate, and what it must be.
    pub guard: Option<(usize, bool)>,
    pub action: Action,
    /// Which instruction of the text it belongs to, counted from 1.
    pub instruction: usize,
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
    /// Of the table, with what it gives and what it takes.
    Tested {
        variant: &'static Variant,
        into: Vec<Target>,
        sources: Vec<Source>,
    },
    /// Parts of a word to registers, the lowest first, and back.
    Unpack {
        into: Vec<Target>,
        from: Source,
        part: u32,
    },
    Pack {
        into: Target,
        from: Vec<Source>,
        part: u32,
    },
    /// Words that lie behind each other, to registers and back.
    Load {
        into: Vec<Target>,
        at: Address,
        bytes: usize,
    },
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
}

/// A call of the code of a number.
#[derive(Debug)]
pub struct Call {
    pub code: usize,
    /// Where the caller has each argument, and where the function has it.
    pub arguments: Vec<[Extent; 2]>,
    /// The same of results.
    pub results: Vec<[Extent; 2]>,
}

#[derive(Clone, Copy, Debug)]
pub enum Source {
    Register(usize),
    /// The opposite of a predicate.
    Negated(usize),
    Constant(u64),
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
    /// One of the function's variables, so many bytes from its beginning, where such words lie.
    Own(Extent, usize),
    /// What a source points to, plus so many bytes.
    Of(Source, u64),
}

impl Step {
    /// The registers that it reads, and those that it sets.
    pub fn registers(&self) -> impl Iterator<Item = usize> {
        let (mut into, mut from): (Vec<&Target>, Vec<&Source>) = (Vec::new(), Vec::new());
        let mut more: Vec<usize> = self.guard.iter().map(|(predicate, _)| *predicate).collect();
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
        }
        more.extend(into.into_iter().filter_map(|target| target.register));
        more.extend(from.into_iter().filter_map(|source| match source {
            Source::Register(register) | Source::Negated(register) => Some(*register),
            Source::Constant(_) | Source::Variable(_) => None,
        }));
        more.into_iter()
    }
}

impl Address {
    fn source(&self) -> Option<&Source> {
        match self {
            Address::Own(..) => None,
            Address::Of(source, _) => Some(source),
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
