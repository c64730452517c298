//! Operations: how the manual spells them, and what they compute.
//!
//! A new operation is a mnemonic, its [`Op`], and the family that the sweeps ask it as.

use super::meaning::{ClassMask, Comparison, Conversion, Extremum, conversion};
use super::modifier::Modifier;
use super::signature::LaneSignature;
use super::texts::texts;

texts! {
    /// The mnemonic of an instruction, up to the first dot.
    Operation {
        /// `a + b`.
        Add = "add",
        /// `a - b`.
        Sub = "sub",
        /// `a × b`.
        Mul = "mul",
        /// `a × b + c`, rounded once.
        Fma = "fma",
        /// The same under its older name.
        Mad = "mad",
        /// `a / b`.
        Div = "div",
        /// `1 / a`.
        Rcp = "rcp",
        /// The square root.
        Sqrt = "sqrt",
        /// `1 / √a`.
        Rsqrt = "rsqrt",
        /// The sine.
        Sin = "sin",
        /// The cosine.
        Cos = "cos",
        /// The logarithm to base 2.
        Lg2 = "lg2",
        /// `2^a`.
        Ex2 = "ex2",
        /// The hyperbolic tangent.
        Tanh = "tanh",
        /// The magnitude.
        Abs = "abs",
        /// The number of the other sign.
        Neg = "neg",
        /// The magnitude of `b` with the sign of `a`.
        Copysign = "copysign",
        /// Whether a number is of a kind.
        Testp = "testp",
        /// The smaller.
        Min = "min",
        /// The larger.
        Max = "max",
        /// A comparison, as a number.
        Set = "set",
        /// A comparison, as a predicate and its complement.
        Setp = "setp",
        /// `a` where `c ≥ 0`, else `b`.
        Slct = "slct",
        /// A conversion.
        Cvt = "cvt",
        /// A conversion that PTX does not have, spelled like one.
        Cast = "cast",
        /// What a modifier names, done to a word in memory, which is given as it was.
        Atom = "atom",
        /// The same, which gives nothing.
        Red = "red",
        /// What a modifier names, done to words of global memory by words of shared memory.
        Cp = "cp",
        /// What a modifier names, done to words that several devices have at one address, or made of them.
        Multimem = "multimem",
        /// The same of words behind a handle, in the memory of another device, say.
        Fabric = "fabric",
        /// What a modifier names, of what the threads of a warp have.
        Redux = "redux",
        /// The same, of the columns of a lane of tensor memory.
        Tcgen05 = "tcgen05",
    }
}

impl Operation {
    /// The mnemonic, up to the first dot.
    pub const fn mnemonic(self) -> &'static str {
        self.text()
    }
}

/// What a lane computes. What varies within an operation is its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a × b`.
    Mul,
    /// `a × b + c`, rounded once.
    Fma,
    /// `a / b`.
    Div,
    /// `1 / a`.
    Rcp,
    /// The square root.
    Sqrt,
    /// `1 / √a`.
    Rsqrt,
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
    /// The logarithm to base 2.
    Lg2,
    /// `2^a`.
    Ex2,
    /// The hyperbolic tangent.
    Tanh,
    /// The magnitude.
    Abs,
    /// The number of the other sign.
    Neg,
    /// The magnitude of `b` with the sign of `a`.
    Copysign,
    /// Whether a datum is of one of these classes.
    Test(ClassMask),
    /// The smallest or largest of two or three; three are taken two by two (9.7.3.11, 9.7.3.12).
    Extremum(Extremum),
    /// Whether two numbers stand in a relation; a second output is that of the complement.
    Compare(Comparison),
    /// `a` where `c ≥ 0`, else `b`.
    Select,
    /// A number in another format.
    Convert(Conversion),
}

/// What an operation asks of its operands; the directed sweeps differ by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `X + Y`, rounded once.
    SumsAndProducts,
    /// A quotient, reciprocal or root.
    QuotientsAndRoots,
    /// A number in another format, or as an integer.
    Convert,
    /// A comparison, a selection, a question, or a change of sign: nothing is rounded.
    Compare,
    /// A transcendental function.
    Function,
}

impl Op {
    /// What a mnemonic computes, of these types and with these modifiers.
    pub(super) fn of(operation: Operation, signature: &LaneSignature, modifiers: &[Modifier]) -> Op {
        let has = |modifier| modifiers.contains(&modifier);
        let extremum = |largest| {
            Op::Extremum(Extremum {
                largest,
                propagates_nan: has(Modifier::PropagateNan),
                of_magnitudes: has(Modifier::Abs) || has(Modifier::XorsignAbs),
                with_product_of_signs: has(Modifier::XorsignAbs),
            })
        };
        match operation {
            Operation::Add => Op::Add,
            Operation::Sub => Op::Sub,
            Operation::Mul => Op::Mul,
            Operation::Fma | Operation::Mad => Op::Fma,
            Operation::Div => Op::Div,
            Operation::Rcp => Op::Rcp,
            Operation::Sqrt => Op::Sqrt,
            Operation::Rsqrt => Op::Rsqrt,
            Operation::Sin => Op::Sin,
            Operation::Cos => Op::Cos,
            Operation::Lg2 => Op::Lg2,
            Operation::Ex2 => Op::Ex2,
            Operation::Tanh => Op::Tanh,
            Operation::Abs => Op::Abs,
            Operation::Neg => Op::Neg,
            Operation::Copysign => Op::Copysign,
            Operation::Testp => {
                let classes = modifiers.iter().find_map(|modifier| modifier.classes());
                Op::Test(classes.expect("`testp` names what it tests for"))
            }
            Operation::Min => extremum(false),
            Operation::Max => extremum(true),
            Operation::Set | Operation::Setp => {
                let relation = modifiers.iter().find_map(|modifier| modifier.relation());
                Op::Compare(Comparison {
                    relation: relation.expect("a comparison names its relation"),
                    combination: modifiers.iter().find_map(|modifier| modifier.combination()),
                })
            }
            Operation::Slct => Op::Select,
            Operation::Atom
            | Operation::Red
            | Operation::Cp
            | Operation::Multimem
            | Operation::Fabric => match () {
                () if has(Modifier::Add) => Op::Add,
                () => extremum(has(Modifier::Max)),
            },
            Operation::Redux | Operation::Tcgen05 => extremum(has(Modifier::Max)),
            Operation::Cvt | Operation::Cast => Op::Convert(conversion(signature, modifiers)),
        }
    }

    /// Of which family it is.
    pub const fn family(self) -> Family {
        match self {
            Op::Add | Op::Sub | Op::Mul | Op::Fma => Family::SumsAndProducts,
            Op::Div | Op::Rcp | Op::Sqrt | Op::Rsqrt => Family::QuotientsAndRoots,
            Op::Sin | Op::Cos | Op::Lg2 | Op::Ex2 | Op::Tanh => Family::Function,
            Op::Convert(_) => Family::Convert,
            Op::Abs | Op::Neg | Op::Copysign | Op::Select => Family::Compare,
            Op::Test(_) | Op::Extremum(_) | Op::Compare(_) => Family::Compare,
        }
    }

    /// Whether it multiplies its first two operands.
    pub const fn multiplies(self) -> bool {
        matches!(self, Op::Mul | Op::Fma)
    }

    /// Whether its last operand is an addend.
    pub const fn adds(self) -> bool {
        matches!(self, Op::Add | Op::Sub | Op::Fma)
    }
}
