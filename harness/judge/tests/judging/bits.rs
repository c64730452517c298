//! Tests of contracts that promise bits, and of the choices that they leave.

use isa::{Relaxation, Variant};
use judge::{Accepted, Agreement, Alternative, FIRST, Interpretation, MismatchKind, OpenPoints, Truth};

use super::{JudgedCase, answers};

const NAN: u64 = 0x7fff;
const ONE: u64 = 0x3c00;

/// NaN results are counted by which NaN they are, whether or not anything is wrong beside them.
#[test]
fn nan_results_are_counted_by_what_they_are() {
    let given: &[u64] = &[0x7e00, ONE];
    let (canonical, number) = ((given, NAN, NAN), (&[ONE, ONE][..], ONE, ONE));
    let right = JudgedCase::new("mul.f16", &[canonical, number, canonical, number, number]).tally();
    assert_eq!((answers(&right, "any-nan"), right.mismatches), (vec![("canonical", 2)], 0));
    let other = (given, NAN, 0xfe01);
    let mixed = JudgedCase::new("mul.f16", &[other, canonical, number, other, other]).tally();
    assert_eq!(answers(&mixed, "any-nan"), [("canonical", 1), ("other", 3)]);
    assert_eq!(mixed.mismatches, 0);
    let lost = JudgedCase::new("mul.f16", &[canonical, (given, NAN, ONE), (&[ONE, ONE], ONE, NAN)]);
    assert_eq!(answers(&lost.tally(), "any-nan"), [("canonical", 1)]);
    let kinds = [(1, MismatchKind::NanLost), (2, MismatchKind::NanAppeared)];
    assert_eq!(lost.judge().verdicts(&lost.truth, lost.batch()), kinds);
}

/// For a NaN of double precision it is asked whose payload it has, even where its bits are those that were expected.
#[test]
fn whose_payload_a_nan_has_is_asked_of_expected_bits_too() {
    let (quiet, payload) = (0x7ff8_0000_0000_0000, 0x7ff8_0000_0000_0005);
    let canonical = 0x7fff_ffff_ffff_ffff;
    let one = 0x3ff0_0000_0000_0000;
    let rows = [
        (&[payload, one][..], payload, payload),
        (&[one, payload][..], payload, payload),
        (&[quiet, one][..], quiet, quiet),
        (&[payload, one][..], canonical, canonical),
        (&[payload, one][..], quiet, quiet),
        (&[quiet, quiet][..], payload, payload),
        (&[one, one][..], one, one),
    ];
    let counted = |rows: &[super::VectorRow]| {
        let tally = JudgedCase::new("mul.f64", rows).tally();
        assert_eq!(tally.mismatches, 0);
        answers(&tally, "nan-payload").iter().map(|(answer, _)| (*answer).to_owned()).collect::<Vec<_>>()
    };
    let texts = ["operand", "operand", "canonical or operand", "other", "canonical", "other"];
    for (row, text) in rows.into_iter().zip(texts) {
        assert_eq!(counted(&[row]), [text], "{row:x?}");
    }
    assert_eq!(counted(&rows[6..]), [""; 0]);
    // The payload holds neither the sign of a NaN nor the bit that says whether it is quiet.
    let signalling = 0x7ff0_0000_0000_0005;
    for other in [payload, signalling, 1 << 63 | payload, 1 << 63 | signalling] {
        assert_eq!(counted(&[(&[one, signalling], other, other)]), ["operand"], "{other:x}");
    }
    let tally = JudgedCase::new("mul.f64", &[(&[payload, one], quiet, 1 << 63 | quiet)]).tally();
    assert_eq!(answers(&tally, "nan-payload"), [("canonical", 1)]);
    // A narrower payload stands at the top of a wider one.
    for (result, text) in [(0x7ff8_0000_2000_0000, "operand"), (0x7ff8_0000_0000_0001, "other")] {
        let tally = JudgedCase::new("cvt.f64.f32", &[(&[0x7fc0_0001], result, result)]).tally();
        assert_eq!(answers(&tally, "nan-payload"), [(text, 1)], "{result:x}");
    }
    // Each row's operands are its own.
    let tally = JudgedCase::new("mul.f64", &rows).tally();
    let expected = [("canonical", 1), ("canonical or operand", 1), ("operand", 2), ("other", 2)];
    assert_eq!(answers(&tally, "nan-payload"), expected);
}

