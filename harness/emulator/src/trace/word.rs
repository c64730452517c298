//! A word that computes nothing: it is the name of a step of a program, and leaves the step behind.

use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

use super::{Binary, TraceStep, Unary};
use crate::instruction::Instruction;
use crate::word::Word;
use crate::words::Unsigned;

/// Returns the steps that an instruction takes with words of `U`, and the number of the one that gives the result.
pub fn record<U: Unsigned, const N: usize>(instruction: &impl Instruction<N>) -> (Vec<TraceStep>, u32) {
    // Whatever this thread records already is put back below.
    let old = RECORD.take();
    let inputs = std::array::from_fn(|number| TracedWord::<U>::record(TraceStep::Input(number)));
    let TracedWord { name, .. } = instruction.compute(inputs);
    let Record { steps, .. } = RECORD.replace(old);
    (steps, name)
}

/// The program that is being written.
#[derive(Default)]
struct Record {
    steps: Vec<TraceStep>,
    known: HashMap<TraceStep, u32>,
}

thread_local! {
    // It belongs to the thread, since operators have no argument for the program that they write to.
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

    /// Records a step, and returns the word that it gives; constants are computed with at once.
    fn record(step: TraceStep) -> Self {
        RECORD.with_borrow_mut(|record| {
            let constant = |word: u32| match record.steps[word as usize] {
                TraceStep::Constant(bits) => Some(bits),
                _ => None,
            };
            let step = match step {
                TraceStep::Unary(unary, word) => match constant(word) {
                    Some(bits) => TraceStep::Constant(unary.apply::<U>(bits)),
                    None => step,
                },
                TraceStep::Binary(binary, one, other) => match (constant(one), constant(other)) {
                    (Some(one), Some(other)) => TraceStep::Constant(binary.apply::<U>(one, other)),
                    (None, Some(0)) if binary.keeps_at_zero() => return Self::named(one),
                    (Some(0), None) if binary.is_sum() => return Self::named(other),
                    (Some(0), None) | (None, Some(0)) if binary == Binary::And => TraceStep::Constant(0),
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

    #[inline(never)]
    fn binary(self, binary: Binary, other: impl Into<Self>) -> Self {
        Self::record(TraceStep::Binary(binary, self.name, other.into().name))
    }

    #[inline(never)]
    fn unary(self, unary: Unary) -> Self {
        Self::record(TraceStep::Unary(unary, self.name))
    }
}

fn all_ones<U: Unsigned>() -> u64 {
    u64::MAX >> (64 - U::BITS)
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
        Self::record(TraceStep::Constant(bits & all_ones::<U>()))
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

    /// Computes the root bit by bit, from the top: no processor of PTX has the instruction.
    fn root(self) -> Self {
        (0..U::BITS / 2).rev().fold(Self::from(0), |root, bit| {
            let larger = root | Self::of(1 << bit);
            // `larger` fits half a word, so that its square does not wrap.
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
