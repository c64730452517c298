//! Tests of reports of compilers as others meet them: read from anything, and shown as text alone.

mod compare;
mod shown;

use std::collections::BTreeMap;
use std::path::Path;

use reports::compilers::{
    ClassChange, Compiler, CompilerReport, CompilerTotals, CompilerWork, Finding, SCHEMA, Sequence,
    Sources, Standing, TargetSettings,
};
use reports::{
    AnyReport, Document, LoadError, Style, Suite, Times, Verdict, compiler_summary, sealed, store,
};
use serde_json::{Value, json};

use crate::samples;

const PATH: &str = "report.json";

pub fn finding(class: &str, status: Standing, words: Option<&str>) -> Finding {
    Finding {
        class: class.into(),
        status,
        cells: 2,
        expression: Some("a / b".into()),
        promised: Some("div.rn.f32".into()),
        document: Some("a manual".into()),
        sequences: vec![Sequence {
            places: vec![TargetSettings {
                target: "sm_90".into(),
                settings: vec!["default".into(), "ftz".into()],
            }],
            source: Some("line one\nline two".into()),
            instructions: vec!["div.full.f32".into()],
            ptx: None,
        }],
        vectors: 10,
        mismatches: 3,
        classes: Vec::new(),
        program: None,
        circumstances: None,
        words: words.map(str::to_owned),
        waiver: None,
    }
}

pub fn sample() -> CompilerReport {
    CompilerReport {
        schema: SCHEMA.into(),
        suite: Suite { version: "1".into(), revision: None },
        compiler: Compiler { name: "llvm".into(), version: "22".into(), language: "llvm-ir".into() },
        work: CompilerWork {
            sources: Sources::Rows,
            count: 2,
            targets: vec!["sm_90".into()],
            settings: BTreeMap::from([
                ("default".into(), vec!["-O3".into()]),
                ("ftz".into(), Vec::new()),
            ]),
            vectors: 16,
            seed: Some("0x7".into()),
            first: 0,
        },
        complete: true,
        reduced: Vec::new(),
        times: Times { started: "now".into(), seconds: 1.0, resumed: 0 },
        totals: CompilerTotals { cells: 4, right: 2, wrong: 2, ..CompilerTotals::default() },
        findings: vec![
            finding("computed/operator/div.f32", Standing::Fail, None),
            finding("refused/operator/add.f32", Standing::Note, Some("no")),
        ],
        stale: Vec::new(),
        checksum: None,
        unknown: Default::default(),
    }
}

#[test]
fn a_report_says_what_it_is_of() {
    let bytes = store::to_json(&sample()).unwrap();
    let read = store::read_any(&bytes, Path::new(PATH)).unwrap();
    assert_eq!(read, AnyReport::Compiler(Box::new(sealed(sample()))));
    let other = store::to_json(&samples::failing()).unwrap();
    assert!(matches!(store::read_any(&other, Path::new(PATH)), Ok(AnyReport::Implementation(_))));
    for (error, words) in [
        (store::read(&bytes, Path::new(PATH)).unwrap_err(), "and `ptx-conformance-report/"),
        (
            store::read_as::<CompilerReport>(&other, Path::new(PATH)).unwrap_err(),
            "and `ptx-compiler-report/",
        ),
    ] {
        let message = error.to_string();
        assert!(message.contains(words) && message.lines().count() == 1, "{message}");
    }
}

/// Breaks a report in one place, and returns the error of reading it.
fn broken(pointer: &str, replacement: Value) -> LoadError {
    let mut value = serde_json::to_value(sample()).unwrap();
    *value.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = replacement;
    let read = store::read_as::<CompilerReport>(value.to_string().as_bytes(), Path::new(PATH));
    let error = read.expect_err(pointer);
    assert_eq!(error.to_string().lines().count(), 1, "{error}");
    error
}

#[test]
fn what_is_no_report_of_this_form_is_refused() {
    let other = broken("/schema", json!("ptx-compiler-report/99\u{1b}"));
    assert!(matches!(other, LoadError::OtherSchema { .. }), "{other}");
    assert!(!other.to_string().contains('\u{1b}'));
    assert!(matches!(broken("/schema", json!("else")), LoadError::NotAReport { .. }));
    for (pointer, value) in [
        ("/totals/cells", json!(-1)),
        ("/findings/0/status", json!("red")),
        ("/work/seed", json!(7)),
        ("/work/seed", json!("0xG")),
        ("/work/sources", json!("else")),
    ] {
        let error = broken(pointer, value);
        assert!(matches!(error, LoadError::Invalid { due: SCHEMA, .. }), "{pointer}: {error}");
    }
    // A report that another version wrote is of that version, whichever kind is asked for.
    let mut other = serde_json::to_value(sample()).unwrap();
    other["schema"] = json!("ptx-compiler-report/99");
    let bytes = other.to_string();
    let any = store::read_any(bytes.as_bytes(), Path::new(PATH)).unwrap_err();
    assert!(matches!(any, LoadError::OtherSchema { due: SCHEMA, .. }), "{any}");
    let one = store::read(bytes.as_bytes(), Path::new(PATH)).unwrap_err();
    assert!(one.to_string().contains("is a report with the schema `ptx-compiler-report/99`"), "{one}");
    let list = broken("/compiler", json!(["llvm", "22", "llvm-ir"]));
    assert!(matches!(list, LoadError::OtherForm { .. }), "{list}");
    let mut report = sealed(sample());
    report.totals.wrong = 1;
    let json = serde_json::to_vec(&report).unwrap();
    let altered = store::read_as::<CompilerReport>(&json, Path::new(PATH)).unwrap_err();
    assert!(matches!(altered, LoadError::Altered(_)), "{altered}");
    let whole = serde_json::to_vec(&sample()).unwrap();
    let cut = store::read_any(&whole[..whole.len() / 2], Path::new(PATH)).unwrap_err();
    assert!(matches!(cut, LoadError::CutShort { .. }), "{cut}");
}

