//! Tests of reports that contradict themselves, and of those that do not.

use std::path::{Path, PathBuf};

use reports::compilers::Standing;
use reports::{AnyReport, Campaign, Report, Status, load_any};

use crate::{compilers, samples};

/// Collects all files with a name that ends in `.json`, however deep.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
}

#[test]
fn what_is_published_agrees_with_itself() {
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("published"), &mut paths);
    let [mut implementations, mut of_compilers] = [0, 0];
    for path in paths {
        // Scores of the suite's vectors and records of functions are of other forms.
        let Ok(report) = load_any(&path) else { continue };
        assert_eq!(report.contradictions(), Vec::<String>::new(), "{}", path.display());
        *match report {
            AnyReport::Implementation(_) => &mut implementations,
            AnyReport::Compiler(_) => &mut of_compilers,
        } += 1;
    }
    assert!(implementations >= 24 && of_compilers >= 8, "{implementations}, {of_compilers}");
}

#[test]
fn the_reports_of_these_tests_agree_with_themselves() {
    for report in [
        samples::agreeing(),
        samples::failing(),
        samples::fuzzed(),
        samples::partial(),
        samples::interrupted(),
        samples::crowded(),
    ] {
        assert_eq!(report.contradictions(), Vec::<String>::new());
        assert_eq!(report.compact().contradictions(), Vec::<String>::new());
    }
    let report = compilers::sample();
    assert_eq!(report.contradictions(), Vec::<String>::new());
    assert_eq!(report.compact().contradictions(), Vec::<String>::new());
}

/// Returns the contradictions of a report that is right but for one change.
fn after(change: impl FnOnce(&mut Report)) -> Vec<String> {
    let mut report = samples::failing();
    change(&mut report);
    report.contradictions()
}

#[test]
fn a_report_is_held_against_itself() {
    let (first, second) = ("fma.rn.f16", "mul.rn.ftz.f16");
    type Changed = fn(&mut Report);
    let changes: [(Changed, &str); 18] = [
        (|of| of.totals.failed = 0, "`totals.failed` is 0, and the variants give 3"),
        (|of| of.totals.vectors -= 1, "`totals.vectors` is"),
        (|of| of.totals.variants += 1, "`totals.variants` is 7, and the variants give 6"),
        (|of| of.variants.clear(), "`totals.passed` is 1, and the variants give 0"),
        (|of| of.variants.push(of.variants[0].clone()), "variant fma.rn.f16 is listed twice"),
        (|of| of.variants[0].mismatches = 77, "FIRST: `mismatches` is 77, and its sweeps give 0"),
        (
            |of| of.variants[0].sweeps[0].mismatches = 7,
            "FIRST: `mismatches` is 0, and its sweeps give 7",
        ),
        (|of| of.variants[0].vectors = 1, "FIRST: `vectors` is 1, and its sweeps give 4,294,967,296"),
        (|of| of.variants[0].unanswered = 1, "FIRST: `unanswered` is 1, and its sweeps give 0"),
        (|of| of.variants[0].sweeps[0].planned = 1, "FIRST: sweep pairs has more vectors than planned"),
        (|of| of.variants[0].status = Status::Incomplete, "FIRST: `status` is incomplete"),
        (
            |of| of.variants[1].status = Status::Pass,
            "SECOND: `status` is pass, which does not follow from its counts",
        ),
        (|of| of.variants[1].status = Status::Waived, "SECOND: `status` is waived"),
        (
            |of| of.variants[1].classes[0].count += 1,
            "SECOND: `mismatches` is 12,001, and its classes give 12,002",
        ),
        (
            |of| of.variants[1].classes[1].id = of.variants[1].classes[0].id.clone(),
            "class mul.rn.ftz.f16/not-flushed is listed twice",
        ),
        (
            |of| of.variants[1].classes[0].explanation.as_mut().unwrap().parts[0].id.clear(),
            "SECOND: class mul.rn.ftz.f16/not-flushed is explained by `flaws` that are not those of its `parts`",
        ),
        (|of| of.variants[2].accuracy[0].histogram[0] += 1, "`results of |a| up to 2 pi` is 1,000,000"),
        (|of| of.variants[2].max_ulp = None, "`max_ulp` is not the largest error of its ranges"),
    ];
    for (change, said) in changes {
        let said = said.replace("FIRST", first).replace("SECOND", second);
        let found = after(change);
        assert!(found.iter().any(|line| line.contains(&said)), "{said}: {found:?}");
    }
    // An unsupported variant has neither vectors nor mismatches.
    let said = "add.rn.f32.bf16: `status` is unsupported";
    let changes: [Changed; 2] = [|of| of.variants[5].vectors = 1, |of| of.variants[5].mismatches = 1];
    for change in changes {
        let found = after(change);
        assert!(found.iter().any(|line| line.starts_with(said)), "{found:?}");
    }
    let mut report = samples::failing();
    report.totals.failed = 0;
    assert_eq!(AnyReport::Implementation(Box::new(report)).contradictions().len(), 1);
    // Something is said about any counts at all, and nothing overflows.
    let found = after(|report| {
        for variant in &mut report.variants {
            (variant.vectors, variant.unanswered, variant.mismatches) = (u64::MAX, u64::MAX, u64::MAX);
        }
    });
    assert!(found.len() > 6);
}

