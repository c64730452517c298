//! A sample for tests: the report of a run that found something of everything.

use reports::*;

use super::classes::{self, scalar};
use super::{counted_in_its_sweep, passing, report};

/// Returns a report with more instructions and formats than a screen has lines, classes with causes in common,
/// registers of many lanes, choices with many answers, and answers that do not agree.
pub fn crowded() -> Report {
    let mut variants = many();
    variants.extend([flushing(), unexplained(), broad(), waived(), unfinished(), far()]);
    let mut report = report(variants.into_iter().map(counted_in_its_sweep).collect());
    (report.complete, report.plan.vectors) = (false, report.plan.vectors + 1);
    report.implementation.device = None;
    report.implementation.driver = None;
    report.plan.floor = 0;
    report.reduced = vec!["Only one shard of this run was asked for by whoever started it.".into()];
    report.inconsistencies = (1..=12).map(inconsistency).collect();
    report
}

/// Returns the variants of 21 instructions in two formats each, one of them in seven. Some have a largest error, and
/// some lack results.
fn many() -> Vec<VariantReport> {
    let mut variants = Vec::new();
    for number in 1..=21u64 {
        for ty in ["f16", "bf16x2", "f16x2.f32.e4m3x2.ue8m0"] {
            let mut variant = passing(&format!("op{number}.rn.{ty}"), 1000 * number);
            variant.unanswered = if number == 7 { 12_345 } else { 0 };
            variant.max_ulp = match (number, ty) {
                (3, "f16") => Some(0.75),
                (3, _) => Some(0.5),
                (4, "f16") => Some(2e6),
                (5, "f16") => Some(1e6),
                _ => None,
            };
            variants.push(variant);
        }
    }
    variants
        .extend(["f32", "f64", "tf32", "e4m3", "e5m2"].map(|ty| passing(&format!("op2.rn.{ty}"), 1)));
    let answers = |answers: &[(&str, u64)]| {
        answers.iter().map(|&(answer, count)| (answer.to_owned(), count)).collect()
    };
    let choice = |name: &str, results: u64, given: &[(&str, u64)]| RelaxationReport {
        name: name.into(),
        reason: "The manual does not say.".into(),
        results,
        answers: answers(given),
    };
    let many = ["canonical", "operand", "quieted", "other", "first", "second", "third", "any", "none"];
    let many: Vec<(&str, u64)> = many.into_iter().zip([7_000, 600, 50, 4, 3, 3, 2, 1, 1]).collect();
    variants[0].relaxations =
        vec![choice("nan-payload", 7_664, &many), choice("zero-sign", 2_000, &[("+0", 2_000)])];
    variants[1].relaxations = vec![
        choice("zero-sign", 1_000, &[("-0", 999), ("+0", 1)]),
        choice("never-arose", 0, &[]),
        choice(
            "a-choice-with-the-longest-of-all-names-that-were-ever-made-up",
            12,
            &[("one", 5), ("other", 7)],
        ),
    ];
    variants
}

fn fail(name: &str, classes: Vec<Class>) -> VariantReport {
    let mismatches = classes.iter().map(|class| class.count).sum();
    VariantReport { status: Status::Fail, mismatches, classes, ..passing(name, 100_000) }
}

fn class(id: &str, count: u64) -> Class {
    Class {
        pattern: None,
        id: id.into(),
        diagnosis: "Wrong, and nobody who looked at it for a while could say why that is so.".into(),
        count,
        explanation: None,
        simplest: None,
        waiver: None,
        examples: vec![],
    }
}

/// Returns a variant with six classes of one cause, and another class that is known.
fn flushing() -> VariantReport {
    let explained = |number: u64| {
        let explanation = Explanation {
            flaws: vec!["output-not-flushed".into()],
            words: "results are not flushed".into(),
            mismatches: number,
            agreeing: 1,
            ignores: Vec::new(),
            others: vec!["input-not-flushed".into(), "nothing-flushed".into()],
            // As in a report of an earlier version: names alone.
            ..Explanation::default()
        };
        Class { explanation: Some(explanation), ..class(&format!("mul.ftz.f32/kind-{number}"), number) }
    };
    let mut classes: Vec<Class> = (1..=6).map(explained).collect();
    let waiver = Waiver { reason: "Known.".into(), link: None };
    classes.push(Class { waiver: Some(waiver), ..class("mul.ftz.f32/known", 9) });
    fail("mul.ftz.f32", classes)
}

