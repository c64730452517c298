//! Tests of which rules concern a variant, and which of them a class breaks.

use reports::{Class, Explanation, RuleReport, VariantReport};

use super::*;

/// Returns the report of a run of one variant that found these classes, each with the end of its name and the flaws
/// that explain it.
fn run(text: &str, classes: &[(&str, &[&str])]) -> VariantReport {
    let mut variants = built(&plan(vec![task(text, "uniform", 10)]), vec![asked(10)]).variants;
    let explanation = |flaws: &[&str]| Explanation {
        flaws: flaws.iter().map(|&flaw| flaw.into()).collect(),
        words: "so it is".into(),
        mismatches: 1,
        agreeing: 1,
        ignores: Vec::new(),
        ..Explanation::default()
    };
    let class = |&(kind, flaws): &(&str, &[&str])| Class {
        id: format!("{text}/{kind}"),
        diagnosis: String::new(),
        count: 1,
        explanation: (!flaws.is_empty()).then(|| explanation(flaws)),
        pattern: None,
        simplest: None,
        waiver: None,
        examples: Vec::new(),
    };
    variants[0].classes = classes.iter().map(class).collect();
    variants.remove(0)
}

/// Returns the rules that were tested, each with its family, in how many variants it was tested, and how many of them
/// follow it.
fn tested(variants: &[VariantReport]) -> Vec<(String, String, u64, u64)> {
    let rules: Vec<RuleReport> = crate::report::rules::of_run(variants);
    let cells = rules.into_iter().flat_map(|RuleReport { rule, families }| {
        families.into_iter().map(move |cell| (rule.clone(), cell.family, cell.variants, cell.following))
    });
    cells.filter(|(_, _, variants, _)| *variants > 0).collect()
}

/// Returns the family of a variant and the rules that concern it, but for the first and the last, which concern every
/// variant.
fn concern(text: &str) -> (String, Vec<String>) {
    let cells = tested(&[run(text, &[])]);
    assert!(cells.iter().all(|(_, family, ..)| *family == cells[0].1), "{text}: {cells:?}");
    assert!(cells.iter().all(|&(_, _, variants, following)| (variants, following) == (1, 1)));
    let mut rules: Vec<String> = cells.iter().map(|(rule, ..)| rule.clone()).collect();
    assert_eq!(rules.remove(0), "computes the operation", "{text}");
    assert_eq!(rules.pop().as_deref(), Some("has all else right"), "{text}");
    (cells[0].1.clone(), rules)
}

const LANES: &str = "computes all lanes";
const INPUTS: &str = "flushes inputs";
const RESULTS: &str = "flushes results";
const SUBNORMALS: &str = "keeps subnormals";
const FUSES: &str = "fuses";
const DIRECTION: &str = "honours the direction";
const NEAREST: &str = "rounds to nearest, once";
const OVERFLOW: &str = "overflows as it should";
const SATURATES: &str = "saturates";
const RELU: &str = "clamps by .relu";
const LIMITS: &str = "has integers' limits";
const NAN: &str = "has the right NaN";
const ZERO: &str = "has the sign of zero";

