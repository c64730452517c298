//! The base of every crate of the harness: locks that outlive panics, panics as errors, interruption, what is kept on
//! disk, commands that end with the suite, progress,
//! what is said on standard error and how the program was called. Plain Rust, no C.

pub mod bug;
pub mod command;
pub mod digest;
pub mod interrupt;
pub mod invocation;
pub mod locks;
pub mod pool;
pub mod progress;
pub mod store;
pub mod terminal;
