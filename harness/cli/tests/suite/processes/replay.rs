//! Tests of `replay` with reports of programs.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::assert_refused;

fn conformance(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_conformance")).args(arguments).output().unwrap()
}

/// Makes a report that has mismatches.
fn red(out: &Path) -> reports::Report {
    let out = out.to_str().unwrap();
    conformance(&["conformance", "--impl", "canary", "--only", "mul.rn.f16", "--out", out]);
    reports::load(&Path::new(out).join("report.json")).unwrap()
}

/// A report does not decide what is started: it may come from anywhere, so what it names is neither started nor
/// loaded.
#[test]
fn a_report_does_not_decide_what_is_started() {
    let directory = tempfile::tempdir().unwrap();
    let mut report = red(directory.path());
    let mark = directory.path().join("mark");
    let (mark, path) = (mark.to_str().unwrap(), directory.path().join("other.json"));
    let names = [
        format!("exec:touch {mark}"),
        format!("exec,deadline=1:touch {mark}"),
        format!("text:touch {mark}"),
        "lib:./anything.so".into(),
        "cuda:0".into(),
        "half".into(),
        "torch,vectors=5".into(),
    ];
    for name in names {
        report.implementation.name.clone_from(&name);
        reports::save(&report, &path).unwrap();
        let replay = conformance(&["replay", path.to_str().unwrap()]);
        assert_refused(&replay, &[&format!("the report is from `{name}`"), "--impl"]);
        assert!(!Path::new(mark).exists(), "{name} was started");
        let again = conformance(&["replay", path.to_str().unwrap(), "--impl", "canary"]);
        assert_eq!(again.status.code(), Some(1), "what the command line names is run");
    }
    let named =
        conformance(&["replay", path.to_str().unwrap(), "--impl", &format!("exec:touch {mark}")]);
    assert_refused(&named, &["it ended"]);
    assert!(Path::new(mark).exists());
}

/// The command that a summary shows can be run as it stands.
#[test]
fn the_command_that_is_shown_names_what_has_to_be_named() {
    let directory = tempfile::tempdir().unwrap();
    let client = super::protocol().join("client.py");
    let wrong = std::fs::read_to_string(&client)
        .unwrap()
        .replace("decode(a) * decode(b)", "decode(a) + decode(b)");
    let copy = directory.path().join("my client.py");
    std::fs::write(&copy, wrong).unwrap();
    let out = directory.path().join("out put");
    let name = format!("exec:python3 '{}'", copy.display());
    let arguments = ["conformance", "--only", "mul.f16", "--impl", &name, "--out"];
    let run = conformance(&[&arguments[..], &[out.to_str().unwrap()]].concat());
    let printed = String::from_utf8(run.stdout).unwrap();
    let shown = printed.lines().find_map(|line| line.trim().strip_prefix("replay: conformance "));
    let shell = format!("'{}' {}", env!("CARGO_BIN_EXE_conformance"), shown.unwrap());
    let again = Command::new("sh").args(["-c", &shell]).output().unwrap();
    assert_eq!(again.status.code(), Some(1), "{shell}: {}", String::from_utf8_lossy(&again.stderr));
    assert!(String::from_utf8(again.stdout).unwrap().contains("MISMATCH  mul.f16"));
}
