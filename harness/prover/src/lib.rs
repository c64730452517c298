#![doc = include_str!("../README.md")]
//!
//! ## Modules
//!
//! - [`triples`]: the emulator's fused multiply-adds of two-byte data, for all 2^48 triples of operands.
//! - [`innocuous`]: where it does no harm to compute in a wider format and to round the result once more.

// Only `isa` reads how a variant is spelled: harness/clippy.toml.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod innocuous;
pub mod triples;

#[cfg(test)]
mod tests;

/// Threads that a caller lends: a function that calls some work on as many of them as it has, at most as many as it
/// is told, and that returns when each call has. A caller whose threads fail sets the flag that stops the work, and
/// makes nothing of what comes back.
pub type LentThreads<'a> = dyn Fn(usize, &(dyn Fn() + Sync)) + Sync + 'a;
