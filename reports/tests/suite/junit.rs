//! Tests of reports in JUnit's form, read by Python's parser of XML and not by what wrote them.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use reports::compilers::Standing;
use reports::terminal::junit;
use reports::*;

use crate::compilers::{finding, sample};
use crate::samples;
use crate::terminal::expected;

/// A script in Python that prints what CI systems see: the suite, name, outcome and message of each test, a line
/// each.
const LOOK: &str = "
import sys, xml.etree.ElementTree as tree
root, kinds = tree.fromstring(sys.stdin.buffer.read()), []
for suite in root:
    for case in suite:
        inner = [child for child in case if child.tag in ('failure', 'error', 'skipped')]
        assert len(inner) <= 1 and case.get('classname').endswith('.' + suite.get('name'))
        kinds.append(inner[0].tag if inner else 'pass')
        words = (inner[0].get('message') or '') if inner else ''
        text = (inner[0].text or '') if inner else case.findtext('system-out') or ''
        print(suite.get('name'), case.get('name'), kinds[-1], repr(words), repr(text), sep='\t')
for attribute, kind in [('failures', 'failure'), ('errors', 'error'), ('skipped', 'skipped')]:
    assert sum(int(suite.get(attribute)) for suite in root) == kinds.count(kind), kind
for attribute, kind in [('failures', 'failure'), ('errors', 'error'), ('tests', None)]:
    assert int(root.get(attribute)) == (kinds.count(kind) if kind else len(kinds)), attribute
";

/// A test of a report, as the script reads it.
#[derive(Debug)]
struct JUnitTest {
    suite: String,
    name: String,
    kind: String,
    message: String,
    text: String,
}

fn tests_of(xml: &str) -> Vec<JUnitTest> {
    let mut python = Command::new("python3");
    python.args(["-c", LOOK]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = python.spawn().expect("python3");
    child.stdin.take().unwrap().write_all(xml.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{xml}");
    let line = |line: &str| {
        let parts: Vec<&str> = line.split('\t').collect();
        let [suite, name, kind, message, text] = parts[..] else { panic!("{line}") };
        let [suite, name, kind, message, text] = [suite, name, kind, message, text].map(str::to_owned);
        JUnitTest { suite, name, kind, message, text }
    };
    String::from_utf8(output.stdout).unwrap().lines().map(line).collect()
}

fn of(report: &Report) -> Vec<JUnitTest> {
    let style = Style { replay: Some("report.json".into()), ..Style::default() };
    tests_of(&junit::page(&AnyReport::Implementation(Box::new(report.clone())), &style))
}

fn of_compiler(report: &CompilerReport, style: &Style) -> String {
    junit::page(&AnyReport::Compiler(Box::new(report.clone())), style)
}

/// Counts the tests of each outcome.
fn outcomes(seen: &[JUnitTest]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    seen.iter().for_each(|one| *counts.entry(&*one.kind).or_default() += 1);
    counts
}

#[test]
fn a_test_fails_where_that_fails_the_run_and_in_no_other_case() {
    let mut nothing = samples::agreeing();
    nothing.variants.clear();
    nothing.totals = Totals::default();
    for (report, verdict) in [
        (samples::agreeing(), Verdict::Agree),
        (samples::failing(), Verdict::Mismatches),
        (samples::crowded(), Verdict::Mismatches),
        (samples::interrupted(), Verdict::Incomplete),
        (nothing, Verdict::Nothing),
    ] {
        assert_eq!(report.verdict(), verdict);
        let tests = of(&report);
        let counts = outcomes(&tests);
        let count = |kind: &str| counts.get(kind).copied().unwrap_or_default() as u64;
        let Totals { failed, unsupported, waived, passed, .. } = report.totals;
        assert_eq!((count("failure"), count("skipped")), (failed, unsupported + waived), "{counts:?}");
        // A run that has not ended or tested nothing is no success.
        let errs = matches!(verdict, Verdict::Incomplete | Verdict::Nothing);
        assert_eq!(count("error") > 0, errs || report.totals.incomplete > 0, "{counts:?}");
        assert!(count("pass") >= passed);
    }
}

#[test]
fn a_failing_variant_says_what_is_wrong_and_how_to_run_it_again() {
    let tests = of(&samples::failing());
    let failing = tests.iter().find(|one| one.name == "mul.rn.ftz.f16").expect("the variant");
    assert_eq!((&*failing.suite, &*failing.kind), ("mul", "failure"));
    assert!(failing.message.contains("12,001 mismatches") && failing.message.contains("not-flushed"));
    for part in ["0x0400", "in spite of `.ftz`", "cargo xtask replay report.json --class"] {
        assert!(failing.text.contains(part), "no {part} in {}", failing.text);
    }
}

#[test]
fn what_a_report_says_is_text_and_never_xml() {
    let mut report = samples::failing();
    let hostile = "]]></failure><testcase name=\"x\"/> &amp; \u{1b}[31m\u{202e}\u{0}\u{ffff}";
    report.variants[0].variant = format!("fma{hostile}.f16");
    report.implementation.name = hostile.into();
    report.variants[1].classes[0].diagnosis = hostile.into();
    report.times.seconds = -1.0;
    let tests = of(&report);
    assert_eq!(tests.len(), of(&samples::failing()).len());
    let all = tests.iter().map(|one| format!("{}{}{}", one.name, one.message, one.text));
    let all: String = all.collect();
    // Python prints what is not printable as an escape.
    assert!(
        !all.contains("\\x1b") && !all.contains("\\u202e") && all.contains("]]></failure>"),
        "{all}"
    );
}

#[test]
fn documents_are_as_expected() {
    let style = Style { replay: Some("report.json".into()), ..Style::default() };
    let report = AnyReport::Implementation(Box::new(samples::failing()));
    expected("failing.xml", &junit::page(&report, &style));
    let findings = vec![
        finding("computed/operator/div.f32", Standing::Fail, Some("at 1 / 3")),
        finding("selected/operator/add.f32", Standing::Note, Some("another")),
        finding("died/row", Standing::Waived, None),
    ];
    let report = CompilerReport { findings, reduced: vec!["Only one row.".into()], ..sample() };
    expected("compiler.xml", &of_compiler(&report, &style));
}

#[test]
fn findings_of_a_compiler_are_tests() {
    let mut report = sample();
    report.findings = vec![
        finding("computed/operator/div.f32", Standing::Fail, Some("at 1 / 3")),
        finding("selected/operator/add.f32", Standing::Note, None),
        finding("died/row", Standing::Waived, None),
    ];
    report.stale = vec!["a waiver".into()];
    let style = Style { replay: Some("report.json".into()), ..Style::default() };
    let tests = tests_of(&of_compiler(&report, &style));
    let kinds: Vec<(&str, &str)> = tests.iter().map(|one| (&*one.suite, &*one.kind)).collect();
    let expected = [
        ("computed", "failure"),
        ("selected", "pass"),
        ("died", "skipped"),
        ("cells", "pass"),
        ("waivers", "failure"),
        ("run", "pass"),
    ];
    assert_eq!(kinds, expected);
    assert!(tests[0].text.contains("line one") || tests[0].text.contains("a / b"), "{}", tests[0].text);
    report.findings.clear();
    report.stale.clear();
    report.complete = false;
    assert_eq!(outcomes(&tests_of(&of_compiler(&report, &style))).get("error"), Some(&1));
}
