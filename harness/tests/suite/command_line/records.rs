//! `qualify`: records, their comparison, and what is asked of what the manual leaves open.

use std::process::Output;

use super::{output, plain};
use crate::common::assert_refused;

/// A record is the report, a page and their digests, and is never overwritten.
#[test]
fn a_record_has_a_summary_and_the_digest_of_every_file() {
    use sha2::Digest as _;
    let directory = tempfile::tempdir().unwrap();
    let qualify = ["qualify", "--impl", "canary", "--only", "mul.rn.f16", "--only", "sin.approx.f32"];
    let record = output(&qualify, directory.path());
    assert_eq!(record.status.code(), Some(1), "{}", String::from_utf8_lossy(&record.stderr));
    let read = |file: &str| std::fs::read(directory.path().join(file)).unwrap();
    let sums = String::from_utf8(read("SHA256SUMS")).unwrap();
    let files = ["report.json", "summary.md", "probe.txt"];
    assert_eq!(sums.lines().count(), files.len());
    for (line, file) in sums.lines().zip(files) {
        let digest: Vec<String> =
            sha2::Sha256::digest(read(file)).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(line, format!("{}  {file}", digest.concat()));
    }
    let summary = String::from_utf8(read("summary.md")).unwrap();
    for part in
        ["of canary", "2 variants: 1 pass, 1 fail", "`mul.rn.f16/", "`sin.approx.f32`: ", "any-nan: "]
    {
        assert!(summary.contains(part), "no {part} in {summary}");
    }
    assert_refused(&output(&qualify, directory.path()), &["has a record already", "--out"]);
}

/// What differs between two records is said variant by variant; a record that was changed is none.
#[test]
fn records_are_compared() {
    let record = |implementation: &str| {
        let directory = tempfile::tempdir().unwrap();
        let qualify = ["qualify", "--impl", implementation, "--only", "mul.rn.f16", "--only", "abs.f16"];
        output(&qualify, directory.path());
        directory
    };
    let [right, same, wrong] = ["emulator", "emulator:scalar", "canary"].map(record);
    let compare = |one: &tempfile::TempDir, other: &tempfile::TempDir| {
        let [one, other] = [one, other].map(|directory| directory.path().to_str().unwrap());
        plain(&["qualify", "--compare", one, other])
    };
    let text = |output: &Output| String::from_utf8(output.stdout.clone()).unwrap();
    let equal = compare(&right, &same);
    assert_eq!(equal.status.code(), Some(0), "{}", text(&equal));
    assert!(text(&equal).contains("No variant differs."));
    let different = compare(&right, &wrong);
    assert_eq!(different.status.code(), Some(1));
    let lines = text(&different);
    let line = lines.lines().find(|line| line.starts_with("mul.rn.f16: pass → fail; ")).expect("a line");
    for words in [" came with ", " mismatches; ", "other results of the same vectors ("] {
        assert!(line.contains(words), "no {words} in {line}");
    }
    // What is for the better only is no reason to stop.
    assert_eq!(compare(&wrong, &right).status.code(), Some(0));
    assert!(!lines.contains("abs.f16"), "{lines}");

    std::fs::write(wrong.path().join("summary.md"), "all is well").unwrap();
    assert_refused(&compare(&right, &wrong), &["summary.md is not what it was"]);
    let nothing = tempfile::tempdir().unwrap();
    assert_refused(&compare(&nothing, &right), &["is no record", "SHA256SUMS"]);
}

/// Each vector has an answer, with the interpretation that it follows.
#[test]
fn what_the_manual_leaves_open_is_asked() {
    let probe = |implementation: &str| plain(&["qualify", "--probe", "--impl", implementation]);
    let text = |output: &Output| String::from_utf8(output.stdout.clone()).unwrap();
    let answers = probe("emulator");
    assert_eq!(answers.status.code(), Some(0));
    for line in [
        "# emulator",
        "mul.rn.ftz.f32 00800400 3f7ff800: 0x0 (ftz-tininess: exact)",
        "cvt.rp.ftz.f16.f32 00000001: 0x0 (ftz-ignored: flushed)",
    ] {
        assert!(text(&answers).contains(line), "no {line} in {}", text(&answers));
    }
    let both = plain(&["qualify", "--probe", "--compare", "a", "b"]);
    assert_eq!(both.status.code(), Some(2));
    assert_eq!(plain(&["qualify"]).status.code(), Some(2), "--out is asked for");
}
