//! Judging results that somebody already has.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};
use base::pool::Pool;
use formats::{Column, RowBits, column};
use isa::{Variant, columns_for, results_for};
use judge::{Batch, Judge, MismatchKind, Truth};
use numpy::PyReadonlyArray1;
use oracle::Oracle;
use pyo3::prelude::*;
use reports::{Report, Totals};
use runner::Plan;
use selection::VectorList;

use crate::compute::slices;
use crate::errors::caught;
use crate::given::Given;
use crate::layout::Layout;
use crate::run;
use crate::variants::named;
use crate::waiting::interruptibly;

/// The number of rows that are judged at a time.
const CHUNK: usize = 1 << 12;
/// About how many wrong rows, and right ones, the search for causes is given.
const KEPT: usize = 1 << 15;
/// The number of wrong rows after which no more are kept.
const MOST_WRONG: usize = 1 << 17;
/// How many of the first wrong rows of each kind are kept of a chunk.
const FIRST: u64 = 16;
/// The name of the vectors in a report.
const LIST: &str = "given";

/// Judges the results of a variant, and returns the report as JSON. `label` is what the report calls the results.
#[pyfunction]
pub fn check<'py>(
    py: Python<'py>,
    name: &str,
    outputs: Vec<PyReadonlyArray1<'py, u8>>,
    inputs: Vec<PyReadonlyArray1<'py, u8>>,
    label: String,
) -> PyResult<String> {
    let variant = caught(|| named(name))?;
    let (outputs, inputs) = (slices(&outputs)?, slices(&inputs)?);
    let report = interruptibly(py, |stop| report(variant, &outputs, &inputs, label, stop))?;
    caught(|| Ok(serde_json::to_string(&report)?))
}

/// What judging found out about a part of the rows: how many mismatches of each kind, and rows for the search for causes.
#[derive(Default)]
struct Part {
    kinds: BTreeMap<MismatchKind, u64>,
    wrong: Vec<GivenRow>,
    right: Vec<GivenRow>,
}

/// The operands and the results of a row.
type GivenRow = (Vec<RowBits>, Vec<RowBits>);

/// Arrays to be judged.
struct Arrays<'a> {
    layout: Layout,
    inputs: &'a [&'a [u8]],
    outputs: &'a [&'a [u8]],
    rows: usize,
}

/// What a thread judges with.
struct Bench {
    oracle: Oracle,
    truth: Truth,
    operands: Vec<Column>,
    results: Vec<Column>,
}

impl Bench {
    /// Makes what a thread judges with.
    fn new(variant: &Variant) -> Bench {
        Bench {
            oracle: Oracle::new(variant),
            truth: Truth::new(variant),
            operands: columns_for(variant, 0),
            results: results_for(variant, 0),
        }
    }

    /// Judges some rows. Of those that are wrong, and of those that are right, it keeps about `most`, from everywhere.
    fn judge(&mut self, judge: &Judge, arrays: &Arrays, rows: Range<usize>, most: usize) -> Part {
        let Bench { oracle, truth, operands, results } = self;
        arrays.layout.fill(arrays.inputs, rows.clone(), operands);
        arrays.layout.fill_results(arrays.outputs, rows.clone(), results);
        oracle.expect(operands, truth);
        let mut part = Part::default();
        let of_row = |row: usize| (column::row_bits(operands, row), column::row_bits(results, row));
        let every = rows.len().div_ceil(most.max(1));
        let mut verdicts = judge.verdicts(truth, Batch::new(operands, results)).into_iter().peekable();
        for row in 0..rows.len() {
            if let Some((_, kind)) = verdicts.next_if(|(wrong, _)| *wrong == row) {
                let count = part.kinds.entry(kind).or_default();
                // The first ones of each kind are kept whatever comes later.
                if *count < FIRST || row % every == 0 {
                    part.wrong.push(of_row(row));
                }
                *count += 1;
            } else if row % every == 0 {
                part.right.push(of_row(row));
            }
        }
        part
    }
}

