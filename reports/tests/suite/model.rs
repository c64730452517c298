//! Tests of a report's totals and verdict.

use reports::{Status, Totals, Verdict};

use crate::samples::{agreeing, failing, interrupted, partial, passing, report};

#[test]
fn totals_count_every_status() {
    let totals = failing().totals;
    let expected = Totals {
        variants: 6,
        passed: 1,
        failed: 3,
        unsupported: 1,
        waived: 1,
        incomplete: 0,
        vectors: 4_298_967_296,
        unanswered: 0,
        mismatches: 12_353,
        relaxed: 0,
    };
    assert_eq!(totals, expected);
    assert_eq!(agreeing().totals.relaxed, 12_345);
    assert_eq!(interrupted().totals.incomplete, 2);
    let totals = partial().totals;
    assert_eq!((totals.vectors, totals.unanswered), (9_000, 6_000));
}

#[test]
fn a_status_follows_from_the_counts() {
    assert_eq!(Status::of(10, 10, 0, 0), Status::Pass);
    assert_eq!(Status::of(10, 9, 0, 0), Status::Incomplete);
    assert_eq!(Status::of(10, 9, 0, 1), Status::Fail);
    assert_eq!(Status::of(10, 10, 0, 10), Status::Fail);
    assert_eq!(Status::of(10, 1, 9, 0), Status::Pass);
    assert_eq!(Status::of(10, 1, 8, 0), Status::Incomplete);
    assert_eq!(Status::of(10, 0, 9, 0), Status::Incomplete);
    assert_eq!(Status::of(10, 1, 9, 1), Status::Fail);
    assert_eq!(Status::of(10, 0, 10, 0), Status::Unsupported, "nothing was tested");
    assert_eq!(Status::of(0, 0, 0, 0), Status::Pass, "a shard without a block of it");
}

#[test]
fn a_failure_outweighs_an_interruption() {
    assert_eq!(agreeing().verdict(), Verdict::Agree);
    assert_eq!(interrupted().verdict(), Verdict::Incomplete);
    // A run that reached its end may have a variant that did not.
    let mut partly = agreeing();
    partly.totals.incomplete = 1;
    assert_eq!((partly.complete, partly.verdict()), (true, Verdict::Incomplete));
    let mut report = failing();
    assert_eq!(report.verdict(), Verdict::Mismatches);
    report.complete = false;
    assert_eq!(report.verdict(), Verdict::Mismatches);
}

#[test]
fn a_run_without_a_vector_does_not_agree() {
    assert_eq!(report(vec![]).verdict(), Verdict::Nothing);
    let mut unsupported = passing("add.rn.f16", 0);
    unsupported.status = Status::Unsupported;
    assert_eq!(report(vec![unsupported]).verdict(), Verdict::Nothing);
    let mut stopped = report(vec![]);
    stopped.complete = false;
    assert_eq!(stopped.verdict(), Verdict::Incomplete);
}

#[test]
fn a_shortened_copy_says_what_it_lacks() {
    let report = failing();
    let copy = report.clone().compact();
    assert_eq!(copy.totals, report.totals);
    assert_eq!(copy.variants.len(), report.variants.len() - 1, "one is unsupported");
    assert!(copy.variants.iter().flat_map(|variant| &variant.classes).all(|c| c.examples.len() == 1));
    assert!(copy.reduced[0].contains("without the 1 variants"), "{:?}", copy.reduced);
}
