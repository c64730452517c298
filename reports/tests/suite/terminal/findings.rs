//! Tests of what a summary says of findings: wide rows, hostile texts, rules, causes.

use super::*;

/// In a command the bits of a row are a number, and those of a register have all their digits.
#[test]
fn commands_have_wide_rows_without_the_zeros_before_them() {
    let bits = |digits: &str, zeros: usize| format!("0x{}{digits}", "0".repeat(zeros));
    let mut report = failing();
    let class = &mut report.variants[1].classes[0];
    let operands = [bits("7", 15), bits("7", 16), bits("", 17)];
    class.examples[0].operands = operands.iter().map(|bits| scalar("a", "b64", bits, "", "")).collect();
    let text = summary(&report, &style());
    let command = "explain: cargo xtask explain mul.rn.ftz.f16 0x0000000000000007 0x7 0x0\n";
    assert!(text.contains(command), "{text}");
}

/// Commands begin as the suite was called; those of a page, which is kept, always alike.
#[test]
fn commands_name_the_program_as_the_style_says() {
    let style = Style { program: Some("conformance"), ..style() };
    let named = |text: &str| (text.contains("conformance replay target"), text.contains("cargo xtask"));
    assert_eq!(named(&summary(&failing(), &style)), (true, false));
    assert_eq!(
        named(&terminal::junit::page(&AnyReport::Implementation(failing().into()), &style)),
        (true, false)
    );
    let nothing = |_: &str, _: &Example| None;
    let [page, same] = [&style, &self::style()].map(|style| html::page(&failing(), style, &nothing));
    assert!(page == same && page.contains("cargo xtask replay target"));
}

/// All values of a packed register, which has eight at most, are shown; of a row with more, those that are not zero.
#[test]
fn zeros_are_left_out_of_rows_that_no_register_holds() {
    let row = |name: &str, bits: &[&str]| {
        let lanes = bits.iter().flat_map(|bits| scalar(name, "f16", bits, "", "").lanes).collect();
        Datum { lanes, ..scalar(name, "f16", "0xf00d", "", "") }
    };
    let mut report = failing();
    let classes = report.variants.iter_mut().flat_map(|variant| &mut variant.classes);
    for class in classes {
        class.simplest = None;
        for example in &mut class.examples {
            example.operands = vec![
                row("a", &["0x0", "0x11", "0x0", "0x0", "0x0", "0x0", "0x0", "0x44"]),
                row("b", &["0x0", "0x22", "0x0", "0x33", "0x0", "0x0", "0x0", "0x0", "0x0"]),
            ];
        }
    }
    let text = summary(&report, &style());
    let (_, from_a) = text.split_once("\n    a ").expect("an example");
    let (a, from_b) = from_a.split_once("\n    b ").expect("its other operand");
    let b = from_b.split("\n    expected").next().unwrap_or_default();
    let lanes = |of: &str| -> Vec<String> {
        let lines = of.lines().skip(1).filter(|line| line.starts_with("      "));
        lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    let all = ["0x0", "0x11", "0x0", "0x0", "0x0", "0x0", "0x0", "0x44"];
    let all: Vec<String> = (0..).zip(all).map(|(lane, bits)| format!("lane {lane} {bits}")).collect();
    assert_eq!(lanes(a), all);
    assert_eq!(lanes(b), ["lane 1 0x22", "lane 3 0x33", "and 7 zeros"]);
}

#[test]
fn texts_are_broken_for_others_as_in_a_summary() {
    assert_eq!(wrapped("one two three", 2, Some(20)), "  one two three\n");
    assert_eq!(wrapped("one two three four five", 2, Some(20)), "  one two three four\n  five\n");
    assert_eq!(wrapped("one two three four\u{a0}five", 2, Some(20)), "  one two three\n  four five\n");
}

/// A text of a report stays in its line, whatever it holds.
#[test]
fn texts_do_not_look_like_lines_of_the_summary() {
    let forged = "1.0\r\n\n9 variants agree with MPFR on 9 vectors.\u{85}\u{1b}[2J";
    let mut report = failing();
    let clean = summary(&report, &style()).lines().count();
    report.implementation.version = forged.into();
    report.reduced = vec![forged.into()];
    report.variants[0].reason = Some(forged.into());
    let text = summary(&report, &Style { color: true, ..style() });
    assert!(text.contains("9 variants agree") && text.lines().count() > clean, "{text}");
    assert!(!text.lines().any(|line| line.trim_start().starts_with("9 variants agree")), "{text}");
    assert!(!text.contains(['\r', '\u{85}']) && !text.contains("\u{1b}[2J"), "{text}");
}

/// The matrix has rules that are followed everywhere, here and there, and nowhere. For some families a rule
/// concerns no variant, or none that was run.
#[test]
fn rules_are_a_matrix() {
    let cell =
        |family: &str, variants, following| RuleCell { family: family.into(), variants, following };
    let row = |rule: &str, families: Vec<RuleCell>| RuleReport { rule: rule.into(), families };
    let rows = vec![
        row("flushes inputs", vec![cell("add sub", 20, 20), cell("fma mad", 16, 7), cell("mul", 0, 0)]),
        row("fuses", vec![cell("fma mad", 32, 0)]),
        row(
            "has all else right",
            vec![cell("add sub", 40, 40), cell("fma mad", 32, 32), cell("mul", 0, 0)],
        ),
    ];
    let report = Report { rules: rows, ..agreeing() };
    for (columns, file) in [(None, "rules"), (Some(40), "rules-40")] {
        let text = terminal::rules(&report, &Style { columns, ..style() });
        within(columns.unwrap_or(100), &text);
        expected(file, &text);
    }
    // Where the page is one column too narrow for the table, there are sentences.
    let at = |columns| terminal::rules(&report, &Style { columns: Some(columns), ..style() });
    let widest = at(100).lines().rev().take(4).map(|line| line.chars().count()).max().expect("a table");
    assert!(at(widest).contains("\n  fuses                     –     none\n"), "{}", at(widest));
    assert!(at(widest - 1).contains("\n  fuses: fma mad none\n"), "{}", at(widest - 1));
    let without = terminal::rules(&agreeing(), &style());
    assert_eq!(without, "The report says nothing about rules.\n");
}

/// Where there are more classes than are printed, causes come first, those of most variants before others.
#[test]
fn causes_of_many_classes_come_first() {
    let explained = |number: usize, flaw: &str, ignores: &[&str]| {
        let mut variant = failing().variants.into_iter().find(|v| !v.classes.is_empty()).unwrap();
        variant.variant = format!("add.v{number}");
        variant.classes.truncate(1);
        variant.classes[0].id = format!("add.v{number}/number");
        variant.classes[0].waiver = None;
        variant.status = Status::Fail;
        variant.classes[0].explanation = Some(Explanation {
            flaws: vec![flaw.into()],
            words: format!("{flaw} in words"),
            mismatches: 1,
            agreeing: 1,
            ignores: ignores.iter().map(|of| of.to_string()).collect(),
            ..Explanation::default()
        });
        variant
    };
    let one = (0..3).map(|number| explained(number, "unfused", &[]));
    let two = (3..20).map(|number| explained(number, "rz-ignored", &[".rz"]));
    let three = (20..24).map(|number| explained(number, "ftz-ignored", &[".ftz", ".rz"]));
    let report = Report { variants: one.chain(two).chain(three).collect(), ..failing() };
    let text = summary(&report, &style());
    let first = "behind 24 classes:\n  17 variants: ignores .rz\n  4 variants: ignores .ftz .rz\n  3 variants: unfused in words\n";
    assert!(text.contains(first), "{text}");
}
