#![doc = include_str!("../README.md")]

pub mod campaign;
pub mod diagnosis;
pub mod merge;
pub mod probe;
pub mod report;