#[test]
fn a_campaign_is_held_against_the_rest() {
    type Changed = fn(&mut Report, &mut Campaign);
    let changes: [(Changed, &str); 7] = [
        (|of, _| of.plan.tier = "quick".into(), "there is a `campaign`, and `plan.tier` is not fuzz"),
        (|_, of| of.artifacts[1].file = of.artifacts[0].file.clone(), "f16-not-flushed is listed twice"),
        (|_, of| of.artifacts[0].class = None, "f16-not-flushed: its `status` is fails"),
        (|_, of| of.artifacts[1].reason = Some("late".into()), "f16-ulp-above: its `status` is agrees"),
        (|_, of| of.artifacts[2].variant = None, "crash-1: its `status` is untested"),
        (|_, of| drop(of.causes.pop()), "`campaign.causes` do not name each failing class"),
        (|_, of| of.causes.push(of.causes[0].clone()), "`campaign.causes` do not name"),
    ];
    for (change, said) in changes {
        let mut report = samples::fuzzed();
        let mut campaign = report.campaign.take().unwrap();
        change(&mut report, &mut campaign);
        let found = Report { campaign: Some(campaign), ..report }.contradictions();
        assert!(found.iter().any(|line| line.contains(said)), "{said}: {found:?}");
    }
    let found = Report { campaign: None, ..samples::fuzzed() }.contradictions();
    assert_eq!(found, ["`plan.tier` is fuzz, and there is no `campaign`"]);
}

/// A mismatch that is tried again, and then is another, is counted as both.
#[test]
fn there_may_be_more_mismatches_than_vectors() {
    let variant = samples::passing("mul.rn.ftz.f16", 1);
    let classes = vec![samples::classes::waived("mul.rn.ftz.f16/unstable", 2, "It flickers.")];
    let variant = reports::VariantReport { status: Status::Waived, mismatches: 2, classes, ..variant };
    let report = samples::report(vec![samples::counted_in_its_sweep(variant)]);
    assert_eq!(report.contradictions(), Vec::<String>::new());
}

#[test]
fn what_is_not_at_its_end_is_not_complete() {
    let mut report = samples::interrupted();
    report.complete = true;
    assert_eq!(
        report.contradictions(),
        ["`complete` is true, but some variants were not tested to their end"]
    );
}

#[test]
fn a_shortened_copy_alone_may_lack_variants() {
    let mut copy = samples::failing().compact();
    assert!(copy.totals.variants as usize > copy.variants.len());
    copy.reduced.clear();
    assert_eq!(copy.contradictions().len(), 2, "{:?}", copy.contradictions());
    let mut copy = samples::failing().compact();
    copy.variants.remove(0);
    assert!(!copy.contradictions().is_empty(), "one that passes is not left out");
}

#[test]
fn a_compiler_s_report_is_held_against_itself() {
    type Changed = fn(&mut reports::CompilerReport);
    let changes: [(Changed, &str); 12] = [
        (|of| of.totals.cells = 5, "`totals.cells` is 5, and their outcomes give 4"),
        (
            |of| (of.complete, of.totals.cells) = (false, 3),
            "`totals.cells` is 3, and their outcomes give 4",
        ),
        (
            |of| (of.totals.right, of.totals.wrong) = (4, 0),
            "computed/operator/div.f32: `totals` counts no such cell",
        ),
        (
            |of| (of.totals.right, of.totals.wrong) = (4, 0),
            "refused/operator/add.f32: `totals` counts no such cell",
        ),
        (|of| of.findings[0].class = "illegal/x".into(), "illegal/x: `totals` counts no such cell"),
        (
            |of| of.findings[0].class = "unexecuted/x".into(),
            "unexecuted/x: `totals` counts no such cell",
        ),
        (|of| of.totals.selected = 3, "`totals.selected` is more than"),
        (
            |of| of.findings.retain(|finding| finding.kind() == "refused"),
            "`totals.wrong` is more than 0",
        ),
        (|of| of.findings[0].class = "died/x".into(), "died/x: `totals` counts no such cell"),
        (
            |of| of.findings[0].status = Standing::Waived,
            "computed/operator/div.f32: it is `waived` without",
        ),
        (|of| of.work.targets.clear(), "computed/operator/div.f32: its target or setting"),
        (|of| of.findings[0].mismatches = 11, "computed/operator/div.f32: it has more mismatches than"),
    ];
    for (change, said) in changes {
        let mut report = compilers::sample();
        change(&mut report);
        let found = report.contradictions();
        assert!(found.iter().any(|line| line.starts_with(said)), "{said}: {found:?}");
    }
    let agreeing: [Changed; 6] = [
        // A run that was stopped knows nothing of some cells.
        |of| (of.complete, of.totals.cells) = (false, 5),
        |of| (of.complete, of.totals.cells) = (false, 4),
        // All right cells have the promised instruction, or all cells are right.
        |of| of.totals.selected = 2,
        |of| {
            (of.totals.right, of.totals.wrong) = (4, 0);
            of.findings.clear();
        },
        |of| (of.findings[1].class, of.findings[1].cells) = ("died/x".into(), 0),
        // Every vector is wrong; for two functions no number of vectors is told.
        |of| (of.findings[0].mismatches, of.findings[1].vectors) = (10, 0),
    ];
    for (number, change) in agreeing.iter().enumerate() {
        let mut report = compilers::sample();
        change(&mut report);
        assert_eq!(report.contradictions(), Vec::<String>::new(), "{number}");
    }
}
