//! Tests of how answers are found that no single interpretation gives.

use isa::Relaxation;
use reports::Inconsistency;

use super::*;

/// The answers of a sweep of a variant to one relaxation: each answer's set of interpretations, its first vector, and
/// how often it came.
type Answered<'a> = (&'a str, &'a str, Relaxation, &'a [(usize, u64, u64)]);

fn found(answered: &[Answered]) -> Vec<Inconsistency> {
    let tasks = answered.iter().map(|(text, sweep, ..)| task(text, sweep, 10)).collect();
    let tally = |(.., relaxation, answers): &Answered| {
        let mut tally = asked(10);
        for &(set, index, count) in *answers {
            let example = vector(index, &[1, 2, 3], &[0], &[0]);
            tally.first(*relaxation, set, index, || example);
            let mut counts = [0; 8];
            counts[set] = count;
            tally.agreement(*relaxation, &counts[..1 << relaxation.interpretations().len()]);
        }
        tally
    };
    built(&plan(tasks), answered.iter().map(tally).collect()).inconsistencies
}

/// The interpretations of `.ftz`, as bits of a set.
const EXACT: usize = 1;
const UNBOUNDED: usize = 2;
const ROUNDED: usize = 4;

#[test]
fn answers_with_an_interpretation_in_common_are_consistent() {
    let tininess = Relaxation::FtzTininess;
    let within = [(EXACT | UNBOUNDED, 1, 5), (UNBOUNDED | ROUNDED, 2, 6)];
    assert_eq!(found(&[("mul.ftz.f16", "grid", tininess, &within)]), []);
    let one =
        [("mul.ftz.f16", "grid", tininess, &within[..1]), ("mul.ftz.f16", "uniform", tininess, &[])];
    assert_eq!(found(&one), []);
}

/// Answers of one variant are compared whichever sweeps they came in; the counts are those of all sweeps.
#[test]
fn a_variant_that_answers_in_two_ways_is_told_with_a_vector_of_each() {
    let tininess = Relaxation::FtzTininess;
    let found = found(&[
        ("mul.ftz.f16", "grid", tininess, &[(EXACT, 3, 5)]),
        ("mul.ftz.f16", "uniform", tininess, &[(ROUNDED, 4, 6), (EXACT, 1, 20)]),
    ]);
    let [found] = &found[..] else { panic!("{found:?}") };
    assert_eq!((found.relaxation.as_str(), found.scope.as_str()), ("ftz-tininess", "mul.ftz.f16"));
    let answer = |at: usize| {
        let answer = &found.answers[at];
        let example = (answer.example.sweep.as_str(), answer.example.index);
        (answer.answer.as_str(), answer.variant.as_str(), answer.count, example)
    };
    assert_eq!(answer(0), ("exact", "mul.ftz.f16", 25, ("grid", 3)));
    assert_eq!(answer(1), ("rounded", "mul.ftz.f16", 6, ("uniform", 4)));
    assert_eq!(found.answers.len(), 2);
    assert_eq!(found.answers[0].example.operands[0].bits, "0x0001");
}

/// The variants of a section share its sentence.
#[test]
fn variants_of_one_section_should_answer_alike() {
    let tininess = Relaxation::FtzTininess;
    let different = [
        ("mul.ftz.f16", "grid", tininess, &[(EXACT, 3, 5)][..]),
        ("mul.ftz.f16x2", "grid", tininess, &[(ROUNDED, 4, 6)][..]),
    ];
    let told = found(&different);
    let [found_one] = &told[..] else { panic!("{told:?}") };
    assert_eq!(found_one.scope, "PTX ISA 9.7.4.3");
    let variants: Vec<&str> = found_one.answers.iter().map(|answer| answer.variant.as_str()).collect();
    assert_eq!(variants, ["mul.ftz.f16", "mul.ftz.f16x2"]);
    let alike = [different[0], ("mul.ftz.f16x2", "grid", tininess, &[(EXACT | UNBOUNDED, 4, 6)])];
    assert_eq!(found(&alike), []);
    // Another section has another sentence, so the answers may differ.
    let other = [different[0], ("fma.rn.ftz.f16", "grid", tininess, &[(ROUNDED, 4, 6)])];
    assert_eq!(found(&other), []);
}

