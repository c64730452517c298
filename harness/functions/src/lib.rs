#![doc = include_str!("../README.md")]
//!
//! ## How it is made
//!
//! Measurements of how exact the functions of libraries are, as compilers make them: over all inputs where these are
//! few enough, and with every approximation at its nearest, its lowest and its highest, or as a device has it.
//!
//! ```text
//! table.rs    the functions, and what documents say of them
//! inputs.rs   the inputs that are measured
//! real.rs     the function in f64: a filter
//! truth.rs    the truth: the filter where it is sure, else MPFR
//! unit.rs     approximate instructions, by f64 where it is sure, else by MPFR
//! run.rs      the measuring, in parts, on all processors, kept on disk
//! tally.rs    the counts of results
//! meaning.rs  a function of one's own, judged by one of the table
//! record.rs   the record that is published
//! tables.rs   the tables of the record
//! ```

mod inputs;
mod meaning;
mod real;
mod record;
mod run;
mod table;
mod tables;
mod tally;
mod truth;
mod unit;

pub use inputs::Inputs;
pub use meaning::FunctionMeaning;
pub use record::{FunctionRecord, Record};
pub use run::{MeasuredFunction, Measurement, MeasurementSelection, device_name, prepare, settings};
pub use table::{Documented, FUNCTIONS, LibraryFunction, Limit};
pub use tally::{BeyondInUnits, Digest, Example, Tally};
pub use unit::Approximations;
