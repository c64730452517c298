//! What people get wrong, pinned by hand: each case was worked out from the manual's words, and must
//! be what the oracle expects, what it accepts beside that, and what emulator and model compute.

mod alternate;
mod comparison;
mod conversion;
mod half;
mod narrow;
mod selection;
mod single;

use std::collections::BTreeSet;

use harness::emulator::{Kernel, Machine};
use harness::mutant::Model;
use harness::oracle::{Oracle, Truth};
use vectors::sweep::columns_for;
use vectors::{Column, Variant};

/// Variant, operands, result, and what other readings of the manual give in some lane.
type Case = (&'static str, &'static [u64], u64, &'static [u64]);

/// Checks cases of one result register.
fn check(cases: &[Case]) {
    for &(text, operands, expected, others) in cases {
        check_registers(text, operands, &[expected], others);
    }
}

fn check_registers(text: &str, operands: &[u64], expected: &[u64], others: &[u64]) {
    let variant: Variant = text.parse().unwrap();
    assert_eq!(variant.operands().len(), operands.len(), "{text}");
    let mut columns = columns_for(&variant, 1);
    columns.iter_mut().zip(operands).for_each(|(column, &bits)| column.set(0, bits));
    let shown = format!("{text} {operands:x?}");
    let assert_results = |who: &str, results: &[Column]| {
        let results: Vec<u64> = results.iter().map(|column| column.get(0)).collect();
        assert_eq!(results, expected, "{who}: {shown} = {results:x?}, not {expected:x?}");
    };
    let mut truth = Oracle::truth(&variant);
    Oracle::new(&variant).expect(&columns, &mut truth);
    assert_results("oracle", &truth.results);
    assert_eq!(others_of(&variant, &truth), others.iter().copied().collect(), "others: {shown}");
    let blank = |fill: u8| {
        let mut results = truth.results.clone();
        results.iter_mut().for_each(|column| column.bytes_mut().fill(fill));
        results
    };
    let mut results = blank(0);
    Model::new(&variant, None).run(&columns, &mut results);
    assert_results("model", &results);
    for machine in [Machine::Scalar, Machine::Lanes] {
        let mut results = blank(0xa5);
        Kernel::of(&variant, machine).unwrap().run(&columns, &mut results);
        assert_results(&format!("{machine:?} emulator"), &results);
    }
}

/// The lanes' results under other readings, where they differ from the first.
fn others_of(variant: &Variant, truth: &Truth) -> BTreeSet<u64> {
    let mut lanes = vec![0u64; variant.lanes()];
    variant.outputs()[0].gather(variant.results(), &truth.results, 0..1, &mut lanes);
    let differing = truth.alternatives.iter().filter(|a| a.bits != lanes[a.element]);
    differing.map(|alternative| alternative.bits).collect()
}
