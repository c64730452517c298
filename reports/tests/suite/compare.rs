//! Tests of comparing reports: what is better, what is worse, what is only other, and what cannot be compared.

use reports::compare::{Change, Comparison, Unlike};
use reports::terminal::compare;
use reports::{Class, Explanation, Flaw, RelaxationReport, Report, Shard, Status, Style, VariantReport};

use crate::samples::{agreeing, classes, counted_in_its_sweep, failing, passing, report};

mod errors;
mod sweeps;

const NOTHING: Comparison = Comparison { complete: None, variants: Vec::new() };

/// Returns the changes of one variant from one report of it to another, and whether they are for the worse.
fn of_one(before: VariantReport, after: VariantReport) -> (Vec<Change>, bool) {
    let changes = report(vec![before]).compare(&report(vec![after])).unwrap().variants;
    let [change] = &changes[..] else { panic!("{changes:?}") };
    assert_eq!(change.worse, change.changes.iter().any(Change::is_worse));
    (change.changes.clone(), change.worse)
}

/// Returns a variant with one class of so many mismatches, which its sweeps do not have yet.
fn wrong(variant: &VariantReport, mismatches: u64) -> VariantReport {
    let class =
        Class { id: format!("{}/crashed", variant.variant), count: mismatches, ..classes::crashed() };
    VariantReport { status: Status::Fail, mismatches, classes: vec![class], ..variant.clone() }
}

fn text(before: &Report, after: &Report) -> String {
    let changes = before.compare(after).unwrap();
    compare::changes([before, after], ["a.json", "b.json"], &changes, &Style::default())
}

#[test]
fn a_report_differs_from_itself_in_nothing() {
    for report in [agreeing(), failing()] {
        assert_eq!(report.compare(&report), Ok(NOTHING));
        assert!(text(&report, &report).ends_with("No variant differs.\n"));
    }
}

/// A comparison says first what the reports are about, and tells variants that are worse before those that are
/// better, whatever their names.
#[test]
fn what_is_worse_is_told_first() {
    let report = |first, second| report(vec![passing("abs.f32", first), passing("neg.f32", second)]);
    let said = text(&report(10, 20), &report(15, 19));
    let told = "2 variants differ, 1 for the worse.\nneg.f32: 1 vector fewer\nabs.f32: 5 vectors more\n";
    assert!(said.ends_with(told), "{said}");
    let who = "cuda:0, NVIDIA H200, 580.65.06; suite 0.1.0, 0123abc, tier quick, seed 0x2a";
    assert_eq!(said.matches(who).count(), 2, "{said}");
}

/// Classes come and go, there and back again: what came for the worse goes for the better.
#[test]
fn classes_come_grow_shrink_and_go() {
    let failing = failing();
    let wrong = failing.variants.iter().find(|variant| variant.classes.len() > 1).unwrap();
    let right = passing(&wrong.variant, wrong.vectors);
    let came = of_one(right.clone(), wrong.clone());
    assert!(
        came.1 && came.0[0] == Change::Status { before: Some(Status::Pass), after: Some(Status::Fail) }
    );
    assert!(came.0.contains(&Change::Class {
        id: "mul.rn.ftz.f16/not-flushed".into(),
        before: 0,
        after: 12_000
    }));
    let said = text(&report(vec![right.clone()]), &report(vec![wrong.clone()]));
    assert!(
        said.contains(
            "\nmul.rn.ftz.f16: pass → fail; new class crashed with 1 mismatch; new class not-flushed"
        ),
        "{said}"
    );
    assert!(!of_one(wrong.clone(), right).1);
    let mut more = wrong.clone();
    more.classes[0].count += 1;
    more.mismatches += 1;
    let more = counted_in_its_sweep(more);
    assert!(of_one(wrong.clone(), more.clone()).1);
    assert!(!of_one(more, wrong.clone()).1);
}

