//! What tests of the built binary share.

use std::process::Output;

/// Exit code 2 and one line on standard error that has each of `words`.
pub fn assert_refused(output: &Output, words: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("error: "), "{text}");
    for word in words {
        assert!(text.contains(word), "no `{word}` in: {text}");
    }
}
