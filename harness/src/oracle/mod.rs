//! The oracle: for each lane the exact value, then the one rounding, both by MPFR, then what the
//! modifiers make of it. Generic over format; nothing per instruction but the mathematics.

mod encoding;
mod finish;
mod operand;
mod rounded;

use std::cmp::Ordering;

use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;
use vectors::format::{self, Class};
use vectors::isa::Operation;
use vectors::{Column, Variant};

use encoding::{Bf16, Encoding, F16, F32};
use finish::{Bounds, Finish};
pub use finish::{Open, Reading};
use operand::Operand;
use rounded::Rounder;

/// One result that the contract accepts where the manual leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Which lane of which row: `row × lanes + lane`.
    pub element: usize,
    /// The result …
    pub bits: u64,
    /// … under this reading …
    pub reading: Reading,
    /// … of these open points.
    pub open: Open,
}

/// What a batch's results should be.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The results, under the first reading of every open point.
    pub results: Column,
    /// All results of those elements for which readings may differ, in order of elements.
    pub alternatives: Vec<Alternative>,
}

/// Knows the truth about one variant. Not shared between threads: it owns its scratch numbers.
pub struct Oracle {
    variant: Variant,
    scratch: Scratch,
    finish: Finish,
    columns: fn(&mut Oracle, &[Column], &mut Truth),
}

/// What computing one result takes, made once.
struct Scratch {
    operands: [Operand; 3],
    rounder: Rounder,
}

impl Oracle {
    /// The oracle of a variant.
    pub fn new(variant: &Variant) -> Oracle {
        let result = variant.results()[0].ty.format;
        let precision = result.precision();
        Oracle {
            variant: variant.clone(),
            scratch: Scratch {
                operands: [(); 3].map(|()| Operand::new(precision)),
                rounder: Rounder::new(precision, variant.rounding()),
            },
            finish: Finish::of(variant),
            columns: match (*variant.operands()[0].ty.format, *result) {
                (format::F16, format::F16) => Oracle::columns::<F16, F16>,
                (format::BF16, format::BF16) => Oracle::columns::<Bf16, Bf16>,
                (format::F16, format::F32) => Oracle::columns::<F16, F32>,
                (format::BF16, format::F32) => Oracle::columns::<Bf16, F32>,
                formats => unreachable!("no row of the table goes from and to {formats:?}"),
            },
        }
    }

    /// A place for the truth about batches of `variant`.
    pub fn truth(variant: &Variant) -> Truth {
        Truth { results: Column::new(variant.results()[0].ty.row_bytes(), 0), alternatives: Vec::new() }
    }

    /// Computes what `operands` should give; they are the variant's, all of one length.
    pub fn expect(&mut self, operands: &[Column], truth: &mut Truth) {
        truth.results.resize(operands[0].rows());
        truth.alternatives.clear();
        (self.columns)(self, operands, truth);
    }

    /// [`Oracle::expect`] where the last operand and the result are `W`, the other operands `N`.
    fn columns<N: Encoding, W: Encoding>(&mut self, operands: &[Column], truth: &mut Truth) {
        let Truth { results, alternatives } = truth;
        let results = results.elements_mut::<W::Word>().iter_mut();
        let (last, first) = operands.split_last().expect("every instruction has operands");
        let last = last.elements::<W::Word>().iter();
        let inputs = results.zip(last).enumerate();
        match *first {
            [ref a] => {
                for ((element, (result, &c)), &a) in inputs.zip(a.elements::<N::Word>()) {
                    let bits = [N::widen(a), W::widen(c)];
                    *result = W::narrow(self.lane::<2, N, W>(bits, element, alternatives));
                }
            }
            [ref a, ref b] => {
                let pairs = a.elements::<N::Word>().iter().zip(b.elements::<N::Word>());
                for ((element, (result, &c)), (&a, &b)) in inputs.zip(pairs) {
                    let bits = [N::widen(a), N::widen(b), W::widen(c)];
                    *result = W::narrow(self.lane::<3, N, W>(bits, element, alternatives));
                }
            }
            _ => unreachable!("no row of the table has {} operands", operands.len()),
        }
    }

    /// The result of one lane; where the manual leaves a choice, also the alternatives.
    #[inline(always)]
    fn lane<const COUNT: usize, N: Encoding, W: Encoding>(
        &mut self,
        bits: [u64; COUNT],
        element: usize,
        alternatives: &mut Vec<Alternative>,
    ) -> u64 {
        let Scratch { operands, rounder } = &mut self.scratch;
        let (narrow, wide) = operands.split_at_mut(COUNT - 1);
        let flush = self.finish.flush;
        for (operand, &bits) in narrow.iter_mut().zip(&bits[..COUNT - 1]) {
            operand.set(&N::FORMAT, if flush { flushed(&N::FORMAT, bits) } else { bits });
        }
        let last = bits[COUNT - 1];
        wide[0].set(&W::FORMAT, if flush { flushed(&W::FORMAT, last) } else { last });

        let operation = self.variant.operation();
        let rounded =
            rounder.round(&W::FORMAT, |result, round| operate(operation, result, operands, round));

        let bounds = match self.finish.bounds {
            true => self.finish.find::<W>(&bits[..COUNT - 1], last),
            false => Bounds::default(),
        };
        let open = self.finish.open::<W>(rounded, bounds);
        if !open.is_empty() {
            alternatives.extend(open.readings().map(|reading| {
                let bits = self.finish.finish::<W>(rounded, bounds, reading);
                Alternative { element, bits, reading, open }
            }));
        }
        self.finish.finish::<W>(rounded, bounds, Reading::default())
    }
}

/// A subnormal number as the zero of its sign, anything else as it is.
#[inline]
fn flushed(format: &vectors::Format, bits: u64) -> u64 {
    if format.class(bits) == Class::Subnormal { bits & format.sign_mask() } else { bits }
}

/// The mathematics: one MPFR function each, which rounds once, at the precision of `result`.
///
/// MPFR's exact zero sums are +0, and -0 when rounding down, as IEEE 754 (6.3) has them; a product
/// of zeros has the product of the signs, and enters the sum with it.
#[inline]
fn operate(operation: Operation, result: &mut Float, operands: &[Operand; 3], round: Round) -> Ordering {
    let [a, b, c] = operands;
    let (a, b) = (a.get(), b.get());
    match operation {
        Operation::Add => result.assign_round(&*a + &*b, round),
        Operation::Sub => result.assign_round(&*a - &*b, round),
        Operation::Mul => result.assign_round(&*a * &*b, round),
        Operation::Fma => result.assign_round(a.mul_add_ref(&b, &c.get()), round),
        operation => unreachable!("{operation:?}"),
    }
}
