//! Programs for compilers: expressions that are written in every source language and mean, in each, a set of
//! permitted results.

mod arithmetic;
mod bounds;
mod casts;
mod contraction;
mod defect;
mod draw;
mod edit;
mod integer;
mod open_choices;
mod permitted;
mod print;
mod spelling;

#[cfg(test)]
mod tests;

use formats::{BF16, F16, F32, F64, Format};

pub use bounds::Precision;
pub use defect::{Defect, Defects};
pub use draw::{DrawPlan, vectors};
pub use integer::Integer;
pub use permitted::{Permitted, Rules, permits};
pub use print::attributes;
pub use spelling::{Spelled, Spelling};

/// The floating-point type of a value of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// Half precision.
    F16,
    /// bfloat16, the upper half of single precision.
    Bf16,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

impl Type {
    /// All types.
    pub const ALL: [Type; 4] = [Type::F16, Type::Bf16, Type::F32, Type::F64];

    /// Returns the floating-point format of the type.
    pub const fn format(self) -> &'static Format {
        match self {
            Type::F16 => &F16,
            Type::Bf16 => &BF16,
            Type::F32 => &F32,
            Type::F64 => &F64,
        }
    }

    /// Whether the type is shorter than single precision.
    pub const fn is_half(self) -> bool {
        matches!(self, Type::F16 | Type::Bf16)
    }
}

/// A comparison of two values. All but [`Relation::NotEqual`] are false of NaN.
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

/// An operation of a program on values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProgramOperation {
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
    /// The square root of the operand.
    Sqrt,
    /// The smaller of two operands; of a number and NaN, the number.
    Min,
    /// The larger of two operands; of a number and NaN, the number.
    Max,
    /// The operand with the other sign.
    Neg,
    /// The operand without its sign.
    Abs,
    /// The first operand with the sign of the second.
    CopySign,
    /// The remainder that a division toward zero leaves of the first operand, with its sign; of single and double
    /// precision.
    Rem,
    /// The integer nearest to the operand, ties away from zero; of single and double precision.
    Round,
    /// The operand in another type, rounded to nearest even.
    Cast,
    /// The operand as an integer of a type and back, rounded toward zero; anything where the type does not have it.
    Integer(Integer),
    /// The third operand if the first two compare so, else the fourth.
    Select(Relation),
}

impl ProgramOperation {
    /// All operations but [`ProgramOperation::Integer`]; the one selection stands for the selections by every relation.
    pub const ALL: [ProgramOperation; 15] = [
        ProgramOperation::Add,
        ProgramOperation::Sub,
        ProgramOperation::Mul,
        ProgramOperation::Div,
        ProgramOperation::Fma,
        ProgramOperation::Sqrt,
        ProgramOperation::Min,
        ProgramOperation::Max,
        ProgramOperation::Neg,
        ProgramOperation::Abs,
        ProgramOperation::CopySign,
        ProgramOperation::Rem,
        ProgramOperation::Round,
        ProgramOperation::Cast,
        ProgramOperation::Select(Relation::Less),
    ];

    /// Returns how many operands the operation has.
    pub const fn operands(self) -> usize {
        match self {
            ProgramOperation::Sqrt
            | ProgramOperation::Neg
            | ProgramOperation::Abs
            | ProgramOperation::Round
            | ProgramOperation::Cast
            | ProgramOperation::Integer(_) => 1,
            ProgramOperation::Fma => 3,
            ProgramOperation::Select(_) => 4,
            _ => 2,
        }
    }

    /// Whether the operation is given flags of LLVM's language. All operations are, except conversions and the copying
    /// of a sign, of which `nsz` would say that it copies none.
    pub const fn has_flags(self) -> bool {
        !matches!(
            self,
            ProgramOperation::Cast | ProgramOperation::Integer(_) | ProgramOperation::CopySign
        )
    }

    /// Returns the type of operand number `at` of an operation from a type to a type. The values that a selection
    /// selects have the type of the result.
    pub const fn type_of(self, [from, to]: [Type; 2], at: usize) -> Type {
        if matches!(self, ProgramOperation::Select(_)) && at >= 2 { to } else { from }
    }

    /// Returns the operation's name, for people.
    pub const fn name(self) -> &'static str {
        match self {
            ProgramOperation::Add => "add",
            ProgramOperation::Sub => "sub",
            ProgramOperation::Mul => "mul",
            ProgramOperation::Div => "div",
            ProgramOperation::Fma => "fma",
            ProgramOperation::Sqrt => "sqrt",
            ProgramOperation::Min => "min",
            ProgramOperation::Max => "max",
            ProgramOperation::Neg => "neg",
            ProgramOperation::Abs => "abs",
            ProgramOperation::CopySign => "copysign",
            ProgramOperation::Rem => "rem",
            ProgramOperation::Round => "round",
            ProgramOperation::Cast => "cast",
            ProgramOperation::Integer(of) => of.operation(),
            ProgramOperation::Select(_) => "select",
        }
    }
}

/// A value of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The program's next parameter.
    Parameter,
    /// A constant of these bits.
    Constant(u64),
    /// The result of an operation on earlier values, which are named by their numbers.
    Apply(ProgramOperation, Vec<usize>),
}

/// A function: values in order, of which each is made of earlier ones and the last is the result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    values: Vec<(Type, Node)>,
}

impl Program {
    /// Makes a program of values, each with its type.
    ///
    /// # Panics
    /// If there are no values, or an operation is of values that do not come before it, of too few, or of types that
    /// it does not take.
    pub fn new(values: Vec<(Type, Node)>) -> Program {
        assert!(!values.is_empty(), "a result");
        for (place, (ty, node)) in values.iter().enumerate() {
            let Node::Apply(operation, operands) = node else { continue };
            assert_eq!(operands.len(), operation.operands(), "{operation:?}");
            assert!(operands.iter().all(|&operand| operand < place), "of earlier values");
            let types: Vec<Type> = operands.iter().map(|&operand| values[operand].0).collect();
            let fits = match operation {
                ProgramOperation::Cast => types[0] != *ty,
                ProgramOperation::Select(_) => types[0] == types[1] && types[2..] == [*ty; 2],
                _ => types.iter().all(|of| of == ty),
            };
            assert!(fits, "{operation:?} of {types:?} to {ty:?}");
        }
        Program { values }
    }

    /// Returns the program's values, each with its type.
    pub fn values(&self) -> &[(Type, Node)] {
        &self.values
    }

    /// Returns the types of the program's parameters, in order.
    pub fn parameters(&self) -> Vec<Type> {
        let parameters = self.values.iter().filter(|(_, node)| *node == Node::Parameter);
        parameters.map(|(ty, _)| *ty).collect()
    }

    /// Returns the type of the program's result.
    pub fn result(&self) -> Type {
        self.values.last().expect("a result").0
    }

    /// Returns how many operations the program has.
    pub fn operations(&self) -> usize {
        self.values.iter().filter(|(_, node)| matches!(node, Node::Apply(..))).count()
    }

    /// Whether one of the program's operations is among the given ones.
    pub fn has(&self, operations: &[ProgramOperation]) -> bool {
        let is = |node: &Node| matches!(node, Node::Apply(own, _) if operations.contains(own));
        self.values.iter().any(|(_, node)| is(node))
    }

    /// Returns the types of all the program's values, each once and in order.
    pub fn types(&self) -> Vec<Type> {
        let mut types: Vec<Type> = self.values.iter().map(|(ty, _)| *ty).collect();
        types.sort_unstable();
        types.dedup();
        types
    }
}