/// The result that an interpretation gives is right for its own element, and for no other.
#[test]
fn a_choice_is_accepted_and_counted_where_it_arose() {
    let given: &[u64] = &[0x8000_8000, 0x3c00_3c00];
    let rows = [
        (given, 0, 0x8000_0000),
        (given, 0, 0x0000_0000),
        (given, 0, 0x8000_8000),
        (given, 0, 0x0000_8000),
    ];
    // The first lanes of the last two rows leave no choice.
    let case =
        [1, 2, 3, 5, 7].into_iter().fold(JudgedCase::new("mul.sat.f16x2", &rows), |case, element| {
            case.open(element, Relaxation::ZeroSign, &[0, 0x8000])
        });
    let tally = case.tally();
    assert_eq!(answers(&tally, "zero-sign"), [("+0", 3), ("-0", 2)]);
    let kinds = [(2, MismatchKind::ZeroSign), (3, MismatchKind::ZeroSign)];
    assert_eq!(case.judge().verdicts(&case.truth, case.batch()), kinds);
    // The first vector with each answer is kept, for it ought to be the same one everywhere.
    let first = |answer: &str| tally.firsts["zero-sign"][answer].index;
    assert_eq!((first("-0"), first("+0")), (100, 101));
}

#[test]
fn no_first_vector_is_kept_of_answers_that_may_differ() {
    let tally = JudgedCase::new("mul.f16", &[(&[0x7e00, ONE], NAN, NAN)]).tally();
    assert_eq!(tally.answers.len(), 1);
    assert!(tally.firsts.is_empty());
}

/// An answer that several interpretations give names them all, and an answer that all give tells nothing.
#[test]
fn an_answer_agrees_with_every_interpretation_that_gives_it() {
    let given: &[u64] = &[0x3bff, 0x0400];
    let answered = |results: &[u64], actual| {
        let case = JudgedCase::new("mul.ftz.f16", &[(given, results[0], actual)]);
        let tally = case.open(0, Relaxation::FtzTininess, results).tally();
        let answers = tally.answers.get("ftz-tininess").into_iter().flatten();
        (tally.mismatches, answers.map(|(answer, _)| answer.clone()).collect::<Vec<_>>())
    };
    assert_eq!(answered(&[0, 0, 0x400], 0), (0, vec!["exact or unbounded".into()]));
    assert_eq!(answered(&[0, 0x400, 0x400], 0), (0, vec!["exact".into()]));
    assert_eq!(answered(&[0, 0x400, 0x400], 0x400), (0, vec!["unbounded or rounded".into()]));
    assert_eq!(answered(&[0, 0x400, 0], 0), (0, vec!["exact or rounded".into()]));
    assert_eq!(answered(&[0, 0, 0], 0), (0, vec![]));
    assert_eq!(answered(&[0, 0, 0x400], 0x3ff), (1, vec![]));
}

/// Two choices in one result are each counted by themselves, however many combinations give the answer.
#[test]
fn two_choices_in_one_result_are_counted_one_by_one() {
    let (ignored, sign) = (Relaxation::FtzIgnored, Relaxation::ZeroSign);
    let mut open = OpenPoints::default();
    open.insert(ignored);
    open.insert(sign);
    let combination = |first, second, bits| {
        let mut interpretation = FIRST;
        (interpretation[ignored as usize], interpretation[sign as usize]) = (first, second);
        Alternative { element: 0, bits, interpretation, open }
    };
    let answered = |actual| {
        let mut case = JudgedCase::new("cvt.rm.ftz.sat.f16.f32", &[(&[0x8000_0001], 0, actual)]);
        let Accepted::Exact(alternatives) = &mut case.truth.accepted else { panic!("a bound") };
        *alternatives = [(0, 0, 0), (0, 1, 0x8000), (1, 0, 0), (1, 1, 0)]
            .map(|(first, second, bits)| combination(first, second, bits))
            .into();
        let tally = case.tally();
        let of = |name| answers(&tally, name).iter().map(|(answer, _)| (*answer).to_owned()).collect();
        let answers: [Vec<String>; 2] = [of("ftz-ignored"), of("zero-sign")];
        let together = tally.joint_answers.iter().map(|(text, joint)| {
            assert_eq!((joint.count, joint.first.index), (1, 100));
            text.clone()
        });
        (tally.mismatches, answers.map(|answers| answers.join(", ")), together.collect::<Vec<_>>())
    };
    let named = |text: &str| vec![format!("zero-sign × ftz-ignored: {text}")];
    assert_eq!(answered(0x8000), (0, ["flushed".into(), "-0".into()], named("-0 × flushed")));
    // The result agrees with both interpretations of the one point and two of the other, but not with all together.
    let together = named("+0 × flushed | +0 × kept | -0 × kept");
    assert_eq!(answered(0), (0, [String::new(), "+0 or -0".into()], together));
    assert_eq!(answered(1), (1, [String::new(), String::new()], vec![]));
}

