//! Panics, which are bugs of the suite: a user gets one line that says where.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Mutex;

use anyhow::{Result, bail};

use crate::locks::lock;

/// Where the first panic of the process was, and what it said.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

thread_local! {
    /// Where the last panic of the thread was, and what it said.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What a scope says when one of its threads has panicked, whose own place tells more.
const SCOPE: &str = "a scoped thread panicked";

/// Has panics kept for [`caught`] from now on, instead of printed: several threads may panic for one reason, and a user
/// needs one line.
pub fn watch() {
    panic::set_hook(Box::new(keep));
}

fn keep(panic: &PanicHookInfo) {
    let at = panic.location().map_or_else(|| "an unknown place".into(), ToString::to_string);
    let place = format!("{at}: {}", panic.payload_as_str().unwrap_or("no message"));
    lock(&FIRST).get_or_insert_with(|| place.clone());
    LAST.set(Some(place));
}

/// The result of some work, a panic as an error.
///
/// # Errors
/// Those of the work; and if it panics, one that says where, provided that [`watch`] was called.
pub fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let own = LAST.take().filter(|place| !place.ends_with(SCOPE));
        let place = own.or_else(|| lock(&FIRST).clone());
        let at = place.map_or_else(String::new, |place| format!(", at {place}"));
        bail!("this is a bug of the suite{at}; tell its makers, with the command line and this message")
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Once;

    use super::*;

    /// Has panics kept, and printed as well, so that a test that fails says why.
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
        let ended = caught(|| -> Result<()> { panic!("rows of {} bits", 3) });
        let text = ended.expect_err("a panic").to_string();
        assert!(text.contains("harness/base/src/bug.rs:") && text.contains("rows of 3 bits"), "{text}");
        assert_eq!(caught(|| Ok(3)).expect("no panic"), 3);
    }

    /// The scope's own words say nothing.
    #[test]
    fn the_panic_of_a_scopes_thread_is_named() {
        watch_and_print();
        let ended = caught(|| {
            std::thread::scope(|scope| {
                scope.spawn(|| panic!("a thread of its own"));
            });
            Ok(())
        });
        let text = ended.expect_err("a panic").to_string();
        assert!(!text.contains(SCOPE) && text.contains("harness/base/src/"), "{text}");
    }
}
