#![doc = include_str!("../README.md")]

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
