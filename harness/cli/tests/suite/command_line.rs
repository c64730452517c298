//! Tests of the binary as a user has it: exit codes, one-line errors, and that nothing found is lost.

#[cfg(unix)]
mod action;
mod arguments;
mod campaigns;
#[cfg(unix)]
mod clusters;
mod endings;
mod former;
mod help;
mod merging;
mod options;
mod records;
mod said;
#[cfg(unix)]
mod shells;
mod strict;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::common::assert_refused;

fn conformance(arguments: &[&str], out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.args(arguments).arg("--out").arg(out);
    command
}

fn output(arguments: &[&str], out: &Path) -> Output {
    conformance(arguments, out).output().unwrap()
}

/// Runs a command that has no directory of its own.
fn plain(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_conformance")).args(arguments).output().unwrap()
}

fn report(out: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(out.join("report.json")).unwrap()).unwrap()
}

/// Returns the findings of a report, without when the run was and how long it took, and without the checksum, which
/// covers these times, too.
fn findings(mut report: Value) -> Value {
    for time in ["times", "checksum"] {
        report.as_object_mut().unwrap().remove(time).unwrap();
    }
    report["environment"].as_object_mut().unwrap().remove("threads").unwrap();
    report
}

#[test]
fn reports_fit_the_schema_and_exit_codes_tell_the_verdict() {
    let directory = tempfile::tempdir().unwrap();
    let schema: Value = serde_json::from_str(reports::SCHEMA_JSON).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (implementation, code, status) in [("emulator", 0, "pass"), ("canary", 1, "fail")] {
        let run =
            output(&["conformance", "--impl", implementation, "--only", "mul.rn.f16"], directory.path());
        assert_eq!(run.status.code(), Some(code), "{}", String::from_utf8_lossy(&run.stderr));
        let report = report(directory.path());
        let errors: Vec<String> =
            validator.iter_errors(&report).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(report["variants"][0]["status"], status);
        assert!(!directory.path().join("state.json").exists(), "a finished run leaves no state");
    }
}

/// A report that contradicts itself is neither valid nor compared; what the suite writes agrees with itself.
/// Additions of another suite are told.
#[test]
fn a_report_that_contradicts_itself_is_not_valid() {
    let directory = tempfile::tempdir().unwrap();
    output(&["conformance", "--impl", "emulator", "--only", "abs.f16"], directory.path());
    let mut report = report(directory.path());
    let path = directory.path().join("report.json");
    assert!(plain(&["report", "validate", path.to_str().unwrap()]).status.success());
    report.as_object_mut().unwrap().remove("checksum");
    report["totals"]["retries"] = 7.into();
    std::fs::write(&path, report.to_string()).unwrap();
    let later = plain(&["report", "validate", path.to_str().unwrap()]);
    let said = String::from_utf8(later.stderr).unwrap();
    let due = "has fields that this version of the suite does not know and ignores: `/totals/retries`\n";
    assert!(later.status.success() && said.contains(due), "{said}");
    report["totals"]["failed"] = 7.into();
    std::fs::write(&path, report.to_string()).unwrap();
    let path = path.to_str().unwrap();
    for (arguments, words) in [
        (&["report", "validate", path][..], "`totals.failed` is 7, and the variants give 0\n"),
        (&["report", "validate", path], "contradicts itself 1 time: make the report again"),
        (&["report", "diff", path, path], "the earlier one contradicts itself"),
    ] {
        let refused = plain(arguments);
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(refused.status.code() == Some(2) && said.contains(words), "{said}");
    }
}

/// The README's example shows what is printed.
#[test]
fn the_readmes_example_is_real() {
    let readme = include_str!("../../../../README.md");
    let block = readme.split("```").find(|block| block.starts_with("\n$ cargo xtask ")).unwrap();
    let mut shown = block.lines().filter(|line| !line.is_empty() && *line != "…");
    let command = shown.next().unwrap().strip_prefix("$ cargo xtask ").unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut run = conformance(&command.split(' ').collect::<Vec<_>>(), directory.path());
    let run = run.env(base::invocation::VARIABLE, "1").output().unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    let printed = printed.replace(directory.path().to_str().unwrap(), "target/conformance");
    for line in shown {
        assert!(printed.lines().any(|other| other == line), "`{line}` is not in:\n{printed}");
    }
}

/// Equal digests mean equal vectors and equal results, however many threads there were.
#[test]
fn digests_tell_equal_runs_from_others() {
    let directory = tempfile::tempdir().unwrap();
    let digests = |implementation: &str, more: &[&str]| {
        let only = ["conformance", "--only", "mul.rn.f16", "--impl", implementation];
        output(&[&only, more].concat(), directory.path());
        let report = report(directory.path());
        let sweeps = report["variants"][0]["sweeps"].as_array().unwrap().clone();
        let column = |name: &str| sweeps.iter().map(|sweep| sweep[name].clone()).collect::<Vec<Value>>();
        (column("inputs"), column("results"))
    };
    let emulator = digests("emulator", &["--jobs", "1"]);
    assert_eq!(digests("emulator:scalar", &["--jobs", "3"]), emulator);
    let canary = digests("canary", &[]);
    assert_eq!(canary.0, emulator.0);
    assert_ne!(canary.1, emulator.1);
    assert_ne!(digests("emulator", &["--seed", "1"]).0, emulator.0);
}

#[test]
fn shards_add_up_to_the_whole() {
    let vectors = |report: &Value| report["totals"]["vectors"].as_u64().unwrap();
    let mismatches = |report: &Value| report["totals"]["mismatches"].as_u64().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut sums = (0, 0);
    let run = |more: &[&str]| {
        let arguments = [&["conformance", "--impl", "canary", "--only", "mul.rn.f16"], more].concat();
        output(&arguments, directory.path());
        report(directory.path())
    };
    for shard in ["1/3", "2/3", "3/3"] {
        let report = run(&["--shard", shard]);
        assert!(report["reduced"].as_array().unwrap().len() >= 2, "{}", report["reduced"]);
        sums = (sums.0 + vectors(&report), sums.1 + mismatches(&report));
    }
    let whole = run(&[]);
    assert_eq!(sums, (vectors(&whole), mismatches(&whole)));
}

#[test]
fn replay_runs_the_mismatches_of_a_class_again() {
    let directory = tempfile::tempdir().unwrap();
    output(&["conformance", "--impl", "canary", "--only", "mul.rn.f16"], directory.path());
    let path = directory.path().join("report.json");
    let replay = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
        command.arg("replay").arg(&path).args(more).output().unwrap()
    };
    let again = replay(&["--class", "mul.rn.f16/ulp-above"]);
    let text = String::from_utf8_lossy(&again.stdout).into_owned();
    assert_eq!(again.status.code(), Some(1), "{text}");
    // The class has the simplest vector and four others.
    assert!(text.contains("MISMATCH  mul.rn.f16  a=0x") && text.contains("5 of 5"), "{text}");
    assert_eq!(replay(&["--impl", "emulator"]).status.code(), Some(0));
    assert_refused(&replay(&["--class", "mul.rn.f16/nonsense"]), &["no class"]);
}
