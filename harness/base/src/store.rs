//! The store of what the suite keeps on disk for itself, to go on from after it was broken off or to ask nobody
//! twice: files of JSON that only the suite writes and reads. Each file has a checksum, is written whole or not
//! at all, and is refused for one of a few reasons, each with its sentence. The caller compares what a file
//! belongs to.

mod refusal;
mod seal;
#[cfg(test)]
mod tests;

use std::io::ErrorKind;
use std::path::Path;

use anyhow::Result;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use refusal::{Purpose, StoreRefusal};

/// The content of a kind of file of the store.
pub trait StoreContent: DeserializeOwned {
    /// The form of such files: it changes when the meaning of what they hold does.
    const FORM: u32;
    /// The largest size of such a file, in MiB.
    const LARGEST: u64;

    /// Reads which form a file's text says that it has, if it says so. The form is read before all else,
    /// because other forms may have other fields.
    fn stamp(json: &[u8]) -> Option<Stamp> {
        serde_json::from_slice(json).ok()
    }
}

/// The stamp of a file: what a file of any form says of itself.
#[derive(Debug, Deserialize)]
pub struct Stamp {
    /// The form of the file.
    // States call this field `version`, and what is remembered of emulators calls it `form`.
    #[serde(alias = "form")]
    version: u32,
    /// The version of the suite that wrote the file.
    suite: Option<String>,
}

/// Reads the stamp of a file that has it in a field `identity`.
pub fn stamp_of_identity(json: &[u8]) -> Option<Stamp> {
    #[derive(Deserialize)]
    struct Within {
        identity: Stamp,
    }
    let Within { identity } = serde_json::from_slice(json).ok()?;
    Some(identity)
}

/// Writes a file, whole or not at all.
///
/// # Errors
/// If the file cannot be written, in a sentence that names the file and says what to do.
pub fn save(path: &Path, value: &impl Serialize) -> Result<()> {
    let file = seal::sealed(serde_json::to_vec(value)?);
    Ok(reports::write_atomically(path, &file)?)
}

/// Reads what the file at `path` holds.
///
/// # Errors
/// If there is no such file, or it cannot be read, is damaged or has another form.
pub fn load<T: StoreContent>(path: &Path) -> Result<T, StoreRefusal> {
    let file = reports::read_at_most(path, T::LARGEST).map_err(|error| match error.kind() {
        ErrorKind::NotFound => StoreRefusal::Missing,
        _ => StoreRefusal::Unreadable(error),
    })?;
    let json = seal::opened(file).map_err(|why| StoreRefusal::Damaged(why.into()))?;
    parsed(&json)
}

/// Parses what a file's text, without its checksum, holds.
///
/// # Errors
/// If the text has another form.
pub fn parsed<T: StoreContent>(json: &[u8]) -> Result<T, StoreRefusal> {
    match T::stamp(json) {
        // A file without a stamp goes to the parser as well, whose message says what is missing.
        Some(Stamp { version: found, suite }) if found != T::FORM => {
            Err(StoreRefusal::OtherVersion { found, due: T::FORM, suite })
        }
        _ => serde_json::from_slice(json).map_err(|error| StoreRefusal::OtherForm(error.to_string())),
    }
}