#[test]
fn the_summary_is_text_alone_and_ends_with_the_verdict() {
    let mut report = sample();
    let evil = "\u{1b}[2J\u{202e}";
    report.compiler.name += evil;
    let failing = &mut report.findings[0];
    (failing.words, failing.expression) = (Some(evil.into()), None);
    failing.class += evil;
    failing.sequences[0].source = Some(format!("one{evil}\ntwo"));
    let style = Style { replay: Some(evil.into()), ..Style::default() };
    let text = compiler_summary(&report, &style);
    assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()), "{text:?}");
    assert!(!text.contains('\u{202e}') && text.contains("    two\n"), "{text}");
    let text = compiler_summary(&sample(), &Style { replay: Some("r.json".into()), ..Style::default() });
    assert!(text.contains("  source     a / b\n"), "{text}");
    assert!(text.contains("sm_90 under every setting"), "{text}");
    assert!(
        text.contains("replay: cargo xtask replay r.json --class computed/operator/div.f32"),
        "{text}"
    );
    assert!(
        text.contains("refused: not taken by the compiler in 2 cells: operator/add.f32 (no)"),
        "{text}"
    );
    assert!(text.ends_with("llvm: 1 class of failures.\n"), "{text}");
    // A terminal may be as narrow as this.
    compiler_summary(&report, &Style { columns: Some(0), color: true, ..Style::default() });
}

#[test]
fn a_verdict_weighs_what_was_found() {
    let mut report = sample();
    assert_eq!(report.verdict(), Verdict::Mismatches);
    report.findings[0].status = Standing::Waived;
    assert_eq!(report.verdict(), Verdict::Agree);
    report.stale.push("old".into());
    assert_eq!(report.verdict(), Verdict::Mismatches);
    report.stale.clear();
    report.complete = false;
    assert_eq!(report.verdict(), Verdict::Incomplete);
    report.complete = true;
    report.totals = CompilerTotals { cells: 4, refused: 4, ..CompilerTotals::default() };
    assert_eq!(report.verdict(), Verdict::Nothing);
    // Any cell that was executed is something, right or known to be wrong.
    for (right, wrong) in [(1, 0), (0, 1)] {
        report.totals = CompilerTotals { cells: 4, right, wrong, ..CompilerTotals::default() };
        assert_eq!(report.verdict(), Verdict::Agree);
    }
    // No vector is judged of a program that may give anything.
    report.work.sources = Sources::Programs;
    let summary = |report: &CompilerReport| compiler_summary(report, &Style::default());
    for (vectors, verdict, words) in [
        (0, Verdict::Nothing, "none of 4 cells was judged; for 1 cell too many results are permitted"),
        (1, Verdict::Agree, "1 cell right, and nothing fails"),
    ] {
        report.totals = CompilerTotals { cells: 4, right: 1, vectors, ..CompilerTotals::default() };
        assert_eq!(report.verdict(), verdict);
        assert!(summary(&report).contains(words), "{}", summary(&report));
    }
}

#[test]
fn a_compact_copy_keeps_what_fails() {
    let compact = sample().compact();
    assert_eq!(compact.findings[0], sample().findings[0]);
    assert_eq!(compact.findings[1].sequences[0].places[0].settings, ["default"]);
    assert_eq!(compact.reduced.len(), 1);
    assert_eq!(compact.clone().compact(), compact);
    assert!(compact.checksum().is_some());
    assert!(sample().changes(&compact).is_empty());
}

/// Reports differ in classes that come, go, move to other cells, or have other counts of wrong results.
#[test]
fn two_reports_differ_in_their_classes() {
    const CLASS: &str = "computed/operator/div.f32";
    let with = |findings: &[(u64, u64, u64)]| {
        let of = |&(cells, vectors, mismatches): &(u64, u64, u64)| Finding {
            cells,
            vectors,
            mismatches,
            ..finding(CLASS, Standing::Fail, None)
        };
        CompilerReport { findings: findings.iter().map(of).collect(), ..sample() }
    };
    let change = |before, after, results| {
        let (status, places, instructions) = (None, false, false);
        vec![ClassChange { class: CLASS.into(), before, after, results, status, places, instructions }]
    };
    let none = with(&[]);
    let (one, two) = (with(&[(2, 10, 3)]), with(&[(1, 10, 3), (1, 20, 5)]));
    assert_eq!(none.changes(&one), change(0, 2, false));
    assert_eq!(one.changes(&none), change(2, 0, false));
    assert_eq!(one.changes(&with(&[(5, 10, 3)])), change(2, 5, false));
    assert_eq!(one.changes(&with(&[(2, 10, 4)])), change(2, 2, true));
    assert_eq!(one.changes(&with(&[(2, 11, 3)])), change(2, 2, true));
    // There are more findings of the class than there were.
    let [other] = &one.changes(&two)[..] else { panic!("one class") };
    assert!(other.results && other.places && other.instructions && other.after == 2, "{other:?}");
    assert_eq!(two.changes(&with(&[(1, 20, 5), (1, 10, 3)])), [], "in another order");
    assert_eq!(one.changes(&one), []);
    let other =
        CompilerReport { findings: vec![finding("refused/a", Standing::Note, None)], ..sample() };
    let changes = one.changes(&other);
    let classes: Vec<_> = changes.iter().map(|of| (&*of.class, of.before, of.after)).collect();
    assert_eq!(classes, [(CLASS, 2, 0), ("refused/a", 0, 2)]);
}
