//! Reads files that anybody may have named, and writes files whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The reason why a file was not written. A file that was there before is as it was.
#[derive(Debug, Error)]
#[error("cannot write `{}`: {doing} failed: {cause}; check the folder and the free space, or choose another place", .path.display())]
#[non_exhaustive]
pub struct SaveError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// The step that failed.
    pub doing: &'static str,
    /// The operating system's error. It is part of the message, so it is not a `source` of its own.
    pub cause: io::Error,
}

/// Reads a file of at most `mebibytes` MiB and returns its bytes. There is a limit because `/dev/zero` has no end,
/// and a file that was mixed up with another may be larger than memory.
///
/// # Errors
/// If the file cannot be read, is a named pipe, or holds more.
pub fn read_at_most(path: &Path, mebibytes: u64) -> io::Result<Vec<u8>> {
    let most = mebibytes << 20;
    refuse_named_pipe(path)?;
    let file = File::open(path)?;
    let too_large = || {
        let text = format!("it is larger than the limit of {mebibytes} MiB");
        io::Error::new(io::ErrorKind::FileTooLarge, text)
    };
    // A file that says how large it is need not be read to be refused.
    if file.metadata()?.len() > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// Refuses a named pipe: whoever opens one waits until somebody writes to it, and no signal ends that. The pipes of
/// a shell's `<(…)`, below `/dev` or `/proc`, are open already and are not refused.
#[cfg(unix)]
fn refuse_named_pipe(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::FileTypeExt;
    let is_open = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    if !is_open && fs::metadata(path)?.file_type().is_fifo() {
        let text = "it is a named pipe, which may never end: give a file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_named_pipe(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Returns the folder that a file is in: `.` where its path names none.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Writes a file so that whoever reads it finds the old content or the new, never a part. Missing
/// folders on the way are created.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
    let failed = |doing| move |cause| SaveError { path: path.to_owned(), doing, cause };
    let folder = folder_of(path);
    // A device or a pipe is written to: renamed over, it would be gone.
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        let written = fs::OpenOptions::new().write(true).open(path);
        return written.and_then(|mut file| file.write_all(bytes)).map_err(failed("writing"));
    }
    fs::create_dir_all(folder).map_err(failed("creating the folder"))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".report-").suffix(".partial");
    // A temporary file is private by default, and this one becomes the report that others read: let
    // the umask decide, as for any other file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut temporary = builder.tempfile_in(folder).map_err(failed("creating a temporary file"))?;
    temporary.write_all(bytes).map_err(failed("writing"))?;
    temporary.as_file().sync_all().map_err(failed("flushing to the disk"))?;
    temporary.persist(path).map_err(|error| failed("renaming the temporary file")(error.error))?;
    // The rename itself survives a power failure only once the folder is on the disk. Where a
    // folder cannot be flushed (Windows, some network drives) the report is written all the same.
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_named_pipe_is_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success());
        let error = read_at_most(&path, 1).expect_err("nobody writes to it");
        assert!(error.to_string().contains("named pipe"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_an_end_is_refused() {
        let error = read_at_most(Path::new("/dev/zero"), 1).expect_err("it has no end");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(error.to_string().contains("1 MiB"), "{error}");
    }

    #[test]
    fn the_largest_file_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, vec![b' '; 1 << 20]).expect("written");
        assert_eq!(read_at_most(&path, 1).expect("read").len(), 1 << 20);
        fs::write(&path, vec![b' '; (1 << 20) + 1]).expect("written");
        assert!(read_at_most(&path, 1).is_err());
    }
}
