//! Tests that a program is asked for the same vectors in arrays of several lengths, and that results which depend on
//! the length are found.

use std::process::Command;

use reports::{Class, Report};

use super::{faulty, report};
use crate::common::assert_refused;

/// Number of the operands of `neg.f16`, which are all tried in their order.
const ALL: u64 = 1 << 16;

/// Runs a client that is wrong in a way that depends on the length of an array.
fn in_arrays(lengths: &str, mode: &str) -> Report {
    let (_directory, faulty) = faulty();
    report(&format!("exec,{lengths}:{faulty} {mode}"), &["neg.f16"])
}

/// Returns the one class of a report, which is of results that depend on the length.
fn dependent(report: &Report) -> &Class {
    let class = super::class(report);
    assert_eq!(class.id, "neg.f16/batch-dependent");
    class
}

/// A program that is right for one vector at a time and wrong in arrays of eight is wrong on one vector, whose place
/// the report says.
#[test]
fn a_program_that_is_wrong_in_arrays_of_eight_is_found() {
    let whole = in_arrays("lengths=1+7+8+64", "arrays-of-8");
    let class = dependent(&whole);
    assert_eq!((class.count, whole.totals.mismatches, whole.totals.vectors), (1, 1, ALL));
    let example = &class.examples[0];
    assert_eq!((&*example.operands[0].bits, example.index), ("0x1234", 0x1234));
    assert_eq!((&*example.expected[0].bits, &*example.actual[0].bits), ("0x9234", "0x9235"));
    assert_eq!(example.words.as_deref(), Some("0x9234 alone, and 0x9235 at place 4 of an array of 8"));
    assert_eq!(in_arrays("lengths=4+7", "arrays-of-8").totals.mismatches, 0, "seven are too few");
    // The first length that is asked may be the one that is wrong.
    let turned = in_arrays("lengths=8+7", "arrays-of-8");
    let example = &dependent(&turned).examples[0];
    assert_eq!((&*example.expected[0].bits, &*example.actual[0].bits), ("0x9234", "0x9235"));
    // Without a second length nothing is compared, and the wrong result is one as any other.
    let alone = in_arrays("lengths=8", "arrays-of-8");
    assert!(alone.variants[0].classes.iter().any(|class| class.id == "neg.f16/ulp-above"));
}

/// A program that is wrong behind the last whole group of four is found by a length that is no multiple of four, and
/// by no other.
#[test]
fn a_program_that_is_wrong_in_the_rest_of_an_array_is_found() {
    let right = in_arrays("lengths=64+4+8", "arrays-tails");
    assert_eq!(right.totals.mismatches, 0, "all are multiples of four");
    let wrong = in_arrays("lengths=64+7", "arrays-tails");
    let class = dependent(&wrong);
    // Three of each seven, but for NaN, which is another NaN in these places.
    let tails = ALL / 7 * 3;
    assert!((tails - 1000..tails).contains(&class.count), "{}", class.count);
    assert_eq!(class.examples[0].index, 4);
    assert_eq!(
        class.examples[0].words.as_deref(),
        Some("0x8004 at place 4 of an array of 64, and 0x8005 at place 4 of an array of 7")
    );
}

/// Results that differ and are all permitted are no mismatch: PTX does not say which NaN this is.
#[test]
fn results_that_differ_and_are_permitted_are_right() {
    assert_eq!(in_arrays("lengths=32768+65536", "arrays-nan").totals.mismatches, 0);
}

/// A program that ends in arrays of eight alone, or has no result there, has not the same answer in each array.
#[test]
fn a_program_that_fails_in_arrays_of_one_length_is_found() {
    let crash = in_arrays("lengths=64+8", "arrays-crash");
    let class = super::class(&crash);
    assert_eq!((&*class.id, class.count), ("neg.f16/crashed", 1));
    let words = class.examples[0].words.as_deref().unwrap();
    assert!(words.contains("with 8 vectors asked together"), "{words}");
    assert!(words.contains("eight at once"), "{words}");

    let lacking = in_arrays("lengths=64+8", "arrays-lack");
    let class = dependent(&lacking);
    assert_eq!((class.count, lacking.totals.vectors), (ALL / 8, ALL));
    let example = &class.examples[0];
    assert_eq!(
        example.words.as_deref(),
        Some("0x8000 at place 0 of an array of 64, and no result at place 0 of an array of 8")
    );
    assert!(example.actual.is_empty(), "the one result that there is was expected");
}

/// `replay` asks the whole batch again in the same arrays, and says what came.
#[test]
fn replay_asks_in_the_same_arrays() {
    let (directory, faulty) = faulty();
    let out = directory.path().join("out");
    let name = format!("exec,lengths=1+8:{faulty} arrays-of-8");
    let conformance = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_conformance")).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let out = out.to_str().unwrap();
    let run = ["conformance", "--jobs", "1", "--only", "neg.f16", "--impl", &name, "--out", out];
    let (code, printed) = conformance(&run);
    let words = "0x9234 alone, and 0x9235 at place 4 of an array of 8";
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains(&format!("results: {words}")), "{printed}");
    let path = format!("{out}/report.json");
    let (code, printed) = conformance(&["replay", &path, "--impl", &name]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("BATCH-DEPENDENT  neg.f16"), "{printed}");
    assert!(printed.contains(&format!("in its batch {words}, then {words}; alone 0x9234")), "{printed}");
    // The mended program passes.
    let mended = format!("exec,lengths=1+8:{faulty} right");
    assert_eq!(conformance(&["replay", &path, "--impl", &mended]).0, Some(0));
}

#[test]
fn lengths_that_are_none_are_refused() {
    for wrong in ["lengths=", "lengths=0", "lengths=1,7", "lengths=8+8", "lengths=65537", "lengths=07"] {
        let name = format!("exec,{wrong}:true");
        let (output, _) = super::run(&name, &["neg.f16"]);
        assert_refused(&output, &["lengths=1+7+8+64"]);
    }
}
