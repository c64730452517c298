//! What a kernel does to its words, written down instead of done: a word that is the name of a
//! register, and the program that computing with such words leaves behind.
//!
//! Kernels do not branch, so a program is a list of steps. Steps that are the same are one; what has
//! constants only is computed at once, which leaves little of formats and modifiers that are values.

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
    /// Bitwise.
    And,
    /// Bitwise.
    Or,
    /// Bitwise.
    Xor,
    /// To the left; by the width or more moves every bit out.
    Shl,
    /// To the right, zeros into the vacated bits; by the width or more moves every bit out.
    Shr,
    /// To the right, the sign into the vacated bits; by the width or more leaves the sign alone.
    ShrSigned,
    /// The integer quotient; 0 for a zero divisor.
    Quotient,
    /// The smaller of unsigned words.
    Min,
    /// The larger of unsigned words.
    Max,
    /// The larger of signed words.
    MaxSigned,
    /// Mask of equality.
    Equals,
    /// Mask of whether the first is the larger of unsigned words.
    Exceeds,
}

/// A step that takes one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// Bitwise.
    Not,
    /// The magnitude of a signed word.
    Abs,
    /// The number of zeros above the highest one; the width for zero.
    LeadingZeros,
}

/// A step of a program. What it gives is named by its number; so are the words that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// An input, by its number.
    Input(usize),
    /// The same in every run.
    Constant(u64),
    /// Of one word.
    Unary(Unary, u32),
    /// Of two.
    Binary(Binary, u32, u32),
}

/// A kernel as a list of steps over words of one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Width of a word: 32 or 64 bits.
    pub bits: u32,
    /// Number of inputs.
    pub inputs: usize,
    /// The steps, each behind those that it takes words of.
    pub steps: Vec<Step>,
    /// The step that gives the result.
    pub result: u32,
}

impl Trace {
    /// What an instruction does to words of `U`, of at most 64 bits.
    pub(crate) fn of<U: Unsigned, const N: usize>(instruction: &impl Instruction<N>) -> Trace {
        let (steps, result) = word::record::<U, N>(instruction);
        Trace { bits: U::BITS, inputs: N, steps, result }.without_unused()
    }

    /// The same program, without steps that nothing comes of.
    fn without_unused(self) -> Trace {
        let mut used = vec![false; self.steps.len()];
        used[self.result as usize] = true;
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

impl Step {
    /// The words that it takes.
    pub fn words(&self) -> impl Iterator<Item = u32> {
        let words = match *self {
            Step::Input(_) | Step::Constant(_) => [None, None],
            Step::Unary(_, word) => [Some(word), None],
            Step::Binary(_, one, other) => [Some(one), Some(other)],
        };
        words.into_iter().flatten()
    }

    fn renamed(self, name: impl Fn(u32) -> u32) -> Step {
        match self {
            Step::Unary(unary, word) => Step::Unary(unary, name(word)),
            Step::Binary(binary, one, other) => Step::Binary(binary, name(one), name(other)),
            step => step,
        }
    }
}

impl Unary {
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

    /// Whether `x` is what it makes of `x` and 0.
    fn keeps_at_zero(self) -> bool {
        self.is_sum() || matches!(self, Binary::Sub | Binary::Shl | Binary::Shr | Binary::ShrSigned)
    }

    /// Whether `x` is what it makes of 0 and `x`, too.
    fn is_sum(self) -> bool {
        matches!(self, Binary::Add | Binary::Or | Binary::Xor)
    }
}
