//! Dues of machine code: the operations that must stand there, written as a line of text.

use super::code::{CodeOperation, Operations};

/// The due of a kernel's machine code: one of several sets of operations, or a refusal.
///
/// `FMUL FADD`: these and no others. `FMUL *`: others too. `* !FFMA`: anything without it. `FFMA | FMUL FADD`: one or
/// the other, of which the first is what a compiler may do, and need not. `refused WORDS`: the compiler has to refuse
/// the kernel, and in words like these, since a kernel may be refused for many reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedCode {
    /// Machine code that one of these choices allows.
    Stands(Vec<Choice>),
    /// A refusal whose message has these words in it.
    Refused(String),
}

/// A set of operations that may stand in the machine code of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The operations that have to stand there.
    pub has: Operations,
    /// The operations that must not stand there.
    pub lacks: Operations,
    /// Whether further operations may stand there.
    pub more: bool,
}

impl ExpectedCode {
    /// Reads what is due from its line of text.
    pub fn of(text: &str) -> ExpectedCode {
        match text.strip_prefix("refused ") {
            Some(words) => ExpectedCode::Refused(words.to_owned()),
            None => ExpectedCode::Stands(text.split('|').map(Choice::of).collect()),
        }
    }

    /// Returns the number of the first choice that allows a kernel's operations; `None` where no choice does, or a
    /// refusal is due.
    pub fn choice(&self, operations: &Operations) -> Option<usize> {
        match self {
            ExpectedCode::Stands(choices) => choices.iter().position(|choice| choice.allows(operations)),
            ExpectedCode::Refused(_) => None,
        }
    }

    /// Whether the compiler has more than one choice.
    pub fn is_open(&self) -> bool {
        matches!(self, ExpectedCode::Stands(choices) if choices.len() > 1)
    }
}

impl Choice {
    /// Reads one choice: operations, those with `!` before them that must not stand there, and `*`.
    fn of(text: &str) -> Choice {
        let mut choice = Choice::default();
        for word in text.split_whitespace() {
            // `*` is no operation, so it is looked at before the names of operations.
            match word.strip_prefix('!') {
                _ if word == "*" => choice.more = true,
                Some(word) => drop(choice.lacks.insert(CodeOperation::named(word))),
                None => drop(choice.has.insert(CodeOperation::named(word))),
            }
        }
        choice
    }

    /// Whether the choice allows these operations of a kernel.
    fn allows(&self, operations: &Operations) -> bool {
        self.has.is_subset(operations)
            && self.lacks.is_disjoint(operations)
            && (self.more || self.has == *operations)
    }
}
