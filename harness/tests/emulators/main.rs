//! Four emulators of PTX, written anew from what is known of them, function by function, in the host's own
//! arithmetic as they are: of what the suite finds wrong with them, how much does it explain?

mod gpgpusim;
#[path = "../common/host.rs"]
mod host;
mod lanes;
mod ocelot;
mod ptoxide;
mod tinygrad;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::Result;
use harness::budget::Tier;
use harness::diagnosis;
use harness::implementation::{Description, Implementation, Support, Worker};
use harness::run::{self, Display, Plan, Request, Settings};
use lanes::Row;
use reports::Report;
use vectors::{Column, Variant, column};

/// One of the four.
#[derive(Clone, Copy)]
struct Modelled {
    name: &'static str,
    row: fn(&Variant) -> Option<Row>,
    /// Vectors of a sweep.
    vectors: u64,
}

const EMULATORS: [Modelled; 4] = [
    Modelled { name: "ptoxide", row: ptoxide::row, vectors: VECTORS },
    Modelled { name: "GPU Ocelot", row: ocelot::row, vectors: VECTORS },
    Modelled { name: "tinygrad", row: tinygrad::row, vectors: VECTORS },
    Modelled { name: "GPGPU-Sim", row: gpgpusim::row, vectors: VECTORS },
];

const VECTORS: u64 = 150;

impl Implementation for Modelled {
    fn describe(&self) -> Description {
        Description { name: self.name.into(), ..Description::default() }
    }

    fn support(&self, variant: &Variant) -> Support {
        match variant.is_ptx() && (self.row)(variant).is_some() {
            true => Support::Yes,
            false => Support::No("it has none".into()),
        }
    }

    fn vectors_max(&self) -> Option<u64> {
        Some(self.vectors)
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(Box::new(*self))
    }
}

impl Worker for Modelled {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        let compute = (self.row)(variant).expect("it is only asked for what it has");
        for row in 0..operands[0].rows() {
            column::set_row(results, row, &compute(&column::row(operands, row)));
        }
        Ok(())
    }
}

/// The report on some variants, all if none are named.
fn report(emulator: &Modelled, only: Vec<String>) -> Report {
    let directory = tempfile::tempdir().unwrap();
    let plan = Plan::new(Request::of(Tier::Quick, only), emulator).unwrap();
    let settings = Settings { jobs: 2, directory: directory.path().into(), resume: false };
    let stop = AtomicBool::new(false);
    let begun = Instant::now();
    let outcome = run::run(&plan, emulator, &settings, &stop, &Display::hidden()).unwrap();
    let ran = begun.elapsed();
    let (diagnoses, ended) = diagnosis::diagnose(&plan, &outcome.progress, emulator, 2, &stop);
    ended.unwrap();
    let took = begun.elapsed() - ran;
    eprintln!("{}: {ran:.1?} to run, {took:.1?} to diagnose", emulator.name);
    let started = std::time::SystemTime::UNIX_EPOCH;
    harness::report::build(&plan, emulator, &settings, &outcome, &diagnoses, started)
}

/// How many variants an emulator has, how many of them are wrong, how many classes those have, and how many
/// of these are explained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Figures {
    variants: usize,
    wrong: usize,
    classes: usize,
    explained: usize,
}

fn figures(report: &Report) -> Figures {
    let classes = || report.variants.iter().flat_map(|variant| &variant.classes);
    let run = report.variants.iter().filter(|variant| variant.vectors > 0);
    Figures {
        variants: run.count(),
        wrong: report.variants.iter().filter(|variant| !variant.classes.is_empty()).count(),
        classes: classes().count(),
        explained: classes().filter(|class| class.explanation.is_some()).count(),
    }
}

#[test]
fn figures_are_printed() {
    let chosen = std::env::var("EMULATOR").ok();
    for emulator in EMULATORS.iter().filter(|of| chosen.as_ref().is_none_or(|name| of.name == name)) {
        let report = report(emulator, vec![]);
        println!("{}: {:?}", emulator.name, figures(&report));
        let mut open: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for class in report.variants.iter().flat_map(|variant| &variant.classes) {
            if class.explanation.is_none() {
                let (variant, kind) = class.id.rsplit_once('/').unwrap();
                let operation = variant.split('.').next().unwrap();
                open.entry(format!("{operation}/{kind}")).or_default().push(&class.id);
            }
        }
        for (what, ids) in open {
            println!("  {:5} {what}: {}", ids.len(), ids[..ids.len().min(6)].join(" "));
        }
    }
}
