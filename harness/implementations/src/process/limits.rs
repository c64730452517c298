//! Limits of a program, and the options that set them.

use std::time::Duration;

use anyhow::{Result, bail};

use super::deadline::Deadline;
use super::failure::Failure;
use super::lengths::ArrayLengths;
use crate::FailureKind;

/// Time that a program may take to introduce itself, unless something else was said.
const START: Duration = Duration::from_secs(30);

/// Limits of a program, as the options between an implementation's kind and the colon set them, such as
/// `exec,deadline=60,vectors=1000:COMMAND`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time that an answer may take.
    pub deadline: Duration,
    /// Time that a program may take from its start to its first answer, if something else was said than half a
    /// minute, or the deadline where that is longer.
    pub start: Option<Duration>,
    /// Number of vectors of a sweep that are asked for at most.
    pub vectors: Option<u64>,
    /// Lengths of the arrays in which each batch is asked, one after the other.
    pub lengths: ArrayLengths,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            deadline: Duration::from_secs(10),
            start: None,
            vectors: None,
            lengths: ArrayLengths::default(),
        }
    }
}

impl Limits {
    /// Returns the limits with the changes that a list like `deadline=60,vectors=1000` makes.
    ///
    /// # Errors
    /// If something in the list is no option.
    pub fn with_options(mut self, options: &str) -> Result<Limits> {
        for option in options.split(',').filter(|option| !option.is_empty()) {
            let (name, text) = option.split_once('=').unwrap_or((option, ""));
            if let ("lengths", Some(lengths)) = (name, ArrayLengths::read(text)) {
                self.lengths = lengths;
                continue;
            }
            match (name, text.parse()) {
                ("deadline", Ok(seconds @ 1..=86400)) => self.deadline = Duration::from_secs(seconds),
                ("start", Ok(seconds @ 1..=86400)) => self.start = Some(Duration::from_secs(seconds)),
                ("vectors", Ok(vectors @ 1..)) => self.vectors = Some(vectors),
                _ => bail!(
                    "unknown option `{option}`: write deadline=SECONDS, the time for an answer (1 to \
                     86400), start=SECONDS, the time from the start to the first answer, vectors=N, the \
                     most vectors of a sweep, or lengths=1+7+8+64, the lengths of the arrays in which the \
                     same vectors are asked (at most eight, each from 1 to 65536 and written once)"
                ),
            }
        }
        Ok(self)
    }

    /// Returns the limits with another time for an answer.
    pub(crate) fn with_deadline(self, deadline: Duration) -> Limits {
        Limits { deadline, ..self }
    }

    /// Returns the deadline for an answer.
    pub fn answer_deadline(&self) -> Deadline {
        Deadline::new("deadline", self.deadline)
    }

    /// Returns the time that is lost with a failure.
    pub(crate) fn lost(&self, failure: &Failure) -> Duration {
        match failure.kind {
            FailureKind::Timeout if failure.at_start => self.starting(),
            FailureKind::Timeout => self.deadline,
            FailureKind::Crashed
            | FailureKind::Nonsense
            | FailureKind::Failed
            | FailureKind::Unwritten => Duration::ZERO,
        }
    }

    /// Returns the deadline for the first answer.
    pub fn start_deadline(&self) -> Deadline {
        Deadline::new("start", self.starting())
    }

    fn starting(&self) -> Duration {
        self.start.unwrap_or(self.deadline.max(START))
    }
}

/// Returns the limits in a name like `exec,deadline=60:COMMAND`, with defaults, and what stands behind the colon.
///
/// # Errors
/// If something before the colon is no option, or nothing stands behind it.
pub fn options(name: &str, defaults: Limits) -> Result<(Limits, &str)> {
    let (kind, rest) = name.split_once(':').unwrap_or((name, ""));
    let (_, options) = kind.split_once(',').unwrap_or((kind, ""));
    if rest.trim().is_empty() {
        bail!(
            "`{name}` has no command or path: write exec:COMMAND, text:COMMAND, lib:PATH or ptx:COMMAND"
        );
    }
    Ok((defaults.with_options(options)?, rest))
}
