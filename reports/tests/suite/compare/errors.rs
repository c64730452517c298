//! Tests of comparing the errors of approximations, range by range.

use reports::compare::Change;
use reports::{RangeReport, VariantReport, WorstReport};

use super::{of_one, text};
use crate::samples::{passing, report};

const NEAR: &str = "|a| up to 2 pi";
const FAR: &str = "|a| above 100 pi";

/// Returns a range in which results have given errors, by the bins of the histogram. `ulp` is the largest error,
/// `None` where it is infinite.
fn range(name: &str, histogram: [u64; 4], ulp: Option<f64>) -> RangeReport {
    RangeReport {
        range: name.into(),
        bound: "absolute 2^-20.5".into(),
        results: histogram.iter().sum(),
        histogram: histogram.into(),
        worst: Some(WorstReport { ulp, sweep: "pairs".into(), index: 1, operands: vec![] }),
        profile: vec![],
    }
}

fn with(accuracy: Vec<RangeReport>) -> VariantReport {
    let max_ulp = RangeReport::worst_of(&accuracy).filter(|ulp| ulp.is_finite());
    VariantReport { accuracy, max_ulp, ..passing("sin.approx.f32", 10) }
}

/// Growth in one range is told, although an error where the manual states no bound is larger than any that there
/// may be elsewhere.
#[test]
fn growth_in_one_range_is_not_hidden_by_a_larger_error_in_another() {
    for far in [Some(3e13), None] {
        let near =
            |histogram, ulp| with(vec![range(NEAR, histogram, ulp), range(FAR, [0, 0, 0, 5], far)]);
        let (one, two) = (near([5, 0, 0, 0], Some(0.5)), near([3, 0, 0, 2], Some(67e6)));
        let (changes, worse) = of_one(one.clone(), two.clone());
        let range = Some(NEAR.to_owned());
        assert!(worse);
        assert_eq!(changes[0], Change::Error { range, before: Some(0.5), after: Some(67e6) });
        assert!(!of_one(two.clone(), one.clone()).1);
        let said = text(&report(vec![one]), &report(vec![two]));
        assert!(
            said.contains("1 for the worse.\nsin.approx.f32: largest error for |a| up to 2 pi"),
            "{said}"
        );
        assert!(said.contains("0.500 → 67000000.000 ulp; results for |a| up to 2 pi off by"), "{said}");
    }
    let (one, two) =
        (with(vec![range(NEAR, [5, 0, 0, 1], Some(9.0))]), with(vec![range(NEAR, [5, 0, 0, 1], None)]));
    assert!(of_one(one.clone(), two.clone()).1 && !of_one(two, one).1);
}

#[test]
fn errors_that_differ_look_different() {
    let of = |ulp| report(vec![with(vec![range(NEAR, [5, 0, 0, 0], Some(ulp))])]);
    let said = text(&of(0.25), &of(0.250_000_5));
    assert!(said.ends_with("0.25 → 0.2500005 ulp\n"), "{said}");
}

/// More results beyond an error are worse, though the largest error is what it was.
#[test]
fn a_histogram_gets_worse() {
    let of = |histogram| with(vec![range(NEAR, histogram, Some(4.0))]);
    let (one, two) = (of([8, 1, 0, 1]), of([8, 0, 1, 1]));
    let change = |before, after| Change::Histogram { range: NEAR.into(), above: 1.0, before, after };
    assert_eq!(of_one(one.clone(), two.clone()), (vec![change(1, 2)], true));
    assert_eq!(of_one(two.clone(), one.clone()), (vec![change(2, 1)], false));
    let said = text(&report(vec![one]), &report(vec![two]));
    assert!(said.ends_with("results for |a| up to 2 pi off by more than 1 ulp: 1 → 2\n"), "{said}");
    // The bin that gets better by most is told, where several are better.
    let fewer = Change::Histogram { range: NEAR.into(), above: 2.0, before: 2, after: 0 };
    assert_eq!(of_one(of([4, 3, 1, 2]), of([4, 4, 2, 0])), (vec![fewer], false));
    // A histogram that is better beyond one error and worse beyond another is worse.
    assert!(of_one(of([8, 0, 1, 1]), of([7, 2, 0, 1])).1);
    // Where there are more results, as many more of them may be off.
    assert_eq!(
        report(vec![of([8, 1, 0, 1])]).compare(&report(vec![of([8, 2, 0, 1])])).unwrap().variants,
        []
    );
    assert!(of_one(of([8, 1, 0, 1]), of([7, 3, 0, 1])).1);
}

/// An error that is not given any more is worse: it may be any.
#[test]
fn an_error_that_is_not_given_is_worse() {
    let ranges = vec![range(NEAR, [5, 0, 0, 0], Some(0.5)), range(FAR, [5, 0, 0, 0], Some(0.25))];
    let (both, none) = (with(ranges.clone()), with(vec![]));
    let one = with(ranges[1..].to_vec());
    let mut hidden = with(ranges);
    hidden.accuracy[0].worst = None;
    hidden.max_ulp = Some(0.25);
    for less in [one, hidden] {
        let given = |after| vec![Change::Given { range: Some(NEAR.into()), after }];
        assert_eq!(of_one(both.clone(), less.clone()), (given(false), true));
        assert_eq!(of_one(less, both.clone()), (given(true), false));
    }
    // Errors are told range by range, and not once more for all of them.
    let each = |after| [NEAR, FAR].map(|of| Change::Given { range: Some(of.into()), after }).to_vec();
    assert_eq!(of_one(both.clone(), none.clone()), (each(false), true));
    assert_eq!(of_one(none.clone(), both.clone()), (each(true), false));
    // A shortened copy has the largest error of all ranges alone.
    let alone = |max_ulp| VariantReport { max_ulp, ..none.clone() };
    let (changes, worse) = of_one(alone(Some(0.5)), none.clone());
    assert_eq!((changes, worse), (vec![Change::Given { range: None, after: false }], true));
    let grown = Change::Error { range: None, before: Some(0.4), after: Some(0.5) };
    assert!(of_one(alone(Some(0.4)), both.clone()).0.contains(&grown));
    let said = text(&report(vec![both]), &report(vec![none]));
    assert!(said.contains("largest error for |a| up to 2 pi is no longer given"), "{said}");
}