/// Judges results, and finds out what is behind the wrong ones.
fn report(
    variant: &'static Variant,
    outputs: &[&[u8]],
    inputs: &[&[u8]],
    label: String,
    stop: &AtomicBool,
) -> Result<Report> {
    let layout = Layout::of(variant);
    let rows = Layout::rows(&layout.inputs, inputs, "operand")?;
    let answered = Layout::rows(&layout.outputs, outputs, "result")?;
    if rows != answered {
        bail!("there are {answered} rows of results, and {rows} of operands");
    }
    if rows == 0 {
        bail!("the arrays are empty, so nothing can be said about them");
    }
    let arrays = Arrays { layout, inputs, outputs, rows };
    let (kinds, kept) = judged(variant, &arrays, stop)?;
    let results: HashMap<_, _> = kept.iter().rev().cloned().collect();
    let mut seen = HashSet::new();
    let given: Vec<_> =
        kept.into_iter().map(|(operands, _)| operands).filter(|row| seen.insert(row.clone())).collect();
    let tried = given.len();
    let implementation = Given { name: label, variant, results };
    let plan = Plan::of_given(vec![VectorList { variant, rows: given, name: LIST }], &implementation);
    let report = run::carry_out(&plan, &implementation, 1, stop)?;
    Ok(counted(report, &kinds, rows, tried))
}

/// Judges all rows, and returns how many mismatches of each kind there are, and rows for the search for causes: the
/// wrong ones first, so that these count where operands come twice.
fn judged(
    variant: &'static Variant,
    arrays: &Arrays,
    stop: &AtomicBool,
) -> Result<(BTreeMap<MismatchKind, u64>, Vec<GivenRow>)> {
    let judge = Judge::new(variant);
    let firsts: Vec<usize> = (0..arrays.rows).step_by(CHUNK).collect();
    let most = KEPT.div_ceil(firsts.len());
    let pool = Pool::of_processors().stopped_by(stop);
    let work = |bench: &mut Bench, first: &usize| {
        Ok(bench.judge(&judge, arrays, *first..arrays.rows.min(first + CHUNK), most))
    };
    let parts = pool.run_on_each(&firsts, || Ok(Bench::new(variant)), work).all()?;
    let mut kinds = BTreeMap::new();
    let (mut kept, mut right) = (Vec::new(), Vec::new());
    for part in parts {
        for (kind, count) in part.kinds {
            *kinds.entry(kind).or_default() += count;
        }
        if kept.len() < MOST_WRONG {
            kept.extend(part.wrong);
        }
        right.extend(part.right);
    }
    kept.extend(right);
    Ok((kinds, kept))
}

/// Returns the report with the counts of all rows, of which `tried` were given to the search for causes.
fn counted(
    mut report: Report,
    kinds: &BTreeMap<MismatchKind, u64>,
    rows: usize,
    tried: usize,
) -> Report {
    let (rows, mismatches) = (rows as u64, kinds.values().sum());
    for variant in &mut report.variants {
        (variant.vectors, variant.mismatches) = (rows, mismatches);
        for sweep in &mut variant.sweeps {
            (sweep.planned, sweep.vectors, sweep.confirmed, sweep.mismatches) =
                (rows, rows, rows, mismatches);
        }
        for class in &mut variant.classes {
            let kind = kinds.iter().find(|(kind, _)| class.id.rsplit('/').next() == Some(kind.id()));
            class.count = kind.map_or(class.count, |(_, count)| *count);
        }
    }
    report.totals = Totals::of(&report.variants);
    report.reduced = vec![format!("Only the {} that were given.", reports::counted(rows, "row"))];
    if (tried as u64) < rows {
        let tried = reports::thousands(tried as u64);
        report.reduced.push(format!(
            "Causes were looked for in {tried} of the rows. Digests and accepted alternatives are those of these rows."
        ));
    }
    report
}
