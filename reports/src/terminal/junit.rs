//! Renders a report in JUnit's form of XML, which CI systems read. In the report of an implementation each
//! instruction is a suite, and each variant a test. In that of a compiler each kind of finding is a suite, and each
//! class a test. A test fails, or errs, where its subject fails the run, and in no other case.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::classes::{Replay, classes};
use super::compilers::failures;
use super::inconsistencies::inconsistencies;
use super::page::Page;
use super::{Style, asked, replay_of};
use crate::compilers::{CompilerReport, Finding, Standing};
use crate::document::harmless;
use crate::text::counted;
use crate::{AnyReport, Report, Status, VariantReport, Verdict};

/// Returns the report as XML in JUnit's form.
pub fn page(report: &AnyReport, style: &Style) -> String {
    match report {
        AnyReport::Implementation(report) => implementation(report, style),
        AnyReport::Compiler(report) => compiler(report, style),
    }
}

/// Returns the report of an implementation as XML.
fn implementation(report: &Report, style: &Style) -> String {
    // Texts from outside are made printable before any of them is used.
    let (verdict, report) = (report.verdict(), &harmless(report));
    let (page, replay) = (Page::new(false, None), replay_of(style));
    let tested = &report.implementation;
    let mut junit = Junit::new(format!("{} {}, {}", tested.name, tested.version, asked(report)));
    junit.set_time(seconds(report.times.seconds));
    let mut suites: Vec<TestSuite> = Vec::new();
    for variant in &report.variants {
        add(&mut suites, variant.instruction(), of_variant(variant, replay.as_ref(), page), "ptx");
    }
    // To answer one open point in two ways is worth knowing, and no failure.
    for one in &report.inconsistencies {
        let mut case =
            TestCase::new(format!("{}: {}", one.scope, one.relaxation), TestCaseStatus::success());
        case.set_system_out(inconsistencies(std::slice::from_ref(one), page));
        add(&mut suites, "consistency", case, "ptx");
    }
    add_run(&mut suites, verdict, &report.reduced);
    printed(junit, suites)
}

/// Returns the report of a compiler as XML.
fn compiler(report: &CompilerReport, style: &Style) -> String {
    let (verdict, clean, page) = (report.verdict(), harmless(report), Page::new(false, None));
    let mut junit = Junit::new(format!("{} {}", clean.compiler.name, clean.compiler.version));
    junit.set_time(seconds(clean.times.seconds));
    let mut suites = Vec::new();
    for (finding, text) in clean.findings.iter().zip(failures(report, &clean, style, page)) {
        add(&mut suites, finding.kind(), of_finding(finding, text), "compiler");
    }
    let right = format!("{} right", counted(clean.totals.right, "cell"));
    add(&mut suites, "cells", TestCase::new(right, TestCaseStatus::success()), "compiler");
    for stale in &clean.stale {
        let status =
            non_success(NonSuccessKind::Failure, "stale", "a waiver that no longer covers anything");
        add(&mut suites, "waivers", TestCase::new(stale.as_str(), status), "compiler");
    }
    add_run(&mut suites, verdict, &clean.reduced);
    printed(junit, suites)
}

/// Returns the test of a variant: skipped if it is unsupported or waived, an error if it is incomplete.
fn of_variant(variant: &VariantReport, replay: Option<&Replay>, page: Page) -> TestCase {
    let reason = variant.reason.as_deref().unwrap_or_default();
    let status = match variant.status {
        Status::Pass => TestCaseStatus::success(),
        Status::Unsupported => skipped(reason),
        Status::Waived => skipped(&format!("waived: {reason}")),
        Status::Incomplete => non_success(NonSuccessKind::Error, "incomplete", reason),
        Status::Fail => {
            let failing = variant.classes.iter().filter(|class| class.waiver.is_none());
            let kinds: Vec<&str> = failing.filter_map(|class| class.id.rsplit('/').next()).collect();
            let message = match kinds.is_empty() {
                true => reason.to_owned(),
                false => format!(
                    "{} in {}: {}",
                    counted(variant.mismatches, "mismatch"),
                    counted(variant.vectors, "vector"),
                    kinds.join(", ")
                ),
            };
            let mut status = non_success(NonSuccessKind::Failure, &kinds.join(","), &message);
            status.set_description(classes(std::slice::from_ref(variant), replay, page));
            status
        }
    };
    TestCase::new(variant.variant.as_str(), status)
}

/// Returns the test of a class of findings; `text` is all about a failure.
fn of_finding(finding: &Finding, text: Option<String>) -> TestCase {
    let words = finding.words.as_deref().or(finding.document.as_deref()).unwrap_or_default();
    let message = format!("{}: {words}", counted(finding.cells, "cell"));
    let status = match finding.status {
        Standing::Note => TestCaseStatus::success(),
        Standing::Waived => {
            skipped(&format!("waived: {}", finding.waiver.as_ref().map_or("", |waiver| &waiver.reason)))
        }
        Standing::Fail => {
            let mut status = non_success(NonSuccessKind::Failure, finding.kind(), &message);
            status.set_description(text.unwrap_or_default());
            status
        }
    };
    let mut case = TestCase::new(finding.class.as_str(), status);
    if finding.status == Standing::Note {
        case.set_system_out(message);
    }
    case
}

/// Adds a test of what no variant or class says: whether the run has reached its end and tested something.
fn add_run(suites: &mut Vec<TestSuite>, verdict: Verdict, reduced: &[String]) {
    let status = match verdict {
        Verdict::Agree | Verdict::Mismatches => TestCaseStatus::success(),
        Verdict::Incomplete => {
            non_success(NonSuccessKind::Error, "incomplete", "the run did not reach its end")
        }
        Verdict::Nothing => non_success(NonSuccessKind::Error, "nothing", "nothing was tested"),
    };
    let mut case = TestCase::new("the run reached its end and tested something", status);
    if !reduced.is_empty() {
        case.set_system_out(reduced.join("\n"));
    }
    add(suites, "run", case, "ptx");
}

/// Adds a test to the suite of a name, which may be a new one.
fn add(suites: &mut Vec<TestSuite>, name: &str, mut case: TestCase, family: &str) {
    case.set_classname(format!("{family}.{name}"));
    match suites.iter_mut().find(|suite| suite.name.as_str() == name) {
        Some(suite) => drop(suite.add_test_case(case)),
        None => {
            let mut suite = TestSuite::new(name);
            suite.add_test_case(case);
            suites.push(suite);
        }
    }
}

fn non_success(kind: NonSuccessKind, ty: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(ty).set_message(message);
    status
}

fn skipped(reason: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(reason);
    status
}

/// Returns a time in seconds as a duration, 0 if it is no possible one: whoever wrote a report may have written
/// any.
fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// Returns the XML of a page, fit for every parser.
fn printed(mut junit: Junit, suites: Vec<TestSuite>) -> String {
    junit.add_test_suites(suites);
    let text = junit.to_string().expect("text is written to memory");
    // XML has neither character (1.0, section 2.2), and not every parser lets them pass.
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
