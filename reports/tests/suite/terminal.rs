//! Tests of the text of a report. The expected texts stand in `tests/golden/`.

mod findings;
mod limits;

use reports::*;

use crate::samples::classes::scalar;
use crate::samples::{agreeing, crowded, failing, fuzzed, interrupted, partial, passing, report};

fn style() -> Style {
    Style { replay: Some("target/conformance/report.json".into()), ..Style::default() }
}

/// Compares the summary, as it is where there is no terminal and on narrow ones, with the expected texts.
fn golden(name: &str, report: &Report) {
    for (columns, file) in
        [(None, name.to_owned()), (Some(80), format!("{name}-80")), (Some(40), format!("{name}-40"))]
    {
        let text = summary(report, &Style { columns, ..style() });
        within(columns.unwrap_or(100), &text);
        expected(&file, &text);
        // A wider terminal than lines are long is as good as none.
        assert_eq!(summary(report, &Style { columns: Some(120), ..style() }), summary(report, &style()));
    }
}

/// Compares a text with the one that is expected, or writes that anew where `UPDATE_GOLDEN` is set.
pub fn expected(file: &str, text: &str) {
    let path = format!("{}/tests/golden/{file}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        text == expected,
        "this differs from {path}; if it is meant: UPDATE_GOLDEN=1 cargo test -p ptx-conformance-reports\n\n{text}"
    );
}

/// Checks what holds for every text without colour.
fn checked(text: &str) {
    within(100, text);
}

/// Checks what holds for a text without colour for a terminal of so many columns.
fn within(columns: usize, text: &str) {
    assert!(!text.contains('\x1b'));
    assert!(text.ends_with('\n'));
    for line in text.lines() {
        assert_eq!(line, line.trim_end());
        // Commands and names stay whole, for whoever copies them.
        let first = line.split(' ').next().unwrap_or_default();
        let copied = ["replay: ", "explain: "].iter().any(|word| line.trim_start().starts_with(word))
            || !line.trim_start().contains(' ')
            || first.contains('/');
        assert!(copied || line.chars().count() <= columns, "{} columns: {line}", line.chars().count());
    }
}

fn last_line(report: &Report) -> String {
    let text = summary(report, &style());
    checked(&text);
    text.lines().last().unwrap().to_owned()
}

#[test]
fn an_agreement() {
    golden("agreeing", &agreeing());
}

#[test]
fn mismatches() {
    golden("failing", &failing());
}

#[test]
fn what_fuzzing_kept() {
    golden("fuzzed", &fuzzed());
}

/// An artifact that cannot be read is no agreement: whoever cannot read what was found cannot say that it is gone.
#[test]
fn an_artifact_that_cannot_be_read_is_no_agreement() {
    let Report { mut campaign, plan, .. } = fuzzed();
    let fuzzed = Report { campaign: campaign.clone(), plan: plan.clone(), ..agreeing() };
    assert_eq!(fuzzed.verdict(), Verdict::Incomplete);
    assert!(last_line(&fuzzed).ends_with("vectors; 1 artifact could not be read."));
    campaign.as_mut().unwrap().artifacts.pop();
    assert_eq!(Report { campaign, plan, ..agreeing() }.verdict(), Verdict::Agree);
}

/// The verdict, where nothing else is asked for, is the last line of the summary.
#[test]
fn the_verdict_alone_is_the_last_line() {
    for report in [agreeing(), failing(), interrupted()] {
        let alone = verdict_of(&report, &style());
        assert_eq!(alone.lines().collect::<Vec<_>>(), [last_line(&report)]);
    }
}

/// A run that did not reach its end says so, even where no variant has a part of what was not tried, and nobody
/// knows how much that is.
#[test]
fn a_run_that_did_not_reach_its_end_says_so() {
    let said = last_line(&Report { complete: false, ..agreeing() });
    assert!(said.starts_with("Not run to the end: no mismatch in "), "{said}");
}

/// The table keeps its width with an approximation that is off by hundreds of powers of ten, and a count as long as
/// they get.
#[test]
fn the_table_keeps_its_width() {
    let mut variants = vec![passing("ex2.approx.f32", 1 << 50), passing("cvt.f32.f64", u64::MAX)];
    variants[0].max_ulp = Some(1.5e300);
    let text = summary(&report(variants), &style());
    checked(&text);
    assert!(text.contains("1.500e300") && text.contains("18,446,744,073,709,551,615"), "{text}");
}

