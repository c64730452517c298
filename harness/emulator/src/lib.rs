#![doc = include_str!("../README.md")]
//!
//! ## How it is made
//!
//! Each kernel is written once, branch-free, over the integer words of `word`: `arithmetic` has the
//! stages, `instruction` puts them together, `select` finds the instruction of a variant by what it
//! means, `backend` runs it over elements, and `elements` takes those out of registers and puts them
//! back. Formats (`fields`) and modifiers (`rules`) are values, which the hot kernels know when they are
//! compiled and all others when they run (`spec`). `trace` writes a kernel down as a list of steps, for
//! processors that are not this one; [`approximate`] has the functions behind approximate instructions,
//! and estimates of them for lanes, which decide most results.

// Only `isa` reads how a variant is spelled: harness/clippy.toml.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]
#![deny(
    clippy::float_arithmetic,
    reason = "a second opinion must not lean on the floating point of the machine it runs on"
)]

// Public for the tests of `oracle`, which compare each function with MPFR.
#[doc(hidden)]
pub mod approximate;
mod arithmetic;
mod backend;
pub mod dot;
mod elements;
mod fields;
mod instruction;
mod rules;
mod select;
mod spec;
// Public for `prover`, which proves what the stages compute.
#[doc(hidden)]
pub mod stages;
mod trace;
mod word;
mod words;

use std::fmt;

pub use backend::Backend;
use elements::ColumnKernel;
use formats::{Column, Format, column};
use isa::{LaneSignature, Op, Register, Type, Variant};
// Public for `ptx`, which writes traces as PTX.
#[doc(hidden)]
pub use trace::{Binary, Trace, TraceStep, Unary};

/// A variant compiled for a backend that this CPU has.
pub struct Kernel {
    signature: LaneSignature,
    columns: Box<dyn ColumnKernel>,
}

impl Kernel {
    /// Returns the kernel of `variant`. Every variant of the table has one; `None` if this CPU lacks the backend.
    pub fn of(variant: &Variant, backend: Backend) -> Option<Kernel> {
        let columns = select::select(variant, backend)?;
        Some(Kernel { signature: variant.lane_signature().clone(), columns })
    }

    /// Returns the kernel of [`Op::Mul`] or [`Op::Fma`] in `format` alone, without modifiers; `None` for anything else.
    /// The formats are f16, bf16 and, besides what PTX has, e5m2, whose operands are few enough to try them all.
    pub fn unmodified(op: Op, format: &Format, backend: Backend) -> Option<Kernel> {
        let registers = match op {
            Op::Mul => "d, a, b",
            Op::Fma => "d, a, b, c",
            _ => return None,
        };
        let columns = select::unmodified(op, format, backend)?;
        let signature = LaneSignature::read(&[Type::named(format.name)?], registers);
        Some(Kernel { signature, columns })
    }

    // Public for `ptx`, which writes traces as PTX.
    /// Returns, for each output of the variant, the steps that the kernel takes for a lane of its inputs; `None` where
    /// words of 64 bits are not enough, or where the steps are not all that the kernel does.
    #[doc(hidden)]
    pub fn traces(&self) -> Option<Vec<Trace>> {
        self.columns.traces()
    }

    /// Computes every row of the result columns. There must be a column for each operand, in the order of
    /// [`Variant::operands`], and one for each of [`Variant::results`]. Rows have the width of their registers, and all
    /// columns have equally many rows. What a result's rows hold before makes no difference.
    ///
    /// # Panics
    /// If columns are missing, or have other widths or different numbers of rows.
    pub fn run(&self, operands: &[Column], results: &mut [Column]) {
        fn fit(columns: &[Column], registers: &[Register]) -> bool {
            let fits =
                |(column, register): (&Column, &Register)| column.row_bytes() == register.ty.row_bytes();
            columns.len() == registers.len() && columns.iter().zip(registers).all(fits)
        }
        let LaneSignature { operands: sources, results: destinations, .. } = &self.signature;
        assert!(fit(operands, sources) && fit(results, destinations), "a column for each register");
        let rows = results[0].rows();
        let same = |column: &Column| column.rows() == rows;
        assert!(operands.iter().all(same) && results.iter().all(same), "columns of one length");
        self.columns.run(&self.signature, operands, results);
    }

    /// Computes the result registers for one row of operand registers; for many rows, [`Kernel::run`] is faster.
    ///
    /// # Panics
    /// If there is not one value for each of [`Variant::operands`].
    pub fn run_one(&self, operands: &[u64]) -> Vec<u64> {
        let LaneSignature { operands: sources, results: destinations, .. } = &self.signature;
        assert!(operands.len() == sources.len(), "a value for each of {} operands", sources.len());
        let new = |register: &Register| Column::new(register.ty.row_bytes(), 1);
        let mut columns: Vec<Column> = sources.iter().map(new).collect();
        let mut results: Vec<Column> = destinations.iter().map(new).collect();
        column::set_row(&mut columns, 0, operands);
        self.run(&columns, &mut results);
        column::row(&results, 0)
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel").finish_non_exhaustive()
    }
}
