//! What no caller may do.

/// Ends the process for what no caller may do.
pub fn misuse(what: &str) -> ! {
    #[expect(clippy::disallowed_macros, reason = "for tests")]
    let () = eprintln!("fake driver: {what}");
    std::process::abort();
}
