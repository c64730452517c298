//! The built-in software implementation: integer arithmetic only.
//!
//! It knows neither MPFR nor the host's floating point. Each kernel is written once, branch-free,
//! over the integer words of `word`: `arithmetic` has the stages, `instruction` puts them together,
//! `machine` runs them over columns.

// Its callers follow.
#[allow(dead_code, unused_imports)]
mod approximate;
mod arithmetic;
mod encoding;
mod instruction;
mod lanes;
mod load;
mod machine;
mod modifiers;
mod word;

use std::fmt;

use vectors::format::{BF16, E5M2, F16, F32};
use vectors::isa::Operation;
use vectors::{Column, Format, Variant};

use instruction::{Add, Fma, Mul, Sub};
pub use machine::Machine;
use machine::{Entry, MIN_ROWS, entry};
use modifiers::{FTZ, Modifiers, OOB, RELU, RM, RN, RP, RZ, SAT};

/// A variant compiled for a machine that this CPU can run.
#[derive(Clone, Copy)]
pub struct Kernel {
    entry: Entry,
}

impl Kernel {
    /// The kernel of `variant`. `None` if there is none, or if this CPU lacks the machine.
    pub fn of(variant: &Variant, machine: Machine) -> Option<Kernel> {
        let (source, result) = (variant.operands()[0].ty.format, variant.results()[0].ty.format);
        Kernel::find(variant.operation(), *source, *result, modifiers::of(variant), machine)
    }

    /// The kernel of `operation` in `format` alone, without modifiers. Besides what PTX has there
    /// is `E5M2`, whose operands are few enough to try them all.
    pub fn unmodified(operation: Operation, format: &Format, machine: Machine) -> Option<Kernel> {
        Kernel::find(operation, *format, *format, RN, machine)
    }

    /// Computes every row of the first result column, which has as many rows as the operands'.
    ///
    /// # Panics
    /// If columns are missing, or narrower or shorter than the variant's.
    pub fn run(&self, operands: &[Column], results: &mut [Column]) {
        let rows = results[0].rows();
        assert!(operands.iter().all(|operand| operand.rows() == rows), "columns of one length");
        if rows >= MIN_ROWS {
            // SAFETY: `machine::entry` gave a function that this CPU can run.
            unsafe { (self.entry)(operands, results) }
        } else {
            let mut operands = operands.to_vec();
            operands.iter_mut().for_each(|column| column.resize(MIN_ROWS));
            results[0].resize(MIN_ROWS);
            self.run(&operands, results);
            results[0].resize(rows);
        }
    }

    fn find(
        operation: Operation,
        source: Format,
        result: Format,
        given: Modifiers,
        machine: Machine,
    ) -> Option<Kernel> {
        /// The entry of an instruction, if the given modifiers are one of the listed sets.
        macro_rules! specialise {
            ($name:ident<$source:ident, $result:ident>: $($set:expr),+) => {
                match given {
                    $(set if set == $set => {
                        entry::<$name<encoding::$source, encoding::$result, { $set }>>(machine)
                    })+
                    _ => None,
                }
            };
        }
        macro_rules! specialise_mixed {
            ($name:ident<$source:ident, $result:ident>) => {
                specialise!($name<$source, $result>:
                    RN, RZ, RM, RP, RN | SAT, RZ | SAT, RM | SAT, RP | SAT)
            };
        }
        let entry = match (operation, source, result) {
            (Operation::Mul, F16, F16) => specialise!(Mul<F16, F16>: RN, FTZ, SAT, FTZ | SAT),
            (Operation::Mul, BF16, BF16) => specialise!(Mul<BF16, BF16>: RN),
            (Operation::Mul, E5M2, E5M2) => specialise!(Mul<E5M2, E5M2>: RN),
            (Operation::Fma, F16, F16) => specialise!(Fma<F16, F16>:
                RN, FTZ, SAT, FTZ | SAT, RELU, FTZ | RELU, OOB, OOB | RELU),
            (Operation::Fma, BF16, BF16) => specialise!(Fma<BF16, BF16>: RN, RELU, OOB, OOB | RELU),
            (Operation::Fma, E5M2, E5M2) => specialise!(Fma<E5M2, E5M2>: RN),
            (Operation::Fma, F16, F32) => specialise_mixed!(Fma<F16, F32>),
            (Operation::Fma, BF16, F32) => specialise_mixed!(Fma<BF16, F32>),
            (Operation::Add, F16, F32) => specialise_mixed!(Add<F16, F32>),
            (Operation::Add, BF16, F32) => specialise_mixed!(Add<BF16, F32>),
            (Operation::Sub, F16, F32) => specialise_mixed!(Sub<F16, F32>),
            (Operation::Sub, BF16, F32) => specialise_mixed!(Sub<BF16, F32>),
            _ => None,
        };
        entry.map(|entry| Kernel { entry })
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel").finish_non_exhaustive()
    }
}
