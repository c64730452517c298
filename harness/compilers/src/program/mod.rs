//! Programs for compilers: expressions that are written in every source language and mean, in each, a set of
//! permitted results.

mod arithmetic;
mod bounds;
mod contraction;
mod defect;
mod draw;
mod edit;
mod leeway;
mod permitted;
mod print;
mod spelling;

#[cfg(test)]
mod tests;

use formats::{BF16, F16, F32, F64, Format};

pub use bounds::Precision;
pub use defect::{Defect, Defects};
pub use draw::{Plan, vectors};
pub use permitted::{Permitted, Rules, permits};
pub use print::attributes;
pub use spelling::{Spelled, Spelling};

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// Half precision.
    F16,
    /// The upper half of single precision.
    Bf16,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

impl Type {
    /// All of them.
    pub const ALL: [Type; 4] = [Type::F16, Type::Bf16, Type::F32, Type::F64];

    /// Its format.
    pub const fn format(self) -> &'static Format {
        match self {
            Type::F16 => &F16,
            Type::Bf16 => &BF16,
            Type::F32 => &F32,
            Type::F64 => &F64,
        }
    }

    /// Whether it is shorter than single precision.
    pub const fn is_half(self) -> bool {
        matches!(self, Type::F16 | Type::Bf16)
    }
}

/// How two values compare. All but [`Relation::NotEqual`] are false of NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// `a < b`
    Less,
    /// `a <= b`
    LessOrEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterOrEqual,
    /// `a == b`
    Equal,
    /// `a != b`
    NotEqual,
}

/// What is done with values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// `a * b + c`, rounded once.
    Fma,
    /// The square root.
    Sqrt,
    /// The smaller one; of a number and NaN the number.
    Min,
    /// The larger one, likewise.
    Max,
    /// With the other sign.
    Neg,
    /// Without its sign.
    Abs,
    /// The first with the sign of the second.
    CopySign,
    /// What a division toward zero leaves of the first, with its sign; of single and double precision.
    Rem,
    /// The nearest integer, ties away from zero; of single and double precision.
    Round,
    /// In another type, rounded to nearest even.
    Cast,
    /// The third if the first two compare so, else the fourth.
    Select(Relation),
}

impl Operation {
    /// All of them; a selection stands for those by any relation.
    pub const ALL: [Operation; 15] = [
        Operation::Add,
        Operation::Sub,
        Operation::Mul,
        Operation::Div,
        Operation::Fma,
        Operation::Sqrt,
        Operation::Min,
        Operation::Max,
        Operation::Neg,
        Operation::Abs,
        Operation::CopySign,
        Operation::Rem,
        Operation::Round,
        Operation::Cast,
        Operation::Select(Relation::Less),
    ];

    /// How many operands it has.
    pub const fn operands(self) -> usize {
        match self {
            Operation::Sqrt | Operation::Neg | Operation::Abs | Operation::Round | Operation::Cast => 1,
            Operation::Fma => 3,
            Operation::Select(_) => 4,
            _ => 2,
        }
    }

    /// Whether it is given flags of LLVM's language: all but a cast, and what copies a sign, of which `nsz` would say
    /// that it copies none.
    pub const fn has_flags(self) -> bool {
        !matches!(self, Operation::Cast | Operation::CopySign)
    }

    /// The type of an operand, of an operation from a type to a type: what is selected has that of the result.
    pub const fn type_of(self, [from, to]: [Type; 2], at: usize) -> Type {
        if matches!(self, Operation::Select(_)) && at >= 2 { to } else { from }
    }

    /// Its name, for people.
    pub const fn name(self) -> &'static str {
        match self {
            Operation::Add => "add",
            Operation::Sub => "sub",
            Operation::Mul => "mul",
            Operation::Div => "div",
            Operation::Fma => "fma",
            Operation::Sqrt => "sqrt",
            Operation::Min => "min",
            Operation::Max => "max",
            Operation::Neg => "neg",
            Operation::Abs => "abs",
            Operation::CopySign => "copysign",
            Operation::Rem => "rem",
            Operation::Round => "round",
            Operation::Cast => "cast",
            Operation::Select(_) => "select",
        }
    }
}

/// A value of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The next parameter.
    Parameter,
    /// These bits.
    Constant(u64),
    /// What an operation makes of earlier values, by their numbers.
    Apply(Operation, Vec<usize>),
}

/// A function: values in order, of which each is made of earlier ones and the last is the result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    values: Vec<(Type, Node)>,
}

impl Program {
    /// One of values, each with its type.
    ///
    /// # Panics
    /// If an operation is of values that do not come before it, of too few, or of types that it does not take.
    pub fn new(values: Vec<(Type, Node)>) -> Program {
        assert!(!values.is_empty(), "a result");
        for (place, (ty, node)) in values.iter().enumerate() {
            let Node::Apply(operation, operands) = node else { continue };
            assert_eq!(operands.len(), operation.operands(), "{operation:?}");
            assert!(operands.iter().all(|&operand| operand < place), "of earlier values");
            let types: Vec<Type> = operands.iter().map(|&operand| values[operand].0).collect();
            let fits = match operation {
                Operation::Cast => types[0] != *ty,
                Operation::Select(_) => types[0] == types[1] && types[2..] == [*ty; 2],
                _ => types.iter().all(|of| of == ty),
            };
            assert!(fits, "{operation:?} of {types:?} to {ty:?}");
        }
        Program { values }
    }

    /// Its values.
    pub fn values(&self) -> &[(Type, Node)] {
        &self.values
    }

    /// The types of its parameters.
    pub fn parameters(&self) -> Vec<Type> {
        let parameters = self.values.iter().filter(|(_, node)| *node == Node::Parameter);
        parameters.map(|(ty, _)| *ty).collect()
    }

    /// The type of its result.
    pub fn result(&self) -> Type {
        self.values.last().expect("a result").0
    }

    /// How many operations it has.
    pub fn operations(&self) -> usize {
        self.values.iter().filter(|(_, node)| matches!(node, Node::Apply(..))).count()
    }

    /// Whether one of its operations is among these.
    pub fn has(&self, operations: &[Operation]) -> bool {
        let is = |node: &Node| matches!(node, Node::Apply(own, _) if operations.contains(own));
        self.values.iter().any(|(_, node)| is(node))
    }

    /// The types of all its values, each once.
    pub fn types(&self) -> Vec<Type> {
        let mut types: Vec<Type> = self.values.iter().map(|(ty, _)| *ty).collect();
        types.sort_unstable();
        types.dedup();
        types
    }
}
