//! Tests of reports where GitHub shows them: in Markdown, and as commands to its runner.

use reports::compilers::Standing;
use reports::terminal::markdown::{COMMENT, LEAST};
use reports::terminal::{annotations, markdown};
use reports::*;

use crate::compilers::{finding, sample};
use crate::samples;
use crate::terminal::expected;

fn style() -> Style {
    Style { replay: Some("report.json".into()), ..Style::default() }
}

fn of(report: Report) -> AnyReport {
    AnyReport::Implementation(Box::new(report))
}

fn page(report: Report, most: usize) -> String {
    markdown::page(&of(report), &style(), most)
}

#[test]
fn a_page_begins_with_what_came_of_it_and_ends_with_what_is_left_out() {
    let text = page(samples::failing(), COMMENT);
    assert!(text.starts_with("### PTX conformance: something disagrees\n\n```text\n"), "{text}");
    for part in [
        "| instruction | agree | disagree | waived | unsupported |",
        "| <code>fma</code> |",
        "<details><summary><code>subnormal results are kept, in spite of &#96;.ftz&#96;: 1 variant",
        "  replay: cargo xtask replay report.json --class mul.rn.ftz.f16/not-flushed",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    assert!(!text.contains("in the report"), "{text}");
    assert!(page(samples::agreeing(), COMMENT).starts_with("### PTX conformance: everything agrees\n"));
    assert!(page(samples::interrupted(), COMMENT).contains(": not run to the end\n"));
    let causes = causes::groups(&samples::crowded().variants).len();
    let text = page(samples::crowded(), LEAST);
    let shown = text.matches("<details>").count();
    assert!(0 < shown && shown < causes, "{shown} of {causes}");
    assert!(text.ends_with(&format!("\n{} more causes are in the report.\n", causes - shown)), "{text}");
}

#[test]
fn pages_are_as_expected() {
    expected("failing.md", &page(samples::failing(), COMMENT));
}

/// The table and the causes are there as long as there is room for them and for the line that counts the rest,
/// whatever that counts.
#[test]
fn what_just_fits_is_there() {
    let spare = "\n18,446,744,073,709,551,615 more causes are in the report.\n".len();
    let whole = page(samples::agreeing(), COMMENT).len() + spare;
    let has_table = |most| page(samples::agreeing(), most).contains("\n| instruction |");
    assert!(has_table(whole) && !has_table(whole - 1));
    let whole = page(samples::failing(), COMMENT).len() + spare;
    let causes = |most| page(samples::failing(), most).matches("<details>").count();
    assert_eq!([causes(whole - 1), causes(whole)], [4, 5]);
}

#[test]
fn a_page_is_never_longer_than_it_may_be() {
    let mut large = samples::crowded();
    large.implementation.name = "x".repeat(100_000);
    large.reduced = vec!["y".repeat(50_000); 100];
    large.variants[0].variant = "z".repeat(100_000);
    for report in [samples::failing(), samples::crowded(), large] {
        for most in [LEAST, 5_000, 10_000, COMMENT, 900_000] {
            let text = page(report.clone(), most);
            assert!(text.len() <= most, "{} of {most}", text.len());
            assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
        }
    }
}

#[test]
fn what_a_report_says_is_no_markdown() {
    let hostile = "```\n</details> @everyone <img src=x> | [a](b) *c* \u{1b}[31m\u{202e}";
    let mut report = samples::failing();
    report.implementation.name = hostile.into();
    report.variants[1].classes[0].diagnosis = hostile.into();
    report.variants[1].classes[0].explanation.as_mut().unwrap().words = hostile.into();
    report.variants[0].variant = format!("{hostile}.f16");
    let text = page(report, COMMENT);
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text}");
    // No text outside of fences has any of the hostile marks.
    let (mut fence, mut outside) = (None, String::new());
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if ticks > 2 => fence = Some(ticks),
            None => outside = outside + line + "\n",
            Some(open) if ticks >= open && line.len() == ticks => fence = None,
            Some(_) => {}
        }
    }
    assert_eq!(fence, None, "a fence is open: {text}");
    for part in ["@everyone", "<img", "[a](b)", "*c*", "`"] {
        assert!(!outside.contains(part), "{part} in {outside}");
    }
    assert_eq!(outside.matches("</details>").count(), outside.matches("<details>").count());
}

#[test]
fn the_runner_is_told_a_line_for_each_cause() {
    let text = annotations::commands(&of(samples::failing()), &style());
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("::error title=PTX conformance::") && lines[0].contains("disagree"));
    let cause = "::error title=subnormal results are kept%2C in spite of `.ftz`%3A 1 variant%2C";
    assert!(lines[1].starts_with(cause), "{}", lines[1]);
    assert!(lines[1].contains("%0A  replay: cargo xtask replay report.json"), "{}", lines[1]);
    let mut many = samples::failing();
    let class = Class { explanation: None, ..many.variants[1].classes[0].clone() };
    let named = |number| Class { id: format!("mul.rn.ftz.f16/kind-{number}"), ..class.clone() };
    many.variants[1].classes = (0..20).map(named).collect();
    let text = annotations::commands(&of(many), &style());
    assert_eq!(text.lines().filter(|line| line.starts_with("::error title=")).count(), 10);
    assert_eq!(text.lines().count(), 10, "GitHub shows no more of a step");
    let text = annotations::commands(&of(samples::agreeing()), &style());
    assert!(text.starts_with("::notice title=") && text.lines().count() == 1, "{text}");
    let text = annotations::commands(&of(samples::interrupted()), &style());
    assert!(text.starts_with("::error title="), "what has not ended is no success: {text}");
}

#[test]
fn the_runner_takes_no_command_of_a_report() {
    let mut report = samples::failing();
    report.implementation.name = "x\n::set-output name=a::b\r::stop-commands::y%".into();
    report.variants[1].classes[0].diagnosis = "%0A::error::forged\n::error::forged".into();
    let text = annotations::commands(&of(report), &style());
    assert!(text.lines().all(|line| line.starts_with("::error title=")), "{text}");
    assert!(text.contains("%250A"), "{text}");
}

#[test]
fn reports_of_compilers_are_shown_too() {
    let mut report = sample();
    report.findings = vec![
        finding("computed/operator/div.f32", Standing::Fail, Some("at 1 / 3")),
        finding("selected/operator/add.f32", Standing::Note, None),
    ];
    report.stale = vec!["a waiver covers nothing".into()];
    let report = AnyReport::Compiler(Box::new(report));
    let text = markdown::page(&report, &style(), COMMENT);
    assert!(
        text.contains("<summary><code>computed/operator/div.f32: 2 cells</code></summary>"),
        "{text}"
    );
    assert!(text.contains("a waiver covers nothing") && !text.contains("| instruction"), "{text}");
    assert_eq!(annotations::commands(&report, &style()).lines().count(), 3);
}