/// A class that stays may have another cause than before, with as many mismatches or with others.
#[test]
fn a_class_with_another_cause_is_told() {
    let explained = |count, flaw: Option<(&str, &str)>| {
        let mut variant = counted_in_its_sweep(wrong(&passing("fma.rn.bf16", 100), count));
        variant.classes[0].explanation =
            flaw.map(|(id, words)| Explanation::of(vec![Flaw::new(id, words)]));
        variant
    };
    let through_f64 = Some(("through-f64", "rounded to f64 first"));
    let through_f32 = Some(("through-f32", "rounded to f32 first"));
    let cause = |before: Option<&str>, after: Option<&str>| Change::Cause {
        id: "fma.rn.bf16/crashed".into(),
        before: before.map(Into::into),
        after: after.map(Into::into),
    };
    let (changes, worse) = of_one(explained(3, through_f64), explained(3, through_f32));
    let due = cause(Some("rounded to f64 first"), Some("rounded to f32 first"));
    assert_eq!((changes, worse), (vec![due.clone()], false));
    let [before, after] = [through_f64, through_f32].map(|flaw| report(vec![explained(3, flaw)]));
    let said = text(&before, &after);
    let due_words =
        "\nfma.rn.bf16: crashed has another cause: rounded to f64 first → rounded to f32 first\n";
    assert!(said.ends_with(due_words), "{said}");
    let json = serde_json::to_value(&due).unwrap();
    assert_eq!(json["change"], "cause");
    assert_eq!(json["after"], "rounded to f32 first");
    // More mismatches are told beside it.
    let (changes, worse) = of_one(explained(3, through_f64), explained(4, None));
    assert!(worse && changes.contains(&cause(Some("rounded to f64 first"), None)), "{changes:?}");
    // Other words for the same flaw are no other cause.
    let reworded = explained(3, Some(("through-f64", "computed in f64")));
    let same = report(vec![explained(3, through_f64)]).compare(&report(vec![reworded]));
    assert_eq!(same, Ok(NOTHING));
}

/// A variant that is tested no more is worse whatever it was, and one with fewer vectors, too.
#[test]
fn what_is_tested_less_is_worse() {
    let few = passing("add.rn.f16", 10);
    let many = passing("add.rn.f16", 11);
    assert!(of_one(many.clone(), few.clone()).1 && !of_one(few.clone(), many.clone()).1);
    let failed =
        VariantReport { status: Status::Fail, reason: Some("It flickers.".into()), ..many.clone() };
    let lacks = VariantReport { status: Status::Unsupported, ..passing("add.rn.f16", 0) };
    for tested in [many, failed] {
        let gone = vec![Change::Status { before: Some(tested.status), after: None }];
        assert_eq!(of_one(tested.clone(), lacks.clone()), (gone, true));
        let changes = report(vec![tested]).compare(&report(vec![])).unwrap();
        assert!(changes.variants[0].worse && changes.is_worse());
    }
    // A shortened copy leaves out the variants that an implementation lacks.
    assert_eq!(report(vec![lacks]).compare(&report(vec![])), Ok(NOTHING));
    let new = report(vec![]).compare(&report(vec![few])).unwrap();
    assert!(!new.variants[0].worse && !new.is_worse());
}

/// Each kind of change is tried by itself: more of it, less of it, and as much, which is none.
#[test]
fn every_change_has_its_worse_direction() {
    use Status::{Fail, Incomplete, Pass, Unsupported, Waived};
    let status = |before, after| Change::Status { before, after }.is_worse();
    // The statuses stand from the best to the worst.
    let ranks = [Some(Pass), Some(Waived), Some(Incomplete), None, Some(Fail)];
    for (better, before) in ranks.into_iter().enumerate() {
        for (worse, after) in ranks.into_iter().enumerate() {
            // A variant that is tested no more may have been right.
            let due = worse > better || after.is_none() && before.is_some();
            assert_eq!(status(before, after), due, "{before:?} {after:?}");
        }
    }
    assert!(!status(None, Some(Unsupported)) && status(Some(Pass), Some(Unsupported)));

    let (sweep, id, range) = ("pairs".to_owned(), "add.f32/sign".to_owned(), "everywhere".to_owned());
    for (before, after) in [(1, 2), (2, 2), (2, 1)] {
        let fewer =
            [Change::Vectors { before, after }, Change::Sweep { sweep: sweep.clone(), before, after }];
        let more = [
            Change::Mismatches { sweep: sweep.clone(), before, after },
            Change::Class { id: id.clone(), before, after },
            Change::Histogram { range: range.clone(), above: 1.0, before, after },
        ];
        assert_eq!(fewer.map(|change| change.is_worse()), [after < before; 2]);
        assert_eq!(more.map(|change| change.is_worse()), [after > before; 3]);
    }
    for (before, after, worse) in [
        (Some(1.0), Some(2.0), true),
        (Some(2.0), Some(2.0), false),
        (Some(2.0), Some(1.0), false),
        (Some(f64::MAX), None, true),
        (None, None, false),
        (None, Some(f64::MAX), false),
    ] {
        let change = Change::Error { range: None, before, after };
        assert_eq!(change.is_worse(), worse, "{before:?} {after:?}");
    }
    let given = [true, false].map(|after| Change::Given { range: None, after }.is_worse());
    assert_eq!(given, [false, true]);
    assert!(!Change::Results { sweeps: vec![sweep], right: false }.is_worse());
}