fn example(operands: Vec<Datum>, expected: Vec<Datum>, actual: Vec<Datum>) -> Example {
    let accepted = vec![];
    Example {
        sweep: "pairs".into(),
        index: 1_234_567,
        operands,
        expected,
        accepted,
        actual,
        words: None,
    }
}

/// Returns a variant with unexplained classes: one with a simpler mismatch than the first, one with none that is
/// simpler, and two of one operation and kind.
fn unexplained() -> VariantReport {
    let of = |a| scalar("a", "f32", a, "1.5", "+ 2^0 × 1.10000000000000000000000");
    let one = |a| example(vec![of(a)], vec![of("0x3fc00000")], vec![of("0x3fc00001")]);
    let with = |id: &str, simplest| Class {
        simplest: Some(one(simplest)),
        examples: vec![one("0x3fc0dead")],
        ..class(id, 1)
    };
    fail(
        "sqrt.rn.f32",
        vec![
            with("sqrt.rn.f32/ulp-above", "0x3fc00000"),
            with("sqrt.rn.f32/ulp-below", "0x3fc0dead"),
            class("sqrt.rm.f32/ulp-above", 2),
            class("sqrt.rp.f32/ulp-above", 3),
        ],
    )
}

/// Returns a variant with a register of 18 lanes with a long name, and words about a result that did not come.
fn broad() -> VariantReport {
    let lanes = |name: &str, ty: &str, count: usize, wrong: usize| Datum {
        name: name.into(),
        ty: ty.into(),
        bits: format!("0x{}", "3c00".repeat(count)),
        lanes: (0..count)
            .map(|lane| Lane {
                bits: if lane == wrong { "0xbc00" } else { "0x3c00" }.into(),
                value: "1".into(),
                fields: "+ 2^0 × 1.0000000000".into(),
                ..Lane::default()
            })
            .collect(),
    };
    let mut wrong = example(
        vec![
            lanes("operand-of-a-very-long-name", "a-type-of-no-short-name", 18, 99),
            scalar("b", "u8", "0x07", "7", ""),
        ],
        vec![lanes("d", "f16x2", 2, 99)],
        vec![lanes("d", "f16x2", 2, 1)],
    );
    wrong.accepted = vec!["any NaN (any-nan)".into(), "lane 3: 0x8000 (zero-sign)".into()];
    let none = Example {
        words: Some("it ended (signal: 6 (SIGABRT)); it said: the table has no place for this".into()),
        ..example(vec![scalar("a", "f16", "0x3c00", "1", "+ 2^0 × 1.0000000000")], vec![], vec![])
    };
    fail(
        "wide.sync.f16",
        vec![
            Class { examples: vec![wrong], ..class("wide.sync.f16/lane", 4) },
            Class { examples: vec![none], ..class("wide.sync.f16/crashed", 1) },
        ],
    )
}

fn waived() -> VariantReport {
    let reason = "Known, and described at length in the errata of the device, page 17.";
    let classes = vec![classes::waived("neg.f32/sign", 1, reason)];
    let reason = Some(reason.into());
    VariantReport { status: Status::Waived, reason, mismatches: 1, classes, ..passing("neg.f32", 3) }
}

/// Returns a variant that was not tested to its end, for a reason that it states.
fn unfinished() -> VariantReport {
    let reason = Some("The implementation did not answer within the time that it was given.".into());
    VariantReport { status: Status::Incomplete, reason, ..passing("slow.f64", 1) }
}

/// Returns a variant that is unsupported, for a reason that is longer than the room beside it.
fn far() -> VariantReport {
    let reason =
        Some("It needs a device of a generation that nobody who runs this suite has seen.".into());
    VariantReport { status: Status::Unsupported, reason, sweeps: vec![], ..passing("new.f4", 0) }
}

fn inconsistency(number: u64) -> Inconsistency {
    let answer = |answer: &str, bits: &str, count| AnswerReport {
        answer: answer.into(),
        variant: format!("cvt.rn.sat.f16.f{number}"),
        count,
        example: example(
            vec![
                scalar("a", "f32", "0x80000001", "-1e-45", ""),
                scalar("b", "f16", "0x0001", "6e-8", ""),
            ],
            vec![scalar("d", "f16", "0x0000", "0", "+ 0")],
            vec![scalar("d", "f16", bits, "0", "+ 0")],
        ),
    };
    Inconsistency {
        relaxation: "zero-sign".into(),
        scope: format!("cvt.rn.sat.f16.f{number}"),
        answers: vec![answer("+0", "0x0000", 1000 * number), answer("-0 or clamped first", "0x8000", 1)],
    }
}
