//! What tests of the built binary share.

pub mod host;

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

/// Makes a program of a text that says what reads it.
#[cfg(unix)]
pub fn program(path: &std::path::Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;

    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The text of a state file that was changed, with the checksum that it has now.
pub fn sealed_state(text: &str) -> String {
    let (json, _) = text.rsplit_once(",\"checksum\":").expect("a state has a checksum");
    let checksum = xxhash_rust::xxh3::xxh3_64(format!("{json}}}").as_bytes());
    format!("{json},\"checksum\":\"{checksum:#018x}\"}}")
}
