//! Tests of what a summary cuts, and counts instead.

use reports::*;

use super::{checked, style};
use crate::samples::{fuzzed, passing, report};

#[test]
fn a_flood_is_cut_and_counted() {
    let mut variants = Vec::new();
    for number in 0..50 {
        let mut variant = passing(&format!("mma.sync.m{number}.f32"), 0);
        variant.status = Status::Unsupported;
        // There are five reasons, the first of which most variants have.
        variant.reason = Some(format!("needs sm_{}", if number < 30 { 0 } else { number % 5 }));
        variants.push(variant);
    }
    let mut broken = passing("add.rn.f16", 100);
    broken.status = Status::Fail;
    broken.mismatches = 25;
    let class = |number| Class {
        pattern: None,
        id: format!("add.rn.f16/{number}"),
        diagnosis: "Wrong.".into(),
        count: 1,
        explanation: None,
        simplest: None,
        waiver: None,
        examples: vec![],
    };
    broken.classes = (0..25).map(class).collect();
    variants.push(broken);
    for number in 0..50 {
        let mut variant = passing(&format!("setp.eq.f{number}"), 100);
        variant.status = Status::Fail;
        variants.push(variant);
    }
    let text = summary(&report(variants.clone()), &style());
    checked(&text);
    assert!(text.contains("\n  and 21 more failing or waived ones in the report\n"), "{text}");
    let counted = "\n  50 unsupported variants; `report show --unsupported` lists them:\n    34: needs sm_0\n    \
                   4: needs sm_1\n    4: needs sm_2\n    8 for other reasons\n";
    assert!(text.contains(counted), "{text}");
    assert!(text.contains("\nand 5 classes more in the report\n"), "{text}");
    assert!(text.contains("FAIL") && !text.contains("  unsupported"));
    let listed = summary(&report(variants), &Style { unsupported: true, ..style() });
    assert_eq!(listed.lines().filter(|line| line.contains("  unsupported  needs sm_")).count(), 50);
    assert!(!listed.contains("--unsupported"), "{listed}");
}

/// Where all reasons are told, no further ones are counted.
#[test]
fn three_reasons_are_all_told() {
    let of = |number: usize| {
        let reason = Some(format!("needs sm_{}", number % 3));
        let status = Status::Unsupported;
        VariantReport { status, reason, ..passing(&format!("mma.m{number}"), 0) }
    };
    let text = summary(&report((0..45).map(of).collect()), &style());
    assert!(text.contains("    15: needs sm_2\n") && !text.contains("other reasons"), "{text}");
}

/// A reason stands beside the status as long as there is room for it, to the last column.
#[test]
fn a_reason_that_just_fits_stands_beside() {
    let line = |letters: usize| {
        let (status, reason) = (Status::Unsupported, Some("x".repeat(letters)));
        let variant = VariantReport { status, reason, ..passing("mma.f32", 0) };
        let style = Style { unsupported: true, columns: Some(60), ..style() };
        let text = summary(&report(vec![variant]), &style);
        text.lines().find(|line| line.contains("mma.f32")).expect("its line").to_owned()
    };
    let beside = |letters: &usize| line(*letters).ends_with(&"x".repeat(*letters));
    let most = (1..60).filter(beside).max().expect("a short one");
    assert_eq!(line(most).chars().count(), 60);
    assert!((1..=most).all(|letters| beside(&letters)));
}

/// Twenty artifacts of one status are named, and the rest is counted.
#[test]
fn artifacts_are_named_and_the_rest_counted() {
    let with = |count: usize| {
        let mut report = fuzzed();
        let artifacts = &mut report.campaign.as_mut().expect("a campaign").artifacts;
        let unread = artifacts.pop().expect("one that is not read");
        let another = |number| Artifact { file: format!("in-process/{number}"), ..unread.clone() };
        artifacts.extend((0..count).map(another));
        summary(&report, &style())
    };
    assert!(with(20).contains("  unread in-process/19: ") && !with(20).contains("named in the report"));
    let text = with(23);
    assert!(text.contains("\n  unread 3 more, named in the report\n"), "{text}");
    assert!(!text.contains("in-process/20"), "{text}");
}