/// Two reports may keep one contract with other bits, and that is told.
#[test]
fn other_bits_are_told_though_both_are_right() {
    let one = passing("add.rn.f16", 10);
    let mut other = one.clone();
    other.sweeps[0].results = "0x77".into();
    let sweeps = vec![one.sweeps[0].name.clone()];
    let found = of_one(one.clone(), other.clone());
    assert_eq!(found, (vec![Change::Results { sweeps: sweeps.clone(), right: true }], false));
    let wrong = counted_in_its_sweep(wrong(&other, 1));
    assert_eq!(of_one(one, wrong).0.last(), Some(&Change::Results { sweeps, right: false }));
}

#[test]
fn other_interpretations_and_other_errors_are_told() {
    let choice = |answer: &str| RelaxationReport {
        name: "any-nan".into(),
        reason: "Open.".into(),
        results: 3,
        answers: [(answer.to_owned(), 3)].into(),
    };
    let with = |answer: &str, ulp: f64| VariantReport {
        relaxations: vec![choice(answer)],
        max_ulp: Some(ulp),
        ..passing("sin.approx.f32", 10)
    };
    let (changes, worse) = of_one(with("canonical", 0.5), with("payload of a", 0.75));
    assert!(worse);
    assert_eq!(
        changes,
        [
            Change::Choice {
                relaxation: "any-nan".into(),
                before: vec!["canonical".into()],
                after: vec!["payload of a".into()]
            },
            Change::Error { range: None, before: Some(0.5), after: Some(0.75) },
        ]
    );
    assert!(!of_one(with("canonical", 0.75), with("payload of a", 0.5)).1);
    // The relaxation's choice was met by only one of the reports.
    let without = VariantReport { relaxations: vec![], ..with("canonical", 0.5) };
    let relaxation = "any-nan".to_owned();
    let came = Change::Choice { relaxation, before: vec![], after: vec!["canonical".into()] };
    assert_eq!(of_one(without.clone(), with("canonical", 0.5)), (vec![came], false));
    // A variant that was not tried has answered nothing, and that is no other answer.
    let untried = VariantReport { vectors: 0, sweeps: vec![], ..without.clone() };
    let (changes, _) = of_one(with("canonical", 0.5), untried);
    assert!(!changes.iter().any(|change| matches!(change, Change::Choice { .. })), "{changes:?}");
    let said = text(&report(vec![with("canonical", 0.5)]), &report(vec![without]));
    assert!(said.ends_with("sin.approx.f32: any-nan answered with canonical → nothing\n"), "{said}");
    let said = text(&report(vec![with("canonical", 0.5)]), &report(vec![with("payload of a", 0.75)]));
    assert!(
        said.ends_with(
            "1 variant differs, 1 for the worse.\nsin.approx.f32: any-nan answered with canonical → \
         payload of a; largest error 0.500 → 0.750 ulp\n"
        ),
        "{said}"
    );
}

#[test]
fn what_was_not_asked_alike_is_not_compared() {
    let one = report(vec![passing("add.rn.f16", 10)]);
    for change in [
        |report: &mut Report| report.plan.tier = "nightly".into(),
        |report: &mut Report| report.plan.seed = "0x1".into(),
        |report: &mut Report| report.plan.shard = Some(Shard { index: 1, count: 2 }),
        |report: &mut Report| report.plan.model = Some("sm_90a".into()),
    ] {
        let mut other = one.clone();
        change(&mut other);
        assert!(matches!(one.compare(&other), Err(Unlike::Plan { .. })), "{:?}", other.plan);
    }
    let mut other = one.clone();
    other.variants[0].sweeps[0].inputs = "0x1".into();
    let error = one.compare(&other).unwrap_err().to_string();
    assert!(error.contains("add.rn.f16") && error.contains("same version of the suite"), "{error}");
}

/// Names and texts of a report from outside are each one line of letters.
#[test]
fn hostile_texts_are_harmless() {
    let mut hostile = report(vec![passing("add\u{1b}[2J\nrn.f16", 10)]);
    hostile.implementation.name = "a\nb\u{202e}".into();
    let said = text(&hostile, &report(vec![]));
    assert_eq!(said.lines().count(), 4, "{said}");
    assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said}");
}
