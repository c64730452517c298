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
    /// An instruction that is refused, with the reason in words.
    Refused(String),
    /// A choice that PTX leaves open, in words: no result may depend on it.
    Open(String),
    /// A register that is read before it is set.
    Unset(String),
    /// A word of this shared memory that is read before anybody has stored it.
    UnsetShared(String),
    /// A word of the thread of this number in a warp that is asked for, and which the thread does not give.
    Absent(u32),
    /// Threads that use a byte of shared memory without waiting for each other, in words.
    Race(String),
    /// Threads that wait for others which never come, in words.
    Stuck(String),
    /// Threads that wait in a function which others have not called.
    CalledApart,
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
    /// A program whose block takes more steps than this number, all its threads together.
    StepsOfBlock(u64),
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
    /// A grid that no GPU launches, or that is too large to be executed as one row.
    Grid,
}

/// A reason why memory cannot be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryError {
    /// The access touches memory that was not allocated.
    Address,
    /// The access touches a word where such words do not lie.
    Alignment,
    /// The access stores to a variable of the module, which rows here only read.
    Table,
}

impl Problem {
    /// Whether something is read that was never set, or that PTX leaves open, which is no fault where nothing depends on
    /// it.
    pub fn is_unset(&self) -> bool {
        matches!(
            self,
            Problem::Unset(_) | Problem::UnsetShared(_) | Problem::Absent(_) | Problem::Open(_)
        )
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Undeclared(name) => write!(f, "`{name}` is not declared"),
            Problem::Redeclared(name) => write!(f, "`{name}` is declared twice"),
            Problem::NoLabel(name) => write!(f, "there is no label `{name}`"),
            Problem::Shared(name) => {
                write!(
                    f,
                    "a kernel declares at most 49,152 bytes of shared memory in all, aligned to at most 1,024: the size or \
                     alignment of the shared memory `{name}` is not possible"
                )
            }
            Problem::Registers => f.write_str("there are too many registers"),
            Problem::Nested => f.write_str("braces are nested too deeply"),
            Problem::Operands(text) => write!(f, "`{text}` has wrong operands"),
            Problem::Unsupported(text) => write!(f, "`{text}` is not interpreted"),
            Problem::Unset(name) => write!(f, "`{name}` is read before it is set"),
            Problem::UnsetShared(name) => {
                write!(f, "the shared memory `{name}` is read before it is stored there")
            }
            Problem::Absent(thread) => {
                write!(f, "asks for the word of thread {thread} of the warp, which does not take part")
            }
            Problem::Race(words)
            | Problem::Stuck(words)
            | Problem::Refused(words)
            | Problem::Open(words) => f.write_str(words),
            Problem::CalledApart => f.write_str(
                "waiting in a function that not all threads have called together is not interpreted",
            ),
            Problem::Guarded => f.write_str(
                "only branches, returns and instructions that change memory can have a guard",
            ),
            Problem::Diverges => f.write_str("the threads of a warp branch differently"),
            Problem::Inactive => f.write_str("not all threads of the warp exchange words"),
            Problem::Warps => f.write_str(
                "warps cannot wait for each other: the warps of a block run one after the other",
            ),
            Problem::Apart => f.write_str("the threads of the warp do not move one matrix"),
            Problem::Stride => f.write_str("the rows of the matrix are misaligned"),
            Problem::Unfenced => f.write_str("a store before it is not fenced"),
            Problem::NoParameter(name) => write!(f, "the parameter `{name}` is not given"),
            Problem::Memory(MemoryError::Address) => {
                f.write_str("access to memory that is not allocated")
            }
            Problem::Memory(MemoryError::Table) => {
                f.write_str("stores to variables of the module are not interpreted")
            }
            Problem::Memory(MemoryError::Alignment) => f.write_str("misaligned access to memory"),
            Problem::Tested(why) => f.write_str(why),
            Problem::NoFunction(name) => write!(f, "there is no function `{name}`"),
            Problem::Depth => {
                f.write_str("calls are nested too deeply, or functions need too much memory")
            }
            Problem::Ends => f.write_str("the thread ends without a result"),
            Problem::NoTarget => f.write_str("a branch to a place beyond its table"),
            Problem::Passed => {
                f.write_str("the arguments of the call do not match the function's parameters")
            }
            Problem::Grid => {
                f.write_str("a block has 1 to 1,024 threads, and at most 1,024 blocks are executed")
            }
            Problem::Steps => f.write_str("the program does not come to an end"),
            Problem::StepsOfBlock(most) => {
                write!(f, "the threads of the block do not come to an end within {most} steps together")
            }
        }
    }
}
