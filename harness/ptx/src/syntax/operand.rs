//! Operands of instructions.

use super::names::Special;

/// An operand as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register that is declared.
    Register(String),
    /// The opposite of a predicate: `!p`
    Negated(String),
    /// What a function is called with, or what it returns: `(param0, param1)`
    Arguments(Vec<String>),
    /// Two predicates: `p|q`
    Pair(String, String),
    /// Several in braces: `{a, b, e, f}`
    Vector(Vec<Operand>),
    /// `%tid.x`
    Special(Special),
    /// A literal of an integer.
    Immediate(Immediate),
    /// The bits of an f32: `0f3f800000`
    Single(u32),
    /// The bits of an f64: `0d3ff0000000000000`
    Double(u64),
    /// A parameter of the entry: `[rows]`
    Parameter(String),
    /// What the register or variable `base` points to: `[base]`, or `[base+offset]`, `offset` in bytes.
    Memory {
        /// The register or variable.
        base: String,
        /// What is added to it, in two's complement; it may be written where it is 0.
        offset: Option<u64>,
    },
    /// What several operands say together where it lies, such as a handle: `[le, offset]`
    Place(Vec<Operand>),
    /// Where to go on, or what to call.
    Label(String),
}

/// An integer, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Immediate {
    /// The integer.
    pub value: u64,
    /// How it is written.
    pub notation: Notation,
}

/// How an integer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `16`
    Decimal,
    /// `-16`, in two's complement
    Negative,
    /// `0x0123` has four digits; there may be more than it takes, and not fewer.
    Hexadecimal {
        /// How many digits.
        digits: u8,
    },
}

/// `0xffffffff`: all threads of a warp, where an instruction says which of them take part.
pub const MEMBERS: u64 = 0xffff_ffff;

/// An integer in as many hexadecimal digits as it takes.
pub fn hex(value: u64) -> Immediate {
    let digits = (u64::BITS - value.leading_zeros()).div_ceil(4).max(1) as u8;
    Immediate { value, notation: Notation::Hexadecimal { digits } }
}

impl Operand {
    /// How many registers or data it stands for.
    pub fn size(&self) -> usize {
        match self {
            Operand::Pair(..) => 2,
            Operand::Vector(each) => each.len(),
            _ => 1,
        }
    }

    /// The memory at `offset` bytes behind an address.
    pub fn memory(base: &str, offset: u64) -> Operand {
        Operand::Memory { base: base.into(), offset: Some(offset) }
    }
}

impl From<&str> for Operand {
    /// A register, special or declared.
    fn from(name: &str) -> Operand {
        match Special::read(name) {
            Some(special) => Operand::Special(special),
            None => Operand::Register(name.into()),
        }
    }
}

impl From<&String> for Operand {
    fn from(name: &String) -> Operand {
        name.as_str().into()
    }
}

impl From<u64> for Operand {
    /// A decimal integer.
    fn from(value: u64) -> Operand {
        Operand::Immediate(Immediate { value, notation: Notation::Decimal })
    }
}

impl From<Immediate> for Operand {
    fn from(immediate: Immediate) -> Operand {
        Operand::Immediate(immediate)
    }
}

impl<const N: usize> From<[&str; N]> for Operand {
    /// Registers in braces.
    fn from(names: [&str; N]) -> Operand {
        Operand::Vector(names.into_iter().map(Operand::from).collect())
    }
}
