//! What compilers make of a source line, and whether that computes what was asked.

pub mod unit;
