//! Holds a directory for one run at a time.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base::terminal::say;

/// A directory that is held by this process as long as this value lives. The system lets go of it when the process
/// ends, however it ends.
#[derive(Debug)]
pub struct Held(#[expect(dead_code, reason = "it is closed when this is dropped")] Option<File>);

/// Takes a directory for this process.
///
/// # Errors
/// If the directory cannot be opened, or is held already.
pub fn hold(directory: &Path) -> Result<Held> {
    let shown = directory.display();
    let file = opened(directory).with_context(|| format!("the directory {shown} cannot be opened"))?;
    match file.try_lock() {
        Ok(()) => Ok(Held(Some(file))),
        Err(TryLockError::WouldBlock) => bail!(
            "another run is going on in {shown}: wait for its end, or give another directory with --out"
        ),
        // Some network drives have no locks.
        Err(TryLockError::Error(error)) => {
            say(&format!(
                "warning: {shown} cannot be locked ({error}): make sure that no other run uses it"
            ));
            Ok(Held(None))
        }
    }
}

/// Opens the directory itself, so that no lock file stays behind.
#[cfg(unix)]
fn opened(directory: &Path) -> io::Result<File> {
    File::open(directory)
}

/// Opens a lock file in the directory, on systems where a directory cannot be locked.
#[cfg(not(unix))]
fn opened(directory: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(directory.join("run.lock"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_held_by_one_at_a_time() {
        let directory = tempfile::tempdir().expect("a directory");
        let held = hold(directory.path()).expect("free");
        let refused = hold(directory.path()).expect_err("held").to_string();
        assert!(
            refused.contains("another run is going on in") && refused.contains("--out"),
            "{refused}"
        );
        drop(held);
        hold(directory.path()).expect("free again");
    }
}
