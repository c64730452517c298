#![doc = include_str!("../README.md")]
//!
//! ## What it knows
//!
//! The crate uses neither the oracle nor the emulator. Of the model it uses the faults, and not the right results.

mod injection;
mod localized;
mod mutation;
mod tolerated;

pub use injection::inject;
pub use localized::LocalizedFault;
pub use mutation::Mutation;
pub use tolerated::is_tolerated;