/// Lines fit a terminal of 80 columns or 20, with whatever a report has.
#[test]
fn lines_fit_a_narrow_terminal() {
    let mut wide = vec![passing("ex2.approx.f32", 1 << 50), passing("cvt.f32.f64", u64::MAX)];
    wide[0].max_ulp = Some(1.5e300);
    for report in [agreeing(), failing(), interrupted(), partial(), report(wide), report(vec![])] {
        for columns in [20, 80] {
            within(columns, &summary(&report, &Style { columns: Some(columns), ..style() }));
        }
        let broad = Style { columns: Some(500), ..style() };
        assert_eq!(summary(&report, &broad), summary(&report, &style()));
    }
}

#[test]
fn something_of_everything() {
    golden("crowded", &crowded());
}

/// A terminal that is narrower by one column changes no paragraph in which no line needed that column.
#[test]
fn lines_are_broken_only_where_they_have_to_be() {
    for report in [failing(), crowded()] {
        let at = |columns| summary(&report, &Style { columns: Some(columns), ..Style::default() });
        let mut narrower = at(20);
        for columns in 21..=100 {
            let text = at(columns);
            assert_eq!(text.split("\n\n").count(), narrower.split("\n\n").count());
            for (paragraph, narrower) in text.split("\n\n").zip(narrower.split("\n\n")) {
                let needed = paragraph.lines().any(|line| line.chars().count() == columns);
                // All values of a mismatch go below their labels at once.
                let below = "\n      0x";
                let needed = needed || narrower.contains(below) && !paragraph.contains(below);
                assert!(needed || paragraph == narrower, "{columns} columns:\n{paragraph}");
            }
            // A class's name may be longer, and then stands alone.
            let too_long = text.lines().find(|line| line.chars().count() > columns);
            assert!(too_long.is_none_or(|line| !line.contains(' ')), "{columns} columns: {too_long:?}");
            narrower = text;
        }
    }
}

#[test]
fn an_interrupted_run() {
    golden("interrupted", &interrupted());
}

#[test]
fn vectors_without_a_result() {
    golden("partial", &partial());
}

#[test]
fn the_verdict_is_the_last_line() {
    assert_eq!(last_line(&report(vec![])), "Nothing was tested: no variant was selected.");
    let one = vec![passing("add.rn.f16", 1)];
    assert_eq!(last_line(&report(one.clone())), "1 variant agrees with MPFR on 1 vector.");
    let mut reduced = report(one);
    reduced.reduced = vec!["Only a part.".into()];
    assert_eq!(last_line(&reduced), "1 variant agrees with MPFR on 1 vector (reduced run).");
    let mut unsupported = passing("add.rn.f16", 0);
    unsupported.status = Status::Unsupported;
    assert_eq!(
        last_line(&report(vec![unsupported.clone()])),
        "Nothing was tested: 1 of 1 variant unsupported."
    );
    assert_eq!(
        last_line(&report(vec![passing("add.rn.bf16", 1000), unsupported])),
        "1 variant agrees with MPFR on 1,000 vectors; 1 unsupported."
    );
    let mut stale = passing("add.rn.f16", 5);
    stale.status = Status::Fail;
    assert_eq!(last_line(&report(vec![stale.clone()])), "1 of 1 variant fails.");
    assert_eq!(last_line(&report(vec![stale.clone(), stale.clone()])), "2 of 2 variants fail.");
    let wrong = VariantReport { mismatches: 1, ..stale.clone() };
    assert_eq!(last_line(&report(vec![wrong.clone()])), "1 of 1 variant disagrees: 1 mismatch.");
    let mut unfinished = report(vec![wrong, stale]);
    unfinished.complete = false;
    let text = "2 of 2 variants disagree: 1 mismatch; not run to the end.";
    assert_eq!(last_line(&unfinished), text);
    // Variants that an implementation does not have cannot disagree.
    let lacking = VariantReport { status: Status::Unsupported, ..passing("add.rn.f16", 0) };
    let mut of_two = report([vec![lacking; 3], unfinished.variants].concat());
    let text = "2 of 2 variants disagree: 1 mismatch; 3 unsupported.";
    assert_eq!(last_line(&of_two), text);
    of_two.complete = false;
    let text = "2 of 2 variants disagree: 1 mismatch; 3 unsupported; not run to the end.";
    assert_eq!(last_line(&of_two), text);
    let waived = VariantReport { status: Status::Waived, ..passing("add.rn.f16", 5) };
    assert_eq!(
        last_line(&report(vec![waived.clone(), passing("add.rn.bf16", 5)])),
        "2 variants agree with MPFR on 10 vectors, apart from the waived mismatches of 1 of them."
    );
    assert_eq!(
        last_line(&report(vec![waived.clone(), waived.clone()])),
        "2 variants agree with MPFR on 10 vectors, apart from their waived mismatches."
    );
    assert_eq!(
        last_line(&report(vec![waived])),
        "1 variant agrees with MPFR on 5 vectors, apart from its waived mismatches."
    );
    assert_eq!(
        last_line(&report(vec![passing("add.rn.f16", 0)])),
        "Nothing was tested: no vector was planned for 1 variant."
    );
}

