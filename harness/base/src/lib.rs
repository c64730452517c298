#![doc = include_str!("../README.md")]

pub mod bug;
pub mod command;
// Public for sister crates, whose files on disk name the program that wrote them.
#[doc(hidden)]
pub mod digest;
pub mod interrupt;
pub mod invocation;
pub mod locks;
pub mod place;
pub mod pool;
pub mod progress;
pub mod store;
pub mod terminal;
