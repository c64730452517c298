//! Tests of what a report says of a run.

mod findings;
mod inconsistencies;
mod parts;
mod rules;

use std::time::Duration;

use implementations::{Description, Support, Worker};
use isa::Variant;
use judge::{Mismatch, MismatchKind, Tally};
use reports::Status;
use runner::{JudgedBy, LeftOut, Progress, RunRequest, Task};
use selection::Shard;
use selection::budget::Tier;
use selection::subject::{Subject, VectorSource};

use super::*;

fn subject(text: &str) -> Subject {
    Subject::Variant(Variant::all().iter().find(|variant| variant.text() == text).expect("legal"))
}

/// Makes a task of `vectors` vectors of a sweep of a subject.
fn task(text: &str, sweep: &str, vectors: u64) -> Task {
    let asked = VectorSource::named(subject(text), sweep).expect("known");
    Task { asked, vectors, judged_by: JudgedBy::Mpfr, proven: None }
}

fn plan(tasks: Vec<Task>) -> Plan {
    let request = RunRequest::of(Tier::Quick, Vec::new());
    let (unsupported, failing) = (Vec::new(), Vec::new());
    Plan { request, tasks, unsupported, failing, vectors_min: 0, vectors_max: None, meaning: None }
}

/// An implementation that is only asked who it is.
struct Named;

impl Implementation for Named {
    fn describe(&self) -> Description {
        Description {
            name: "libm".into(),
            version: "1.2".into(),
            device: Some("a card".into()),
            driver: Some("580".into()),
            details: [("clock".to_owned(), "1 GHz".to_owned())].into(),
        }
    }

    fn support(&self, _: &Variant) -> Support {
        Support::Yes
    }

    fn worker(&self) -> anyhow::Result<Box<dyn Worker + '_>> {
        anyhow::bail!("it computes nothing")
    }
}

fn outcome(tallies: Vec<Tally>) -> RunOutcome {
    let progress = Progress { tallies, seconds: 1.5, resumed: 2, ..Progress::new(0) };
    RunOutcome { progress, complete: true, error: None }
}

/// Builds the report of a run with this outcome and these diagnoses.
fn of(plan: &Plan, outcome: &RunOutcome, diagnoses: &Diagnoses) -> Report {
    let settings = RunSettings { jobs: 3, directory: "nowhere".into(), resume: false };
    build(plan, &Named, &settings, outcome, diagnoses, SystemTime::UNIX_EPOCH)
}

fn built(plan: &Plan, tallies: Vec<Tally>) -> Report {
    of(plan, &outcome(tallies), &Diagnoses::new())
}

/// Makes a mismatch with one operand register for each of `operands`.
fn vector(index: u64, operands: &[u64], expected: &[u64], actual: &[u64]) -> Mismatch {
    let [operands, expected, actual] =
        [operands, expected, actual].map(|bits| bits.iter().map(|&bits| bits.into()).collect());
    Mismatch { index, operands, expected, accepted: Vec::new(), actual, words: None }
}

fn asked(vectors: u64) -> Tally {
    Tally { vectors, ..Tally::default() }
}

#[test]
fn who_ran_and_what_was_asked_stands_in_the_report() {
    let mut plan = plan(vec![task("mul.f16", "uniform", 100)]);
    plan.request.seed = 0xab;
    plan.vectors_min = 100;
    let report = built(&plan, vec![asked(100)]);
    let reports::Implementation { name, version, device, driver, details } = &report.implementation;
    assert_eq!((name.as_str(), version.as_str()), ("libm", "1.2"));
    assert_eq!((device.as_deref(), driver.as_deref()), (Some("a card"), Some("580")));
    assert_eq!(details["clock"], "1 GHz");
    assert_eq!((report.plan.tier.as_str(), report.plan.seed.as_str()), ("quick", "0xab"));
    assert_eq!((report.plan.vectors, report.plan.floor, report.environment.threads), (100, 100, 3));
    assert_eq!(report.times.started, "1970-01-01T00:00:00Z");
    assert_eq!((report.times.seconds, report.times.resumed), (1.5, 2));
    assert_eq!((report.totals.passed, report.totals.vectors, report.complete), (1, 100, true));
    assert_eq!((report.reduced.len(), &report.oracle.name[..]), (0, "MPFR"));
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = info.lines().any(|line| {
        line.starts_with("model name") && line.ends_with(&format!(": {}", report.environment.cpu))
    });
    let cpu = report.environment.cpu.as_str();
    assert!(named && !cpu.is_empty() || cpu == "unknown" && !info.contains("model name"), "{cpu}");
}

