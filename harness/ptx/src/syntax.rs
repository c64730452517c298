//! The syntax tree of the PTX that is printed and interpreted here: the suite's own kernels, and the
//! functions that compilers write.
//!
//! `FromStr` reads again what `Display` prints. A name is plain text: the tree does not say what
//! it names or whether that is declared; whoever interprets the tree decides.

mod access;
mod integer;
mod names;
mod opcode;
mod operand;
mod print;
mod scalar;
mod tile;
mod together;

pub use access::{Access, Space};
pub use integer::{Carry, Integer};
pub use names::{Binary, Carried, Logic, Relation, ShuffleMode, Special, Unary, VoteMode};
pub use opcode::Opcode;
pub use operand::{Immediate, MEMBERS, Notation, Operand, hex};
pub use scalar::{B16, B32, B64, F32, PRED, S32, S64, Scalar, U8, U16, U32, U64};
pub use tile::{Matrix, TileAccess};
pub use together::{Atomic, BarrierReduction, Together, TogetherDoes, WordOperation, plain_atomic};

use std::fmt;

use crate::device::Header;

/// The deepest nesting of braces that is accepted.
pub const MOST_NESTED: usize = 16;

/// A PTX module with addresses of 64 bits: the things declared in it, each kind in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The module's PTX version and target.
    pub header: Header,
    /// Variables of the module.
    pub variables: Vec<Variable>,
    /// Functions of the module, including those it only declares.
    pub functions: Vec<Function>,
    /// Kernels of the module.
    pub entries: Vec<Entry>,
}

/// A device function, defined or only declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Visibility of the function's name to other modules.
    pub linkage: Linkage,
    /// Return parameters of the function.
    pub results: Vec<Parameter>,
    /// Name by which the function is called.
    pub name: String,
    /// Parameters that a call passes, in order.
    pub parameters: Vec<Parameter>,
    /// Statements of the function; `None` where it is only declared.
    pub body: Option<Vec<Statement>>,
}

/// Visibility of a name outside its module (PTX ISA 11.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Linkage {
    /// No directive: no other module sees the name.
    Own,
    /// `.visible`
    Visible,
    /// `.extern`: the name belongs to another module.
    Extern,
    /// `.weak`
    Weak,
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Text of the comment in the line above the kernel, if there is one.
    pub comment: Option<String>,
    /// Name by which a driver finds the kernel.
    pub name: String,
    /// Parameters of the kernel, in order.
    pub parameters: Vec<Parameter>,
    /// Size of the blocks that the kernel is launched with, if it is written.
    pub block: Option<BlockSize>,
    /// Statements of the kernel.
    pub body: Vec<Statement>,
}

/// The number of threads in a block of a kernel, in each dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSize {
    /// Whether each launch has this size, `.reqntid`, and not at most this one, `.maxntid`.
    pub is_exact: bool,
    /// Number of threads in each dimension; a dimension that is not written has 1.
    pub threads: [u32; 3],
}

/// A parameter: `.param .u64 first`, or `.param .align 4 .b8 both[8]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Alignment of the parameter's address in bytes, if it is written.
    pub align: Option<u32>,
    /// Type of the parameter, or of its elements.
    pub ty: Scalar,
    /// Name of the parameter.
    pub name: String,
    /// Number of elements, if the parameter is an array.
    pub length: Option<u32>,
}

impl Parameter {
    /// Creates a parameter that is no array and has no written alignment.
    pub fn new(ty: Scalar, name: impl Into<String>) -> Parameter {
        Parameter { align: None, ty, name: name.into(), length: None }
    }

    /// Returns the size of the parameter in bytes, all elements together.
    pub fn bytes(&self) -> usize {
        self.ty.bytes().saturating_mul(self.length.map_or(1, |length| length as usize))
    }
}

/// A variable in memory: `.global .align 4 .b8 table[8] = {1, 2};`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Visibility of the variable's name to other modules.
    pub linkage: Linkage,
    /// State space of the variable.
    pub space: Space,
    /// Alignment, type, name and length of the variable.
    pub of: Parameter,
    /// Values of the first elements; all other elements are 0.
    pub values: Vec<Operand>,
}

/// A statement of a body: a line, or several lines in braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `NEXT:`
    Label(String),
    /// `.reg .b32 %row, %rows;`
    Declaration(Declaration),
    /// `.local .align 4 .b8 name[28];`, or `.param .b32 name;` around a call
    Variable(Variable),
    /// `.shared .align 128 .b8 name[4096];`, which a block's threads share
    Shared {
        /// Name of the variable, which stands for its address.
        name: String,
        /// Size in bytes.
        bytes: u32,
        /// Alignment of the address, a power of two.
        align: u32,
    },
    /// `table: .branchtargets one, other;`
    Targets {
        /// Name by which a branch refers to the list.
        name: String,
        /// Labels that a branch chooses from by number.
        labels: Vec<String>,
    },
    /// Statements in braces; what they declare is valid up to the closing brace.
    Block(Vec<Statement>),
    /// An instruction.
    Instruction(Instruction),
}

/// A declaration of registers of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Type of the registers.
    pub ty: Scalar,
    /// Names that are declared.
    pub names: Vec<Declared>,
}

/// A name in a declaration of registers, or a numbered range of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The register's name, or the beginning of all names of the range.
    pub name: String,
    /// Number of registers in the range: `%w<3>` declares `%w0` to `%w2`.
    pub count: Option<u32>,
}

/// An instruction: `@%holds bra NEXT;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Predicate of the threads that execute the instruction; `None` for all threads.
    pub guard: Option<Guard>,
    /// Mnemonic with its modifiers and types.
    pub opcode: Opcode,
    /// Destinations, then sources, in the order of the text.
    pub operands: Vec<Operand>,
    /// Line of the text that the instruction was read from.
    pub line: SourceLine,
}

/// A line of a text, counted from 1; 0 if there is none. Trees of texts that are broken into lines otherwise are equal,
/// so all lines are, and all print alike.
#[derive(Clone, Copy, Default)]
pub struct SourceLine(pub usize);

impl fmt::Debug for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("_")
    }
}

impl PartialEq for SourceLine {
    fn eq(&self, _: &SourceLine) -> bool {
        true
    }
}

impl Eq for SourceLine {}

/// The predicate of an instruction: `@%holds` or `@!%holds`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// Predicate register.
    pub predicate: String,
    /// Whether the instruction is executed where the predicate does not hold.
    pub negated: bool,
}

impl Instruction {
    /// Creates an instruction without a guard.
    pub fn new(opcode: impl Into<Opcode>, operands: impl IntoIterator<Item = Operand>) -> Instruction {
        let operands = operands.into_iter().collect();
        Instruction { guard: None, opcode: opcode.into(), operands, line: SourceLine::default() }
    }
}

impl Entry {
    /// Calls `with` on each instruction, in order.
    pub fn for_each_instruction<'a>(&'a self, with: &mut dyn FnMut(&'a Instruction)) {
        each_instruction(&self.body, with);
    }
}

/// Calls `with` on each instruction of `body` in order, including those in nested braces.
pub fn each_instruction<'a>(body: &'a [Statement], with: &mut dyn FnMut(&'a Instruction)) {
    for statement in body {
        match statement {
            Statement::Instruction(instruction) => with(instruction),
            Statement::Block(body) => each_instruction(body, with),
            Statement::Label(_)
            | Statement::Declaration(_)
            | Statement::Variable(_)
            | Statement::Targets { .. }
            | Statement::Shared { .. } => {}
        }
    }
}
