//! The suite on trial: a canary with known faults must be found out, fault by fault.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use harness::diagnosis;
use harness::implementation::{Canary, PLANTED};
use harness::run::{self, Display, Plan, Request, Settings, Tier};
use reports::{Report, Status};
use vectors::Variant;

fn quick(only: Vec<String>, directory: &std::path::Path) -> Report {
    let request = Request::of(Tier::Quick, only);
    let plan = Plan::new(request, &Canary).unwrap();
    let settings = Settings { jobs: 2, directory: directory.into(), resume: false };
    let stop = AtomicBool::new(false);
    let outcome = run::run(&plan, &Canary, &settings, &stop, &Display::hidden()).unwrap();
    let (diagnoses, diagnosed) = diagnosis::diagnose(&plan, &outcome.progress, &Canary, 2, &stop);
    diagnosed.unwrap();
    run::report(&plan, &Canary, &settings, &outcome, &diagnoses, std::time::SystemTime::UNIX_EPOCH)
}

/// Of the healthy variants, every so many-th is run as well.
const SAMPLED: usize = 97;

/// Each planted fault is found by the quick tier, in its own variant, and called by its name; a sample
/// of the healthy variants stays green.
#[test]
fn quick_tier_finds_every_planted_fault_and_names_it() {
    let directory = tempfile::tempdir().unwrap();
    let planted: BTreeSet<&str> = PLANTED.iter().map(|(text, _)| *text).collect();
    assert_eq!(planted.len(), PLANTED.len(), "one fault a variant");
    let texts = Variant::all().iter().map(Variant::text);
    let healthy = texts.filter(|text| !planted.contains(text)).step_by(SAMPLED);
    let only = planted.iter().copied().chain(healthy).map(str::to_owned).collect();
    let report = quick(only, directory.path());
    assert!(report.complete);
    let failed: BTreeSet<&str> = report
        .variants
        .iter()
        .filter(|variant| variant.status == Status::Fail)
        .map(|variant| variant.variant.as_str())
        .collect();
    assert_eq!(failed, planted);
    let mut misnamed = Vec::new();
    for variant in report.variants.iter().filter(|variant| variant.status == Status::Fail) {
        assert!(!variant.classes.is_empty(), "{}", variant.variant);
        for class in &variant.classes {
            let example = &class.examples[0];
            assert_ne!(example.expected, example.actual, "{}", class.id);
        }
        let (_, deviation) = PLANTED.iter().find(|(text, _)| *text == variant.variant).unwrap();
        for class in &variant.classes {
            // Of some, another deviation gives the same results throughout.
            let named = class.explanation.as_ref().is_some_and(|explanation| {
                explanation.flaws == [deviation.id()] || explanation.others.contains(&deviation.id())
            });
            if !named {
                misnamed.push(format!("{}: {:?}, not {}", class.id, class.explanation, deviation.id()));
            }
        }
    }
    assert!(misnamed.is_empty(), "{misnamed:#?}");
}