/// A rule concerns the variants for which the manual has what it is about.
#[test]
fn a_rule_concerns_the_variants_that_it_is_of() {
    for (text, family, rules) in [
        ("add.rn.f64", "add sub", &[SUBNORMALS, NEAREST, OVERFLOW, NAN, ZERO][..]),
        ("sub.rm.ftz.f32", "add sub", &[INPUTS, RESULTS, DIRECTION, OVERFLOW, NAN, ZERO]),
        ("mul.rn.bf16x2", "mul", &[LANES, SUBNORMALS, NEAREST, OVERFLOW, NAN, ZERO]),
        ("fma.rn.f32", "fma mad", &[SUBNORMALS, FUSES, NEAREST, OVERFLOW, NAN, ZERO]),
        (
            "fma.rz.ftz.sat.f32",
            "fma mad",
            &[INPUTS, RESULTS, FUSES, DIRECTION, OVERFLOW, SATURATES, NAN, ZERO],
        ),
        (
            "fma.rn.relu.f16x2",
            "fma mad",
            &[LANES, SUBNORMALS, FUSES, NEAREST, OVERFLOW, RELU, NAN, ZERO],
        ),
        ("sqrt.rp.f64", "div rcp sqrt", &[SUBNORMALS, DIRECTION, OVERFLOW, NAN, ZERO]),
        ("sin.approx.f32", "approximations", &[SUBNORMALS, NAN, ZERO]),
        ("min.f32", "min max", &[SUBNORMALS, NAN, ZERO]),
        ("min.ftz.f32", "min max", &[INPUTS, NAN, ZERO]),
        ("neg.f64", "signs", &[SUBNORMALS, NAN, ZERO]),
        ("cvt.rn.f16.f32", "convert", &[SUBNORMALS, NEAREST, OVERFLOW, NAN, ZERO]),
        ("cvt.rn.satfinite.e4m3x2.f32", "convert", &[LANES, SUBNORMALS, NEAREST, SATURATES, NAN, ZERO]),
        ("cvt.rzi.s32.f32", "convert", &[DIRECTION, LIMITS, NAN]),
        ("cvt.rni.ftz.u16.f32", "convert", &[INPUTS, NEAREST, LIMITS, NAN]),
    ] {
        assert_eq!(
            concern(text),
            (family.into(), rules.iter().map(|&rule| rule.into()).collect()),
            "{text}"
        );
    }
    assert_eq!(concern("set.lt.f32.f32").0, "compare");
    // The bound that a quotient has says less than that it has one.
    assert_eq!(concern("div.approx.f32").0, "approximations");
}

/// A class breaks rules by the flaws that explain it, or by its kind where nothing explains it; a class that breaks
/// none counts as all else.
#[test]
fn a_class_is_against_rules() {
    let broken = |kind: &str, flaws: &[&str]| {
        let cells = tested(&[run("fma.rn.f32", &[(kind, flaws)])]);
        let broken = cells.into_iter().filter(|(.., following)| *following == 0);
        broken.map(|(rule, ..)| rule).collect::<Vec<_>>()
    };
    for (kind, flaws, rules) in [
        ("number", &["always-zero"][..], &["computes the operation"][..]),
        ("ulp-above", &["unfused"], &[FUSES]),
        ("ulp-above", &["unfused-unflushed"], &[FUSES]),
        ("ulp-above", &[], &[NEAREST]),
        ("ulp-above", &["ties-away"], &[NEAREST]),
        ("ulp-above", &["guard-lost"], &[NEAREST]),
        // A name must match as a whole where it is not said to go on.
        ("ulp-above", &["guard-lost-else"], &["has all else right"]),
        ("ulp-above", &["unfused", "flushed-anyway"], &[SUBNORMALS, FUSES]),
        ("flushed", &[], &[SUBNORMALS]),
        ("zero-sign", &[], &[ZERO]),
        ("nan-bits", &["nan-of-first"], &[NAN]),
        ("overflow", &[], &[OVERFLOW]),
        ("crashed", &[], &["has all else right"]),
    ] {
        assert_eq!(broken(kind, flaws), rules, "{kind} {flaws:?}");
    }
}

/// A rule that was not run, in one variant or in all of a family, is neither followed nor broken.
#[test]
fn only_what_was_run_counts() {
    let mut unrun = run("fma.rz.f32", &[]);
    unrun.vectors = 0;
    let wrong = run("fma.rm.f32", &[("ulp-above", &["rm-ignored"])]);
    let variants = [run("fma.rn.f32", &[]), unrun, wrong, run("fma.rp.f32", &[])];
    let cells = tested(&variants);
    let of = |name: &str| {
        let mut found = cells.iter().filter(|(rule, ..)| rule == name);
        found.next().map(|(_, family, variants, following)| (&**family, *variants, *following))
    };
    assert_eq!(of("computes the operation"), Some(("fma mad", 3, 3)));
    assert_eq!(of(DIRECTION), Some(("fma mad", 2, 1)));
    assert_eq!(of(NEAREST), Some(("fma mad", 1, 1)));
    assert_eq!(of(INPUTS), None);
    // Families are told where a rule concerns any of their variants, and no others.
    let rules = crate::report::rules::of_run(&[]);
    let of = |name: &str| {
        let rule = rules.iter().find(|rule| rule.rule == name).unwrap();
        rule.families.iter().map(|cell| (cell.variants, &*cell.family)).collect::<Vec<_>>()
    };
    assert_eq!(of(FUSES), [(0, "fma mad")]);
    assert_eq!(of(LIMITS), [(0, "convert")]);
    assert_eq!(of("computes the operation").len(), 9);
}
