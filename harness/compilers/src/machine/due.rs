//! What must stand in machine code, as a line of text.

use super::code::{Operation, Operations};

/// One of several sets of operations, or a refusal.
///
/// `FMUL FADD`: these and no others. `FMUL *`: others too. `* !FFMA`: anything without it. `FFMA | FMUL FADD`: one
/// or the other, of which the first is what a compiler may do, and need not. `refused WORDS`: the compiler has to
/// refuse it, and in words like these, since a kernel may be refused for many reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    /// One of these.
    Stands(Vec<Choice>),
    /// It must be refused with these words.
    Refused(String),
}

/// What may stand there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// What has to.
    pub has: Operations,
    /// What must not.
    pub lacks: Operations,
    /// Whether there may be more.
    pub more: bool,
}

impl Due {
    /// Reads it.
    pub fn of(text: &str) -> Due {
        match text.strip_prefix("refused ") {
            Some(words) => Due::Refused(words.to_owned()),
            None => Due::Stands(text.split('|').map(Choice::of).collect()),
        }
    }

    /// The number of the first choice that a kernel has made.
    pub fn choice(&self, operations: &Operations) -> Option<usize> {
        match self {
            Due::Stands(choices) => choices.iter().position(|choice| choice.allows(operations)),
            Due::Refused(_) => None,
        }
    }

    /// Whether a compiler has a choice.
    pub fn is_open(&self) -> bool {
        matches!(self, Due::Stands(choices) if choices.len() > 1)
    }
}

impl Choice {
    fn of(text: &str) -> Choice {
        let mut choice = Choice::default();
        for word in text.split_whitespace() {
            match word.strip_prefix('!') {
                _ if word == "*" => choice.more = true,
                Some(word) => drop(choice.lacks.insert(Operation::named(word))),
                None => drop(choice.has.insert(Operation::named(word))),
            }
        }
        choice
    }

    fn allows(&self, operations: &Operations) -> bool {
        self.has.is_subset(operations)
            && self.lacks.is_disjoint(operations)
            && (self.more || self.has == *operations)
    }
}
