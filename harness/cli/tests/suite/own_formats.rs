//! Tests of formats that the command line defines.

use std::process::{Command, Output};

use reports::Report;

use crate::common::assert_refused;

fn conformance(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_conformance")).args(arguments).output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Casts of a format that is defined are listed, beside the format of the output.
#[test]
fn casts_of_a_defined_format_are_listed() {
    let own = ["--only", "*mine*", "--format", "mine=e5m10,bias=20,nan=all-ones"];
    let output = conformance(&[&["list"][..], &own].concat());
    let text = printed(&output);
    for name in
        ["cast.rn.satfinite.mine.f32 ", "cast.rz.mine.f64 ", "cast.rn.mine.s64 ", "cast.f32.mine "]
    {
        assert!(text.contains(name), "{name}: {text}");
    }
    // 4 roundings with saturation and without, of 4 sources; 4 integers; and back.
    assert!(text.ends_with("44 variants\n"), "{text}");
    let json = printed(&conformance(&[&["list", "--format", "json"][..], &own].concat()));
    assert!(json.starts_with('[') && json.contains("\"cast.f32.mine\""), "{json}");
    let without = conformance(&["list", "--only", "*mine*"]);
    assert_eq!(without.status.code(), Some(2), "no such variant without the format");
}

/// A run, its report, and `replay` without the option.
#[test]
fn a_report_carries_the_formats_that_it_was_made_with() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out").to_str().unwrap().to_owned();
    let file = directory.path().join("formats.txt");
    std::fs::write(&file, "# two formats\n\nmine=e4m3,bias=9,nan=negative-zero\nother=ue4m4,nan=none\n")
        .unwrap();
    let at_file = format!("@{}", file.display());
    let run = ["conformance", "--only", "cast.rn.mine.f32", "--only", "cast.rz.satfinite.other.f16"];
    let run = [&run[..], &["--out", &out, "--format", &at_file, "--jobs", "1"]].concat();
    let output = conformance(&run);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let path = format!("{out}/report.json");
    let report: Report = reports::load(std::path::Path::new(&path)).unwrap();
    let formats = ["mine=e4m3,bias=9,nan=negative-zero", "other=ue4m4,bias=7,nan=none"];
    assert_eq!(report.plan.formats, formats);
    assert_eq!((report.totals.passed, report.totals.mismatches), (2, 0));

    let output = conformance(&["replay", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let other = conformance(&["replay", &path, "--format", "mine=e4m3"]);
    assert_refused(&other, &["the report has formats of its own", "leave --format out"]);
    assert_eq!(conformance(&["report", "show", &path]).status.code(), Some(0));
}

/// Parts of a run are merged without the option, because their states carry the formats. A part is taken up again with
/// the same formats alone.
#[test]
fn parts_of_a_run_with_a_defined_format_are_merged() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let parts = [path("1"), path("2")];
    for (number, out) in (1..).zip(&parts) {
        let shard = format!("{number}/2");
        let run = ["conformance", "--only", "cast.rn.mine.f32", "--format", "mine=e3m6", "--jobs", "1"];
        let output = conformance(&[&run[..], &["--shard", &shard, "--out", out]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let again =
        ["conformance", "--only", "cast.rn.mine.f32", "--shard", "1/2", "--out", &parts[0], "--resume"];
    let again = |format: &str| conformance(&[&again[..], &["--format", format, "--jobs", "1"]].concat());
    let same = again("mine=e3m6,bias=3");
    assert_eq!(same.status.code(), Some(0), "{}", String::from_utf8_lossy(&same.stderr));
    let words =
        "its --format is `mine=e3m6,bias=3,nan=ieee`, and this run's is `mine=e3m6,bias=4,nan=ieee`";
    assert_refused(&again("mine=e3m6,bias=4"), &[words]);
    let whole = path("whole");
    let output = conformance(&["report", "merge", &parts[0], &parts[1], "--out", &whole]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Report = reports::load(&directory.path().join("whole/report.json")).unwrap();
    assert_eq!(report.plan.formats, ["mine=e3m6,bias=3,nan=ieee"]);
    assert_eq!(report.totals.passed, 1);
}

/// 1.3 in e5m10 is 1.2998046875, whatever the bias.
#[test]
fn a_cast_to_a_defined_format_is_explained_and_exported() {
    let explained = ["explain", "cast.rn.mine.f32", "=1.3", "--format", "mine=e5m10,bias=20"];
    let text = printed(&conformance(&explained));
    assert!(text.contains("0x5133  1.2998046875"), "{text}");
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    let export = ["vectors", "export", "cast.rn.mine.f32", "--count", "16", "--out", out];
    let own = ["--format", "testfloat", "--format", "mine=e5m10,bias=20"];
    let output = conformance(&[&export[..], &own].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_is_no_format_is_refused() {
    for (value, words) in [
        ("mine", "write `text`, `json`, @FILE"),
        ("mine=e5", "says no exponent and significand bits"),
        ("mine=e9m9", "16 are the most"),
        ("@/no/such/file", "cannot be opened"),
    ] {
        let output = conformance(&["list", "--format", value]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(words), "{value}: {text}");
    }
    let taken = |value| conformance(&["list", "--format", value]);
    assert_refused(&taken("e4m3"), &["the name `e4m3` is that of a format of the suite", "mye4m3=e4m3"]);
    assert_refused(&taken("satfinite=e4m3"), &["a word that names of instructions have"]);
}
