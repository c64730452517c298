//! Tests of how much the suite explains of what it finds wrong with four emulators of PTX.
//!
//! The emulators are implemented anew from what is known of them, function by function, in the host's own
//! arithmetic as they are.

mod gpgpusim;
mod lanes;
mod ocelot;
mod ptoxide;
mod tinygrad;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::Result;
use base::terminal::say;
use findings::diagnosis;
use formats::{Column, column};
use implementations::{Description, Implementation, Support, Worker};
use isa::{Site, Variant};
use reports::Report;
use runner::{Display, Plan, RunRequest, RunSettings};
use selection::budget::Tier;

use lanes::RegisterFunction;

/// An emulator that is implemented anew.
#[derive(Clone, Copy)]
struct Modelled {
    name: &'static str,
    row: fn(&Variant) -> Option<RegisterFunction>,
    /// The most vectors of a sweep.
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
        // These were not among the variants when the emulators were run.
        let later = variant.in_turn().is_some() || variant.site() == Site::Bulk;
        match variant.is_ptx() && !later && (self.row)(variant).is_some() {
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

/// Returns the report on some variants, or on all if none are named.
fn report(emulator: &Modelled, only: Vec<String>) -> Report {
    let directory = tempfile::tempdir().unwrap();
    let plan = Plan::new(RunRequest::of(Tier::Quick, only), emulator).unwrap();
    let settings = RunSettings { jobs: 2, directory: directory.path().into(), resume: false };
    let stop = AtomicBool::new(false);
    let begun = Instant::now();
    let outcome = runner::run(&plan, emulator, &settings, &stop, &Display::hidden()).unwrap();
    let ran = begun.elapsed();
    let (diagnoses, ended) = diagnosis::diagnose(&plan, &outcome.progress, emulator, 2, &stop);
    ended.unwrap();
    let took = begun.elapsed() - ran;
    say(&format!("{}: {ran:.1?} to run, {took:.1?} to diagnose", emulator.name));
    let started = std::time::SystemTime::UNIX_EPOCH;
    findings::report::build(&plan, emulator, &settings, &outcome, &diagnoses, started)
}

/// The figures of an emulator: how many variants it has, how many of them are wrong, how many classes those have,
/// and how many of these are explained.
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

const PAGE: &str = include_str!("../../../../docs/why/diagnosis-emulators.md");

/// Returns the emulators' rows of the page: variants, those that are wrong, classes, those explained before, and
/// now.
fn published() -> BTreeMap<&'static str, Figures> {
    let cells = |line: &'static str| -> Vec<&'static str> {
        line.trim_matches('|').split('|').map(str::trim).collect()
    };
    let lines = PAGE.lines().skip_while(|line| !line.starts_with("| emulator | variants |")).skip(2);
    let rows = lines.take_while(|line| line.starts_with('|')).map(cells);
    rows.map(|row| {
        let number = |at: usize| row[at].replace(',', "").parse::<usize>().unwrap();
        let [variants, wrong, classes, explained] = [1, 2, 3, 5].map(number);
        (row[0], Figures { variants, wrong, classes, explained })
    })
    .collect()
}

/// Returns the classes that nothing explains, by operation and kind.
fn unexplained(report: &Report) -> String {
    let mut open: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for class in report.variants.iter().flat_map(|variant| &variant.classes) {
        if class.explanation.is_none() {
            let (variant, kind) = class.id.rsplit_once('/').unwrap();
            let operation = variant.split('.').next().unwrap();
            open.entry(format!("{operation}/{kind}")).or_default().push(&class.id);
        }
    }
    let line = |(what, ids): (String, Vec<&str>)| {
        format!("{} {what}: {}", ids.len(), ids[..ids.len().min(4)].join(" "))
    };
    open.into_iter().map(line).collect::<Vec<String>>().join("\n")
}

/// At least 95 % of the classes of each emulator are explained, and as many as the page says.
#[test]
fn most_of_what_emulators_do_wrong_is_explained() {
    let published = published();
    let mut differing = Vec::new();
    for emulator in &EMULATORS {
        let report = report(emulator, vec![]);
        let figures = figures(&report);
        let causes: Vec<String> = causes_of_most(&report);
        say(&format!("{}: {figures:?}\n{}\n{}", emulator.name, causes.join("\n"), unexplained(&report)));
        assert!(figures.explained * 100 >= figures.classes * 95, "{}: {figures:?}", emulator.name);
        if published.get(emulator.name) != Some(&figures) {
            differing.push(format!("{}: {figures:?}", emulator.name));
        }
    }
    assert!(differing.is_empty(), "the page has other figures than {}", differing.join(", "));
}

/// Returns the causes behind most variants, in words.
fn causes_of_most(report: &Report) -> Vec<String> {
    let mut groups = reports::causes::groups(&report.variants);
    groups.sort_by_cached_key(|group| std::cmp::Reverse(group.variants()));
    let line = |group: &reports::causes::CauseGroup| {
        format!("{} variants: {}", group.variants(), group.words())
    };
    groups.iter().take(5).map(line).collect()
}

/// An emulator that only ignores modifiers is described by these modifiers, none of them lost among others.
#[test]
fn modifiers_without_effect_are_told() {
    let tinygrad = EMULATORS.iter().find(|of| of.name == "tinygrad").unwrap();
    let only =
        ["add.rz.f32", "add.rm.ftz.sat.f32", "mul.ftz.f32", "min.ftz.NaN.f32", "fma.rn.ftz.relu.f16"];
    let report = report(tinygrad, only.map(String::from).into());
    let groups = reports::causes::groups(&report.variants);
    let variants: std::collections::BTreeSet<&str> =
        groups.iter().flat_map(|group| group.names()).collect();
    assert_eq!(variants, only.into());
    let ignored: std::collections::BTreeSet<&str> =
        groups.iter().flat_map(|group| group.ignored()).collect();
    assert_eq!(ignored, [".NaN", ".ftz", ".relu", ".rm", ".rz", ".sat"].into());
}

/// Rules are told by family: the products of ptoxide are wrong in one family of instructions, and nothing else of
/// it is wrong in any.
#[test]
fn rules_are_told_by_family() {
    let report = report(&EMULATORS[0], vec![]);
    let cell = |rule: &str, family: &str| {
        let row = report.rules.iter().find(|row| row.rule == rule).unwrap();
        let cell = row.families.iter().find(|cell| cell.family == family);
        cell.map(|cell| (cell.variants, cell.following))
    };
    assert_eq!(cell("fuses", "fma mad"), Some((8, 0)));
    assert_eq!(cell("honours the direction", "fma mad"), Some((6, 0)));
    assert_eq!(cell("computes the operation", "add sub"), Some((4, 4)));
    assert_eq!(cell("has all else right", "fma mad"), Some((8, 8)));
    // Nothing that the first rule is about was run in this family, and there is nothing that the second is about.
    assert_eq!(cell("flushes inputs", "add sub"), Some((0, 0)));
    assert_eq!(cell("fuses", "add sub"), None);
}
