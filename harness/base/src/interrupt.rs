//! Interruption of a run that is to end: by Ctrl-C, or by a signal that asks for the same.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Returns the flag that is set when the run is to end: one for the whole process, as signals are.
pub fn flag() -> &'static AtomicBool {
    &REQUESTED
}

/// Whether the run is to end, so that nothing new is to be begun. Work that was begun has its deadline.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// The error of work that was left because the run is to end: the work is not done, and nothing has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the run was interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// Returns what was done, or `None` where the work was left because the run is to end.
///
/// # Errors
/// All errors other than [`Interrupted`].
pub fn unless_interrupted<T>(done: anyhow::Result<T>) -> anyhow::Result<Option<T>> {
    match done {
        Err(error) if is_interruption(&error) => Ok(None),
        done => done.map(Some),
    }
}

/// Whether an error says that work was left because the run is to end.
pub fn is_interruption(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.is::<Interrupted>())
}
