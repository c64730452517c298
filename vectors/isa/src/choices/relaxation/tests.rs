//! Tests of how answers in reports are read, and of which choices an implementation makes one way throughout.

use super::*;

#[test]
fn an_answer_agrees_with_one_or_several_interpretations() {
    let set = |relaxation: Relaxation, answer: &str| relaxation.interpretations_of(answer);
    assert_eq!(set(Relaxation::FtzTininess, "exact"), 0b001);
    assert_eq!(set(Relaxation::FtzTininess, "unbounded or rounded"), 0b110);
    assert_eq!(set(Relaxation::DeviceOrder, "c last or a last"), 0b101);
    assert_eq!((set(Relaxation::FtzTininess, "c last"), set(Relaxation::FtzTininess, "")), (0, 0));
}

/// Checks which choices may differ between results: a device may make one NaN here and another there, and add two words
/// in one order and then in the other. A choice about the meaning of a sentence of the manual is the same everywhere.
#[test]
fn results_may_change_and_sentences_may_not() {
    let of_results = Relaxation::ALL.into_iter().filter(|relaxation| !relaxation.is_of_sentence());
    let names: Vec<&str> = of_results.map(Relaxation::name).collect();
    let expected = [
        "any-nan",
        "nan-payload",
        "tf32-layout",
        "cast-nan",
        "unstated-accuracy",
        "subnormal-accuracy",
        "bound-overflow",
        "gross-tininess",
        "thread-order",
        "device-order",
    ];
    assert_eq!(names, expected);
}
