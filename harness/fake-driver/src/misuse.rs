//! Ends the process when a caller does what no caller may do.

/// Ends the process for what no caller may do, after a line that says what it was.
pub fn misuse(what: &str) -> ! {
    #[expect(clippy::disallowed_macros, reason = "for tests")]
    let () = eprintln!("fake driver: {what}");
    std::process::abort();
}
