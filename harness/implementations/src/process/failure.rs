//! How a child fails, and how it ends.

use std::fmt;
use std::process::ExitStatus;

use crate::FailureKind;

/// How a child fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Of what kind.
    pub kind: FailureKind,
    /// In words.
    pub words: String,
    /// Whether it came before it was asked for anything, so that no vector is to blame.
    pub at_start: bool,
}

impl Failure {
    fn of(kind: FailureKind, words: String) -> Failure {
        Failure { kind, words, at_start: false }
    }

    /// It ended.
    pub fn crashed(words: impl Into<String>) -> Failure {
        Failure::of(FailureKind::Crashed, words.into())
    }

    /// It takes longer than it may.
    pub fn late(words: impl Into<String>) -> Failure {
        Failure::of(FailureKind::Timeout, words.into())
    }

    /// It said so.
    pub fn said(reason: &str) -> Failure {
        Failure::of(FailureKind::Failed, format!("it says that it failed: {}", reason.trim()))
    }

    /// It answered something else than was asked for.
    pub fn nonsense(words: impl Into<String>) -> Failure {
        Failure::of(FailureKind::Nonsense, words.into())
    }

    /// With what the child said last, if it did.
    pub fn with(mut self, last: &str) -> Failure {
        if !last.is_empty() {
            self.words += &format!("; it said: {last}");
        }
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, or by somebody else's signal.
    By(ExitStatus),
    /// It did not, and the suite ended it.
    Stopped,
    /// Where whoever started the suite ignores the ends of children (SIGCHLD), the system tells nobody.
    Unknown,
}

impl Ended {
    /// Whether it is known to have ended in another way than with exit code 0.
    pub fn is_failure(self) -> bool {
        match self {
            Ended::By(status) => !status.success(),
            Ended::Stopped => true,
            Ended::Unknown => false,
        }
    }

    /// The failure of a child whose output has ended; `place` says where, such as ` in a line`.
    pub fn failure(self, place: &str) -> Failure {
        match self {
            Ended::By(status) => Failure::crashed(format!("it ended ({status}){place}")),
            Ended::Unknown => Failure::crashed(format!("it ended (the system does not say how){place}")),
            Ended::Stopped => Failure::late(format!(
                "it closed its output{place} and had not ended {} s later",
                super::child::FAREWELL.as_secs()
            )),
        }
    }
}
