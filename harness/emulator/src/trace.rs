//! What a kernel does to its words, written down instead of done: a word that is the name of a
//! register, and the program that computing with such words leaves behind.
//!
//! Kernels do not branch, so a program is a list of steps. Steps that are the same are one; what has
//! constants only is computed at once, which leaves little of formats and modifiers that are values.

use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

use super::instruction::Instruction;
use super::unsigned::Unsigned;
use super::word::Word;

/// A step that takes two words, as [`Word`] has them.
#[expect(missing_docs, reason = "the names are those of the methods of a word")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    ShrSigned,
    Quotient,
    Min,
    Max,
    MaxSigned,
    Equals,
    Exceeds,
}

/// A step that takes one word, as [`Word`] has it.
#[expect(missing_docs, reason = "the names are those of the methods of a word")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Not,
    Abs,
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
    pub fn of<U: Unsigned, const N: usize>(instruction: &impl Instruction<N>) -> Trace {
        let old = RECORD.take();
        let inputs = std::array::from_fn(|number| TracedWord::<U>::record(Step::Input(number)));
        let TracedWord { name: result, .. } = instruction.compute(inputs);
        let Record { steps, .. } = RECORD.replace(old);
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

/// The program that is being written.
#[derive(Default)]
struct Record {
    steps: Vec<Step>,
    known: HashMap<Step, u32>,
}

thread_local! {
    static RECORD: RefCell<Record> = RefCell::default();
}

/// The name of a word, of the width of `U`, in the program that is being written.
#[derive(Clone, Copy)]
struct TracedWord<U> {
    name: u32,
    width: PhantomData<U>,
}

impl<U: Unsigned> TracedWord<U> {
    fn named(name: u32) -> Self {
        TracedWord { name, width: PhantomData }
    }

    /// The word that a step gives; constants are computed with at once.
    fn record(step: Step) -> Self {
        RECORD.with_borrow_mut(|record| {
            let constant = |word: u32| match record.steps[word as usize] {
                Step::Constant(bits) => Some(bits),
                _ => None,
            };
            let step = match step {
                Step::Unary(unary, word) => match constant(word) {
                    Some(bits) => Step::Constant(unary.apply::<U>(bits)),
                    None => step,
                },
                Step::Binary(binary, one, other) => match (constant(one), constant(other)) {
                    (Some(one), Some(other)) => Step::Constant(binary.apply::<U>(one, other)),
                    (None, Some(0)) if binary.keeps_at_zero() => return Self::named(one),
                    (Some(0), None) if binary.is_sum() => return Self::named(other),
                    (Some(0), None) | (None, Some(0)) if binary == Binary::And => Step::Constant(0),
                    (None, Some(ones)) if binary == Binary::And && ones == all_ones::<U>() => {
                        return Self::named(one);
                    }
                    (Some(ones), None) if binary == Binary::And && ones == all_ones::<U>() => {
                        return Self::named(other);
                    }
                    _ => step,
                },
                step => step,
            };
            let Record { steps, known } = record;
            Self::named(*known.entry(step).or_insert_with(|| {
                steps.push(step);
                steps.len() as u32 - 1
            }))
        })
    }

    fn binary(self, binary: Binary, other: impl Into<Self>) -> Self {
        Self::record(Step::Binary(binary, self.name, other.into().name))
    }

    fn unary(self, unary: Unary) -> Self {
        Self::record(Step::Unary(unary, self.name))
    }
}

fn all_ones<U: Unsigned>() -> u64 {
    u64::MAX >> (64 - U::BITS)
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

impl<U: Unsigned> From<u32> for TracedWord<U> {
    fn from(bits: u32) -> Self {
        Self::of(bits.into())
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $binary:ident)*) => {$(
        impl<U: Unsigned> $operator for TracedWord<U> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.binary(Binary::$binary, other)
            }
        }

        impl<U: Unsigned> $operator<u32> for TracedWord<U> {
            type Output = Self;

            fn $method(self, other: u32) -> Self {
                self.binary(Binary::$binary, other)
            }
        }
    )*};
}
operators! {
    Add add Add  Sub sub Sub  Mul mul Mul  Shl shl Shl  Shr shr Shr
    BitAnd bitand And  BitOr bitor Or  BitXor bitxor Xor
}

impl<U: Unsigned> Not for TracedWord<U> {
    type Output = Self;

    fn not(self) -> Self {
        self.unary(Unary::Not)
    }
}

impl<U: Unsigned> Word for TracedWord<U> {
    const BITS: u32 = U::BITS;

    fn of(bits: u64) -> Self {
        Self::record(Step::Constant(bits & all_ones::<U>()))
    }

    fn shr_signed(self, count: Self) -> Self {
        self.binary(Binary::ShrSigned, count)
    }

    fn times(self, other: Self) -> Self {
        self.binary(Binary::Mul, other)
    }

    fn quotient(self, divisor: Self) -> Self {
        self.binary(Binary::Quotient, divisor)
    }

    /// Bit by bit, from the top: no processor of PTX has the instruction.
    fn root(self) -> Self {
        (0..U::BITS / 2).rev().fold(Self::from(0), |root, bit| {
            let larger = root | Self::of(1 << bit);
            (larger * larger).exceeds(self).select(root, larger)
        })
    }

    fn leading_zeros(self) -> Self {
        self.unary(Unary::LeadingZeros)
    }

    fn abs(self) -> Self {
        self.unary(Unary::Abs)
    }

    fn min(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::Min, other)
    }

    fn max(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::Max, other)
    }

    fn max_signed(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::MaxSigned, other)
    }

    fn equals(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::Equals, other)
    }

    fn exceeds(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::Exceeds, other)
    }

    fn negative(self) -> Self {
        self.shr_signed(Self::from(U::BITS - 1))
    }
}
