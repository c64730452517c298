//! Panics, which are bugs of the suite: a user gets one line that says where.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard};

use crate::locks::lock;
use anyhow::{Result, bail};

/// Where the first panic was, and what it said.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

fn place() -> MutexGuard<'static, Option<String>> {
    lock(&PLACE)
}

/// From now on panics are kept for [`caught`] instead of being printed: several threads may panic for
/// one reason, and a user needs one line.
pub fn watch() {
    panic::set_hook(Box::new(|panic| {
        // The first: others follow from it.
        place().get_or_insert_with(|| {
            let at = panic.location().map_or_else(|| "an unknown place".into(), ToString::to_string);
            format!("{at}: {}", panic.payload_as_str().unwrap_or("no message"))
        });
    }));
}

/// What some work gives.
///
/// # Errors
/// Those of the work; and if it panics, one that says where, provided that [`watch`] was called.
pub fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let at = place().as_ref().map_or_else(String::new, |place| format!(", at {place}"));
        bail!("this is a bug of the suite{at}; tell its makers, with the command line and this message")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_that_names_its_place() {
        let before = panic::take_hook();
        watch();
        let ended = std::thread::scope(|scope| {
            let work = || caught(|| -> Result<()> { panic!("rows of {} bits", 3) });
            scope.spawn(work).join().expect("caught")
        });
        panic::set_hook(before);
        let text = ended.expect_err("a panic").to_string();
        assert!(text.contains("harness/base/src/bug.rs:") && text.contains("rows of 3 bits"), "{text}");
        assert_eq!(caught(|| Ok(3)).expect("no panic"), 3);
    }
}