/// A report has a sentence for each reason why a run is less than its tier, and none for a run that is all of it.
#[test]
fn a_reduced_run_says_so() {
    let whole = plan(vec![task("mul.f16", "uniform", 100)]);
    let said = |plan: &Plan, tally: Tally, complete| {
        let outcome = RunOutcome { complete, ..outcome(vec![tally]) };
        of(plan, &outcome, &Diagnoses::new()).reduced
    };
    assert_eq!(said(&whole, asked(100), true), [""; 0]);
    let mut plan = whole.clone();
    plan.request.only = vec!["mul.*".into(), "add.*".into()];
    assert_eq!(said(&plan, asked(100), true), ["Only variants that match mul.* or add.*."]);
    plan.request.only.clear();
    plan.request.target = Some("sm_90".parse().unwrap());
    assert_eq!(said(&plan, asked(100), true), ["Only variants that sm_90 has."]);
    plan.request.target = None;
    plan.request.shard = Some(Shard { index: 1, count: 2 });
    assert_eq!(said(&plan, asked(100), true), ["Only part 1 of 2."]);
    plan.request.shard = None;
    plan.vectors_max = Some(50);
    let slow = "At most 50 vectors of each sweep, the limit set for the implementation.";
    assert_eq!(said(&plan, asked(100), true), [slow]);
    let partly = Tally { vectors: 60, unanswered: 7, ..Tally::default() };
    let unanswered = "The implementation has no result for 7 of 67 vectors, which were not judged.";
    assert_eq!(said(&whole, partly.clone(), true), [unanswered]);
    assert_eq!(said(&whole, asked(60), false), ["Broken off after 60 of 100 vectors."]);
    assert_eq!(said(&plan, partly, false), [slow, "Broken off after 67 of 100 vectors.", unanswered]);
}

/// Variants are reported in the table's order, whatever became of them.
#[test]
fn what_was_not_run_is_reported_with_its_reason() {
    let names = ["add.f16", "sub.f16", "mul.f16"];
    let mut plan = plan(vec![task("sub.f16", "grid", 10), task("sub.f16", "uniform", 20)]);
    plan.unsupported.push(LeftOut { subject: subject("mul.f16"), reason: "too new".into() });
    plan.failing.push(LeftOut { subject: subject("add.f16"), reason: "does not compile".into() });
    let report = built(&plan, vec![asked(10), asked(20)]);
    let of = |at: usize| {
        let variant = &report.variants[at];
        (variant.variant.as_str(), variant.status, variant.reason.as_deref(), variant.vectors)
    };
    assert_eq!(of(0), (names[0], Status::Fail, Some("does not compile"), 0));
    assert_eq!(of(1), (names[1], Status::Pass, None, 30));
    assert_eq!(of(2), (names[2], Status::Unsupported, Some("too new"), 0));
    assert_eq!(report.variants.len(), 3);
    let totals = &report.totals;
    assert_eq!((totals.variants, totals.failed, totals.passed, totals.unsupported), (3, 1, 1, 1));
}

#[test]
fn a_clock_that_is_wrong_does_no_harm() {
    let epoch = SystemTime::UNIX_EPOCH;
    assert_eq!(timestamp(epoch), "1970-01-01T00:00:00Z");
    assert!(timestamp(epoch - Duration::from_nanos(1)).starts_with("before 1970"));
    assert!(timestamp(epoch - Duration::from_secs(1 << 40)).starts_with("before 1970"));
    let last = epoch + Duration::from_secs(253_402_300_799);
    assert_eq!(timestamp(last), "9999-12-31T23:59:59Z");
    assert!(timestamp(last + Duration::from_secs(1)).starts_with("after 9999"));
}
