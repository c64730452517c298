//! Reads files that anybody may have named, and writes files whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::{Duration, Instant};

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
///
/// # Errors
/// If the file cannot be written. Then the old content, if any, is as it was.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
    write_atomically_with(path, |to| to.write_all(bytes))
}

/// Writes a file with what `fill` writes, as [`write_atomically`] does, for content that is not held in memory.
///
/// # Errors
/// If `fill` fails, or the file cannot be written. Then the old content, if any, is as it was.
pub fn write_atomically_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), SaveError> {
    let failed = |doing| move |cause| SaveError { path: path.to_owned(), doing, cause };
    let fill = |file: &mut File| {
        let mut to = BufWriter::new(file);
        fill(&mut to)?;
        to.flush()
    };
    let folder = folder_of(path);
    // A device or a pipe is written to: renamed over, it would be gone.
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return open_special(path).and_then(|mut file| fill(&mut file)).map_err(failed("writing"));
    }
    fs::create_dir_all(folder).map_err(failed("creating the folder"))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".report-").suffix(".partial");
    // A temporary file is private by default, and this one becomes the report that others read: let
    // the umask decide, as for any other file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut temporary = builder.tempfile_in(folder).map_err(failed("creating a temporary file"))?;
    fill(temporary.as_file_mut()).map_err(failed("writing"))?;
    temporary.as_file().sync_all().map_err(failed("flushing to the disk"))?;
    temporary.persist(path).map_err(|error| failed("renaming the temporary file")(error.error))?;
    // The rename itself survives a power failure only once the folder is on the disk. Where a
    // folder cannot be flushed (Windows, some network drives) the report is written all the same.
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// Returns whether a path is a named pipe, so that a run can refuse it before its results are at stake.
#[cfg(unix)]
pub fn is_named_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
}

/// Returns whether a path is a named pipe: never, because this system has none.
#[cfg(not(unix))]
pub fn is_named_pipe(_: &Path) -> bool {
    false
}

/// Opens a device or a pipe for writing. A named pipe without a reader is waited for only so long.
#[cfg(unix)]
fn open_special(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let blocking = || fs::OpenOptions::new().write(true).open(path);
    if !is_named_pipe(path) {
        return blocking();
    }
    let until = Instant::now() + READER;
    loop {
        // Opened like this, a pipe that nobody reads is an error, and not waited for without an end.
        match fs::OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path) {
            // The reader waits for as long as this file is open, so a second one opens at once; it blocks when the
            // pipe is full.
            Ok(_held) => return blocking(),
            Err(error) if error.raw_os_error() == Some(libc::ENXIO) && Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(error) if error.raw_os_error() == Some(libc::ENXIO) => {
                let text = "it is a named pipe that nobody reads";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(not(unix))]
fn open_special(path: &Path) -> io::Result<File> {
    fs::OpenOptions::new().write(true).open(path)
}

/// The time that a named pipe is given to find a reader, which a shell may be starting just now.
#[cfg(unix)]
const READER: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a named pipe in a folder.
    #[cfg(unix)]
    fn named_pipe(folder: &Path) -> PathBuf {
        let path = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success());
        path
    }

    #[cfg(unix)]
    #[test]
    fn a_named_pipe_is_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = named_pipe(folder.path());
        let error = read_at_most(&path, 1).expect_err("nobody writes to it");
        assert!(error.to_string().contains("named pipe"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_named_pipe_that_nobody_reads_is_not_written_to_for_ever() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = named_pipe(folder.path());
        assert!(is_named_pipe(&path));
        let error = write_atomically(&path, b"{}").expect_err("nobody reads it");
        assert!(error.to_string().contains("named pipe that nobody reads"), "{error}");
    }

    #[test]
    fn content_that_fails_midway_leaves_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("vectors.json");
        let full = |to: &mut dyn Write| {
            to.write_all(&[b'x'; 1 << 16])?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        };
        let error = write_atomically_with(&path, full).expect_err("the disk is full");
        assert!(error.to_string().contains("free space"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
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
