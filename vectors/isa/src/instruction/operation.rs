//! Operations: the mnemonics as the manual spells them, and the computations that they stand for.
//!
//! To add an operation, add its mnemonic, its [`Op`], and the family by which the sweeps choose its operands.

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
        /// `a × b + c`, rounded once, under its older name.
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
        /// The number with the other sign.
        Neg = "neg",
        /// The magnitude of `b` with the sign of `a`.
        Copysign = "copysign",
        /// Whether a number is of a given class.
        Testp = "testp",
        /// The smaller of numbers.
        Min = "min",
        /// The larger of numbers.
        Max = "max",
        /// A comparison, whose outcome is given as a number.
        Set = "set",
        /// A comparison, whose outcome is given as a predicate and its complement.
        Setp = "setp",
        /// `a` where `c ≥ 0`, else `b`.
        Slct = "slct",
        /// A conversion.
        Cvt = "cvt",
        /// A conversion that PTX does not have, spelled like one.
        Cast = "cast",
        /// A reduction, named by a modifier, of a word in memory; the word's old value is given.
        Atom = "atom",
        /// A reduction, named by a modifier, of a word in memory; nothing is given.
        Red = "red",
        /// A reduction, named by a modifier, of words of global memory by words of shared memory.
        Cp = "cp",
        /// A reduction, named by a modifier, of the words that several devices have at one address: into each of them,
        /// or to one result.
        Multimem = "multimem",
        /// A reduction, named by a modifier, of words behind a handle, in the memory of another device, say: into each
        /// of them, or to one result.
        Fabric = "fabric",
        /// A reduction, named by a modifier, of the values that the threads of a warp have.
        Redux = "redux",
        /// A reduction, named by a modifier, of the columns of a lane of tensor memory.
        Tcgen05 = "tcgen05",
    }
}

impl Operation {
    /// Returns the mnemonic, up to the first dot.
    pub const fn mnemonic(self) -> &'static str {
        self.text()
    }
}

/// The computation of a lane. An operation's payload says what varies within it.
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
    /// The number with the other sign.
    Neg,
    /// The magnitude of `b` with the sign of `a`.
    Copysign,
    /// Whether a datum is of one of the given classes.
    Test(ClassMask),
    /// The smallest or largest of two or three numbers; three are taken two by two (9.7.3.11, 9.7.3.12).
    Extremum(Extremum),
    /// Whether two numbers stand in a relation; a second output has the outcome of the complement.
    Compare(Comparison),
    /// `a` where `c ≥ 0`, else `b`.
    Select,
    /// The number converted to another format.
    Convert(Conversion),
}

/// A group of operations that ask the same of their operands; the directed sweeps differ by family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Sums and products: `X + Y`, rounded once.
    SumsAndProducts,
    /// Quotients, reciprocals and roots.
    QuotientsAndRoots,
    /// Conversions to another format or to an integer.
    Convert,
    /// Comparisons, selections, questions and changes of sign, which round nothing.
    Compare,
    /// Transcendental functions.
    Function,
}

impl Op {
    /// Returns the computation of a mnemonic with the given types and modifiers.
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
                // These name their operation by a modifier: a sum, the smaller or the larger.
                () if has(Modifier::Add) => Op::Add,
                () => extremum(has(Modifier::Max)),
            },
            Operation::Redux | Operation::Tcgen05 => extremum(has(Modifier::Max)),
            Operation::Cvt | Operation::Cast => Op::Convert(conversion(signature, modifiers)),
        }
    }

    /// Returns the family that the operation belongs to.
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

    /// Whether the operation multiplies its first two operands.
    pub const fn multiplies(self) -> bool {
        matches!(self, Op::Mul | Op::Fma)
    }

    /// Whether the operation's last operand is an addend.
    pub const fn adds(self) -> bool {
        matches!(self, Op::Add | Op::Sub | Op::Fma)
    }
}