#[test]
fn the_verdict_names_what_judged() {
    let by_model = VariantReport { judge: Judge::Model, ..passing("mma.f16", 5) };
    let untested = VariantReport { status: Status::Unsupported, ..passing("mma.bf16", 0) };
    let verdict = |variants: Vec<VariantReport>| {
        let mut report = report(variants);
        report.plan.model = Some("sm_90".into());
        last_line(&report)
    };
    assert_eq!(
        verdict(vec![by_model.clone(), untested.clone(), untested.clone()]),
        "1 variant agrees with the model of sm_90 on 5 vectors; 2 unsupported."
    );
    assert_eq!(
        verdict(vec![by_model, passing("add.rn.f16", 5)]),
        "2 variants agree with MPFR, or the model of sm_90 on 10 vectors."
    );
    assert_eq!(
        verdict(vec![passing("add.rn.f16", 5), untested]),
        "1 variant agrees with MPFR on 5 vectors; 1 unsupported."
    );
}

#[test]
fn long_names_keep_the_width_and_are_whole() {
    let name = "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0";
    let mut variant = passing(name, u64::MAX / 4);
    variant.status = Status::Fail;
    variant.mismatches = u64::MAX / 4;
    variant.reason = Some("because ".repeat(40));
    let id = format!("{name}/wrong");
    let diagnosis = "wrong ".repeat(40);
    variant.classes = vec![Class {
        pattern: None,
        id: id.clone(),
        diagnosis,
        count: 3,
        explanation: None,
        simplest: None,
        waiver: None,
        examples: vec![],
    }];
    let text = summary(&report(vec![variant]), &style());
    checked(&text);
    assert!(text.contains(&format!("\n  {name}\n")), "{text}");
    assert!(text.contains(&format!("\n{id}\n  3 mismatches\n")), "{text}");
}

#[test]
fn colour_only_adds_codes() {
    let colored = summary(&failing(), &Style { color: true, ..style() });
    assert!(colored.contains("\x1b[1;31mFAIL"));
    let mut plain = String::new();
    let mut rest = &colored[..];
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain += before;
        rest = after.split_once('m').unwrap().1;
    }
    plain += rest;
    assert_eq!(plain, summary(&failing(), &style()));
}

/// The expected texts have colours by their names, because nobody reads the codes.
#[test]
fn what_is_wrong_is_red_and_what_is_right_green() {
    for (name, report) in [("failing", failing()), ("interrupted", interrupted())] {
        let text = summary(&report, &Style { color: true, columns: Some(80), ..style() });
        let codes = [("1", "bold"), ("1;31", "red"), ("32", "green"), ("33", "yellow"), ("0", "")];
        let text = codes.iter().fold(text, |text, (code, name)| {
            text.replace(&format!("\x1b[{code}m"), &format!("<{name}>"))
        });
        expected(&format!("{name}-coloured"), &text);
    }
}

/// A table has at least 11 columns for names, and bits and values have 24; with less they stand below each other.
#[test]
fn what_does_not_fit_beside_stands_below() {
    let at = |columns| summary(&crowded(), &Style { columns: Some(columns), ..style() });
    for (columns, beside, below) in [
        (
            77,
            "\n  instruction  variants  result       vectors  mismatches  no result  max ulp\n",
            "\nop21",
        ),
        (45, "\n    a           f32  0x3fc00000  1.5\n", "\n    a f32\n      0x3fc00000\n"),
    ] {
        let (wide, narrow) = (at(columns), at(columns - 1));
        assert!(wide.contains(beside) && !wide.contains(below), "{wide}");
        assert!(narrow.contains(below) && !narrow.contains(beside), "{narrow}");
    }
}
