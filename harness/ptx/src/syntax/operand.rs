//! Operands of instructions, as the syntax tree holds them.

use super::names::Special;

/// An operand as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A declared register.
    Register(String),
    /// The opposite of a predicate: `!p`
    Negated(String),
    /// The arguments or results of a call in parentheses: `(param0, param1)`
    Arguments(Vec<String>),
    /// Two predicates: `p|q`
    Pair(String, String),
    /// Several operands in braces: `{a, b, e, f}`
    Vector(Vec<Operand>),
    /// `%tid.x`
    Special(Special),
    /// An integer literal.
    Immediate(Immediate),
    /// The bits of an f32: `0f3f800000`
    Single(u32),
    /// The bits of an f64: `0d3ff0000000000000`
    Double(u64),
    /// A parameter of the entry: `[rows]`
    Parameter(String),
    /// The memory that the register or variable `base` points to: `[base]`, or `[base+offset]`, with `offset` in
    /// bytes.
    Memory {
        /// Register or variable with the address.
        base: String,
        /// Offset that is added to the address, in bytes and two's complement; an offset of 0 may be written as well.
        offset: Option<u64>,
    },
    /// The address of a variable, and how many bytes behind it: `table+8`
    Behind {
        /// Variable, whose name stands for its address.
        base: String,
        /// Offset that is added to the address, in bytes and two's complement.
        offset: u64,
    },
    /// A place in memory that several operands describe together, such as a handle: `[le, offset]`
    Place(Vec<Operand>),
    /// The target of a branch, or the function that is called.
    Label(String),
}

/// An integer literal: its value and its notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Immediate {
    /// Value of the integer.
    pub value: u64,
    /// Notation of the literal.
    pub notation: Notation,
}

/// The notation of an integer literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notation {
    /// `16`
    Decimal,
    /// `-16`, in two's complement
    Negative,
    /// `0x0123` has four digits; there may be more digits than the value needs, but not fewer.
    Hexadecimal {
        /// Number of digits.
        digits: u8,
    },
}

/// `0xffffffff`: the member mask that names all threads of a warp, for instructions that say which threads take part.
pub const MEMBERS: u64 = 0xffff_ffff;

/// Returns a literal with as many hexadecimal digits as the value needs.
pub fn hex(value: u64) -> Immediate {
    let digits = (u64::BITS - value.leading_zeros()).div_ceil(4).max(1) as u8;
    Immediate { value, notation: Notation::Hexadecimal { digits } }
}

impl Operand {
    /// Returns how many registers or data the operand stands for.
    pub fn size(&self) -> usize {
        match self {
            Operand::Pair(..) => 2,
            Operand::Vector(each) => each.len(),
            _ => 1,
        }
    }

    /// Whether the operand is a special register, or has one in braces, for which `is` holds.
    pub fn has_special(&self, is: impl Fn(Special) -> bool + Copy) -> bool {
        match self {
            Operand::Special(special) => is(*special),
            Operand::Vector(each) => each.iter().any(|one| one.has_special(is)),
            _ => false,
        }
    }

    /// Returns the memory `offset` bytes behind the address in `base`, with the offset always written.
    pub fn memory(base: &str, offset: u64) -> Operand {
        Operand::Memory { base: base.into(), offset: Some(offset) }
    }
}

impl From<&str> for Operand {
    /// Reads a name as a special register if it is one, otherwise as a declared register.
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
    /// Makes a decimal integer literal.
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
    /// Puts registers into braces.
    fn from(names: [&str; N]) -> Operand {
        Operand::Vector(names.into_iter().map(Operand::from).collect())
    }
}
