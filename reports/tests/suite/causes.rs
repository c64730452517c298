//! Tests of which classes have a cause in common, and what is said of it.

use reports::causes::{Cause, groups};
use reports::{Class, Explanation, Flaw, Report, Status, Style, VariantReport, Waiver, summary};

use crate::samples;

fn class(id: &str, count: u64, explanation: Option<Explanation>) -> Class {
    Class {
        pattern: None,
        id: id.into(),
        diagnosis: "known".into(),
        count,
        explanation,
        simplest: None,
        waiver: None,
        examples: Vec::new(),
    }
}

/// Returns an explanation by flaws, each said in a part of its own but for modifiers without effect, which share
/// one.
fn explained(flaws: &[&str], words: &str, ignores: &[&str]) -> Option<Explanation> {
    let [flaws, ignores] =
        [flaws, ignores].map(|names| names.iter().map(|name| name.to_string()).collect());
    let (mismatches, agreeing) = (1, 1);
    Some(Explanation {
        flaws,
        words: words.into(),
        mismatches,
        agreeing,
        ignores,
        ..Explanation::default()
    })
}

/// Returns a failing variant for each class.
fn failing(classes: Vec<Class>) -> Vec<VariantReport> {
    let plain = samples::failing().variants.remove(0);
    let of = |class: Class| {
        let variant = class.id.split('/').next().unwrap_or_default().into();
        VariantReport { variant, status: Status::Fail, classes: vec![class], ..plain.clone() }
    };
    classes.into_iter().map(of).collect()
}

/// Returns what is said of each group, with its numbers of variants and mismatches.
fn said(variants: &[VariantReport]) -> Vec<(String, usize, u64)> {
    groups(variants).iter().map(|group| (group.words(), group.variants(), group.mismatches())).collect()
}

/// Classes are grouped by their flaws beside modifiers without effect, and by these modifiers where there is
/// nothing else.
#[test]
fn classes_with_the_same_flaws_have_one_cause() {
    let unfused = "it is not fused";
    let both = "`.rz` has no effect; and it is not fused";
    let variants = failing(vec![
        class("fma.rn.f32/ulp-above", 1, explained(&["unfused"], unfused, &[])),
        class("fma.rn.f64/sign", 2, explained(&["always-zero"], "it is zero", &[])),
        class("fma.rz.f32/ulp-above", 4, explained(&["rz-ignored", "unfused"], both, &[])),
        class("add.rz.f32/ulp-above", 8, explained(&["rz-ignored"], "`.rz` has no effect", &[])),
    ]);
    let due = [(unfused, 2, 5), ("it is zero", 1, 2), ("`.rz` has no effect", 1, 8)];
    assert_eq!(said(&variants), due.map(|(words, variants, count)| (words.into(), variants, count)));
    // A cause's words are the parts about its flaws, whatever else the first class's explanation says.
    let variants =
        failing(vec![class("fma.rz.f32/sign", 4, explained(&["rz-ignored", "unfused"], both, &[]))]);
    assert_eq!(said(&variants)[0].0, unfused);
    let two = "it is not fused; and it is zero";
    let variants = failing(vec![class("fma.rz.f32/sign", 4, explained(&["unfused", "zero"], two, &[]))]);
    assert_eq!(said(&variants)[0].0, two);
}

/// Flaws that ignore an operand, a scale or random bits belong to a cause, in reports of this suite and of older
/// ones.
#[test]
fn only_modifiers_without_effect_are_left_out_of_a_cause() {
    let both = "the random bits are taken as 0; and integers wrap";
    let wraps = "integers wrap";
    let older = vec![
        class("cvt.rs.f16x2.f32/above", 1, explained(&["random-ignored", "wraps"], both, &[])),
        class("cvt.rs.bf16x2.f32/above", 2, explained(&["wraps"], wraps, &[])),
    ];
    let [random, wrap, rz] = [
        ("random-ignored", "the random bits are taken as 0", None),
        ("wraps", wraps, None),
        ("any-name", "`.rz` has no effect", Some(".rz".to_owned())),
    ]
    .map(|(id, words, modifier)| Flaw { modifier, ..Flaw::new(id, words) });
    let of = |parts: &[&Flaw]| Some(Explanation::of(parts.iter().map(|&flaw| flaw.clone()).collect()));
    let newer = vec![
        class("cvt.rs.f16x2.f32/above", 1, of(&[&random, &wrap])),
        class("cvt.rs.bf16x2.f32/above", 2, of(&[&wrap])),
    ];
    for classes in [older, newer] {
        assert_eq!(said(&failing(classes)), [(both.into(), 1, 1), (wraps.into(), 1, 2)]);
    }
    // The parts count, however the words of the whole explanation are put together.
    let shared =
        Explanation { words: "`.rz` has no effect: integers wrap".into(), ..of(&[&rz, &wrap]).unwrap() };
    let classes = vec![
        class("cvt.rz.f16.f32/above", 1, Some(shared)),
        class("cvt.f16.f32/above", 2, of(&[&wrap])),
    ];
    assert_eq!(said(&failing(classes)), [(wraps.into(), 2, 3)]);
    let alone = Explanation { ignores: vec![".rz".into()], ..of(&[&rz]).unwrap() };
    assert_eq!(said(&failing(vec![class("cvt.rz.f16.f32/above", 1, Some(alone))]))[0].0, "ignores .rz");
}

