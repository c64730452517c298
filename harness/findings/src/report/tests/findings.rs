//! Tests of what a report says about a variant.

use judge::{EXAMPLES, Errors, Worst};
use model::Fault;
use reports::{Flaw, Judge, VariantReport};
use sweeps::Proof;

use super::*;
use crate::diagnosis::{Diagnosis, Explanation};

/// Returns the report of the variant that a run of these tasks came to.
fn found(tasks: Vec<Task>, tallies: Vec<Tally>) -> VariantReport {
    let mut variants = built(&plan(tasks), tallies).variants;
    assert_eq!(variants.len(), 1);
    variants.remove(0)
}

#[test]
fn sweeps_add_up() {
    let tasks = vec![task("mul.f16", "grid", 50), task("mul.f16", "uniform", 40)];
    let grid = Tally {
        vectors: 50,
        mismatches: 3,
        confirmed: 50,
        inputs: 1,
        results: 2,
        expected: 0xab,
        ..Tally::default()
    };
    let uniform = Tally { vectors: 30, unanswered: 10, mismatches: 4, ..Tally::default() };
    let report = found(tasks, vec![grid, uniform]);
    assert_eq!((report.vectors, report.unanswered, report.mismatches), (80, 10, 7));
    assert_eq!((report.status, report.reason, report.judge), (Status::Fail, None, Judge::Mpfr));
    let of = |at: usize| {
        let sweep = &report.sweeps[at];
        (sweep.name.as_str(), sweep.planned, sweep.vectors, sweep.unanswered, sweep.mismatches)
    };
    assert_eq!(of(0), ("grid", 50, 50, 0, 3));
    assert_eq!(of(1), ("uniform", 40, 30, 10, 4));
    let sweep = &report.sweeps[0];
    assert_eq!((sweep.confirmed, sweep.judge), (50, Judge::Mpfr));
    let digests = [&sweep.inputs, &sweep.results, &sweep.expected].map(String::as_str);
    assert_eq!(digests, ["0x0000000000000001", "0x0000000000000002", "0x00000000000000ab"]);
}

#[test]
fn a_status_is_of_all_sweeps_together() {
    let of = |tallies: [Tally; 2]| {
        let tasks = vec![task("mul.f16", "grid", 10), task("mul.f16", "uniform", 10)];
        let report = found(tasks, tallies.into());
        (report.status, report.reason)
    };
    let unanswered = |unanswered| Tally { unanswered, ..Tally::default() };
    assert_eq!(of([asked(10), asked(10)]), (Status::Pass, None));
    assert_eq!(of([asked(10), asked(9)]), (Status::Incomplete, None));
    assert_eq!(of([asked(10), unanswered(10)]), (Status::Pass, None));
    let nothing = "it has no result for any of 20 vectors".to_owned();
    assert_eq!(of([unanswered(10), unanswered(10)]), (Status::Unsupported, Some(nothing)));
}

/// A shard may have no block of a short sweep, and then has nothing to say of it.
#[test]
fn a_sweep_without_a_block_in_the_shard_is_left_out() {
    let mut plan = plan(vec![task("mul.f16", "grid", 10), task("mul.f16", "uniform", 10)]);
    plan.request.shard = Some(Shard { index: 2, count: 2 });
    let report = built(&plan, vec![Tally::default(), asked(10)]);
    let sweeps: Vec<&str> = report.variants[0].sweeps.iter().map(|sweep| sweep.name.as_str()).collect();
    assert_eq!((sweeps, report.variants[0].status), (vec!["uniform"], Status::Pass));
}

/// A variant is said to be judged by whoever else than MPFR judged one of its sweeps.
#[test]
fn who_judged_is_said_of_each_sweep_and_of_the_variant() {
    let judges = |judged: [(JudgedBy, u64); 2]| {
        let tasks = judged.map(|(judged_by, _)| Task { judged_by, ..task("mul.f16", "grid", 10) });
        let tallies = judged.map(|(_, on_device)| Tally { on_device, ..asked(10) });
        let report = found(tasks.into(), tallies.into());
        (report.sweeps[0].judge, report.sweeps[1].judge, report.judge)
    };
    let mpfr = (JudgedBy::Mpfr, 0);
    assert_eq!(judges([mpfr, mpfr]), (Judge::Mpfr, Judge::Mpfr, Judge::Mpfr));
    for (by, judge) in [
        ((JudgedBy::Series, 0), Judge::Series),
        ((JudgedBy::Emulator, 0), Judge::Screened),
        ((JudgedBy::Emulator, 1), Judge::Device),
    ] {
        assert_eq!(judges([mpfr, by]), (Judge::Mpfr, judge, judge));
        assert_eq!(judges([by, mpfr]), (judge, Judge::Mpfr, judge));
    }
}

