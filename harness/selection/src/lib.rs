#![doc = include_str!("../README.md")]

pub mod budget;
pub mod select;
mod shard;
pub mod subject;
mod vector_list;

pub use shard::Shard;
pub use vector_list::VectorList;
