//! Tests of how much is said, and to whom.

use serde_json::Value;

use super::{output, plain, report};
use crate::common::assert_refused;

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn variants_are_left_out_by_pattern() {
    let directory = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| {
        let asked = ["conformance", "--only", "mul.r?.f16", "--only", "abs.f16"];
        output(&[&asked[..], more].concat(), directory.path())
    };
    assert_eq!(run(&["--skip", "mul.*", "--skip", "neg.f16"]).status.code(), Some(0));
    let report = report(directory.path());
    let names: Vec<&Value> =
        report["variants"].as_array().unwrap().iter().map(|of| &of["variant"]).collect();
    assert_eq!(names, ["abs.f16"]);
    assert_eq!(report["plan"]["skip"], serde_json::json!(["mul.*", "neg.f16"]));
    let reduced = report["reduced"].to_string();
    assert!(reduced.contains("Without variants that match mul.* or neg.f16."), "{reduced}");
    // A misspelt variant that was meant to be left out would otherwise be run.
    assert_refused(
        &run(&["--skip", "mull.*"]),
        &["--skip `mull.*` matches no variant", "begin with `mul`"],
    );
    assert_refused(&run(&["--skip", "*"]), &["--skip leaves out every"]);
}

#[test]
fn a_quiet_run_says_what_it_amounts_to() {
    let directory = tempfile::tempdir().unwrap();
    let asked = ["conformance", "--impl", "canary", "--only", "mul.rn.f16"];
    let quiet = output(&[&asked[..], &["--quiet"]].concat(), directory.path());
    assert_eq!(quiet.status.code(), Some(1));
    let said = text(quiet.stdout);
    assert!(said.starts_with("1 of 1 variant disagrees: ") && said.lines().count() == 1, "{said}");
    assert!(quiet.stderr.is_empty());
}

#[test]
fn a_program_is_handed_the_report() {
    let directory = tempfile::tempdir().unwrap();
    let asked = ["conformance", "--impl", "canary", "--only", "mul.rn.f16", "--format", "json"];
    let printed: Value = serde_json::from_slice(&output(&asked, directory.path()).stdout).unwrap();
    assert_eq!(printed, report(directory.path()));
}

/// Variants that an implementation lacks are counted, and listed where that is asked for.
#[test]
fn unsupported_variants_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    let asked = ["conformance", "--impl", "host", "--only", "mul.*"];
    let said = text(output(&asked, directory.path()).stdout);
    let path = directory.path().join("report.json");
    let unsupported = report(directory.path())["totals"]["unsupported"].as_u64().unwrap();
    assert!(unsupported > 1, "{said}");
    assert!(said.contains(&format!("{unsupported} unsupported variants")), "{said}");
    let show = |more: &[&str]| {
        text(plain(&[&["report", "show", path.to_str().unwrap()], more].concat()).stdout)
    };
    let lines = |said: &str| said.lines().filter(|line| line.contains("  unsupported")).count() as u64;
    assert_eq!((lines(&show(&[])), lines(&show(&["--unsupported"]))), (0, unsupported));
}
