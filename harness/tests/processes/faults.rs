//! A program that fails is reported, the vector that it fails on is found, and nothing else is lost.

use std::path::Path;
use std::time::{Duration, Instant};

use reports::{Example, Report, Status};
use tempfile::TempDir;

use super::{class, common::assert_refused, compiled, report, run, statuses};

/// The client that fails.
fn faulty() -> (TempDir, String) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/processes/faulty.c");
    compiled(&source, "faulty", &[])
}

const BOTH: &[&str] = &["abs.f16", "neg.f16"];

/// The one vector of a run of both that fails, in this way; all others agree.
fn the_only_one<'a>(report: &'a Report, id: &str) -> &'a Example {
    assert_eq!((report.totals.passed, report.totals.failed), (1, 1));
    let class = class(report);
    assert_eq!((&*class.id, class.count), (id, 1));
    assert_eq!(report.totals.vectors, 2 << 16, "the rest of the run goes on");
    assert_eq!(report.totals.mismatches, 1, "and agrees");
    assert!(class.examples[0].actual.is_empty(), "there is no result");
    &class.examples[0]
}

fn words(example: &Example) -> &str {
    example.words.as_deref().unwrap_or_default()
}

#[test]
fn the_vector_that_a_program_fails_on_is_found() {
    let (_directory, faulty) = faulty();
    for (mode, id, said) in [
        ("crashes", "neg.f16/crashed", "it ended (signal: 6 (SIGABRT)"),
        ("answers-short", "neg.f16/timeout", "no answer in 0.1 s after 0 of 2 bytes"),
        ("answers-garbage", "neg.f16/nonsense", "it answered `resluts` instead of: results"),
        ("says-failed", "neg.f16/nonsense", "it says that it failed: for want of memory"),
        ("hangs", "neg.f16/timeout", "no answer in 0.1 s"),
    ] {
        let report = report(&format!("exec,deadline=1:{faulty} {mode}"), BOTH);
        let example = the_only_one(&report, id);
        assert_eq!(example.operands[0].bits, "0x1234", "{mode}");
        assert_eq!(example.expected[0].bits, "0x9234", "{mode}");
        assert!(words(example).starts_with(said), "{mode}: {}", words(example));
    }
}

/// What a program said last stands in the report, and on the terminal, where it cannot do harm.
#[test]
fn the_last_words_are_kept() {
    let (_directory, faulty) = faulty();
    let (output, found) = run(&format!("exec:{faulty} crashes"), BOTH);
    assert_eq!(output.status.code(), Some(1));
    let report = found.unwrap();
    let said = words(the_only_one(&report, "neg.f16/crashed"));
    assert!(said.ends_with("; it said: starting; [31mno \"0x1234\" here"), "{said}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("no result: it ended (signal: 6"), "{printed}");
}

/// Ten megabytes to standard error are no fault.
#[test]
fn a_flood_of_errors_holds_nothing_up() {
    let (_directory, faulty) = faulty();
    let report = report(&format!("exec:{faulty} floods-errors"), BOTH);
    assert_eq!(statuses(&report), [("abs.f16", Status::Pass), ("neg.f16", Status::Pass)]);
}

/// What a new process does not fail on is the old one's fault; it is told, and every vector has a result
/// but the one that stands for it.
#[test]
fn a_failure_that_does_not_come_again_is_reported_once() {
    let (directory, faulty) = faulty();
    let mark = directory.path().join("mark");
    for (mode, id, said, afterwards) in [
        ("ends-early", "abs.f16/crashed", "it ended (exit status: 0)", "a new process did not fail"),
        ("answers-long", "abs.f16/nonsense", "it ", "a new process did not fail"),
        (
            "once",
            "neg.f16/crashed",
            "it ended (exit status: 9); it said: a rare thing",
            "in halves they did not",
        ),
    ] {
        let report = report(&format!("exec:{faulty} {mode} {}", mark.display()), BOTH);
        let said_last = words(the_only_one(&report, id));
        assert!(said_last.starts_with(said), "{mode}: {said_last}");
        let end = format!("(it and the 65535 behind it; {afterwards})");
        assert!(said_last.ends_with(&end), "{mode}: {said_last}");
    }
}

/// A program that fails always costs a known time: four vectors are traced, the others fail together.
#[test]
fn what_fails_always_is_not_traced_forever() {
    let (_directory, faulty) = faulty();
    let start = Instant::now();
    let report =
        report(&format!("text:sh -c 'test $1 != variants || echo neg.f16' {faulty}"), &["neg.f16"]);
    let class = class(&report);
    assert_eq!((&*class.id, class.count), ("neg.f16/nonsense", 1 << 16));
    assert_eq!(words(&class.examples[0]), "it wrote 0 lines for 1");
    assert!(start.elapsed() < Duration::from_secs(60));
}

/// Lines that are not of the text dialect.
#[test]
fn lines_that_are_none_are_nonsense() {
    for (answer, said) in [
        ("while read a; do echo 0$a; done", "it wrote `0OPERAND` instead of 4 digits"),
        ("while read a; do echo +123; done", "it wrote `+123` instead of 4 digits"),
        ("while read a; do echo $a $a; done", "it wrote `OPERAND OPERAND` instead of 4 digits"),
        ("cat; echo end", "it wrote more than 1 lines for 1"),
        ("cat; exit 4", "it ended (exit status: 4) behind its last line"),
    ] {
        let script = format!("if test $1 = variants; then echo neg.f16; else {answer}; fi");
        let report = report(&format!("text,vectors=8:sh -c '{script}' sh"), &["neg.f16"]);
        let example = &class(&report).examples[0];
        let operand = example.operands[0].bits.strip_prefix("0x").unwrap();
        assert_eq!(words(example), said.replace("OPERAND", operand), "{answer}");
    }
}

#[test]
fn programs_that_have_nothing_or_do_not_introduce_themselves_are_refused() {
    let (_directory, faulty) = faulty();
    for (mode, words) in [
        (
            "has-nothing",
            &["has none of the 2 variants", "neg.f16", "it has never heard of it", "--only"][..],
        ),
        ("other-version", &["`ptx-conformance 2 faulty 1` instead of: ptx-conformance 1"]),
        ("mute", &["no answer in 1.0 s"]),
    ] {
        let (output, _) = run(&format!("exec,deadline=1:{faulty} {mode}"), BOTH);
        assert_refused(&output, words);
    }
}

/// Variants that a program dies of being asked about fail, with the reason.
#[test]
fn a_program_that_dies_of_a_question_fails() {
    let (_directory, faulty) = faulty();
    let (output, found) = run(&format!("exec:{faulty} dies-of-questions"), BOTH);
    assert_eq!(output.status.code(), Some(1));
    let report = found.unwrap();
    assert_eq!(report.totals.failed, 2);
    let reason = report.variants[0].reason.as_deref().unwrap();
    assert_eq!(reason, "asked whether the command has it: it ended (exit status: 5)");
}
