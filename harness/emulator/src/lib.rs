//! The built-in software implementation: integer arithmetic only.
//!
//! It knows neither MPFR nor the host's floating point. Each kernel is written once, branch-free, over
//! the integer words of `word`: `arithmetic` has the stages, `instruction` puts them together,
//! `select` finds the instruction of a variant, `backend` runs it over elements, and `elements` takes
//! those out of registers and puts them back. Formats (`fields`) and modifiers (`rules`) are values,
//! which the hot kernels know when they are compiled and all others when they run (`spec`). `trace`
//! writes a kernel down as a list of steps, for machines that are not this one.

#![deny(
    clippy::float_arithmetic,
    reason = "a second opinion must not lean on the floating point of the machine it runs on"
)]

pub mod approximate;
mod arithmetic;
mod backend;
mod elements;
mod fields;
mod instruction;
mod rules;
mod select;
mod spec;
mod trace;
mod unsigned;
mod word;
mod words;

use std::fmt;

use vectors::isa::{Op, Signature, Type};
use vectors::{Column, Format, Variant};

pub use backend::Backend;
use elements::ColumnKernel;
pub use trace::{Binary, Step, Trace, Unary};

/// A variant compiled for a backend that this CPU can run.
pub struct Kernel {
    signature: Signature,
    columns: Box<dyn ColumnKernel>,
}

impl Kernel {
    /// The kernel of `variant`. `None` if there is none, or if this CPU lacks the backend.
    pub fn of(variant: &Variant, backend: Backend) -> Option<Kernel> {
        let columns = select::select(variant, backend)?;
        Some(Kernel { signature: variant.signature().clone(), columns })
    }

    /// `mul` or `fma` in `format` alone, without modifiers. Besides what PTX has there is `E5M2`, whose
    /// operands are few enough to try them all.
    pub fn unmodified(op: Op, format: &Format, backend: Backend) -> Option<Kernel> {
        let columns = select::unmodified(op, format, backend)?;
        let registers = if op == Op::Mul { "d, a, b" } else { "d, a, b, c" };
        let signature = Signature::read(&[Type::named(format.name)?], registers);
        Some(Kernel { signature, columns })
    }

    /// For each output of the variant, the steps that the kernel takes for a lane of its inputs, where
    /// words of 64 bits are enough, and steps are all there is to it.
    pub fn traces(&self) -> Option<Vec<Trace>> {
        self.columns.traces()
    }

    /// Computes every row of the result columns, which have as many rows as the operands'.
    ///
    /// # Panics
    /// If columns are missing, or narrower or shorter than the variant's.
    pub fn run(&self, operands: &[Column], results: &mut [Column]) {
        let rows = results[0].rows();
        let same = |column: &Column| column.rows() == rows;
        assert!(operands.iter().all(same) && results.iter().all(same), "columns of one length");
        self.columns.run(&self.signature, operands, results);
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel").finish_non_exhaustive()
    }
}
