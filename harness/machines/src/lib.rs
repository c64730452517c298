#![doc = include_str!("../README.md")]
//!
//! ## Modules
//!
//! [`interpreter`] runs kernels, a warp at a time, and [`functions`] what compilers write, a batch of rows at a time.
//! Names, operands and branches are looked up in one place for both.

#[cfg(test)]
mod checks;
pub mod functions;
mod integer;
pub mod interpreter;
mod lowering;
mod problem;
