//! The selection of work for an implementation: which subjects, which vectors of them, how many, and which part
//! of the work. Plain Rust, no C.

pub mod budget;
mod given;
pub mod select;
mod shard;
pub mod subject;

pub use given::VectorList;
pub use shard::Shard;