/// Returns a report with as many of everything as a summary shows, and `more` of each.
fn at_the_limits(more: usize) -> Report {
    let mut variants = Vec::new();
    for number in 0..40 + more {
        let format = ["f16", "f32"][number % 2];
        variants.push(passing(&format!("op{}.{format}", number / 2), 1));
    }
    for (status, name, count) in [(Status::Waived, "known", 29), (Status::Incomplete, "slow", 30)] {
        let of = |number| VariantReport { status, ..passing(&format!("{name}{number}.f16"), 1) };
        variants.extend((0..count + more).map(of));
    }
    let lane = Lane { bits: "0x1".into(), value: "1".into(), ..Lane::default() };
    let lanes = vec![lane; 16 + more];
    let datum = Datum { name: "a".into(), ty: "many".into(), bits: "0x11".into(), lanes };
    let example = Example {
        sweep: "pairs".into(),
        index: 0,
        operands: vec![datum],
        expected: vec![],
        accepted: vec![],
        actual: vec![],
        words: None,
    };
    let class = |kind| Class {
        pattern: None,
        id: format!("op.f16/kind-{kind}"),
        diagnosis: "Wrong.".into(),
        count: 1,
        explanation: None,
        simplest: None,
        waiver: None,
        examples: vec![example.clone()],
    };
    // The first class has a cause in common with four others.
    let kinds = (0..20 + more).chain(std::iter::repeat_n(0, 4 + more));
    let classes = kinds.map(class).collect();
    variants.push(VariantReport { status: Status::Fail, classes, ..passing("op.f16", 1) });
    let mut report = report(variants);
    let inconsistency = |number| Inconsistency {
        relaxation: "zero-sign".into(),
        scope: format!("op{number}.f16"),
        answers: vec![],
    };
    report.inconsistencies = (0..10 + more).map(inconsistency).collect();
    report
}

/// A report with just as many of everything as are shown leaves nothing to count; one more of each does.
#[test]
fn what_is_just_not_cut_is_shown_whole() {
    let [whole, cut] = [0, 1].map(|more| summary(&at_the_limits(more), &style()));
    checked(&whole);
    checked(&cut);
    assert!(!whole.contains("in the report") && !whole.contains('…'), "{whole}");
    let lines = |text: &str, part: &str| text.lines().filter(|line| line.contains(part)).count();
    for (part, in_whole, in_cut) in [
        // Rows are by instruction and format, and by instruction where those are too many.
        ("  pass  ", 40, 21),
        ("  waived  ", 29, 30),
        ("  FAIL  ", 1, 0),
        ("  incomplete  ", 30, 30),
        ("and 1 more failing or waived ones in the report", 0, 1),
        ("and 1 more incomplete ones in the report", 0, 1),
        (" lane ", 16 * 20, 16 * 20),
        ("and 0 more", 0, 0),
        ("      and 1 more", 0, 20),
        ("first mismatch: ", 20, 20),
        ("…", 0, 1),
        ("and 1 class more in the report", 0, 1),
        (": zero-sign", 10, 10),
        ("  and 1 more in the report", 0, 1),
    ] {
        assert_eq!([lines(&whole, part), lines(&cut, part)], [in_whole, in_cut], "{part}\n{cut}");
    }
}

/// The first of the classes with a cause in common is shown, and the others are named and counted.
#[test]
fn classes_with_one_cause_are_shown_once() {
    let class = |id: &str, count: u64, flaw: Option<&str>| Class {
        pattern: flaw.is_none().then(|| "every operand is NaN".into()),
        id: id.into(),
        diagnosis: "Wrong.".into(),
        count,
        explanation: flaw.map(|flaw| Explanation {
            flaws: vec![flaw.into()],
            words: "results are not flushed".into(),
            mismatches: 1,
            agreeing: 10,
            ignores: Vec::new(),
            ..Explanation::default()
        }),
        simplest: None,
        waiver: None,
        examples: vec![],
    };
    let variant = |name: &str, classes: Vec<Class>| {
        let mut variant = passing(name, 100);
        variant.status = Status::Fail;
        variant.classes = classes;
        variant
    };
    let kept = Some("output-not-flushed");
    let text = summary(
        &report(vec![
            variant("add.ftz.f32", vec![class("add.ftz.f32/zero-lost", 2, kept)]),
            variant(
                "mul.ftz.f32",
                vec![class("mul.ftz.f32/not-flushed", 1000, kept), class("mul.ftz.f32/other", 7, None)],
            ),
            variant("mul.f32", vec![class("mul.f32/other", 9, None)]),
            variant("fma.f32", vec![class("fma.f32/other", 9, None)]),
        ]),
        &style(),
    );
    checked(&text);
    for part in [
        "  1 more class with the same cause, 1,000 mismatches: mul.ftz.f32/not-flushed\n",
        "  1 more class of mul like this, 9 mismatches: mul.f32/other\n",
        "\nfma.f32/other  9 mismatches\n",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    for named in ["\nmul.ftz.f32/not-flushed  ", "\nmul.f32/other  "] {
        assert!(!text.contains(named), "{named} stands alone in {text}");
    }
}
