//! The selection of work for an implementation: which subjects, which vectors of them, how many, and which part
//! of the work. Plain Rust, no C.

pub mod budget;
pub mod select;
mod shard;
pub mod subject;
mod vector_list;

pub use shard::Shard;
pub use vector_list::VectorList;
