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
    /// A declaration of shared memory of no bytes, of more than there are, or at no such address.
    Shared(String),
    /// A declaration of more registers than any program needs.
    Registers,
    /// A pair of braces that lies in others, deeper than any program needs.
    Nested,
    /// An instruction with operands that it cannot have.
    Operands(String),
    /// A text that is read and not interpreted.
    Unsupported(String),
    /// A register that is read before it is set.
    Unset(String),
    /// A guard of an instruction that is neither a branch nor a return, and changes no memory.
    Guarded,
    /// A branch that some threads of a warp take and others do not.
    Diverges,
    /// An exchange of words, or a barrier, that not all threads of a warp take part in.
    Inactive,
    /// A barrier at which several warps wait for each other.
    Warps,
    /// A move of a matrix in which the threads of a warp do not have one matrix.
    Apart,
    /// A matrix whose rows are too near to each other, or not aligned.
    Stride,
    /// A bulk operation, which is no thread, on words that were stored and not fenced.
    Unfenced,
    /// A parameter that is not given.
    NoParameter(String),
    /// An access to memory that the program may not touch.
    Memory(MemoryError),
    /// An instruction under test that came to nothing, for this reason.
    Tested(String),
    /// A program that takes more steps than it may.
    Steps,
    /// A function that is not in the module.
    NoFunction(String),
    /// A call too many: functions call each other too deep, or have too much in memory.
    Depth,
    /// The end of a thread in the midst of a function, which then gives no result.
    Ends,
    /// A branch by a number that its table does not have.
    NoTarget,
    /// A call of a function with columns that are not what it takes.
    Passed,
}

/// A reason why memory cannot be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryError {
    /// The access touches memory that was not allocated.
    Address,
    /// The access touches a word where such words do not lie.
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
