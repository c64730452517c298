//! The suite on trial: a canary with known faults must be found out, fault by fault.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use harness::implementation::{Canary, PLANTED};
use harness::run::{self, Display, Plan, Request, Settings, Tier};
use reports::{Report, Status};

fn quick(only: Vec<String>, directory: &std::path::Path) -> Report {
    let request = Request { tier: Tier::Quick, seed: 0, only, target: None, shard: None };
    let plan = Plan::new(request, &Canary).unwrap();
    let settings = Settings { jobs: 2, directory: directory.into(), resume: false };
    let stop = AtomicBool::new(false);
    let outcome = run::run(&plan, &Canary, &settings, &stop, &Display::hidden()).unwrap();
    run::report(&plan, &Canary, &settings, &outcome, std::time::SystemTime::UNIX_EPOCH)
}

/// Each planted fault is found by the quick tier, in its own variant and nowhere else.
#[test]
fn quick_tier_finds_every_planted_fault_and_names_the_variant() {
    let directory = tempfile::tempdir().unwrap();
    let planted: BTreeSet<&str> = PLANTED.iter().map(|(text, _)| *text).collect();
    assert_eq!(planted.len(), PLANTED.len(), "one fault a variant");
    // Beside the faulty variants some healthy ones, which must stay green.
    let healthy = ["mul.f16", "fma.rn.sat.f16x2", "sub.rm.f32.f16", "fma.rn.oob.f16x2"];
    let only = planted.iter().chain(&healthy).map(|text| text.to_string()).collect();
    let report = quick(only, directory.path());
    assert!(report.complete);
    let failed: BTreeSet<&str> = report
        .variants
        .iter()
        .filter(|variant| variant.status == Status::Fail)
        .map(|variant| variant.variant.as_str())
        .collect();
    assert_eq!(failed, planted);
    for variant in report.variants.iter().filter(|variant| variant.status == Status::Fail) {
        assert!(!variant.classes.is_empty(), "{}", variant.variant);
        for class in &variant.classes {
            let example = &class.examples[0];
            assert_ne!(example.expected, example.actual, "{}", class.id);
        }
    }
}
