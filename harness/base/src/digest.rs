//! Digests of files, by which another program, or another part of a program, is told from this one.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::LazyLock;

use xxhash_rust::xxh3::Xxh3Default;

/// Computes the digest of what a file holds.
///
/// # Errors
/// If the file cannot be read.
pub fn digest_of(path: &Path) -> io::Result<u64> {
    let mut digest = Xxh3Default::new();
    io::copy(&mut File::open(path)?, &mut digest)?;
    Ok(digest.digest())
}

/// Returns the digest of this program's file, as text; where the file cannot be read, all programs are alike.
pub fn program() -> String {
    static DIGEST: LazyLock<String> = LazyLock::new(|| {
        let digest = std::env::current_exe().and_then(|file| digest_of(&file));
        digest.map_or_else(|_| "unknown".into(), |digest| format!("{digest:#018x}"))
    });
    DIGEST.clone()
}
