//! Tests of `qualify`: records, their comparison, and the points that the manual leaves open.

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
    let files = ["report.json", "report.html", "summary.md", "probe.txt"];
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
    let page = String::from_utf8(read("report.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("1 of 2 variants disagrees"));
    assert_refused(&output(&qualify, directory.path()), &["has a record already", "--out"]);
}

/// A new record has, as a part of it, what changed since an earlier record of the same device.
#[test]
fn a_record_says_what_changed_since_an_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    let record = |name: &str, implementation: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let asked = ["qualify", "--impl", implementation, "--only", "mul.rn.f16"];
        (output(&[&asked[..], more].concat(), &out), out)
    };
    let (_, first) = record("first", "emulator", &[]);
    let first = first.to_str().unwrap();
    let (made, second) = record("second", "emulator", &["--since", first]);
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
    let changes = std::fs::read_to_string(second.join("changes.txt")).unwrap();
    assert!(changes.ends_with("No variant differs.\n"), "{changes}");
    let sums = std::fs::read_to_string(second.join("SHA256SUMS")).unwrap();
    assert!(sums.lines().any(|line| line.ends_with("  changes.txt")), "{sums}");
    // This is refused before anything is run.
    let (refused, third) = record("third", "canary", &["--since", first]);
    assert_refused(&refused, &["is the record of emulator, and this is canary", "qualify compare"]);
    assert!(!third.join("report.json").exists());
    let (refused, fourth) = record("fourth", "emulator", &["--since", first, "--only", "abs.f16"]);
    assert_refused(&refused, &["was made with --tier quick --only 'mul.rn.f16', and this run has"]);
    assert!(!fourth.join("report.json").exists());
    // The signed sums do not name this file.
    std::fs::write(folder.path().join("first/changes.txt"), "Nothing got worse.\n").unwrap();
    let compared = plain(&["qualify", "compare", first, second.to_str().unwrap()]);
    assert_refused(&compared, &["changes.txt was added after the record was made"]);
    std::fs::remove_file(folder.path().join("first/changes.txt")).unwrap();
    std::fs::write(second.join("changes.txt"), "All is well.\n").unwrap();
    let compared = plain(&["qualify", "compare", first, second.to_str().unwrap()]);
    assert_refused(&compared, &["changes.txt was changed after the record was made"]);
}

/// The commands that a record prints sign it, and verify whose it is and that nothing in it was changed.
#[test]
fn a_record_is_signed_and_verified_by_the_commands_that_it_prints() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("record");
    let made = output(&["qualify", "--impl", "emulator", "--only", "abs.f16"], &out);
    let printed = String::from_utf8(made.stdout).unwrap();
    let command = |beginning: &str| {
        let line =
            printed.lines().find(|line| line.trim_start().starts_with(beginning)).expect("a command");
        line.replace("KEY", "../key")
            .replace("ALLOWED_SIGNERS", "../signers")
            .replace("SIGNER", "me@here")
    };
    let shell = |folder: &std::path::Path, command: &str| {
        std::process::Command::new("sh").args(["-c", command]).current_dir(folder).output().unwrap()
    };
    if !shell(folder.path(), "command -v ssh-keygen").status.success() {
        base::terminal::say("SKIPPED: there is no ssh-keygen");
        return;
    }
    let key =
        "ssh-keygen -q -t ed25519 -N '' -f key && printf 'me@here %s' \"$(cat key.pub)\" > signers";
    assert!(shell(folder.path(), key).status.success());
    let [sign, verify] = ["ssh-keygen -Y sign", "ssh-keygen -Y verify"].map(command);
    assert!(shell(&out, &sign).status.success(), "{sign}");
    let verified = shell(&out, &verify);
    assert!(verified.status.success(), "{verify}: {}", String::from_utf8_lossy(&verified.stderr));
    // Both parts of the verification count: the sums are those of the signer, and the files have these sums.
    for file in ["summary.md", "SHA256SUMS"] {
        let before = std::fs::read(out.join(file)).unwrap();
        std::fs::write(out.join(file), [&before[..], b"\n"].concat()).unwrap();
        assert!(!shell(&out, &verify).status.success(), "{file}");
        std::fs::write(out.join(file), before).unwrap();
    }
    assert!(shell(&out, &verify).status.success());
}

/// Two records are compared variant by variant; a record that was changed is not accepted.
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
        plain(&["qualify", "compare", one, other])
    };
    let text = |output: &Output| String::from_utf8(output.stdout.clone()).unwrap();
    let equal = compare(&right, &same);
    assert_eq!(equal.status.code(), Some(0), "{}", text(&equal));
    assert!(text(&equal).contains("No variant differs."));
    let different = compare(&right, &wrong);
    assert_eq!(different.status.code(), Some(1));
    let lines = text(&different);
    let line = lines.lines().find(|line| line.starts_with("mul.rn.f16: pass → fail; ")).expect("a line");
    for words in ["; new class ", " mismatches; ", "different results for the same vectors, in "] {
        assert!(line.contains(words), "no {words} in {line}");
    }
    // A change that is only for the better is no reason to stop.
    assert_eq!(compare(&wrong, &right).status.code(), Some(0));
    assert!(!lines.contains("abs.f16"), "{lines}");

    std::fs::write(wrong.path().join("summary.md"), "all is well").unwrap();
    assert_refused(&compare(&right, &wrong), &["summary.md was changed after the record was made"]);
    let nothing = tempfile::tempdir().unwrap();
    assert_refused(&compare(&nothing, &right), &["is not a record", "SHA256SUMS"]);
}

/// An answer that follows no interpretation any more counts as worse, though every variant of the plan agrees.
#[test]
fn an_answer_that_is_wrong_now_is_worse() {
    let folder = tempfile::tempdir().unwrap();
    let record = |implementation: &str| {
        let out = folder.path().join(implementation);
        let made = output(&["qualify", "--impl", implementation, "--only", "mul.f16"], &out);
        (made.status.code(), out.to_str().unwrap().to_owned())
    };
    let ((right, one), (wrong, other)) = (record("emulator"), record("canary"));
    assert_eq!([right, wrong], [Some(0), Some(1)]);
    let summary = std::fs::read_to_string(folder.path().join("canary/summary.md")).unwrap();
    assert!(summary.contains("## Answers that follow no interpretation"), "{summary}");
    let compared = plain(&["qualify", "compare", &one, &other]);
    let text = String::from_utf8(compared.stdout).unwrap();
    assert!(text.contains("No variant differs.") && text.contains("WRONG"), "{text}");
    assert_eq!(compared.status.code(), Some(1));
    assert_eq!(plain(&["qualify", "compare", &other, &one]).status.code(), Some(0));
}

/// Each vector of an open point gets an answer, with the interpretation that it follows.
#[test]
fn what_the_manual_leaves_open_is_asked() {
    let probe = |implementation: &str| plain(&["qualify", "probe", "--impl", implementation]);
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
