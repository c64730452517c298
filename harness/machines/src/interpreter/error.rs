//! Errors of programs that cannot be read or cannot be run to their end.

use std::fmt;

use crate::problem::Problem;

/// The reason why a program was not read or came to no end, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The number of the instruction, counted from 1 in the order of the text.
    pub instruction: usize,
    /// The problem of the instruction.
    pub problem: Problem,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "instruction {}: {}", self.instruction, self.problem)
    }
}

impl std::error::Error for Error {}