/// A variant that has no one answer of its own says nothing about its section's answer.
#[test]
fn a_variant_that_contradicts_itself_is_told_once() {
    let tininess = Relaxation::FtzTininess;
    let told = found(&[
        ("mul.ftz.f16", "grid", tininess, &[(EXACT, 3, 5), (ROUNDED, 4, 6)]),
        ("mul.ftz.f16x2", "grid", tininess, &[(ROUNDED, 4, 6)]),
    ]);
    let scopes: Vec<&str> = told.iter().map(|told| told.scope.as_str()).collect();
    assert_eq!(scopes, ["mul.ftz.f16"]);
}

/// `.sat` and `.relu` have a sentence each, though they stand in one section.
#[test]
fn clamps_are_asked_one_by_one() {
    let sign = Relaxation::ZeroSign;
    let (plus, minus) = (&[(1, 3, 5)][..], &[(2, 3, 5)][..]);
    let relu = ("fma.rn.relu.f16", "grid", sign, minus);
    assert_eq!(found(&[("fma.rn.sat.f16", "grid", sign, plus), relu]), []);
    let told = found(&[relu, ("fma.rn.relu.f16x2", "grid", sign, plus)]);
    assert_eq!(told.len(), 1);
    let told = found(&[
        ("fma.rn.sat.f16", "grid", sign, plus),
        ("fma.rn.sat.f16x2", "grid", sign, minus),
        relu,
    ]);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].answers[1].variant, "fma.rn.sat.f16x2");
}

/// Where two points meet, each answer shares an interpretation of each point with the other, and no interpretation of
/// both.
#[test]
fn points_that_meet_are_asked_together() {
    let of = |texts: &[&str]| {
        let mut tally = asked(10);
        for (text, index) in texts.iter().zip(5..) {
            tally.joint_answer((*text).into(), 3, index, || vector(index, &[1], &[0], &[0]));
        }
        tally
    };
    let points = "zero-sign × ftz-ignored";
    let texts = [format!("{points}: -0 × flushed"), format!("{points}: -0 × kept | +0 × flushed")];
    let told = |tasks: &[(&str, &str, &[&str])]| {
        let tallies = tasks.iter().map(|(.., texts)| of(texts)).collect();
        let tasks = tasks.iter().map(|(text, sweep, _)| task(text, sweep, 10)).collect();
        built(&plan(tasks), tallies).inconsistencies
    };
    let (one, other) = (&[texts[0].as_str()][..], &[texts[1].as_str()][..]);
    let (sat, too) = ("cvt.rm.ftz.sat.f16.f32", "cvt.rn.ftz.sat.f16.f32");
    assert_eq!(told(&[(sat, "zero", one), (sat, "uniform", one)]), []);
    let within = told(&[(sat, "zero", one), (sat, "uniform", &[&texts[0], &texts[1]])]);
    let [found] = &within[..] else { panic!("{within:?}") };
    assert_eq!((found.relaxation.as_str(), found.scope.as_str()), (points, sat));
    let counts: Vec<u64> = found.answers.iter().map(|answer| answer.count).collect();
    assert_eq!(counts, [6, 3]);
    let among = told(&[(sat, "zero", one), (too, "zero", other)]);
    let [found] = &among[..] else { panic!("{among:?}") };
    assert!(found.scope.starts_with("PTX ISA 9.7."), "{}", found.scope);
    let variants: Vec<&str> = found.answers.iter().map(|answer| answer.variant.as_str()).collect();
    assert_eq!(variants, [sat, too]);
}
