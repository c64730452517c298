//! Tests of comparing reports of compilers: in what they differ, and which are not of the same questions.

use reports::compare::{Ends, Unlike};
use reports::compilers::{ClassChange, CompilerReport, RunChange, Sources, Standing, TargetSettings};
use reports::{Class, terminal};

use super::{finding, sample};
use crate::samples::classes;

/// Returns what a change of the sample makes different, and what is said of it.
fn after(change: impl FnOnce(&mut CompilerReport)) -> (Vec<RunChange>, Vec<ClassChange>, String) {
    let (before, mut after) = (sample(), sample());
    change(&mut after);
    let comparison = before.compare(&after).unwrap();
    assert!(comparison.differs());
    let said = terminal::compare::compilers([&before, &after], &comparison);
    (comparison.run, comparison.classes, said)
}

#[test]
fn what_differs_of_the_run_is_told() {
    let nothing = sample().compare(&sample()).unwrap();
    assert!(!nothing.differs());
    let said = terminal::compare::compilers([&sample(), &sample()], &nothing);
    assert_eq!(said, "llvm 22 → llvm 22: 0 classes differ\n");

    let (run, _, said) = after(|report| report.complete = false);
    assert_eq!(run, [RunChange::Complete(Ends { before: true, after: false })]);
    assert!(said.contains("\n  The later run did not reach its end"), "{said}");
    let json = serde_json::to_value(&run).unwrap();
    assert_eq!(json, serde_json::json!([{"change": "complete", "before": true, "after": false}]));

    let (run, _, said) = after(|report| report.work.count = 1);
    assert_eq!(run, [RunChange::Count { of: "sources", before: 2, after: 1 }]);
    assert!(said.ends_with("0 classes differ\n  sources: 2 → 1\n"), "{said}");

    let (run, _, said) = after(|report| (report.totals.right, report.totals.refused) = (1, 1));
    let count = |of, before, after| RunChange::Count { of, before, after };
    assert_eq!(run, [count("right", 2, 1), count("refused", 0, 1)]);
    assert!(said.ends_with("\n  right: 2 → 1\n  refused: 0 → 1\n"), "{said}");

    let (run, _, said) = after(|report| report.stale.push("x\u{1b}".into()));
    assert_eq!(run, [RunChange::Stale { went: vec![], came: vec!["x\u{1b}".into()] }]);
    assert!(said.ends_with("\n  x\u{fffd} (new)\n"), "{said}");
}

#[test]
fn what_differs_of_a_class_is_told() {
    let same = |class: &str| ClassChange {
        class: class.into(),
        before: 2,
        after: 2,
        results: false,
        status: None,
        places: false,
        instructions: false,
    };
    let [wrong, refused] = ["computed/operator/div.f32", "refused/operator/add.f32"].map(same);
    type Changed = fn(&mut CompilerReport);
    let changes: [(Changed, ClassChange, &str); 5] = [
        (
            |report| report.findings[1].status = Standing::Fail,
            ClassChange { status: Some([Standing::Note, Standing::Fail]), ..refused.clone() },
            "refused/operator/add.f32: 2 → 2 cells, note → fail",
        ),
        (
            |report| report.findings[0].sequences[0].places[0].settings.truncate(1),
            ClassChange { places: true, ..wrong.clone() },
            "2 → 2 cells, other places",
        ),
        (
            |report| report.findings[1].sequences[0].places[0].settings.truncate(1),
            ClassChange { places: true, ..refused },
            "2 → 2 cells, other places",
        ),
        (
            |report| report.findings[0].sequences[0].instructions.push("mul.f32".into()),
            ClassChange { instructions: true, ..wrong.clone() },
            "2 → 2 cells, other instructions",
        ),
        (
            |report| report.findings[0].classes = vec![Class { count: 3, ..classes::crashed() }],
            ClassChange { results: true, ..wrong },
            "2 → 2 cells, other results",
        ),
    ];
    for (changed, change, words) in changes {
        let (run, classes, said) = after(changed);
        assert_eq!((run, classes), (vec![], vec![change]));
        assert!(
            said.contains(": 1 class differs\n  ") && said.ends_with(&format!("{words}\n")),
            "{said}"
        );
    }
    // The order in which places and findings are told makes no difference.
    let mut before = sample();
    before.findings.push(finding("computed/operator/div.f32", Standing::Fail, Some("else")));
    let mut after = before.clone();
    after.findings.reverse();
    after.findings[0].sequences[0].places[0].settings.reverse();
    assert!(!before.compare(&after).unwrap().differs());
    // The class's gravest status is what it was, and another status is not.
    let mut after = before.clone();
    after.findings[2].status = Standing::Note;
    let said = terminal::compare::compilers([&before, &after], &before.compare(&after).unwrap());
    assert!(said.contains("div.f32: 4 → 4 cells, other statuses"), "{said}");
}

/// A shortened copy, which has only the first place of a note, differs from its report in nothing.
#[test]
fn a_shortened_copy_differs_in_nothing() {
    assert!(!sample().compare(&sample().compact()).unwrap().differs());
    assert!(!sample().compact().compare(&sample()).unwrap().differs());
    let mut graver = sample().compact();
    graver.findings[1].status = Standing::Fail;
    let comparison = sample().compact().compare(&graver).unwrap();
    let [change] = &comparison.classes[..] else { panic!("{comparison:?}") };
    assert!(change.status.is_some() && !change.places, "{change:?}");
    let mut other = sample().compact();
    other.findings[0].sequences[0].places =
        vec![TargetSettings { target: "sm_90".into(), settings: vec!["ftz".into()] }];
    assert!(sample().compare(&other).unwrap().differs());
}

#[test]
fn what_was_not_asked_alike_is_not_compared() {
    type Changed = fn(&mut CompilerReport);
    let changes: [(Changed, &str); 7] = [
        (|of| of.work.targets.push("sm_75".into()), "one has targets sm_90 and the other sm_75, sm_90"),
        (
            |of| drop(of.work.settings.insert("ftz".into(), vec!["-f".into()])),
            "one has settings ftz () and the other ftz (-f)",
        ),
        (
            |of| drop(of.work.settings.insert("fast".into(), vec![])),
            "one has settings (none of its own) and the other fast ()",
        ),
        (|of| of.work.seed = None, "one has seed 0x7 and the other none"),
        (|of| of.work.first = 9, "one has number of the first program 0 and the other 9"),
        (|of| of.work.vectors = 9, "one has number of vectors 16 and the other 9"),
        (|of| of.compiler.language = "ptx".into(), "one has language llvm-ir and the other ptx"),
    ];
    for (change, said) in changes {
        let mut other = sample();
        change(&mut other);
        let error = sample().compare(&other).unwrap_err();
        assert!(matches!(error, Unlike::Plan { .. }) && error.to_string().contains(said), "{error}");
    }
    let mut programs = sample();
    programs.work.sources = Sources::Programs;
    let error = sample().compare(&programs).unwrap_err();
    assert!(error.to_string().starts_with("one is about rows and the other about programs"), "{error}");
    let mut wrong = sample();
    wrong.totals.cells = 9;
    let error = sample().compare(&wrong).unwrap_err();
    assert!(error.to_string().starts_with("the later one contradicts itself"), "{error}");
}
