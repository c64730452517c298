//! The `oracles` target, which compares the suite's own opinions: MPFR, the emulator on each of its backends, and the
//! staged model.

use std::cell::RefCell;
use std::collections::HashMap;

use emulator::{Backend, Kernel};
use formats::Column;
use formats::column::{self, differing, set_row_bits};
use isa::{Contract, Variant, columns_for, results_for};
use judge::{Batch, Judge, Truth};
use model::Model;
use oracle::Oracle;

use super::{FuzzTarget, differential, nothing};
use crate::{Findings, FuzzCase, Ring};

/// The `oracles` target.
pub const TARGET: FuzzTarget = FuzzTarget {
    name: "oracles",
    unit: "vectors that all computed",
    begin: nothing,
    seeds: differential::seeds,
    mutate: differential::mutate,
    attempt,
};

/// Number of vectors that are tried together with an input's own: with it an odd number, so that lanes have a
/// remainder.
const NEIGHBOURS: usize = 60;

/// All of the suite's ways to compute and judge a variant.
struct Opinions {
    oracle: Oracle,
    truth: Truth,
    judge: Judge,
    kernels: Vec<(Backend, Kernel)>,
    model: Option<Model>,
}

impl Opinions {
    /// Prepares every way to compute and judge a variant that covers it.
    fn of(variant: &Variant) -> Opinions {
        let kernel = |backend| Some((backend, Kernel::of(variant, backend)?));
        Opinions {
            oracle: Oracle::new(variant),
            truth: Truth::new(variant),
            judge: Judge::new(variant),
            kernels: Backend::distinct().filter_map(kernel).collect(),
            model: Model::covers(variant).then(|| Model::new(variant, None)),
        }
    }
}

/// Compares the opinions on the case that the bytes stand for; those of each variant are made once.
fn attempt(bytes: &[u8], findings: &mut Findings) {
    thread_local! {
        static OPINIONS: RefCell<HashMap<&'static str, Opinions>> = RefCell::default();
    }
    let case = Ring::all().case(bytes);
    OPINIONS.with_borrow_mut(|opinions| {
        let opinions = opinions.entry(case.variant.text());
        compare(opinions.or_insert_with(|| Opinions::of(case.variant)), &case, findings);
    });
}

/// Has all opinions compute a case and its neighbours. A result is a finding if the truth contradicts it, or, where
/// that only bounds results, the scalar backend.
fn compare(opinions: &mut Opinions, case: &FuzzCase, findings: &mut Findings) {
    let Opinions { oracle, truth, judge, kernels, model } = opinions;
    let variant = case.variant;
    let rows = differential::neighbourhood(case, NEIGHBOURS);
    let mut operands = columns_for(variant, rows.len());
    rows.iter().enumerate().for_each(|(row, registers)| set_row_bits(&mut operands, row, registers));
    oracle.expect(&operands, truth);
    findings.tried += rows.len() as u64;
    findings.variants.insert(variant.text());
    let mut results = results_for(variant, rows.len());
    let mut add = |who: &str, row: usize, than: &[Column], results: &[Column]| {
        let [inputs, given, wanted] =
            [&operands, results, than].map(|columns| column::row(columns, row));
        let words = format!("{inputs:#x?} gives {given:#x?}, not {wanted:#x?}");
        let case = FuzzCase::new(variant, &rows[row]);
        findings.add(format!("{variant}/{who}"), &case.to_bytes(), words);
    };
    let mut scalar: Option<Vec<Column>> = None;
    for (backend, kernel) in kernels {
        // Else what a kernel does not write would be the result of the kernel before it.
        results.iter_mut().for_each(|column| column.bytes_mut().fill(0xa5));
        kernel.run(&operands, &mut results);
        let who = format!("emulator-{backend:?}").to_lowercase();
        // Where the contract only bounds the result, all backends must still give the same one.
        match (variant.form().contract, &scalar) {
            (Contract::Within(_), None) => {
                for (row, _) in judge.verdicts(truth, Batch::new(&operands, &results)) {
                    add(&who, row, &truth.results, &results);
                }
            }
            (Contract::Within(_), Some(scalar)) => {
                differing(&results, scalar).for_each(|row| add(&who, row, scalar, &results));
            }
            (Contract::Exact, _) => {
                let than = &truth.results;
                differing(&results, than).for_each(|row| add(&who, row, than, &results));
            }
        }
        // The list of backends begins with the scalar one.
        scalar.get_or_insert_with(|| results.clone());
    }
    if let Some(model) = model {
        model.run(&operands, &mut results);
        let than = &truth.results;
        differing(&results, than).for_each(|row| add("model", row, than, &results));
    }
}
