//! Reading files that anybody may have named.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// What a file holds, provided that this is at most so many MiB: `/dev/zero` has no end, and a file that
/// was mixed up with another may be larger than memory.
///
/// # Errors
/// If it cannot be read, or if it holds more.
pub fn read_at_most(path: &Path, mebibytes: u64) -> io::Result<Vec<u8>> {
    let most = mebibytes << 20;
    refuse_named_pipe(path)?;
    let file = File::open(path)?;
    let too_large = || {
        let text = format!("it is larger than the {mebibytes} MiB that are read at most");
        io::Error::new(io::ErrorKind::FileTooLarge, text)
    };
    // What says its size need not be read for it.
    if file.metadata()?.len() > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// Whoever opens a named pipe waits until somebody writes to it, and no signal ends that. Those of a shell's `<(…)`
/// are open already.
#[cfg(unix)]
fn refuse_named_pipe(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::FileTypeExt;
    let is_open = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    if !is_open && std::fs::metadata(path)?.file_type().is_fifo() {
        let text = "it is a named pipe, which may never say anything: give a file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_named_pipe(_: &Path) -> io::Result<()> {
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
        std::fs::write(&path, vec![b' '; 1 << 20]).expect("written");
        assert_eq!(read_at_most(&path, 1).expect("read").len(), 1 << 20);
        std::fs::write(&path, vec![b' '; (1 << 20) + 1]).expect("written");
        assert!(read_at_most(&path, 1).is_err());
    }
}
