//! Problems of programs, in words that a user reads.

use std::fmt;

/// A reason why an instruction, or a whole function, cannot be read or executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A name that no declaration has.
    Undeclared(String),
    /// A name that two declarations of one scope have, or two labels.
    Redeclared(String),
    /// A label that is nowhere.
    NoLabel(String),
    /// Shared memory of no bytes, of more than there are, or at no such address.
    Shared(String),
    /// More registers than any program needs.
    Registers,
    /// Braces in braces, deeper than any program needs.
    Nested,
    /// Operands that it cannot have.
    Operands(String),
    /// It is read and not interpreted.
    Unsupported(String),
    /// A register is read before it is set.
    Unset(String),
    /// A guard of what is neither a branch nor a return, and changes no memory.
    Guarded,
    /// Some threads of a warp branch and others do not.
    Diverges,
    /// Not all threads of a warp exchange words or wait for each other.
    Inactive,
    /// Several warps wait for each other.
    Warps,
    /// Threads of a warp do not have one matrix.
    Apart,
    /// The rows of a matrix are too near to each other, or not aligned.
    Stride,
    /// Words that were stored and not fenced are to be seen by what is no thread.
    Unfenced,
    /// A parameter that is not given.
    NoParameter(String),
    /// It touches memory that it may not.
    Memory(MemoryError),
    /// The instruction under test came to nothing, for this reason.
    Tested(String),
    /// The program takes more steps than it may.
    Steps,
    /// A function that is not in the module.
    NoFunction(String),
    /// Functions call each other too deep, or have too much in memory.
    Depth,
    /// The thread ends in the midst of a function, which then gives no result.
    Ends,
    /// A branch by a number that its table does not have.
    NoTarget,
    /// What a function is called with is not what it takes.
    Passed,
}

/// A reason why memory cannot be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryError {
    /// Touch what was not allocated.
    Address,
    /// Touch a word where such words do not lie.
    Alignment,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Undeclared(name) => write!(f, "`{name}` is not declared"),
            Problem::Redeclared(name) => write!(f, "`{name}` is declared twice"),
            Problem::NoLabel(name) => write!(f, "there is no label `{name}`"),
            Problem::Shared(name) => write!(f, "there is no shared memory like `{name}`"),
            Problem::Registers => f.write_str("there are too many registers"),
            Problem::Nested => f.write_str("braces lie too deep in each other"),
            Problem::Operands(text) => write!(f, "`{text}` has other operands"),
            Problem::Unsupported(text) => write!(f, "`{text}` is not interpreted"),
            Problem::Unset(name) => write!(f, "`{name}` is read before it is set"),
            Problem::Guarded => {
                f.write_str("only branches, returns and what changes memory are guarded")
            }
            Problem::Diverges => f.write_str("a warp branches as one"),
            Problem::Inactive => f.write_str("all threads of a warp exchange words, or none"),
            Problem::Warps => f.write_str("the warps of a block are run one after the other"),
            Problem::Apart => f.write_str("all threads of a warp move one matrix"),
            Problem::Stride => f.write_str("rows of a matrix where no such rows lie"),
            Problem::Unfenced => f.write_str("a store before it is not fenced"),
            Problem::NoParameter(name) => write!(f, "the parameter `{name}` is not given"),
            Problem::Memory(MemoryError::Address) => f.write_str("memory that is not allocated"),
            Problem::Memory(MemoryError::Alignment) => f.write_str("a word where no such words lie"),
            Problem::Tested(why) => f.write_str(why),
            Problem::NoFunction(name) => write!(f, "there is no function `{name}`"),
            Problem::Depth => f.write_str("functions call each other too deep, or have too much memory"),
            Problem::Ends => f.write_str("the thread ends and gives no result"),
            Problem::NoTarget => f.write_str("a branch beyond its table"),
            Problem::Passed => f.write_str("what it is called with is not what it takes"),
            Problem::Steps => f.write_str("the program does not come to an end"),
        }
    }
}
