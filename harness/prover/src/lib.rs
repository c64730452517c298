//! Proofs about floating point, by trying everything that there is to try.
//!
//! - [`triples`]: the emulator's fused multiply-adds of two-byte data, for all 2^48 triples of operands.
//! - [`innocuous`]: where it does no harm to compute in a wider format and to round the result once more.

// Only `vectors` reads how a variant is spelled: harness/clippy.toml.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod innocuous;
pub mod triples;
