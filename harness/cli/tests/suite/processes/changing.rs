//! Tests of programs whose answers are not always the same.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use reports::Report;

use super::faulty;

fn conformance(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_conformance")).args(arguments).output().unwrap()
}

/// A run tells answers that change in a class of its own, beside that of the wrong result. `replay` tells them
/// again, and is not content because the vector alone has the right result.
#[test]
fn answers_that_change_are_told_from_those_that_are_wrong() {
    let (directory, faulty) = faulty();
    for (mode, kind) in [("wrong-in-batches", "batch-dependent"), ("wavers", "unstable")] {
        let out = directory.path().join(mode);
        let name = format!("exec:{faulty} {mode}");
        let run = ["conformance", "--jobs", "1", "--only", "neg.f16", "--impl", &name, "--out"];
        let run = conformance(&[&run[..], &[out.to_str().unwrap()]].concat());
        assert_eq!(run.status.code(), Some(1), "{mode}");
        let path = out.join("report.json");
        let report: Report = reports::load(&path).unwrap();
        let classes = &report.variants[0].classes;
        let id = format!("neg.f16/{kind}");
        let changing = classes.iter().find(|class| class.id == id).expect("a class of its own");
        let example = &changing.examples[0];
        assert_eq!((changing.count, &*example.operands[0].bits), (1, "0x1234"), "{mode}");
        assert_eq!((&*example.expected[0].bits, &*example.actual[0].bits), ("0x9235", "0x9234"));
        assert!(classes.iter().any(|class| class.id == "neg.f16/ulp-above"), "{mode}: {classes:?}");

        let replay = conformance(&["replay", path.to_str().unwrap(), "--impl", &name]);
        let printed = String::from_utf8(replay.stdout).unwrap();
        assert_eq!(replay.status.code(), Some(1), "{mode}: {printed}");
        assert!(printed.contains(&kind.to_uppercase()), "{mode}: {printed}");
        assert!(printed.contains("change from one time to the next"), "{mode}: {printed}");
        if mode == "wrong-in-batches" {
            assert!(
                printed.contains("alone 0x9234, then 0x9234, then 0x9234, then 0x9234"),
                "{mode}: {printed}"
            );
            assert!(printed.contains("0 of "), "alone, none occurs: {printed}");
        }
        // Another implementation does not change its answers.
        let other = conformance(&["replay", path.to_str().unwrap(), "--impl", "emulator"]);
        assert_eq!(other.status.code(), Some(0), "{mode}");
    }
}

/// Answers that changed in the run and do not in the replay may change again: `replay` is not content, unless it is
/// of another implementation.
#[test]
fn answers_that_have_stopped_to_change_are_no_agreement() {
    let (directory, faulty) = faulty();
    let [program, mode, out] = ["program", "mode", "out"].map(|name| directory.path().join(name));
    std::fs::write(&program, format!("#!/bin/sh\nexec {faulty} $(cat {})\n", mode.display())).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let name = format!("exec:{}", program.display());
    std::fs::write(&mode, "wavers").unwrap();
    let run = ["conformance", "--jobs", "1", "--only", "neg.f16", "--impl", &name, "--out"];
    assert_eq!(conformance(&[&run[..], &[out.to_str().unwrap()]].concat()).status.code(), Some(1));
    std::fs::write(&mode, "right").unwrap();
    let report = out.join("report.json");
    let replay = conformance(&["replay", report.to_str().unwrap(), "--impl", &name]);
    let printed = String::from_utf8(replay.stdout).unwrap();
    assert_eq!(replay.status.code(), Some(1), "{printed}");
    assert!(printed.contains("The answers of 1 of the report's classes changed"), "{printed}");
}
