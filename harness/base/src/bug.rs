//! Panics as errors. Panics are bugs of the suite: a user gets one line that says where.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Mutex;

use anyhow::{Result, bail};

use crate::locks::lock;

/// Place and message of the first panic of the process.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

thread_local! {
    /// Place and message of the last panic of the thread.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Message of the panic of a scope one of whose threads has panicked; the place of that thread's own panic
/// tells more.
const SCOPE: &str = "a scoped thread panicked";

/// Has panics kept for [`catch_panic`] from now on, instead of printed: several threads may panic for one reason, and a
/// user needs one line.
pub fn watch() {
    panic::set_hook(Box::new(keep));
}

/// Keeps the place and the message of a panic, as the last one of its thread and perhaps the first one of all.
fn keep(panic: &PanicHookInfo) {
    let at = panic.location().map_or_else(|| "an unknown place".into(), ToString::to_string);
    let place = format!("{at}: {}", panic.payload_as_str().unwrap_or("no message"));
    lock(&FIRST).get_or_insert_with(|| place.clone());
    LAST.set(Some(place));
}

/// Runs some work and returns its result, with a panic turned into an error.
///
/// # Errors
/// The errors of the work; and if the work panics, an error that says where, provided that [`watch`] was
/// called.
pub fn catch_panic<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        // A scope that joins a thread which panicked panics itself, and its own place says nothing.
        let own = LAST.take().filter(|place| !place.ends_with(SCOPE));
        let place = own.or_else(|| lock(&FIRST).clone());
        let at = place.map_or_else(String::new, |place| format!(", at {place}"));
        bail!("this is a bug in the suite{at}; please report it, with the command line and this message")
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Once;

    use super::*;

    /// Has panics kept for [`catch_panic`], and printed as well, so that a test that fails says why.
    pub fn watch_and_print() {
        static WATCH: Once = Once::new();
        WATCH.call_once(|| {
            let print = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                keep(panic);
                print(panic);
            }));
        });
    }

    #[test]
    fn a_panic_becomes_an_error_that_names_its_place() {
        watch_and_print();
        let ended = catch_panic(|| -> Result<()> { panic!("rows of {} bits", 3) });
        let text = ended.expect_err("a panic").to_string();
        assert!(text.contains("harness/base/src/bug.rs:") && text.contains("rows of 3 bits"), "{text}");
        assert_eq!(catch_panic(|| Ok(3)).expect("no panic"), 3);
    }

    /// Tests that the place of the thread's own panic is named: the scope's own message says nothing.
    #[test]
    fn the_panic_of_a_scopes_thread_is_named() {
        watch_and_print();
        let ended = catch_panic(|| {
            std::thread::scope(|scope| {
                scope.spawn(|| panic!("a thread of its own"));
            });
            Ok(())
        });
        let text = ended.expect_err("a panic").to_string();
        assert!(!text.contains(SCOPE) && text.contains("harness/base/src/"), "{text}");
    }
}
