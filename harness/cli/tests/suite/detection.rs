//! Tests of what the suite detects: a canary with known faults must be found out, fault by fault.

mod functions;
mod mutants;
mod named;
mod wrong;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use findings::diagnosis;
use implementations::{Canary, Implementation, PLANTED, PLANTED_APPROXIMATIONS};
use isa::{Variant, columns_for, results_for};
use model::{Fault, Model};
use reports::{Report, Status};
use runner::{Display, Plan, RunRequest, RunSettings};
use selection::budget::Tier;
use sweeps::Sweep;

fn quick(implementation: &dyn Implementation, only: Vec<String>) -> Report {
    let directory = tempfile::tempdir().unwrap();
    let request = RunRequest::of(Tier::Quick, only);
    let plan = Plan::new(request, implementation).unwrap();
    let settings = RunSettings { jobs: 2, directory: directory.path().into(), resume: false };
    let stop = AtomicBool::new(false);
    let outcome = runner::run(&plan, implementation, &settings, &stop, &Display::hidden()).unwrap();
    let (diagnoses, diagnosed) = diagnosis::diagnose(&plan, &outcome.progress, implementation, 2, &stop);
    diagnosed.unwrap();
    findings::report::build(
        &plan,
        implementation,
        &settings,
        &outcome,
        &diagnoses,
        std::time::SystemTime::UNIX_EPOCH,
    )
}

/// The distance between the healthy variants that are run as well: every so many-th of them.
const SAMPLED: usize = 97;

/// Each planted fault is found by the quick tier, in its own variant, and called by its name where the
/// variant has a model; a sample of the healthy variants stays green.
#[test]
fn quick_tier_finds_every_planted_fault_and_names_it() {
    let approximations = PLANTED_APPROXIMATIONS.iter().map(|(text, _)| *text);
    let planted: BTreeSet<&str> = PLANTED.iter().map(|(text, _)| *text).chain(approximations).collect();
    assert_eq!(planted.len(), PLANTED.len() + PLANTED_APPROXIMATIONS.len(), "one fault a variant");
    let texts = Variant::all().iter().map(Variant::text);
    let healthy = texts.filter(|text| !planted.contains(text)).step_by(SAMPLED);
    let only = planted.iter().copied().chain(healthy).map(str::to_owned).collect();
    let report = quick(&Canary, only);
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
        let Some((_, fault)) = PLANTED.iter().find(|(text, _)| *text == variant.variant) else {
            continue;
        };
        for class in &variant.classes {
            // For some classes, another fault gives the same results throughout.
            let named = class.explanation.as_ref().is_some_and(|explanation| {
                explanation.flaws == [fault.id()] || explanation.others.contains(&fault.id())
            });
            if !named {
                misnamed.push(format!("{}: {:?}, not {}", class.id, class.explanation, fault.id()));
            }
        }
    }
    assert!(misnamed.is_empty(), "{misnamed:#?}");
}

/// A fault changes nothing in a variant that does not have what the fault is about.
#[test]
fn faults_change_nothing_that_they_do_not_concern() {
    let mut changed = BTreeMap::new();
    for variant in Variant::all().iter().step_by(11).filter(|variant| Model::covers(variant)) {
        let mut operands = columns_for(variant, 96);
        let mut results = [results_for(variant, 96), results_for(variant, 96)];
        for sweep in ["boundary", "exponents", "uniform"].map(|name| Sweep::named(name).unwrap()) {
            let all = sweep.length(variant).at_most(u64::MAX);
            if all == 0 {
                continue;
            }
            if all < 96 {
                continue;
            }
            sweep.fill(variant, 5, 0, &mut operands);
            Model::new(variant, None).run(&operands, &mut results[0]);
            for fault in Fault::ALL.iter().filter(|fault| !fault.concerns(variant)) {
                Model::new(variant, *fault).run(&operands, &mut results[1]);
                if results[0] != results[1] {
                    changed.insert((format!("{fault:?}"), variant.mnemonic()), variant.text());
                }
            }
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
}
