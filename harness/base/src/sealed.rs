//! Checksums: of files of JSON that only the suite writes and reads, by which a changed digit is noticed, and of
//! programs, by which another one is.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::LazyLock;

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// What stands before the checksum, which is in an object with it and without it.
const SEAL: &str = ",\"checksum\":\"";

/// The text of an object with its checksum.
pub fn sealed(mut json: Vec<u8>) -> Vec<u8> {
    let seal = seal(&json);
    json.pop();
    json.extend(seal);
    json
}

/// The text without its checksum, if this is what the checksum is of.
pub fn opened(mut file: Vec<u8>) -> Option<Vec<u8>> {
    let at = file.windows(SEAL.len()).rposition(|window| window == SEAL.as_bytes())?;
    let found = file.split_off(at);
    file.push(b'}');
    (found == seal(&file)).then_some(file)
}

/// The end of an object with its checksum, in the place of the brace.
fn seal(json: &[u8]) -> Vec<u8> {
    format!("{SEAL}{:#018x}\"}}", xxh3_64(json)).into_bytes()
}

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
