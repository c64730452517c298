//! Tests that a program that fails is reported, the vector that it fails on is found, and nothing else is lost.
//!
//! A program that has no result of some vectors has not failed.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use reports::{Example, Report, Status};
use tempfile::TempDir;

use super::{class, compiled, report, run, statuses};
use crate::common::assert_refused;

/// Compiles the client that fails, and returns its folder and its path.
pub fn faulty() -> (TempDir, String) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/processes/faulty.c");
    compiled(&source, "faulty", &[])
}

const BOTH: &[&str] = &["abs.f16", "neg.f16"];

/// Returns the one vector that fails in a run of both variants, in this way; all others agree.
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
    let found = |(mode, id, said): (&str, &str, &str)| {
        let report = report(&format!("exec,deadline=1:{faulty} {mode}"), BOTH);
        let example = the_only_one(&report, id);
        assert_eq!(example.operands[0].bits, "0x1234", "{mode}");
        assert_eq!(example.expected[0].bits, "0x9234", "{mode}");
        assert!(words(example).starts_with(said), "{mode}: {}", words(example));
    };
    let faults = [
        ("crashes", "neg.f16/crashed", "it ended (signal: 6 (SIGABRT)"),
        ("answers-short", "neg.f16/timeout", "no answer in 1 s (deadline=1) after 0 of 2 bytes"),
        ("answers-garbage", "neg.f16/nonsense", "it answered `resluts` instead of: results"),
        ("answers-long", "neg.f16/nonsense", "it wrote more than it was asked for"),
        ("says-failed", "neg.f16/failed", "it reported a failure: for want of memory"),
        ("hangs", "neg.f16/timeout", "no answer in 1 s (deadline=1)"),
        ("but-none", "neg.f16/nonsense", "it answered `results but 0` instead of: results but N"),
        ("but-all-and-one", "neg.f16/nonsense", "it answered `results but 2` instead of: results but N"),
        ("but-01", "neg.f16/nonsense", "it answered `results but 01` instead of: results but N"),
        ("but-behind", "neg.f16/nonsense", "it says that row 1 has no result, and the rows are 0 to 0"),
        (
            "but-twice",
            "neg.f16/nonsense",
            "the numbers of the rows without a result are not in ascending order",
        ),
    ];
    // The faults are tried side by side, because some are waited for.
    for faults in faults.chunks(6) {
        std::thread::scope(|scope| {
            for &fault in faults {
                scope.spawn(move || found(fault));
            }
        });
    }
}

/// Exit codes and verdicts stay what they are where the parent of all ignores the ends of children, so that nobody
/// is told how a program ended.
#[cfg(unix)]
#[test]
fn exit_codes_stay_what_they_are_where_nobody_hears_of_ends() {
    let (directory, faulty) = faulty();
    let ignoring = |implementation: &str| {
        let shell = ["-c", "trap '' CHLD; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_conformance")];
        let asked =
            ["conformance", "--jobs", "1", "--only", "neg.f16", "--impl", implementation, "--out"];
        // This is not `sh`: where that is dash, no trap keeps a signal from being the default in what it starts.
        let mut command = Command::new("bash");
        command.args(shell).args(asked).arg(directory.path().join("out"));
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!said.contains("panicked"), "{implementation}: {said}");
        (output.status.code(), said)
    };
    assert_eq!(ignoring(&format!("exec:{faulty} floods-errors")).0, Some(0));
    assert_eq!(ignoring(&format!("exec:{faulty} crashes")).0, Some(1));
    let (code, said) = ignoring("exec:true");
    assert_eq!(code, Some(2), "{said}");
    // A supervisor hears of its own child all the same.
    assert!(said.contains("it ended (exit status: 0)"), "{said}");
}

/// The last words of a program stand in the report, and on the terminal, where they cannot do harm.
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

/// A flood of ten megabytes to standard error is no fault.
#[test]
fn a_flood_of_errors_holds_nothing_up() {
    let (_directory, faulty) = faulty();
    let report = report(&format!("exec:{faulty} floods-errors"), BOTH);
    assert_eq!(statuses(&report), [("abs.f16", Status::Pass), ("neg.f16", Status::Pass)]);
}

/// A failure that a new process does not repeat is the old one's fault. It is reported once, and every vector has a
/// result but the one that stands for it.
#[test]
fn a_failure_that_does_not_come_again_is_reported_once() {
    let (directory, faulty) = faulty();
    let mark = directory.path().join("mark");
    for (mode, id, said, afterwards) in [
        ("ends-early", "abs.f16/crashed", "it ended (exit status: 0)", "a new process gave all results"),
        (
            "once",
            "neg.f16/crashed",
            "it ended (exit status: 9); it said: a rare thing",
            "asked again in halves, it gave all results",
        ),
    ] {
        let report = report(&format!("exec:{faulty} {mode} {}", mark.display()), BOTH);
        let said_last = words(the_only_one(&report, id));
        assert!(said_last.starts_with(said), "{mode}: {said_last}");
        let end = format!("(with 65536 vectors asked together; counted once, because {afterwards})");
        assert!(said_last.ends_with(&end), "{mode}: {said_last}");
    }
}

/// A program that always fails costs a known time: four vectors are traced, the others fail together.
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

