//! Reads the files that a fuzz campaign left. Anybody may have written them, or damaged them.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use anyhow::{Context, Result};
use implementations::{Implementation, Support};
use isa::Variant;
use reports::read_at_most;
use selection::subject::Subject;

use super::fuzz_case::{FuzzCase, Ring};

/// The folders of the campaigns that try vectors on an implementation, by the names that the fuzzer gives them.
const FOLDERS: [&str; 2] = ["differential", "in-process"];
/// The name of the file in each campaign's folder that has a line for each finding.
const LIST: &str = "findings.txt";
/// The beginnings of the names of files that libFuzzer itself keeps: any bytes, of which a vector was made.
const LIBFUZZERS: [&str; 5] = ["crash-", "leak-", "oom-", "slow-unit-", "timeout-"];
/// The largest size of an artifact, in MiB.
const ARTIFACT_MAX: u64 = 1;
/// The largest size of a list of findings, in MiB.
const LIST_MAX: u64 = 64;

/// A file that a campaign kept, with the vector that it stands for.
#[derive(Debug)]
pub struct KeptFile {
    /// The path of the file in the folder of artifacts.
    pub file: String,
    /// The vector that the file stands for, or the reason why it stands for none.
    pub case: Result<FuzzCase, String>,
}

/// Lists the files of campaigns in a folder of artifacts, by their paths in it, in order.
///
/// # Errors
/// If a folder cannot be listed. A folder that is not there has no files.
pub fn files(folder: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for name in FOLDERS {
        let names = names(&folder.join(name))?.into_iter().filter(|file| file != LIST);
        files.extend(names.map(|file| format!("{name}/{file}")));
    }
    Ok(files)
}

/// Reads files of campaigns, which are paths in a folder of artifacts. A file that libFuzzer itself kept stands for a
/// vector of the variants that the implementation has.
pub fn read(folder: &Path, files: Vec<String>, implementation: &dyn Implementation) -> Vec<KeptFile> {
    // Only a file of libFuzzer needs the ring, and with it every variant prepared.
    let ring = LazyCell::new(|| {
        implementation.prepare(&Variant::all().iter().map(Subject::Variant).collect::<Vec<_>>());
        Ring::of(|variant| implementation.support(variant) == Support::Yes)
    });
    let read = |file: String| {
        let bytes = read_at_most(&folder.join(&file), ARTIFACT_MAX);
        let bytes = bytes.map_err(|error| format!("it cannot be read: {error}"));
        let name = file.rsplit('/').next().unwrap_or_default();
        let libfuzzers = LIBFUZZERS.iter().any(|beginning| name.starts_with(beginning));
        // A ring without variants has no case for any bytes.
        let case = bytes.and_then(|bytes| match libfuzzers && ring.variants().len() > 0 {
            true => Ok(ring.case(&bytes)),
            false => FuzzCase::exactly(&bytes),
        });
        KeptFile { file, case }
    };
    files.into_iter().map(read).collect()
}

/// Returns the implementations in which something was found, as the lists of findings name them.
///
/// # Errors
/// If a list is there and cannot be read.
pub fn tested(folder: &Path) -> Result<BTreeSet<String>> {
    let mut tested = BTreeSet::new();
    for name in FOLDERS {
        let path = folder.join(name).join(LIST);
        let list = match read_at_most(&path, LIST_MAX) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            list => list.with_context(|| format!("{} cannot be read", path.display()))?,
        };
        let list = String::from_utf8_lossy(&list);
        tested.extend(list.lines().filter_map(implementation_of).map(str::to_owned));
    }
    Ok(tested)
}

/// Returns the implementation in a line `IMPLEMENTATION/VARIANT/KIND: …`; it may have slashes and colons, and no
/// variant has.
fn implementation_of(line: &str) -> Option<&str> {
    let ends = line.match_indices('/').map(|(end, _)| end);
    let is_variant = |end: &usize| {
        let variant = line[end + 1..].split('/').next();
        variant.is_some_and(|text| Variant::all().iter().any(|variant| variant.text() == text))
    };
    ends.into_iter().find(is_variant).map(|end| &line[..end])
}

/// Returns the names of the files and folders in a folder; none if it is not there.
fn names(folder: &Path) -> Result<BTreeSet<String>> {
    let unlisted = || format!("{} cannot be listed", folder.display());
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        entries => entries.with_context(unlisted)?,
    };
    let name = |entry: io::Result<std::fs::DirEntry>| {
        Ok(entry.with_context(unlisted)?.file_name().to_string_lossy().into_owned())
    };
    entries.map(name).collect()
}

#[cfg(test)]
mod tests {
    use implementations::Canary;

    use super::*;

    #[test]
    fn an_implementation_is_what_stands_before_the_variant() {
        let line = |of: &str| format!("{of}/mul.rn.f16/ulp-above: a=0x3e00 b=0x3c03 expected …");
        for of in ["canary", "exec:./client --dir a/b", "lib:/opt/my lib.so", "exec:sh -c 'x: y'"] {
            assert_eq!(implementation_of(&line(of)), Some(of));
        }
        for line in ["", "panic at src/lib.rs:7: it broke", "mul.rn.f16/ulp-above: a=0x3e00"] {
            assert_eq!(implementation_of(line), None);
        }
    }

    /// Each file is named, whatever it is, and none is taken for a vector that it is not.
    #[test]
    fn files_that_are_no_vectors_say_why() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join("differential").join(name);
        std::fs::create_dir_all(place("a-folder")).expect("made");
        let case = FuzzCase::new(&Variant::all()[7], &[0x3c00, 0x3c01]);
        let bytes = case.to_bytes();
        std::fs::write(place("canary-right"), &bytes).expect("written");
        std::fs::write(place("canary-short"), &bytes[..bytes.len() - 1]).expect("written");
        std::fs::write(place("canary-unknown"), [&[!bytes[0]], &bytes[1..]].concat()).expect("written");
        std::fs::write(place("empty"), []).expect("written");
        let huge = std::fs::File::create(place("huge")).expect("made");
        huge.set_len(1 << 40).expect("a file of holes");
        std::fs::write(place("crash-1"), [&*bytes, b"and more"].concat()).expect("written");
        std::fs::write(place(LIST), "no line of a finding\n").expect("written");
        let kept = read(folder.path(), files(folder.path()).expect("a folder"), &Canary);
        let said: Vec<(&str, Option<&str>)> = kept
            .iter()
            .map(|kept| (&*kept.file, kept.case.as_ref().err().map(String::as_str)))
            .collect();
        let (length, due) =
            (bytes.len() - 1, format!("and a vector of {} has {}", case.variant, bytes.len()));
        let due = format!("it has {length} bytes, {due}");
        let unknown = format!("its first 8 bytes (of {}) name no variant of this suite", bytes.len());
        assert_eq!(
            said[1..],
            [
                ("differential/canary-right", None),
                ("differential/canary-short", Some(&*due)),
                ("differential/canary-unknown", Some(&*unknown)),
                ("differential/crash-1", None),
                ("differential/empty", Some("its first 8 bytes (of 0) name no variant of this suite")),
                ("differential/huge", Some("it cannot be read: it is larger than the limit of 1 MiB")),
            ]
        );
        assert!(matches!(&kept[0], KeptFile { file, case: Err(_) } if file.ends_with("a-folder")));
        assert_eq!(kept[4].case.as_ref(), Ok(&case));
        assert!(files(&folder.path().join("nowhere")).is_ok_and(|files| files.is_empty()));
        assert!(tested(folder.path()).is_ok_and(|names| names.is_empty()));
    }
}
