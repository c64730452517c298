//! Failures of a child process, and the ways in which it ends.

use std::fmt;
use std::process::ExitStatus;

use crate::FailureKind;

/// Failure of a child process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Kind of the failure.
    pub kind: FailureKind,
    /// Description of the failure in words.
    pub words: String,
    /// Whether the failure came before the child was asked for anything, so that no vector is to blame.
    pub at_start: bool,
}

impl Failure {
    fn of(kind: FailureKind, words: String) -> Failure {
        Failure { kind, words, at_start: false }
    }

    /// Makes the failure of a child that ended.
    pub fn crashed(words: impl Into<String>) -> Failure {
        Failure::of(FailureKind::Crashed, words.into())
    }

    /// Makes the failure of a child that takes longer than it may.
    pub fn too_late(words: impl Into<String>) -> Failure {
        Failure::of(FailureKind::Timeout, words.into())
    }

    /// Makes the failure of a child that said itself that it failed.
    pub fn self_reported(reason: &str) -> Failure {
        Failure::of(FailureKind::Failed, format!("it reported a failure: {}", reason.trim()))
    }

    /// Makes the failure of a child that answered something else than was asked for.
    pub fn nonsense(words: impl Into<String>) -> Failure {
        Failure::of(FailureKind::Nonsense, words.into())
    }

    /// Adds the last words of the child to the failure, if there are any.
    pub fn with_last_words(mut self, last: &str) -> Failure {
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

/// End of a child process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The child ended by itself, or by somebody else's signal.
    By(ExitStatus),
    /// The child did not end, and the suite ended it.
    Stopped,
    /// The end is unknown: where whoever started the suite ignores the ends of children (SIGCHLD), the system
    /// tells nobody.
    Unknown,
}

impl Ended {
    /// Whether the child is known to have ended in another way than with exit code 0.
    pub fn is_failure(self) -> bool {
        match self {
            Ended::By(status) => !status.success(),
            Ended::Stopped => true,
            Ended::Unknown => false,
        }
    }

    /// Returns the failure of a child whose output has ended; `place` says where, such as ` in a line`.
    pub fn failure(self, place: &str) -> Failure {
        match self {
            Ended::By(status) => Failure::crashed(format!("it ended ({status}){place}")),
            Ended::Unknown => {
                Failure::crashed(format!("it ended (the system does not report how){place}"))
            }
            Ended::Stopped => Failure::too_late(format!(
                "it closed its output{place} and was still running {} s later",
                super::child::FAREWELL.as_secs()
            )),
        }
    }
}
