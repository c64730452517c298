//! Traces of kernels: what a kernel does to its words, written down as a program instead of done. The kernel computes
//! with words that are names of registers, and leaves the program behind.
//!
//! Kernels do not branch, so a program is a list of steps. Steps that are the same are one; a step that has constants
//! only is computed at once, which leaves little of formats and modifiers that are values.

mod word;

use super::instruction::Instruction;
use super::words::Unsigned;

/// A step that takes two words. Arithmetic wraps; a comparison gives a mask, all ones where it holds and
/// zero elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// The low word of the product.
    Mul,
    /// The bitwise "and".
    And,
    /// The bitwise "or".
    Or,
    /// The bitwise exclusive "or".
    Xor,
    /// The first word shifted to the left; a shift by the width or more moves every bit out.
    Shl,
    /// The first word shifted to the right, with zeros in the vacated bits; a shift by the width or more moves every
    /// bit out.
    Shr,
    /// The first word shifted to the right, with the sign in the vacated bits; a shift by the width or more leaves
    /// nothing but the sign.
    ShrSigned,
    /// The integer quotient; 0 for a zero divisor.
    Quotient,
    /// The smaller of unsigned words.
    Min,
    /// The larger of unsigned words.
    Max,
    /// The larger of signed words.
    MaxSigned,
    /// The mask of whether the words are equal.
    Equals,
    /// The mask of whether the first of two unsigned words is the larger.
    Exceeds,
}

/// A step that takes one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// The bitwise complement.
    Not,
    /// The magnitude of a signed word.
    Abs,
    /// The number of zeros above the highest one; the width for zero.
    LeadingZeros,
}

/// A step of a program. The word that it gives is named by the step's number; so are the words that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TraceStep {
    /// An input of the kernel, by its number.
    Input(usize),
    /// A constant, the same in every run.
    Constant(u64),
    /// An operation on one word.
    Unary(Unary, u32),
    /// An operation on two words.
    Binary(Binary, u32, u32),
}

/// A kernel as a list of steps over words of one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The width of a word: 32 or 64 bits.
    pub bits: u32,
    /// The number of inputs.
    pub inputs: usize,
    /// The steps, each behind those whose words it takes.
    pub steps: Vec<TraceStep>,
    /// The number of the step that gives the result.
    pub result: u32,
}

impl Trace {
    /// Records what an instruction does to words of `U`, which have at most 64 bits.
    pub(crate) fn of<U: Unsigned, const N: usize>(instruction: &impl Instruction<N>) -> Trace {
        let (steps, result) = word::record::<U, N>(instruction);
        Trace { bits: U::BITS, inputs: N, steps, result }.without_unused()
    }

    /// Returns the same program without the steps that its result does not depend on.
    fn without_unused(self) -> Trace {
        let mut used = vec![false; self.steps.len()];
        used[self.result as usize] = true;
        // From the last step on: each takes words of earlier steps only.
        for (number, step) in self.steps.iter().enumerate().rev() {
            if used[number] {
                step.words().for_each(|word| used[word as usize] = true);
            }
        }
        let mut names = vec![0; self.steps.len()];
        let mut steps = Vec::new();
        for (number, step) in self.steps.iter().enumerate().filter(|(number, _)| used[*number]) {
            names[number] = steps.len() as u32;
            steps.push(step.renamed(|word| names[word as usize]));
        }
        Trace { result: names[self.result as usize], steps, ..self }
    }
}

impl TraceStep {
    /// Returns the words that the step takes, by their numbers.
    pub fn words(&self) -> impl Iterator<Item = u32> {
        let words = match *self {
            TraceStep::Input(_) | TraceStep::Constant(_) => [None, None],
            TraceStep::Unary(_, word) => [Some(word), None],
            TraceStep::Binary(_, one, other) => [Some(one), Some(other)],
        };
        words.into_iter().flatten()
    }

    /// Returns the step with other names for the words that it takes.
    fn renamed(self, name: impl Fn(u32) -> u32) -> TraceStep {
        match self {
            TraceStep::Unary(unary, word) => TraceStep::Unary(unary, name(word)),
            TraceStep::Binary(binary, one, other) => TraceStep::Binary(binary, name(one), name(other)),
            step => step,
        }
    }
}

impl Unary {
    /// Computes the operation on a constant, in the width of `U`.
    fn apply<U: Unsigned>(self, bits: u64) -> u64 {
        let word = U::of(bits);
        let result = match self {
            Unary::Not => !word,
            Unary::Abs => word.abs(),
            Unary::LeadingZeros => word.leading_zeros(),
        };
        result.low()
    }
}

impl Binary {
    /// Computes the operation on two constants, in the width of `U`.
    fn apply<U: Unsigned>(self, one: u64, other: u64) -> u64 {
        let (a, b) = (U::of(one), U::of(other));
        let mask = |set: bool| if set { !U::from(0) } else { U::from(0) };
        let result = match self {
            Binary::Add => a.plus(b),
            Binary::Sub => a.minus(b),
            Binary::Mul => a.multiplied(b),
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::Shl => a.shl(b),
            Binary::Shr => a.shr(b),
            Binary::ShrSigned => a.shr_signed(b),
            Binary::Quotient => a.quotient(b),
            Binary::Min => a.min(b),
            Binary::Max => a.max(b),
            Binary::MaxSigned => a.max_signed(b),
            Binary::Equals => mask(a == b),
            Binary::Exceeds => mask(a > b),
        };
        result.low()
    }

    /// Whether the operation gives `x` for `x` and 0.
    fn keeps_at_zero(self) -> bool {
        self.is_sum() || matches!(self, Binary::Sub | Binary::Shl | Binary::Shr | Binary::ShrSigned)
    }

    /// Whether the operation gives `x` for 0 and `x`, too.
    fn is_sum(self) -> bool {
        matches!(self, Binary::Add | Binary::Or | Binary::Xor)
    }
}
