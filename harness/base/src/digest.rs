//! Digests of files, by which another program, or another part of one, is told from this.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::LazyLock;

use xxhash_rust::xxh3::Xxh3Default;

/// Digest of what a file holds.
///
/// # Errors
/// If it cannot be read.
pub fn digest_of(path: &Path) -> io::Result<u64> {
    let mut digest = Xxh3Default::new();
    io::copy(&mut File::open(path)?, &mut digest)?;
    Ok(digest.digest())
}

/// Digest of this program's file; where it cannot be read, all programs are alike.
pub fn program() -> String {
    static DIGEST: LazyLock<String> = LazyLock::new(|| {
        let digest = std::env::current_exe().and_then(|file| digest_of(&file));
        digest.map_or_else(|_| "unknown".into(), |digest| format!("{digest:#018x}"))
    });
    DIGEST.clone()
}