/// Each set of modifiers without effect is a cause, if nothing else is wrong in its classes.
#[test]
fn modifiers_without_effect_are_a_cause_each() {
    let ignores =
        |id: &str, flaws: &[&str], ignores: &[&str]| class(id, 1, explained(flaws, "so", ignores));
    let variants = failing(vec![
        ignores("add.rz.ftz.f32/ulp-above", &["ftz-ignored", "rz-ignored"], &[".ftz", ".rz"]),
        ignores("mul.rz.f32/ulp-above", &["rz-ignored"], &[".rz"]),
        ignores("min.ftz.f32/sign", &["input-not-flushed"], &[".ftz"]),
        ignores("mul.rz.f32/ulp-below", &["rz-ignored"], &[".rz"]),
        // The flaw is the same, whether the variant has a sibling without the modifier or not.
        ignores("rcp.rn.ftz.f32/sign", &["input-not-flushed"], &[]),
    ]);
    let all = groups(&variants);
    assert_eq!(all[1].cause, Cause::Ignored(&[".rz".into()]));
    assert_eq!((all[0].ignored(), all[2].ignored()), (vec![".ftz", ".rz"], vec![".ftz"]));
    assert_eq!(all[2].names(), ["min.ftz.f32", "rcp.rn.ftz.f32"]);
    let due = [("ignores .ftz .rz", 1, 1), ("ignores .rz", 1, 2), ("so", 2, 2)];
    assert_eq!(said(&variants), due.map(|(words, variants, count)| (words.to_owned(), variants, count)));
    // The modifier that most variants of a cause have comes first.
    let variants = failing(vec![
        ignores("add.ftz.f32/sign", &["input-not-flushed"], &[".ftz"]),
        ignores("add.ftz.sat.f32/sign", &["input-not-flushed"], &[".sat"]),
        ignores("mul.ftz.sat.f32/sign", &["input-not-flushed"], &[".sat"]),
    ]);
    assert_eq!(groups(&variants)[0].ignored(), [".sat", ".ftz"]);
}

#[test]
fn unexplained_classes_look_alike_by_kind_operation_and_pattern() {
    let alike = |id| Class { pattern: Some("c is zero".into()), ..class(id, 1, None) };
    let variants = failing(vec![
        alike("fma.rn.f32/sign"),
        alike("fma.rz.f16/sign"),
        alike("fma.rz.f16/overflow"),
        alike("mul.rz.f16/sign"),
        // A name alone is no cause.
        class("fma.rn.f64/sign", 1, None),
        class("fma.rn.f16/sign", 1, None),
    ]);
    let due = [
        ("fma, sign: c is zero", 2),
        ("fma, overflow: c is zero", 1),
        ("mul, sign: c is zero", 1),
        ("fma, sign", 1),
        ("fma, sign", 1),
    ];
    let due = due.map(|(of, count)| (format!("unexplained: {of}"), count as usize, count));
    assert_eq!(said(&variants), due);
}

/// A class that is known, or whose variant does not fail, has no cause to look for.
#[test]
fn only_what_fails_is_grouped() {
    let mut variants =
        failing(vec![class("fma.rn.f32/sign", 1, None), class("mul.rn.f32/sign", 1, None)]);
    assert_eq!(groups(&variants).len(), 2);
    variants[0].classes[0].waiver = Some(Waiver { reason: "known".into(), link: None });
    variants[1].status = Status::Incomplete;
    assert_eq!(groups(&variants).len(), 0);
}

/// Sums that are too large become the largest number: whoever wrote a report may have written any count.
#[test]
fn counts_beyond_all_numbers_are_the_largest() {
    let flawed = || explained(&["ties-away"], "ties are rounded away from zero", &[]);
    let classes = [class("add.f16/a", u64::MAX, flawed()), class("add.f16/b", u64::MAX, flawed())];
    let variants = failing(classes.to_vec());
    assert_eq!(groups(&variants)[0].mismatches(), u64::MAX);
    let report = Report { variants, ..samples::failing() };
    assert!(summary(&report, &Style::default()).contains("18,446,744,073,709,551,615 mismatches"));
}
