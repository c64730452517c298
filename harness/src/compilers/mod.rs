//! What compilers make of programs.

pub mod program;
pub mod rows;
pub mod setting;