/// Where all vectors were tried, the expected results must have the digest that is proven.
#[test]
fn what_is_not_as_it_was_proven_fails() {
    static PROOF: Proof = Proof { vectors: 10, inputs: 5, results: 6 };
    let of = |judged_by, tally: Tally, shard: Option<Shard>| {
        let task = Task { proven: Some(&PROOF), judged_by, ..task("mul.f16", "uniform", 10) };
        // The second task's only block is the second shard's.
        let other = super::task("mul.f16", "grid", 10);
        let mut plan = plan(vec![task, other]);
        plan.request.shard = shard;
        let report = built(&plan, vec![tally, asked(10)]);
        (report.variants[0].status, report.variants[0].reason.clone().unwrap_or_default())
    };
    let emulator = JudgedBy::Emulator;
    let tally = |inputs, expected| Tally { inputs, expected, ..asked(10) };
    assert_eq!(of(emulator, tally(5, 6), None).0, Status::Pass);
    for wrong in [tally(5, 7), tally(4, 6)] {
        let (status, reason) = of(emulator, wrong.clone(), None);
        assert_eq!(status, Status::Fail);
        assert!(reason.starts_with("the emulator or the sweep uniform has changed"), "{reason}");
        let (_, reason) = of(JudgedBy::Series, wrong, None);
        assert!(reason.starts_with("the series or the sweep uniform has changed"), "{reason}");
    }
    let part = Tally { inputs: 1, expected: 2, ..asked(9) };
    assert_eq!(of(emulator, part, None), (Status::Incomplete, String::new()));
    let none = Some(Shard { index: 2, count: 2 });
    assert_eq!(of(emulator, Tally::default(), none).0, Status::Pass);
    let unanswered = Tally { unanswered: 4, ..Tally { vectors: 6, ..tally(5, 7) } };
    assert_eq!(of(emulator, unanswered, None).0, Status::Fail);
}

/// The worst error is told with the sweep that has it, and of all ranges the largest error counts for the variant.
#[test]
fn errors_are_reported_by_range() {
    let errors = |count: u64, worst: Option<(f64, u64)>| {
        let mut errors = Errors::default();
        errors.histogram[2] = count;
        let operands = vec![0x3f80_0000.into()];
        let finite = |ulp: f64| ulp.is_finite().then_some(ulp);
        errors.worst = worst.map(|(ulp, index)| Worst { ulp: finite(ulp), index, operands });
        errors
    };
    let tally = |near: Errors, far: Errors| {
        let mut tally = asked(10);
        tally.errors.insert("|a| up to 2 pi".into(), near);
        tally.errors.insert("|a| above 100 pi".into(), far);
        tally
    };
    let sweeps = ["grid", "uniform", "seams"];
    let tasks = sweeps.map(|sweep| task("sin.approx.f32", sweep, 10));
    let tallies = [
        tally(errors(1, Some((1.0, 5))), errors(7, Some((1e6, 2)))),
        tally(errors(2, Some((1.5, 8))), errors(0, None)),
        tally(errors(4, Some((1.25, 9))), errors(0, None)),
    ];
    let report = found(tasks.into(), tallies.into());
    let [near, between, far] = &report.accuracy[..] else { panic!("{:?}", report.accuracy) };
    assert_eq!((near.range.as_str(), near.bound.as_str()), ("|a| up to 2 pi", "absolute 2^-20.5"));
    assert_eq!((near.results, near.histogram[2]), (7, 7));
    let worst = near.worst.as_ref().unwrap();
    assert_eq!((worst.ulp, worst.sweep.as_str(), worst.index), (Some(1.5), "uniform", 8));
    assert_eq!((worst.operands[0].name.as_str(), worst.operands[0].bits.as_str()), ("a", "0x3f800000"));
    assert_eq!((between.results, &between.worst), (0, &None));
    assert_eq!((far.results, far.worst.as_ref().map(|worst| worst.sweep.as_str())), (7, Some("grid")));
    assert_eq!((report.max_ulp, report.worst()), (Some(1e6), Some(1e6)));
    // A result that is infinite and should not be has no number of units as its error, and is not left out of the
    // largest error either.
    let tallies = [
        tally(errors(1, Some((1.0, 5))), errors(7, Some((f64::INFINITY, 2)))),
        tally(errors(0, None), errors(0, None)),
        tally(errors(0, None), errors(0, None)),
    ];
    let tasks = sweeps.map(|sweep| task("sin.approx.f32", sweep, 10));
    let report = found(tasks.into(), tallies.into());
    assert_eq!((report.max_ulp, report.worst()), (None, Some(f64::INFINITY)));
    let exact = found(vec![task("mul.f16", "grid", 10)], vec![asked(10)]);
    assert_eq!((exact.accuracy.len(), exact.max_ulp), (0, None));
}

