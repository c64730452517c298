//! Every choice is open by name, or settled by a source.

use std::collections::BTreeSet;

use super::*;

/// A source is a section of the manual, another document, or a device.
fn is_source(text: &str) -> bool {
    let names = ["9.", "5.2.3", "OCP OFP8 ", "CUDA C++ Programming Guide", "measured on sm_"];
    names.iter().any(|name| text.starts_with(name)) && text.contains(':')
}

/// What a variant leaves open is what the choices that arise in it say, and every other one of them
/// has a source.
#[test]
fn every_choice_is_a_relaxation_or_has_a_source() {
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for variant in Variant::all() {
        let (mut open, mut by) = (BTreeSet::new(), 0);
        for choice in CHOICES.iter().filter(|choice| (choice.arises)(variant)) {
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
        CHOICES.iter().map(|choice| choice.what).filter(|what| !used.contains(what)).collect();
    assert!(idle.is_empty(), "no variant has these: {idle:?}");
}

#[test]
fn every_relaxation_is_the_answer_to_a_choice() {
    let answers: BTreeSet<Relaxation> = CHOICES
        .iter()
        .filter_map(|choice| match choice.settled {
            Open(relaxation) => Some(relaxation),
            By(_) => None,
        })
        .collect();
    assert_eq!(answers, BTreeSet::from(Relaxation::ALL));
}
