//! Tests of the scripts of `.ci` that need the network or a history of commits, with stand-ins for these.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes a program for the shell.
fn program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    common::program(path, &format!("#!/bin/sh\n{text}\n"));
}

/// The weekly script asks for advisories about every lock file. The programs that it would install are replaced by
/// others, which note what they are asked and report something bad about one list.
#[test]
fn advisories_are_asked_for_about_every_lock() {
    let root = root();
    let mut locks: Vec<String> = vec!["Cargo.lock".into(), ".ci/advisories/requirements.txt".into()];
    for (folder, ending) in
        [("harness/third-party", "/Cargo.lock"), ("harness/third-party/python/requirements", "")]
    {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let lock = format!("{folder}/{name}{ending}");
            let locked = lock.ends_with(".txt") || lock.ends_with(".lock");
            locks.extend((locked && root.join(&lock).is_file()).then_some(lock));
        }
    }
    locks.sort();
    assert!(locks.len() > 25, "{locks:?}");

    let folder = tempfile::tempdir().unwrap();
    let (path, tools) = (folder.path().join("path"), folder.path().join("advisories"));
    let asked = folder.path().join("asked");
    let note = |bad: &str| {
        let asked = asked.display();
        format!("for last; do :; done\necho \"$last\" >> '{asked}'\n[ \"$last\" != '{bad}' ]")
    };
    for name in ["cargo", "python3"] {
        program(&path.join(name), "exit 0");
    }
    program(&tools.join("venv/bin/python"), "exit 0");
    for (bad, code) in [("none", 0), ("harness/third-party/half/Cargo.lock", 1), ("Cargo.lock", 1)] {
        fs::write(&asked, "").unwrap();
        program(&tools.join("bin/cargo-audit"), &note(bad));
        program(&tools.join("venv/bin/pip-audit"), &note(bad));
        let output = Command::new(root.join(".ci/advisories/run"))
            .env("CARGO_TARGET_DIR", folder.path())
            .env("PATH", format!("{}:/usr/bin:/bin", path.display()))
            .output()
            .unwrap();
        assert_eq!(
            output.status.code(),
            Some(code),
            "{bad}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = fs::read_to_string(&asked).unwrap();
        let mut all: Vec<&str> = text.lines().collect();
        all.sort_unstable();
        assert_eq!(all, locks, "{bad}");
    }
    let weekly = fs::read_to_string(root.join(".github/workflows/advisories.yml")).unwrap();
    assert!(weekly.contains("schedule:") && weekly.contains("run: .ci/advisories/run\n"));
}

/// A temporary repository in which commits are made.
struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Repository {
        let repository = Repository(tempfile::tempdir().unwrap());
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        fs::create_dir(repository.0.path().join(".ci")).unwrap();
        fs::copy(root().join(".ci/changelog"), repository.0.path().join(".ci/changelog")).unwrap();
        repository.commit(&["README.md"], "Begin");
        repository
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        let who = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];
        who.iter().for_each(|name| _ = command.env(name, "somebody"));
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").current_dir(self.0.path());
        command
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = self.command("git").args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Makes a commit that changes these files, and returns its name.
    fn commit(&self, files: &[&str], message: &str) -> String {
        for file in files {
            let path = self.0.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let before = fs::read_to_string(&path).unwrap_or_default();
            fs::write(&path, before + message + "\n").unwrap();
        }
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
        self.git(&["rev-parse", "--short", "HEAD"])
    }

    fn checked(&self, base: &str) -> Output {
        self.command(self.0.path().join(".ci/changelog")).arg(base).output().unwrap()
    }
}

/// Every commit of a history is asked about by itself.
#[test]
fn a_verdict_is_not_changed_without_a_word() {
    const DIGESTS: &str = "vectors/digests/quick.txt";
    let repository = Repository::new();
    let begin = repository.git(&["rev-parse", "HEAD"]);
    repository.commit(&["harness/cli/src/main.rs"], "Change nothing that counts");
    repository.commit(&[DIGESTS, "CHANGELOG.md"], "Change a verdict and say so");
    repository
        .commit(&["vectors/isa/src/choices/relaxation.rs"], "Move a line\n\nVerdicts: none change");
    let right = repository.checked(&begin);
    assert_eq!(right.status.code(), Some(0), "{}", String::from_utf8_lossy(&right.stderr));

    let silent = repository.commit(&[DIGESTS], "Change a verdict");
    let last = repository.commit(&["CHANGELOG.md"], "Say so too late");
    let wrong = repository.checked(&begin);
    let text = String::from_utf8(wrong.stderr).unwrap();
    assert_eq!(wrong.status.code(), Some(1), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains(&silent) && text.contains(DIGESTS) && !text.contains(&last), "{text}");
    assert_eq!(repository.checked("no-such-commit").status.code(), Some(2));
}
