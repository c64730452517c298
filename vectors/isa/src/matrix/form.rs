//! The row type of the table of matrix instructions.

use super::notation::expand;
use crate::{PtxVersion, Since, Target};

/// A row: one line of the manual's syntax, and since when and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixForm {
    /// The spelling in the manual's notation, and behind it in parentheses what only operands say and yet
    /// decides a result.
    pub syntax: &'static str,
    /// Each PTX version with the targets that it brought the form to.
    pub since: Vec<Since>,
    /// Section of the PTX ISA manual, numbered as in version 9.4.
    pub section: &'static str,
}

impl MatrixForm {
    /// A row, from its texts: the syntax as [`expand`] reads it, and the versions and targets as [`Since`]
    /// reads them.
    ///
    /// # Panics
    /// On a text that is malformed: the table's own tests build every row.
    pub fn new(syntax: &'static str, since: &'static str, section: &'static str) -> MatrixForm {
        let since = since.parse().unwrap_or_else(|error| panic!("{error}"));
        MatrixForm { syntax, since: vec![since], section }
    }

    /// Every text that it stands for.
    pub(super) fn texts(&self) -> Vec<String> {
        expand(self.syntax)
    }

    /// Whether a module for `target` in PTX version `ptx` may use it; `None` asks for any.
    pub fn available(&self, target: Option<Target>, ptx: Option<PtxVersion>) -> bool {
        self.since.iter().any(|since| since.covers(target, ptx))
    }
}
