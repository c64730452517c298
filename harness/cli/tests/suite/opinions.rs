//! Tests that three opinions agree on every variant and every sweep: the MPFR oracle, the staged integer model, and
//! the emulator (scalar and in lanes).

use std::collections::BTreeSet;

use emulator::{Backend, Kernel};
use formats::{Column, column};
use isa::{Contract, Relaxation, Variant, columns_for, results_for};
use judge::{Batch, Judge, OpenPoints, Tally, Truth};
use model::Model;
use oracle::Oracle;
use sweeps::Sweep;

use crate::common::each;

/// The number of vectors of each sweep; odd, so that lanes have a remainder.
const ROWS: u64 = 499;
/// The number of vectors of each sweep where [`ROWS`] vectors reach no instance of some open point.
const MANY_ROWS: u64 = 40_000;

/// Returns the batches that a variant is asked: the beginning of each sweep.
fn batches(variant: &Variant, most: u64) -> Vec<(&'static str, Vec<Column>)> {
    let batch = |sweep: &'static Sweep| {
        let rows = sweep.length(variant).at_most(most);
        if rows == 0 {
            return None;
        }
        let mut columns = columns_for(variant, rows as usize);
        sweep.fill(variant, 0x5eed, 0, &mut columns);
        Some((sweep.name, columns))
    };
    Sweep::all().iter().filter_map(batch).collect()
}

/// Returns the disagreement of two results, if there is one, as a line for a person.
fn difference(
    variant: &Variant,
    sweep: &str,
    operands: &[Column],
    who: [&str; 2],
    [a, b]: [&[Column]; 2],
) -> Option<String> {
    let row = column::differing(a, b).next()?;
    let hex = |columns: &[Column]| {
        let bits: Vec<String> = columns.iter().map(|column| format!("{:#x}", column.get(row))).collect();
        bits.join(" ")
    };
    let [a, b] = [a, b].map(hex);
    Some(format!("{variant} {} ({sweep} {row}): {} {a}, {} {b}", hex(operands), who[0], who[1]))
}

/// Returns the choices of the manual that arise in a batch.
fn arising(truth: &Truth) -> BTreeSet<Relaxation> {
    let of_bits = truth.alternatives().iter().fold(OpenPoints::default(), |all, of| all.union(of.open));
    let of_intervals = truth.intervals().iter().filter_map(|interval| interval.point.relaxation());
    of_bits.relaxations().chain(of_intervals).collect()
}

/// Returns the differences between the opinions on one variant, and the points of its contract that are never put
/// to the test.
fn differences(variant: &Variant) -> Vec<String> {
    let mut oracle = Oracle::new(variant);
    let mut truth = Truth::new(variant);
    let exact = matches!(variant.form().contract, Contract::Exact);
    let model = Model::new(variant, None);
    let kernels =
        [Backend::Scalar, Backend::Lanes].map(|backend| (backend, Kernel::of(variant, backend)));
    let mut found = Vec::new();
    let declared: Vec<Relaxation> = variant.relaxations().collect();
    let mut never_arose = declared.clone();
    let of_results = [
        Relaxation::AnyNan,
        Relaxation::NanPayload,
        Relaxation::Tf32Layout,
        Relaxation::UnstatedAccuracy,
    ];
    never_arose.retain(|r| !of_results.contains(r));
    for (sweep, operands) in batches(variant, ROWS) {
        oracle.expect(&operands, &mut truth);
        let mut counted_nowhere = arising(&truth);
        never_arose.retain(|r| !counted_nowhere.contains(r));
        counted_nowhere.retain(|r| !declared.contains(r));
        if !counted_nowhere.is_empty() {
            found.push(format!(
                "{variant} ({sweep}) leaves {counted_nowhere:?}, and declares none of it"
            ));
        }
        let rows = operands[0].rows();
        let mut results = results_for(variant, rows);
        if exact {
            model.run(&operands, &mut results);
            let who = ["oracle", "model"];
            found.extend(difference(variant, sweep, &operands, who, [&truth.results, &results]));
        }
        for (backend, kernel) in &kernels {
            let Some(kernel) = kernel else {
                found.push(format!("{variant} has no kernel for {backend:?}"));
                break;
            };
            results.iter_mut().for_each(|column| column.bytes_mut().fill(0xa5));
            kernel.run(&operands, &mut results);
            if exact {
                let name = format!("emulator ({backend:?})");
                let who = ["oracle", &name];
                found.extend(difference(variant, sweep, &operands, who, [&truth.results, &results]));
            } else {
                let mut tally = Tally::default();
                let batch = Batch::new(&operands, &results);
                Judge::new(variant).judge(&truth, batch, &mut tally);
                let examples = tally.classes.values().flat_map(|class| &class.examples);
                found.extend(
                    examples.take(1).map(|e| format!("{variant} ({sweep}): {backend:?} {e:x?}")),
                );
            }
        }
        if found.len() > 3 {
            break;
        }
    }
    if !never_arose.is_empty() {
        for (_, operands) in batches(variant, MANY_ROWS) {
            oracle.expect(&operands, &mut truth);
            let arising = arising(&truth);
            never_arose.retain(|r| !arising.contains(r));
        }
    }
    if !never_arose.is_empty() {
        found.push(format!("{variant} declares {never_arose:?}, and no sweep gets there"));
    }
    found
}

#[test]
fn oracle_model_and_emulator_agree_on_every_variant_and_sweep() {
    let found = each(Variant::all(), differences).concat();
    assert!(found.is_empty(), "{} differences:\n{}", found.len(), found.join("\n"));
}