/// Lines that are not of the text dialect are reported as nonsense.
#[test]
fn lines_that_are_none_are_nonsense() {
    for (answer, said) in [
        ("while read a; do echo 0$a; done", "it wrote `0OPERAND` instead of 4 digits"),
        ("while read a; do echo +123; done", "it wrote `+123` instead of 4 digits"),
        ("while read a; do echo - $a; done", "it wrote `- OPERAND` instead of 4 digits"),
        ("while read a; do echo $a $a; done", "it wrote `OPERAND OPERAND` instead of 4 digits"),
        ("cat; echo end", "it wrote more than 1 lines for 1"),
        ("cat; exit 4", "it ended (exit status: 4) after its last line"),
    ] {
        let script = format!("if test $1 = variants; then echo neg.f16; else {answer}; fi");
        let report = report(&format!("text,vectors=8:sh -c '{script}' sh"), &["neg.f16"]);
        let example = &class(&report).examples[0];
        let operand = example.operands[0].bits.strip_prefix("0x").unwrap();
        assert_eq!(words(example), said.replace("OPERAND", operand), "{answer}");
    }
}

/// Rows without a result are neither mismatches nor tested, whatever stands in their place.
#[test]
fn rows_that_a_program_has_no_result_of_are_counted_apart() {
    let (directory, faulty) = faulty();
    let mark = directory.path().join("mark");
    let lacking = (1 << 16) / 8;
    for (mode, failed, unanswered, said) in [
        ("lacks-some", 0, lacking, ""),
        ("lacks-some-and-crashes", 1, lacking, "it ended (signal: 6 (SIGABRT)"),
        // The first row was one of those without a result; what became of it before is told.
        ("lacks-some-later", 1, lacking - 1, "it ended (exit status: 9); it said: a rare thing"),
    ] {
        let report = report(&format!("exec:{faulty} {mode} {}", mark.display()), BOTH);
        let totals = report.totals;
        assert_eq!((totals.failed, totals.mismatches), (failed, failed), "{mode}");
        assert_eq!((totals.vectors, totals.unanswered), ((2 << 16) - unanswered, unanswered), "{mode}");
        let variant = report.variants.iter().find(|variant| variant.variant == "neg.f16").unwrap();
        let sweep = &variant.sweeps[0];
        assert_eq!((variant.vectors, variant.unanswered), ((1 << 16) - unanswered, unanswered));
        assert_eq!(
            (sweep.vectors, sweep.unanswered, sweep.planned),
            (variant.vectors, unanswered, 1 << 16)
        );
        assert_eq!(sweep.confirmed, variant.vectors - failed);
        let told = format!("The implementation has no result for {unanswered} of {} vectors", 2 << 16);
        assert!(report.reduced[1].starts_with(&told), "{:?}", report.reduced);
        if failed > 0 {
            assert!(words(&class(&report).examples[0]).starts_with(said), "{mode}");
        }
    }
}

/// A program that speaks in lines may also say that a row has no result.
#[test]
fn a_line_may_say_that_there_is_no_result() {
    let answer = r#"while read a; do
        if test $((0x$a % 4)) = 3; then echo " - "
        elif test $((0x$a & 0x7fff)) -gt 31744; then echo 7fff
        else printf "%04x\n" $((0x$a ^ 0x8000)); fi; done"#;
    let script = format!("if test $1 = variants; then echo neg.f16; else {answer}; fi");
    let report = report(&format!("text,vectors=40:sh -c '{script}' sh"), &["neg.f16"]);
    assert_eq!(statuses(&report), [("neg.f16", Status::Pass)]);
    let totals = report.totals;
    assert!(totals.vectors > 0 && totals.unanswered > 0, "{totals:?}");
    assert_eq!(totals.vectors + totals.unanswered, report.plan.vectors);
}

/// A variant without any result does not pass, since nothing of it was tested.
#[test]
fn a_variant_without_a_result_is_not_supported() {
    let (directory, faulty) = faulty();
    let lacking = format!("exec:{faulty} lacks-all");
    let report = report(&lacking, BOTH);
    assert_eq!(statuses(&report), [("abs.f16", Status::Pass), ("neg.f16", Status::Unsupported)]);
    let reason = report.variants.iter().find_map(|variant| variant.reason.as_deref());
    assert_eq!(reason, Some("it has no result for any of 65536 vectors"));
    assert_eq!((report.totals.vectors, report.totals.unanswered), (1 << 16, 1 << 16));

    let (output, _) = run(&lacking, &["neg.f16"]);
    assert_eq!(output.status.code(), Some(2));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("\nNothing was tested: 1 of 1 variant unsupported.\n"), "{printed}");

    let out = directory.path().join("out");
    let conformance = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
        command.args(arguments).output().unwrap()
    };
    let crashing = format!("exec:{faulty} crashes");
    let (path, found) = (out.join("report.json"), out.to_str().unwrap());
    conformance(&["conformance", "--impl", &crashing, "--only", "neg.f16", "--out", found]);
    let again = conformance(&["replay", path.to_str().unwrap(), "--impl", &lacking]);
    let printed = String::from_utf8(again.stdout).unwrap();
    assert!(printed.starts_with("untested  neg.f16  a=0x1234\n"), "{printed}");
}

#[test]
fn programs_that_have_nothing_or_do_not_introduce_themselves_are_refused() {
    let (_directory, faulty) = faulty();
    for (mode, words) in [
        (
            "has-nothing",
            &["has none of the 2 selected variants", "neg.f16", "it has never heard of it", "--only"][..],
        ),
        ("other-version", &["`ptx-conformance 2 faulty 1` instead of: ptx-conformance 1"]),
        ("mute", &["no answer in 1 s (start=1)"]),
    ] {
        let (output, _) = run(&format!("exec,start=1:{faulty} {mode}"), BOTH);
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
    assert_eq!(reason, "when asked whether it has the variant: it ended (exit status: 5)");
}
