//! Whether the run is to end: Ctrl-C, or a signal that asks for the same.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The flag that is set then, one for the whole process as signals are.
pub fn flag() -> &'static AtomicBool {
    &REQUESTED
}

/// Whether nothing new is to be begun. What was begun has its deadline.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// The error of work that was left because of that: it is not done, and nothing has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the run was interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// What was done, or nothing where it was left because of that.
///
/// # Errors
/// All others.
pub fn unless_interrupted<T>(done: anyhow::Result<T>) -> anyhow::Result<Option<T>> {
    match done {
        Err(error) if is_interruption(&error) => Ok(None),
        done => done.map(Some),
    }
}

/// Whether work was left because of that.
pub fn is_interruption(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.is::<Interrupted>())
}
