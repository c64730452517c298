//! Tests of tallies: the sum of what judging finds, whatever parts it is added from.

use isa::Relaxation;
use isa::matrix::MatrixVariant;
use judge::{Batch, EXAMPLES, Errors, Mismatch, MismatchKind, SumJudge, Tally, Worst};

fn example(index: u64) -> Mismatch {
    Mismatch {
        index,
        operands: vec![index.into()],
        expected: Vec::new(),
        accepted: Vec::new(),
        actual: Vec::new(),
        words: None,
    }
}

/// Adding a tally adds all its counts, and its digests modulo 2^64.
#[test]
fn every_count_is_added() {
    let one = |unit: u64| {
        let mut tally = Tally {
            vectors: unit,
            unanswered: 2 * unit,
            mismatches: 3 * unit,
            inputs: (u64::MAX - 4).wrapping_add(unit),
            results: (u64::MAX - 5).wrapping_add(unit),
            expected: (u64::MAX - 6).wrapping_add(unit),
            confirmed: 7 * unit,
            on_device: 8 * unit,
            ..Tally::default()
        };
        let mut errors = Errors::default();
        errors.histogram[3] = 9 * unit;
        tally.errors.insert("everywhere".into(), errors);
        tally
    };
    let mut sum = one(1);
    sum.add(one(10));
    let whole = one(11);
    assert_eq!([sum.vectors, sum.unanswered, sum.mismatches], [11, 22, 33]);
    // (2^64 - 5 + 1) + (2^64 - 5 + 10), and so on.
    assert_eq!([sum.inputs, sum.results, sum.expected], [1, u64::MAX, u64::MAX - 2]);
    assert_eq!([sum.confirmed, sum.on_device, sum.asked()], [77, 88, 33]);
    assert_eq!(sum.errors, whole.errors);
}

/// An answer that was never given has no entry.
#[test]
fn answers_are_counted_by_their_sets() {
    let mut tally = Tally::default();
    tally.answer("any-nan", "canonical", 0);
    assert!(tally.answers.is_empty());
    // Sets of the three interpretations, of which none and all tell nothing.
    tally.agreement(Relaxation::FtzTininess, &[9, 1, 2, 3, 4, 0, 6, 9]);
    let expected = [
        ("exact", 1),
        ("exact or unbounded", 3),
        ("rounded", 4),
        ("unbounded", 2),
        ("unbounded or rounded", 6),
    ];
    let answers = tally.answers["ftz-tininess"].iter();
    assert!(answers.map(|(answer, count)| (answer.as_str(), *count)).eq(expected), "{tally:?}");
    // The only interpretation is all of them, and counted.
    tally.agreement(Relaxation::UnstatedAccuracy, &[5, 7]);
    assert_eq!(tally.answers["unstated-accuracy"]["best effort"], 7);
}

#[test]
fn the_first_vector_with_an_answer_is_the_lowest() {
    let mut tally = Tally::default();
    let mut keep = |set: usize, index: u64| {
        let mut asked = false;
        tally.first(Relaxation::ZeroSign, set, index, || {
            asked = true;
            example(index)
        });
        asked
    };
    assert!(keep(1, 50));
    assert!(!keep(1, 50) && !keep(1, 51));
    assert!(keep(1, 49) && keep(2, 60));
    assert!(!keep(0, 1) && !keep(7, 1), "no answer tells one interpretation");
    let firsts = |tally: &Tally| {
        let firsts = tally.firsts["zero-sign"].iter();
        firsts.map(|(answer, first)| (answer.clone(), first.index)).collect::<Vec<_>>()
    };
    assert_eq!(firsts(&tally), [("+0".to_owned(), 49), ("-0".to_owned(), 60)]);
    let mut other = Tally::default();
    other.first(Relaxation::ZeroSign, 1, 70, || example(70));
    other.first(Relaxation::ZeroSign, 2, 30, || example(30));
    let sum = |mut a: Tally, b: &Tally| {
        a.add(b.clone());
        a
    };
    for sum in [sum(tally.clone(), &other), sum(other, &tally)] {
        assert_eq!(firsts(&sum), [("+0".to_owned(), 49), ("-0".to_owned(), 30)]);
    }
}

/// The first vector is kept for answers to several points, too; where the answers are too many, those that come last
/// by their text are left out.
#[test]
fn the_first_of_several_points_is_kept_and_few_of_them() {
    let mut tally = Tally::default();
    tally.joint_answer("b".into(), 2, 20, || example(20));
    tally.joint_answer("b".into(), 3, 30, || unreachable!("it has a lower one"));
    tally.joint_answer("b".into(), 4, 20, || unreachable!("it has that one"));
    tally.joint_answer("b".into(), 5, 10, || example(10));
    let of =
        |tally: &Tally, text: &str| tally.joint_answers.get(text).map(|of| (of.count, of.first.index));
    assert_eq!(of(&tally, "b"), Some((14, 10)));
    let mut other = Tally::default();
    other.joint_answer("b".into(), 1, 5, || example(5));
    other.joint_answer("a".into(), 1, 7, || example(7));
    tally.add(other);
    assert_eq!((of(&tally, "a"), of(&tally, "b")), (Some((1, 7)), Some((15, 5))));
    for number in 0..40 {
        tally.joint_answer(format!("c{number:02}"), 1, 1, || example(1));
    }
    // Thirty-two in all.
    let last = tally.joint_answers.keys().next_back().map(String::as_str);
    assert_eq!((tally.joint_answers.len(), last), (32, Some("c29")));
}

