//! Helpers that the tests of the built binary share.

pub mod host;

use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Asserts that a command was refused: exit code 2 and one line on standard error that has each of `words`.
pub fn assert_refused(output: &Output, words: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("error: "), "{text}");
    for word in words {
        assert!(text.contains(word), "no `{word}` in: {text}");
    }
}

/// Writes a text to a file that can be executed; the text's first line says what interprets it.
#[cfg(unix)]
pub fn program(path: &std::path::Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;

    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Returns the text of a state file that was changed, with the checksum that fits the change.
pub fn sealed_state(text: &str) -> String {
    let (json, _) = text.rsplit_once(",\"checksum\":").expect("a state has a checksum");
    let checksum = xxhash_rust::xxh3::xxh3_64(format!("{json}}}").as_bytes());
    format!("{json},\"checksum\":\"{checksum:#018x}\"}}")
}

/// Returns the result of `work` for each item, in the order of the items, on as many threads as there are
/// processors.
pub fn each<T: Sync, R: Send>(of: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let some = || {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                match of.get(at) {
                    Some(one) => done.push((at, work(one))),
                    None => return done,
                }
            }
        };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(some)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