/// A result that all combinations give, or one about a single point, tells nothing about several points.
#[test]
fn only_what_tells_points_apart_is_counted_of_several() {
    let given: &[u64] = &[0x8000_8000, 0x3c00_3c00];
    let one =
        JudgedCase::new("mul.sat.f16x2", &[(given, 0, 0)]).open(0, Relaxation::ZeroSign, &[0, 0x8000]);
    assert!(one.tally().joint_answers.is_empty());
    let mut open = OpenPoints::default();
    [Relaxation::ZeroSign, Relaxation::FtzIgnored].into_iter().for_each(|point| open.insert(point));
    let mut case = JudgedCase::new("cvt.rm.ftz.sat.f16.f32", &[(&[1][..], 0, 0); 3]);
    let of = |element, last| {
        open.interpretations().enumerate().map(move |(number, interpretation)| {
            let bits = if number == 0 { 0 } else { last };
            Alternative { element, bits, interpretation, open }
        })
    };
    let Accepted::Exact(alternatives) = &mut case.truth.accepted else { panic!("a bound") };
    *alternatives = of(0, 0).chain(of(1, 1)).chain(of(2, 1)).collect();
    let tally = case.tally();
    let [(text, joint)] = &tally.joint_answers.iter().collect::<Vec<_>>()[..] else { panic!("not one") };
    assert_eq!(text.as_str(), "zero-sign × ftz-ignored: +0 × flushed");
    assert_eq!((joint.count, joint.first.index), (2, 101));
}

/// Sums of three leave open more than 64 combinations of interpretations, and each is told from the others.
#[test]
fn combinations_are_told_apart_where_there_are_more_than_64() {
    let never = [Relaxation::AnyNan, Relaxation::NanPayload];
    let points = |variant: &Variant| {
        let mut open = OpenPoints::default();
        let points = variant.relaxations().filter(|point| !never.contains(point));
        points.for_each(|point| open.insert(point));
        open
    };
    let most = Variant::all().iter().max_by_key(|variant| points(variant).interpretations().count());
    let variant = most.expect("a variant");
    let (open, given) = (points(variant), vec![0; variant.operands().len()]);
    let count = open.interpretations().count();
    assert!(count > 64, "{variant}: {count}");
    let answered = |actual| {
        let mut case = JudgedCase::with(variant.text(), &[(&given, &vec![0], &vec![actual])]);
        let Accepted::Exact(alternatives) = &mut case.truth.accepted else { panic!("a bound") };
        let numbered = open.interpretations().enumerate();
        let bits = |number| u64::from(number == count - 1);
        let of = |(number, interpretation)| Alternative {
            element: 0,
            bits: bits(number),
            interpretation,
            open,
        };
        *alternatives = numbered.map(of).collect();
        let tally = case.tally();
        assert_eq!(tally.mismatches, 0, "{actual}");
        let texts: Vec<&String> = tally.joint_answers.keys().collect();
        let [text] = texts[..] else { panic!("not one: {texts:?}") };
        Agreement::read(text).expect(text).combinations
    };
    let all: Vec<Vec<u8>> = open
        .interpretations()
        .map(|of| open.relaxations().map(|point| of[point as usize]).collect())
        .collect();
    assert_eq!(answered(1), all[count - 1..]);
    assert_eq!(answered(0), all[..count - 1]);
}

/// Where an interpretation gives NaN, any NaN that the row allows is right.
#[test]
fn any_nan_will_do_for_an_interpretation_that_gives_one() {
    let given: &[u64] = &[0x7eff, ONE, ONE];
    let oob = |expected, actual, results: &[u64]| {
        let case = JudgedCase::new("fma.rn.oob.f16", &[(given, expected, actual)]);
        case.open(0, Relaxation::OobPattern, results).tally()
    };
    let first = oob(NAN, 0xfe01, &[NAN, 0]);
    assert_eq!((first.mismatches, answers(&first, "oob-pattern")), (0, vec![("7ff7", 1)]));
    assert_eq!(answers(&first, "any-nan"), [("other", 1)]);
    let second = oob(0, 0xfe01, &[0, NAN]);
    assert_eq!((second.mismatches, answers(&second, "oob-pattern")), (0, vec![("7ff7 and 7eff", 1)]));
    let number = oob(0, ONE, &[0, NAN]);
    assert_eq!((number.mismatches, answers(&number, "oob-pattern")), (1, vec![]));
    // No NaN but the canonical one is right with `.relu`.
    let relu = JudgedCase::new("fma.rn.oob.relu.f16", &[(given, 0, 0xfe01)]);
    assert_eq!(relu.open(0, Relaxation::OobPattern, &[0, NAN]).tally().mismatches, 1);
}

