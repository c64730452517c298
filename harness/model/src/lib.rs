//! Wrong models of instructions, on purpose: a model in stages (decode, flush, out of bounds, exact
//! operation, rounding, flushing, clamping, encoding, lanes) and deviations of single stages.
//!
//! Without a deviation the model is right, by arithmetic of its own: a third opinion beside the
//! oracle and the emulator, in plain 128-bit integers, slow and obvious. Approximations have no model:
//! of them, no bits are promised.

mod account;
mod arithmetic;
mod bits;
#[cfg(test)]
mod checks;
mod comparison;
mod conversion;
mod datum;
mod deviation;
mod finish;
mod flush;
mod model;
mod number;
pub mod subject;

pub use account::{Account, Cutting, Exactly};
pub use deviation::{Deviation, Deviations};
pub use model::Model;
