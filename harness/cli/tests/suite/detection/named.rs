//! Each fault of the table is named where it alone is wrong, and no weaker one in its place.

use std::sync::atomic::AtomicBool;

use anyhow::Result;
use base::pool::Pool;
use faults::{Mutation, is_tolerated};
use formats::Column;
use implementations::{Description, Emulator, Implementation, Support, Worker};
use isa::Variant;
use model::{Fault, Model};
use reports::Status;

/// The model with one fault. It is asked so many vectors of each sweep at most, as a slow implementation is.
#[derive(Clone, Copy)]
struct Mutant(Fault, u64);

/// The most vectors of each sweep, at first and where so few do not show a fault.
const VECTORS: [u64; 2] = [2048, 1 << 15];
/// The published score, which has the faults that are killed.
const SCORE: &str = include_str!("../../../../../reports/published/detection/mutants.json");
/// The most variants in which a fault is looked for until it shows in so few vectors, and the most of those where a
/// relaxation tolerates it.
const TRIED: usize = 24;

impl Implementation for Mutant {
    fn describe(&self) -> Description {
        Description { name: "mutant".into(), version: "1".into(), ..Description::default() }
    }

    fn support(&self, variant: &Variant) -> Support {
        Emulator::lanes().support(variant)
    }

    fn vectors_max(&self) -> Option<u64> {
        Some(self.1)
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(Box::new(MutantWorker(self.0)))
    }
}

struct MutantWorker(Fault);

impl Worker for MutantWorker {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        Model::new(variant, self.0).run(operands, results);
        Ok(())
    }
}

/// Returns some variants that a fault concerns, from all over the table.
fn variants(fault: Fault) -> Vec<&'static Variant> {
    let concerned = |variant: &&Variant| Model::covers(variant) && fault.concerns(variant);
    let all = Variant::all().iter().filter(concerned);
    // Where a relaxation tolerates the fault, it shows in few results.
    let (tolerated, others): (Vec<&Variant>, Vec<&Variant>) =
        all.partition(|variant| is_tolerated(Mutation::Stage(fault), variant));
    let some = |of: Vec<&'static Variant>| {
        let step = (of.len() / TRIED).max(1);
        of.into_iter().step_by(step).take(TRIED)
    };
    some(others).chain(some(tolerated)).collect()
}

/// Says how a fault is misnamed; `None` if it is named, or shows in none of the variants.
fn misnamed(fault: Fault) -> (bool, Option<String>) {
    let variants = variants(fault);
    let tried = VECTORS.into_iter().flat_map(|most| variants.iter().map(move |variant| (most, variant)));
    for (most, variant) in tried {
        let report = super::quick(&Mutant(fault, most), vec![variant.text().into()]);
        if report.variants[0].status != Status::Fail {
            continue;
        }
        for class in &report.variants[0].classes {
            let named = class
                .explanation
                .as_ref()
                .is_some_and(|of| of.flaws == [fault.id()] || of.others.contains(&fault.id()));
            if !named {
                let of = class.explanation.as_ref().map(|of| &of.words);
                return (true, Some(format!("{}, in {}: {of:?}", fault.id(), class.id)));
            }
        }
        return (true, None);
    }
    (false, None)
}

#[test]
fn every_fault_is_named_and_no_weaker_one_in_its_place() {
    let stop = AtomicBool::new(false);
    let done = Pool::new(2).stopped_by(&stop).run_on_each(
        Fault::ALL,
        || Ok(()),
        |(), &fault| Ok([(fault, misnamed(fault))]),
    );
    let found: Vec<_> = done.results.into_iter().flatten().flatten().collect();
    assert_eq!(found.len(), Fault::ALL.len(), "{:?}", done.error);
    let wrong: Vec<&String> = found.iter().filter_map(|(_, (_, words))| words.as_ref()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    // What the published score has killed nowhere, since a relaxation tolerates it, cannot be named.
    let score: serde_json::Value = serde_json::from_str(SCORE).unwrap();
    let killed = |fault: &String| {
        let families = score["families"].as_array().unwrap();
        families.iter().any(|of| of["flaw"] == **fault && of["found"].as_u64() > Some(0))
    };
    let unseen = found.iter().filter(|(_, (shown, _))| !shown).map(|(fault, _)| fault.id());
    let unseen: Vec<String> = unseen.filter(killed).collect();
    assert!(unseen.is_empty(), "no mismatch in {TRIED} variants: {unseen:?}");
}
