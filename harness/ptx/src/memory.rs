//! Kernels of arithmetic on a word in memory: `atom`, `red` and `cp.reduce.async.bulk`.

mod in_turn;
mod kernels;
#[cfg(test)]
mod tests;

pub use in_turn::{declare, in_turn};
pub use kernels::{constants, declared, row};
