#![doc = include_str!("../README.md")]
//!
//! ## How it is made
//!
//! The stages are: decode, flush, out of bounds, exact operation, rounding, flushing, clamping, encoding, lanes.
//! `stages` is all of the right model, and knows of no fault. `fault` is the table of what can be wrong, `faulty`
//! what each fault does to a stage, `explain` the stages in words.

// Only `isa` reads how a variant is spelled: harness/clippy.toml.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

#[cfg(test)]
mod checks;
mod datum;
mod dot;
mod explain;
mod fault;
mod faulty;
mod model;
mod number;
mod stages;

pub use dot::{DotFault, DotModel, FaultJudge};
pub use explain::{Cutting, Drawn, ExactValue, ExplainedStages, LateStage, StageChange};
pub use fault::{Fault, Faults, Places};
pub use model::Model;