/// Results of every width are compared bit for bit.
#[test]
fn every_width_is_compared() {
    for (text, given, right) in [
        ("cvt.rn.satfinite.e4m3x2.f32", &[0x3f80_0000, 0x3f80_0000][..], 0x3838),
        ("add.f16", &[ONE, ONE], 0x4000),
        ("add.f32", &[0x3f80_0000, 0x3f80_0000], 0x4000_0000),
        ("add.f64", &[1023 << 52, 1023 << 52], 1024 << 52),
    ] {
        for bit in 0..64 {
            let wrong = right ^ 1 << bit;
            let case = JudgedCase::new(text, &[(given, right, right)]);
            let row_bytes = case.results[0].row_bytes();
            if bit < 8 * row_bytes {
                assert_eq!(
                    JudgedCase::new(text, &[(given, right, wrong)]).tally().mismatches,
                    1,
                    "{text} {bit}"
                );
            }
            assert_eq!(case.tally().mismatches, 0, "{text}");
        }
    }
}

#[test]
fn every_combination_of_what_is_open_is_an_interpretation() {
    let mut open = OpenPoints::default();
    assert!(open.is_empty());
    let all = |open: OpenPoints| open.interpretations().collect::<Vec<_>>();
    assert_eq!(all(open), [FIRST]);
    let (two, three) = (Relaxation::FlushSign, Relaxation::FtzTininess);
    open.insert(two);
    open.insert(three);
    assert!(!open.is_empty() && open.contains(two) && open.contains(three));
    assert!(!open.contains(Relaxation::AnyNan) && !open.contains(Relaxation::BoundOverflow));
    let of = |interpretation: &Interpretation| {
        let others = (0..interpretation.len()).filter(|at| ![two as usize, three as usize].contains(at));
        assert!(others.into_iter().all(|at| interpretation[at] == 0));
        (interpretation[two as usize], interpretation[three as usize])
    };
    let mut combinations: Vec<_> = all(open).iter().map(of).collect();
    combinations.sort_unstable();
    assert_eq!(combinations, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
    let mut beside = OpenPoints::default();
    beside.insert(two);
    beside.insert(Relaxation::FtzIgnored);
    let both = open.and(beside);
    assert!(both.contains(two) && !both.contains(three) && !both.contains(Relaxation::FtzIgnored));
    assert_eq!([OpenPoints::default().len(), both.len(), open.len()], [0, 1, 2]);
    let either = open.union(beside);
    assert!([two, three, Relaxation::FtzIgnored].into_iter().all(|one| either.contains(one)));
    let mut combinations = all(either);
    combinations.sort_unstable();
    combinations.dedup();
    assert_eq!(combinations.len(), 12);
}

#[test]
fn what_a_variant_declares_is_open_in_it_and_nothing_else() {
    let declared = OpenPoints::declared(&"mul.ftz.f16".parse().unwrap());
    let names: Vec<&str> = Relaxation::ALL
        .into_iter()
        .filter(|&one| declared.contains(one))
        .map(Relaxation::name)
        .collect();
    assert_eq!(names, ["any-nan", "ftz-tininess"]);
}

/// A truth holds alternatives or intervals, and forgets them at once.
#[test]
fn a_truth_is_of_bits_or_of_a_bound() {
    let open = OpenPoints::default();
    let alternative = Alternative { element: 0, bits: 1, interpretation: FIRST, open };
    let mut truth = Truth::new(&"mul.f16".parse().unwrap());
    assert!(truth.alternatives().is_empty() && truth.intervals().is_empty());
    let Accepted::Exact(alternatives) = &mut truth.accepted else { panic!("a bound") };
    alternatives.push(alternative);
    assert_eq!((truth.alternatives(), truth.intervals().len()), (&[alternative][..], 0));
    truth.accepted.clear();
    assert!(truth.alternatives().is_empty());
    let mut truth = Truth::new(&"sin.approx.f32".parse().unwrap());
    let Accepted::Within(intervals) = &mut truth.accepted else { panic!("bits") };
    let interval = judge::Interval::single_result(&formats::F32, 0, 0.0);
    intervals.push(interval);
    assert_eq!((truth.alternatives().len(), truth.intervals()), (0, &[interval][..]));
    truth.accepted.clear();
    assert!(truth.intervals().is_empty());
}
