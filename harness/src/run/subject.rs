//! What a plan plans and a report reports on.

use std::fmt;

use vectors::Variant;

/// What a task is about, and a class, a waiver, a diagnosis and a replay after it. Whoever can work with
/// one kind only takes it apart with a `let` that a second kind breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A variant, whose results are held against its contract.
    Variant(&'static Variant),
}

impl Subject {
    /// Its name in plans, states and reports; classes are called after it.
    pub fn id(&self) -> &'static str {
        let Subject::Variant(variant) = self;
        variant.text()
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}
