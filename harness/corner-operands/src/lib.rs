#![doc = include_str!("../README.md")]
//!
//! ## Which function for what
//!
//! Uniform bits reach almost nothing: most are far apart, and hardly any is special. [`boundary`] gives data
//! where something begins or ends, and [`sparse`] data of few bits. [`datum`] gives a mixture for one operand,
//! [`lane`] a mixture for the operands of a lane, whose exponents meet, and [`product_meeting_addend`] factors and an
//! addend that cancel or nearly do.

mod boundary;
mod datum;
mod lane;

pub use boundary::{boundaries, boundary, edge_exponents};
pub use datum::{datum, integer, sparse};
pub use lane::{lane, product_meeting_addend};

use sweeps::CounterRng;

/// Picks one of some things, of which there is at least one.
fn pick<T: Copy>(random: &mut CounterRng, of: &[T]) -> T {
    of[random.below(of.len() as i32) as usize]
}

/// Whether one event of `n` equally likely ones happens, as drawn at random.
fn one_in(random: &mut CounterRng, n: i32) -> bool {
    random.below(n) == 0
}
