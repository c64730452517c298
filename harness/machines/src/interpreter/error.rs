//! What a program cannot be, and what it cannot do.

use std::fmt;

use crate::problem::Problem;

/// Why a program was not read or came to no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Which instruction, counted from 1 in the order of the text.
    pub instruction: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "instruction {}: {}", self.instruction, self.problem)
    }
}

impl std::error::Error for Error {}
