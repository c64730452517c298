//! Tests that every choice is either open by name or settled by a source; `sections.rs` states the open ones a second
//! time.

mod sections;

use std::collections::BTreeSet;

use super::*;

const PAGE: &str = include_str!("../../../../docs/what/settled-points.md");

/// Whether a text is a source: words of the manual and their sections, a named part of another document, or a device
/// and the publisher of what it did.
fn is_source(text: &str) -> bool {
    let Some((place, words)) = text.split_once(": ") else { return false };
    let is_section = |text: &str| {
        let numbers: Vec<&str> = text.split('.').collect();
        numbers.len() > 2 && numbers.iter().all(|number| number.parse::<u32>().is_ok())
    };
    if place.split(", ").all(is_section) {
        return words.split('"').nth(1).is_some_and(|quoted| quoted.len() > 15);
    }
    let documents = [
        "OCP OFP8 1.0, ",
        "OCP Microscaling Formats 1.0, ",
        "CUDA C++ Programming Guide, ",
        "IEEE 754-2019, ",
    ];
    let devices = [
        "measured on sm_100a, published by mlc-ai/TIRx-harness",
        "measured on an NVIDIA H200, reports/published",
    ];
    let is_document = documents.iter().any(|name| place.len() > name.len() && place.starts_with(name));
    is_document || devices.contains(&place)
}

#[test]
fn a_source_says_where_and_what() {
    assert!(is_source("9.7.3.14, 9.7.3.17: \"a canonical NaN with encoding 0x7fff\""));
    assert!(is_source("OCP OFP8 1.0, conversions without saturation: NaN"));
    for text in [
        "9.7.3.14: because it is so",
        "9.x: \"a canonical NaN with encoding 0x7fff\"",
        "9.7.3.14 \"a canonical NaN with encoding 0x7fff\"",
        "OCP OFP8 1.0, : NaN",
        "measured on sm_100a: 0x00",
        "common sense: 0x00",
    ] {
        assert!(!is_source(text), "{text}");
    }
}

/// Checks that the page lists each choice that a source settles, with the number of variants that have it, so that none
/// is dropped or widened without a word.
#[test]
fn what_sources_settle_is_on_the_page() {
    let mut expected = Vec::new();
    for choice in choices() {
        let variants = Variant::all().iter().filter(|variant| (choice.arises)(variant)).count();
        expected.push(format!("| {} | {} | {variants} |", choice.what, choice.source));
    }
    let start = PAGE.split("| what | settled by | variants |\n| --- | --- | ---: |\n").nth(1);
    let rows: Vec<&str> = start.unwrap().lines().take_while(|line| line.starts_with('|')).collect();
    assert!(rows == expected, "settled-points.md lacks\n{}", expected.join("\n"));
}

#[test]
fn what_is_settled_has_a_source_and_arises() {
    for choice in choices() {
        let Choice { what, source, .. } = choice;
        assert!(is_source(source), "{what}: `{source}` names no source");
        assert!(Variant::all().iter().any(choice.arises), "no variant has this: {what}");
    }
}

/// Checks that every relaxation arises in some variant, and that no two have the same name.
#[test]
fn every_relaxation_arises() {
    let arising: BTreeSet<Relaxation> = Variant::all().iter().flat_map(Variant::relaxations).collect();
    assert_eq!(arising, BTreeSet::from(Relaxation::ALL));
    let names: BTreeSet<&str> = Relaxation::ALL.into_iter().map(Relaxation::name).collect();
    assert_eq!(names.len(), Relaxation::ALL.len());
}

#[test]
fn relaxations_follow_from_the_modifiers() {
    use Relaxation::*;
    let of = |text: &str| text.parse::<Variant>().unwrap().relaxations().collect::<Vec<_>>();
    assert_eq!(of("mul.bf16"), [AnyNan]);
    assert_eq!(of("mul.ftz.f16"), [AnyNan, FtzTininess]);
    assert_eq!(of("fma.rn.ftz.sat.f16x2"), [FtzTininess, ZeroSign]);
    assert_eq!(of("fma.rn.relu.bf16"), [ZeroSign]);
    assert_eq!(of("fma.rn.oob.f16"), [AnyNan, OobPattern, OobAddend]);
    assert_eq!(of("fma.rn.oob.bf16"), [AnyNan, OobAddend]);
    assert_eq!(of("add.rm.f32.f16"), [AnyNan]);
}
