//! Tests of comparing vectors, results and mismatches, sweep by sweep, and runs that are not whole.

use reports::compare::{Change, Comparison, Ends, Unlike};
use reports::{Report, Status, SweepReport, VariantReport, total};

use super::{of_one, text, wrong};
use crate::samples::{passing, report};

/// Returns a variant with sweeps, each with its name and its numbers of planned vectors, of results and of
/// mismatches.
fn with(sweeps: &[(&str, u64, u64, u64)]) -> VariantReport {
    let one = passing("mul.f16", 1).sweeps.remove(0);
    let sweep = |&(name, planned, vectors, mismatches): &(&str, u64, u64, u64)| SweepReport {
        name: name.into(),
        planned,
        vectors,
        unanswered: planned - vectors,
        mismatches,
        ..one.clone()
    };
    let sweeps: Vec<SweepReport> = sweeps.iter().map(sweep).collect();
    let sum = |count: fn(&SweepReport) -> u64| total(sweeps.iter().map(count));
    let [vectors, unanswered, mismatches] =
        [sum(|of| of.vectors), sum(|of| of.unanswered), sum(|of| of.mismatches)];
    let variant = VariantReport { unanswered, sweeps, ..passing("mul.f16", vectors) };
    if mismatches > 0 { wrong(&variant, mismatches) } else { variant }
}

fn unlike(before: VariantReport, after: VariantReport) -> Unlike {
    report(vec![before]).compare(&report(vec![after])).unwrap_err()
}

#[test]
fn sweeps_that_go_are_worse_and_others_are_another_question() {
    let both = with(&[("pairs", 10, 10, 0), ("zero", 4, 4, 0)]);
    let one = with(&[("pairs", 10, 10, 0)]);
    let gone = |before, after| Change::Sweep { sweep: "zero".into(), before, after };
    let (changes, worse) = of_one(both.clone(), one.clone());
    assert!(worse && changes.contains(&gone(4, 0)), "{changes:?}");
    let (changes, worse) = of_one(one.clone(), both.clone());
    assert!(!worse && changes.contains(&gone(0, 4)), "{changes:?}");
    // The other report has as many vectors in a sweep of another name, or more of one sweep and fewer of another.
    for other in [
        with(&[("pairs", 10, 10, 0), ("nought", 4, 4, 0)]),
        with(&[("pairs", 11, 11, 0), ("zero", 3, 3, 0)]),
        with(&[("pairs", 14, 14, 0)]),
    ] {
        let error = unlike(both.clone(), other);
        assert!(matches!(error, Unlike::Sweeps { .. }), "{error}");
        assert!(error.to_string().contains("for mul.f16 one has more vectors of sweep zero"), "{error}");
    }
    let said = text(&report(vec![both]), &report(vec![one]));
    assert!(said.ends_with("mul.f16: 4 vectors fewer; sweep zero: 4 vectors → 0 vectors\n"), "{said}");
}

/// There are as many results in all, and they are not those of the same vectors.
#[test]
fn results_that_one_sweep_lacks_are_worse_though_another_gained_as_many() {
    let one = with(&[("pairs", 10, 5, 0), ("zero", 10, 10, 0)]);
    let mut two = with(&[("pairs", 10, 10, 0), ("zero", 10, 5, 0)]);
    two.sweeps.iter_mut().for_each(|sweep| sweep.results = "0x77".into());
    let lost = vec![Change::Sweep { sweep: "zero".into(), before: 10, after: 5 }];
    assert_eq!(of_one(one, two), (lost, true));
    // A vector without a result is not right.
    let one = with(&[("pairs", 10, 5, 0)]);
    let mut other = one.clone();
    other.sweeps[0].results = "0x77".into();
    let results = Change::Results { sweeps: vec!["pairs".into()], right: false };
    assert_eq!(of_one(one, other), (vec![results], false));
}

/// Fewer results that are told of all sweeps together are not told again of one.
#[test]
fn fewer_results_are_told_once() {
    let one = with(&[("pairs", 10, 10, 0), ("zero", 10, 10, 0)]);
    let two = with(&[("pairs", 10, 10, 0), ("zero", 10, 5, 0)]);
    let fewer = |after| Change::Vectors { before: 20, after };
    assert_eq!(of_one(one.clone(), two), (vec![fewer(15)], true));
    // A variant that does not compile any more has no sweep.
    let reason = Some("it does not compile".into());
    let nothing = VariantReport { reason, status: Status::Fail, ..with(&[]) };
    let (changes, worse) = of_one(one, nothing);
    assert!(worse && changes.contains(&fewer(0)), "{changes:?}");
    assert!(!changes.iter().any(|change| matches!(change, Change::Sweep { .. })), "{changes:?}");
}

#[test]
fn mismatches_of_a_sweep_grow_though_classes_do_not() {
    let one = with(&[("pairs", 10, 10, 3), ("zero", 10, 10, 1)]);
    let two = with(&[("pairs", 10, 10, 1), ("zero", 10, 10, 3)]);
    let change = |sweep: &str, before, after| Change::Mismatches { sweep: sweep.into(), before, after };
    let changes = vec![change("pairs", 3, 1), change("zero", 1, 3)];
    assert_eq!(of_one(one.clone(), two.clone()), (changes, true));
    let said = text(&report(vec![one]), &report(vec![two]));
    assert!(said.ends_with("sweep zero: 1 mismatch → 3 mismatches\n"), "{said}");
}

/// A report whose suite expected other results is not compared: that is another suite.
#[test]
fn other_expectations_are_refused() {
    let one = with(&[("pairs", 10, 10, 0)]);
    let mut two = one.clone();
    two.sweeps[0].expected = "0x1".into();
    let error = unlike(one, two);
    assert!(matches!(error, Unlike::Expected { .. }), "{error}");
    assert!(
        error.to_string().contains("expected different results for the same vectors of mul.f16"),
        "{error}"
    );
}

#[test]
fn a_run_that_is_not_whole_any_more_is_worse() {
    let one = report(vec![with(&[("pairs", 10, 10, 0)])]);
    let two = Report { complete: false, ..one.clone() };
    let of = |before, after| Comparison { complete: Some(Ends { before, after }), variants: vec![] };
    assert_eq!(one.compare(&two), Ok(of(true, false)));
    assert_eq!(two.compare(&one), Ok(of(false, true)));
    assert!(of(true, false).is_worse() && !of(false, true).is_worse());
    let json = serde_json::to_value(of(true, false)).unwrap();
    assert_eq!(json, serde_json::json!({"complete": {"before": true, "after": false}, "variants": []}));
    assert!(text(&one, &two).contains("\nThe later run did not reach its end"), "{}", text(&one, &two));
    assert!(text(&two, &one).contains("\nThe later run reached its end"), "{}", text(&two, &one));
}

#[test]
fn what_contradicts_itself_is_not_compared() {
    let right = report(vec![with(&[("pairs", 10, 10, 0)])]);
    let mut twice = right.clone();
    twice.variants.push(twice.variants[0].clone());
    let mut more = report(vec![with(&[("pairs", 10, 10, 1)])]);
    more.variants[0].mismatches += 77;
    for wrong in [twice, more] {
        for (one, two, which) in [(&right, &wrong, "later"), (&wrong, &right, "earlier")] {
            let error = one.compare(two).unwrap_err().to_string();
            let said = format!("the {which} one contradicts itself (");
            assert!(error.contains(&said) && error.contains("report validate"), "{error}");
        }
    }
}
