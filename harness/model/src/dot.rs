//! Models of matrix instructions that are wrong on purpose: a model of sums of products in stages (elements, products,
//! scales, alignment, addition, rounding, the sequence that a target makes of an instruction), and faults of single
//! stages.
//!
//! Without a fault the model is right as far as is published (`isa::matrix::Lowering::assumed`), by arithmetic of
//! its own.

#[cfg(test)]
mod checks;
mod concerns;
mod fault;
mod faulty;
mod model;
mod stages;
mod term;
mod wide;

pub use fault::{DotFault, FaultJudge};
pub use model::DotModel;