/// A report tells all that a variant leaves open, whether or not it arose.
#[test]
fn answers_add_up_over_sweeps() {
    let tally = |answers: &[(&str, u64)]| {
        let mut tally = asked(10);
        answers.iter().for_each(|(answer, count)| tally.answer("any-nan", answer, *count));
        tally
    };
    let tasks = vec![task("mul.ftz.f16", "grid", 10), task("mul.ftz.f16", "uniform", 10)];
    let tallies = vec![tally(&[("canonical", 3), ("other", 2)]), tally(&[("canonical", 4)])];
    let [nan, tininess] = &found(tasks, tallies).relaxations[..] else { panic!("not two") };
    assert_eq!((nan.name.as_str(), nan.results), ("any-nan", 9));
    assert!(nan.reason.contains("unspecified NaN"));
    let answers = [("canonical".to_owned(), 7), ("other".to_owned(), 2)];
    assert_eq!(nan.answers, answers.into());
    assert_eq!(
        (tininess.name.as_str(), tininess.results, tininess.answers.len()),
        ("ftz-tininess", 0, 0)
    );
}

#[test]
fn a_class_counts_over_sweeps_and_keeps_its_first_examples() {
    let tally = |indices: &[u64]| {
        let mut tally = asked(10);
        for &index in indices {
            let example = vector(index, &[0x3c00, 0x4000 + index % 5], &[0x4000], &[0x4001]);
            tally.mismatch(MismatchKind::UlpAbove, index, || example);
        }
        tally
    };
    let tasks = vec![task("mul.f16", "grid", 10), task("mul.f16", "uniform", 10)];
    let mut first = tally(&[9, 7, 8]);
    let lost = Mismatch { words: Some("it ended".into()), ..vector(1, &[0, 0], &[0], &[]) };
    first.mismatch(MismatchKind::Crashed, 1, || lost);
    let report = found(tasks, vec![first, tally(&[2, 3, 6, 7, 8])]);
    let [crashed, above] = &report.classes[..] else { panic!("{:?}", report.classes) };
    assert_eq!((above.id.as_str(), above.count), ("mul.f16/ulp-above", 8));
    assert_eq!(above.diagnosis, MismatchKind::UlpAbove.diagnosis());
    let examples = above.examples.iter().map(|example| (example.sweep.as_str(), example.index));
    assert_eq!(above.examples.len(), EXAMPLES);
    // Vectors 2 and 3 of the other sweep have operands that were told.
    let expected = [("grid", 7), ("grid", 8), ("grid", 9), ("uniform", 6)];
    assert!(examples.eq(expected), "{above:?}");
    assert_eq!((crashed.count, crashed.examples[0].actual.len()), (1, 0));
    assert_eq!(crashed.examples[0].words.as_deref(), Some("it ended"));
    let example = &above.examples[0];
    let shown = |data: &[reports::Datum]| {
        let shown = data.iter().map(|datum| format!("{} {} {}", datum.name, datum.ty, datum.bits));
        shown.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(shown(&example.operands), "a f16 0x3c00, b f16 0x4002");
    assert_eq!(shown(&example.expected), "d f16 0x4000");
    assert_eq!(shown(&example.actual), "d f16 0x4001");
}

/// A diagnosis goes to the class that it is of, and to no other.
#[test]
fn a_diagnosis_is_of_its_class() {
    let mut tally = asked(10);
    for kind in [MismatchKind::UlpAbove, MismatchKind::UlpBelow, MismatchKind::Sign] {
        tally.mismatch(kind, 3, || vector(3, &[0x3c00, 0x4000], &[0x4000], &[0x4001]));
    }
    let [one, two, three] = [Fault::ALL[0], Fault::ALL[1], Fault::ALL[2]];
    let explanation = Explanation {
        mismatches: 5,
        agreeing: 70,
        others: vec![three.id()],
        other_words: [(three.id(), three.words())].into(),
        ..Explanation::of([one, two].map(|fault| Flaw::new(fault.id(), fault.words())).into())
    };
    let simplest = Some(("uniform", vector(8, &[0x3c00, 0x3c00], &[0x3c00], &[0x3c01])));
    let explained = Diagnosis { explanation: Some(explanation), simplest, ..Diagnosis::default() };
    let described = Diagnosis { description: Some("from 1 to 2".into()), ..Diagnosis::default() };
    let diagnoses = [
        (("mul.f16", MismatchKind::UlpAbove), explained),
        (("mul.f16", MismatchKind::Sign), described),
        (("add.f16", MismatchKind::UlpBelow), Diagnosis::default()),
    ];
    let plan = plan(vec![task("mul.f16", "grid", 10)]);
    let report = of(&plan, &outcome(vec![tally]), &diagnoses.into());
    let class = |id: &str| {
        let mut classes = report.variants[0].classes.iter();
        classes.find(|class| class.id == id).expect("it is there").clone()
    };
    let above = class("mul.f16/ulp-above");
    let explanation = above.explanation.unwrap();
    assert_eq!(explanation.flaws, [one.id(), two.id()]);
    assert_eq!(explanation.words, format!("{}; and {}", one.words(), two.words()));
    assert_eq!(explanation.parts[1], Flaw::new(two.id(), two.words()));
    assert_eq!((explanation.mismatches, explanation.agreeing), (5, 70));
    assert_eq!(explanation.others, [three.id()]);
    let simplest = above.simplest.unwrap();
    assert_eq!((simplest.sweep.as_str(), simplest.index), ("uniform", 8));
    let sign = class("mul.f16/sign");
    assert_eq!(sign.diagnosis, format!("{}: from 1 to 2", MismatchKind::Sign.diagnosis()));
    assert!(sign.explanation.is_none() && sign.simplest.is_none());
    let below = class("mul.f16/ulp-below");
    assert_eq!(below.diagnosis, MismatchKind::UlpBelow.diagnosis());
}

/// Data are shown lane by lane, as what they are: a truth value in words, an integer without fields.
#[test]
fn data_are_shown_as_what_they_are() {
    let shown = |text: &str, operands: &[u64], expected: &[u64]| {
        let mut tally = asked(1);
        tally.mismatch(MismatchKind::Number, 0, || vector(0, operands, expected, &[]));
        let report = found(vec![task(text, "uniform", 1)], vec![tally]);
        let lanes = report.classes[0].examples[0].expected.iter().flat_map(|datum| datum.lanes.clone());
        lanes.map(|lane| [lane.bits, lane.value, lane.fields]).collect::<Vec<_>>()
    };
    let packed = shown("mul.f16x2", &[0, 0], &[0xc000_3c00]);
    let [one, minus_two] = &packed[..] else { panic!("{packed:?}") };
    assert_eq!((one[0].as_str(), one[1].as_str()), ("0x3c00", "1"));
    assert_eq!((minus_two[0].as_str(), minus_two[1].as_str()), ("0xc000", "-2"));
    assert!(!one[2].is_empty());
    let integer = shown("cvt.rni.s32.f32", &[0], &[0xffff_fff9]);
    assert_eq!(integer, [["0xfffffff9", "-7", ""]]);
    let values = shown("setp.eq.f32", &[0, 0], &[1, 0]);
    let values: Vec<&str> = values.iter().map(|lane| lane[1].as_str()).collect();
    assert_eq!(values, ["true", "false"]);
    let unsigned = shown("cvt.rni.u32.f32", &[0], &[1]);
    assert_eq!(unsigned[0][1], "1", "no truth value");
}
