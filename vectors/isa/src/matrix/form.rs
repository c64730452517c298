//! The row type of the table of matrix instructions.

use super::notation::expand;
use crate::{PtxVersion, Since, Target};

/// A row of the table: one line of the manual's syntax, with the versions and targets that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MatrixForm {
    /// The spelling in the manual's notation, followed in parentheses by what only operands say and yet decides a
    /// result.
    pub syntax: &'static str,
    /// The PTX versions that brought the form, each with the targets that it brought it to.
    pub since: Vec<Since>,
    /// The section of the PTX ISA manual, numbered as in version 9.4.
    pub section: &'static str,
}

impl MatrixForm {
    /// Builds a row from its texts: the syntax as [`expand`] reads it, and the versions and targets as [`Since`] reads
    /// them.
    ///
    /// # Panics
    /// On a text that is malformed: the table's own tests build every row.
    pub(super) fn new(syntax: &'static str, since: &'static str, section: &'static str) -> MatrixForm {
        let since = since.parse().unwrap_or_else(|error| panic!("{error}"));
        MatrixForm { syntax, since: vec![since], section }
    }

    /// Returns every text that the row stands for.
    pub(super) fn texts(&self) -> Vec<String> {
        expand(self.syntax)
    }

    /// Whether a module for `target` in PTX version `ptx` may use the form; `None` stands for any.
    pub fn available(&self, target: Option<Target>, ptx: Option<PtxVersion>) -> bool {
        self.since.iter().any(|since| since.covers(target, ptx))
    }
}