/// A vector is decoded only if it is to be kept, since most are not.
#[test]
fn the_lowest_mismatches_of_a_kind_are_kept() {
    let mut tally = Tally::default();
    let mut described = Vec::new();
    for index in [10, 20, 30, 40, 50, 40, 25, 5] {
        tally.mismatch(MismatchKind::Number, index, || {
            described.push(index);
            example(index)
        });
    }
    assert_eq!(described, [10, 20, 30, 40, 25, 5]);
    tally.mismatch(MismatchKind::ZeroSign, 60, || example(60));
    let class = &tally.classes[&MismatchKind::Number];
    let kept: Vec<u64> = class.examples.iter().map(|example| example.index).collect();
    assert_eq!((class.count, kept.len(), kept), (8, EXAMPLES, vec![5, 10, 20, 25]));
    assert_eq!((tally.mismatches, tally.classes.len()), (9, 2));
}

/// A result that is not a finite number is worse than any error; of equal errors that of the lower vector number
/// stays, in any order.
#[test]
fn the_worst_error_is_the_same_in_any_order() {
    let one = |ulp: Option<f64>, index| {
        let worst = Some(Worst { ulp, index, operands: Vec::new() });
        Errors { worst, ..Errors::default() }
    };
    for (a, b, index) in [
        (one(Some(2.0), 8), one(Some(1.0), 7), 8),
        (one(Some(2.0), 8), one(Some(2.0), 7), 7),
        (one(Some(f64::MAX), 1), one(None, 9), 9),
        (one(None, 3), one(None, 9), 3),
        (one(Some(0.0), 3), Errors::default(), 3),
    ] {
        for (mut sum, more) in [(a.clone(), b.clone()), (b, a)] {
            sum.merge(more);
            assert_eq!(sum.worst.as_ref().map(|worst| worst.index), Some(index));
        }
    }
}

/// Three things are open: the sign of a model's −0, which NaN a NaN of f64 is, and a sum whose addend a division makes
/// subnormal. Nothing is open about other results.
#[test]
fn what_nobody_has_published_of_a_target_is_open() {
    let with = |text: &str, c: u64, controls: Option<u64>, due: u64, came: u64| {
        let variant: MatrixVariant = text.parse().unwrap();
        let mut operands = isa::matrix::columns_for(&variant, 1);
        operands[2].set(0, c);
        controls.into_iter().for_each(|bits| operands[3].set(0, bits));
        let column = |bits: u64| {
            let mut columns = isa::matrix::results_for(&variant, 1);
            columns[0].set(0, bits);
            columns
        };
        let (expected, results) = (column(due), column(came));
        let batch = Batch { first: 0, offsets: None, operands: &operands, results: &results };
        let mut tally = Tally::default();
        SumJudge::new(&variant).compare(&expected, batch, &mut tally);
        (tally.mismatches, tally.answers.len() == 1)
    };
    let compared = |text: &str, due: u64, came: u64| with(text, 0, None, due, came);
    let half = "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16";
    assert_eq!(compared(half, 0x8000, 0), (0, true));
    assert_eq!(compared(half, 0x8000, 0x8000), (0, false));
    assert_eq!(compared(half, 0, 0x8000), (1, false));
    assert_eq!(compared(half, 0x8001, 0), (1, false));
    let double = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64";
    assert_eq!(compared(double, 1 << 63, 0), (1, false));
    let nan = 0x7ff8_0000_0000_0000;
    assert_eq!(compared(double, nan, nan | 1 << 63), (0, true));
    assert_eq!(compared(double, nan, 0x7ff0_0000_0000_0000), (1, false));
    assert_eq!(compared(half, 0x7fff, 0x7e00), (1, false));
    // 2^-14 divided by 2 is subnormal, divided by nothing or not added it is not.
    let scaled = "tcgen05.mma.cta_group::1.kind::f16(a-desc,f16.f16.f16,k16)";
    let divided = |c, controls| with(scaled, c, Some(controls), 0x0200, 0);
    assert_eq!(divided(0x0400, 0b1001), (0, true));
    assert_eq!([0b0001, 0b1000].map(|controls| divided(0x0400, controls)), [(1, false); 2]);
    assert_eq!(divided(0x0800, 0b1001), (1, false));
}
