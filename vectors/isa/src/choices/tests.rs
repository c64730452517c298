//! Every choice is open by name, or settled by a source.

use std::collections::BTreeSet;

use super::Settled::{By, Open};
use super::*;

const PAGE: &str = include_str!("../../../README.md");

/// A source is words of the manual and their sections, a named part of another document, or a device and who
/// published what it did.
fn is_source(text: &str) -> bool {
    let Some((place, words)) = text.split_once(": ") else { return false };
    let is_section = |text: &str| {
        let numbers: Vec<&str> = text.split('.').collect();
        numbers.len() > 2 && numbers.iter().all(|number| number.parse::<u32>().is_ok())
    };
    if place.split(", ").all(is_section) {
        return words.split('"').nth(1).is_some_and(|quoted| quoted.len() > 15);
    }
    let documents = ["OCP OFP8 1.0, ", "OCP Microscaling Formats 1.0, ", "CUDA C++ Programming Guide, "];
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

/// The page has each choice that a source settles, with the number of variants that have it, so that none is
/// dropped or widened without a word.
#[test]
fn what_sources_settle_is_on_the_page() {
    let mut expected = Vec::new();
    for choice in choices() {
        let By(source) = choice.settled else { continue };
        let variants = Variant::all().iter().filter(|variant| (choice.arises)(variant)).count();
        expected.push(format!("| {} | {source} | {variants} |", choice.what));
    }
    let start = PAGE.split("| what | settled by | variants |\n| --- | --- | ---: |\n").nth(1);
    let rows: Vec<&str> = start.unwrap().lines().take_while(|line| line.starts_with('|')).collect();
    assert!(rows == expected, "README.md lacks\n{}", expected.join("\n"));
}

/// What a variant leaves open is what the choices that arise in it say, and every other one of them
/// has a source.
#[test]
fn every_choice_is_a_relaxation_or_has_a_source() {
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for variant in Variant::all() {
        let (mut open, mut by) = (BTreeSet::new(), 0);
        for choice in choices().filter(|choice| (choice.arises)(variant)) {
            used.insert(choice.what);
            match choice.settled {
                Open(relaxation) => _ = open.insert(relaxation),
                By(source) if is_source(source) => by += 1,
                By(source) => panic!("{}: `{source}` names no source", choice.what),
            }
        }
        let declared: BTreeSet<Relaxation> = variant.relaxations().collect();
        if open != declared {
            wrong.push(format!("{variant}: open {open:?}, declared {declared:?}, sources {by}"));
        }
    }
    assert!(wrong.is_empty(), "{} variants:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
    let idle: Vec<&str> =
        choices().map(|choice| choice.what).filter(|what| !used.contains(what)).collect();
    assert!(idle.is_empty(), "no variant has these: {idle:?}");
}

#[test]
fn every_relaxation_is_the_answer_to_a_choice() {
    let answers: BTreeSet<Relaxation> = choices()
        .filter_map(|choice| match choice.settled {
            Open(relaxation) => Some(relaxation),
            By(_) => None,
        })
        .collect();
    assert_eq!(answers, BTreeSet::from(Relaxation::ALL));
}
