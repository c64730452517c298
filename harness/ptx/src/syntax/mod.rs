//! The syntax tree of the PTX that is printed and interpreted here: the suite's own kernels, and the
//! functions that compilers write.
//!
//! What `Display` prints, `FromStr` reads again. Names are text: what a name is of, and whether it is
//! declared, is asked where a tree is interpreted.

mod access;
mod integer;
mod names;
mod opcode;
mod operand;
mod print;
mod scalar;
mod tile;

pub use access::{Access, Space};
pub use integer::{Carry, Integer};
pub use names::{Binary, Carried, Logic, Relation, Special, Unary};
pub use opcode::Opcode;
pub use operand::{Immediate, MEMBERS, Notation, Operand, hex};
pub use scalar::{B16, B32, B64, F32, PRED, S32, S64, Scalar, U8, U16, U32, U64};
pub use tile::{Matrix, Tile};

use crate::device::Header;

/// How deep braces may lie in each other.
pub const MOST_NESTED: usize = 16;

/// A module: addresses of 64 bits, and what is declared in it, each kind in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its version and target.
    pub header: Header,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Its functions, and those that it only declares.
    pub functions: Vec<Function>,
    /// Its kernels.
    pub entries: Vec<Entry>,
}

/// A function of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Who else may see it.
    pub linkage: Linkage,
    /// What it returns.
    pub results: Vec<Parameter>,
    /// What it is called by.
    pub name: String,
    /// What it is called with, in order.
    pub parameters: Vec<Parameter>,
    /// What it does, if that stands here.
    pub body: Option<Vec<Statement>>,
}

/// Who sees a name besides its module (PTX ISA 11.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Nobody.
    Own,
    /// `.visible`
    Visible,
    /// `.extern`: it is another module's.
    Extern,
    /// `.weak`
    Weak,
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What the line above it says, if there is one.
    pub comment: Option<String>,
    /// What a driver finds it by.
    pub name: String,
    /// What it is called with, in order.
    pub parameters: Vec<Parameter>,
    /// What it does.
    pub body: Vec<Statement>,
}

/// A parameter: `.param .u64 first`, or `.param .align 4 .b8 both[8]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// What its address is a multiple of, if that is written.
    pub align: Option<u32>,
    /// Its type, or that of its elements.
    pub ty: Scalar,
    /// Its name.
    pub name: String,
    /// How many elements it has, if it is an array.
    pub length: Option<u32>,
}

impl Parameter {
    /// One that is no array.
    pub fn new(ty: Scalar, name: impl Into<String>) -> Parameter {
        Parameter { align: None, ty, name: name.into(), length: None }
    }

    /// Bytes of all its elements.
    pub fn bytes(&self) -> usize {
        self.ty.bytes().saturating_mul(self.length.map_or(1, |length| length as usize))
    }
}

/// A variable in memory: `.global .align 4 .b8 table[8] = {1, 2};`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Who else may see it.
    pub linkage: Linkage,
    /// Where it lies.
    pub space: Space,
    /// Its type and name.
    pub of: Parameter,
    /// The values of its first elements; those of the others are 0.
    pub values: Vec<Operand>,
}

/// A line of a body, or several in braces.
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
        /// The name of its address.
        name: String,
        /// How many bytes.
        bytes: u32,
        /// What the address is a multiple of, a power of two.
        align: u32,
    },
    /// `table: .branchtargets one, other;`
    Targets {
        /// What a branch names it by.
        name: String,
        /// Where that goes, by a number.
        labels: Vec<String>,
    },
    /// Statements in braces, whose declarations end with them.
    Block(Vec<Statement>),
    /// One instruction.
    Instruction(Instruction),
}

/// Registers of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Their type.
    pub ty: Scalar,
    /// Their names.
    pub names: Vec<Declared>,
}

/// One name of a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The name, or what the names begin with.
    pub name: String,
    /// `%w<3>` declares `%w0` to `%w2`.
    pub count: Option<u32>,
}

/// An instruction: `@%holds bra NEXT;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Which threads execute it, if not all.
    pub guard: Option<Guard>,
    /// What it does.
    pub opcode: Opcode,
    /// Destinations, then sources, as they are written.
    pub operands: Vec<Operand>,
}

/// The predicate of an instruction: `@%holds` or `@!%holds`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// Its register.
    pub predicate: String,
    /// Whether the instruction is executed where that does not hold.
    pub negated: bool,
}

impl Instruction {
    /// One without a guard.
    pub fn new(opcode: impl Into<Opcode>, operands: impl IntoIterator<Item = Operand>) -> Instruction {
        let operands = operands.into_iter().collect();
        Instruction { guard: None, opcode: opcode.into(), operands }
    }
}

impl Entry {
    /// Calls `with` on each instruction, in order.
    pub fn for_each_instruction<'a>(&'a self, with: &mut dyn FnMut(&'a Instruction)) {
        each_instruction(&self.body, with);
    }
}

/// Calls `with` on each instruction of statements, in order, those in braces among them.
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
