#![doc = include_str!("../README.md")]
//!
//! ## How it is made
//!
//! The check of the oracle itself, against software floating point, tables and kernels that do not depend on it.
//! Each reference has a file of its own.

pub mod apfloat;
mod decode;
mod emulator;
mod report;

use std::time::Instant;

use anyhow::{Result, bail};
use base::pool::Pool;
use formats::Column;
use formats::column::differing;
use isa::{Contract, Variant, columns_for};
use judge::{Judge, Truth};
use oracle::Oracle;
use selection::select::select;
use sweeps::{Length, Sweep};

pub use report::{Difference, SelfcheckReport, Summary};

/// The seed of random sweeps; it is fixed, so that a difference is found again.
const SEED: u64 = 0;
/// The number of vectors that are compared at a time.
const ROWS: u64 = 1 << 12;

/// The most input bits of a lane for which any run tries all inputs.
const WHOLE_BITS: u32 = 16;
/// The most input bits of a lane for which an exhaustive run tries all inputs, if all their formats are small.
const LARGE_BITS: u32 = 24;
/// The widest format that counts as small, in bits: see [`LARGE_BITS`].
const SMALL_FORMAT: u32 = 8;

/// How much of a variant is compared.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// Approximate number of vectors of a variant.
    pub vectors: u64,
    /// Whether every input is tried, even where that takes hours.
    pub exhaustive: bool,
}

impl Depth {
    /// The default depth: enough for every 16-bit input, and a few minutes.
    pub const DEFAULT: Depth = Depth { vectors: 1 << WHOLE_BITS, exhaustive: false };

    /// Returns batches of every input of a lane (in a shallow run the first of them), if those are to be tried.
    fn exhaustive_ranges(&self, variant: &Variant) -> Option<Vec<VectorRange>> {
        let sweep = Sweep::exhaustive();
        let most = match self.exhaustive && is_countable(variant) {
            true => u64::MAX,
            false if variant.input_bits() <= WHOLE_BITS => self.vectors,
            false => return None,
        };
        match sweep.length(variant) {
            Length::Finite(all) => Some(batches_of(sweep, 0, all.min(most)).collect()),
            _ => None,
        }
    }
}

/// The settings of a self-check.
#[derive(Clone, Debug)]
pub struct SelfcheckRequest {
    /// Patterns of the variants to compare; an empty list stands for all.
    pub only: Vec<String>,
    /// How much of each variant is compared.
    pub depth: Depth,
    /// Number of threads.
    pub jobs: usize,
}

/// A range of consecutive vectors of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct VectorRange {
    sweep: &'static Sweep,
    first: u64,
    rows: u64,
}

/// A reference's computation of one variant: results from operands.
pub type Computation = Box<dyn FnMut(&[Column], &mut [Column])>;

/// An implementation that computes the same variants as the oracle.
pub trait Reference: Sync {
    /// Returns the reference's name and version.
    fn name(&self) -> &'static str;

    /// Returns the reason why a variant is left out, or `None` if it is compared.
    fn excluded(&self, variant: &Variant) -> Option<&'static str>;

    /// Returns the vectors of a variant that are compared.
    fn batches(&self, variant: &Variant, depth: &Depth) -> Vec<VectorRange>;

    /// Returns the reference's computation of a variant that it does not exclude.
    fn computation(&self, variant: &Variant) -> Computation;
}

/// Returns the references that compute; tables are not among them.
pub fn references() -> Vec<Box<dyn Reference>> {
    vec![Box::new(apfloat::Apfloat), Box::new(emulator::EmulatorReference)]
}

/// Splits `count` vectors of a sweep, from the number `first` on, into batches.
pub fn batches_of(
    sweep: &'static Sweep,
    first: u64,
    count: u64,
) -> impl Iterator<Item = VectorRange> + use<> {
    let starts = (0..count).step_by(ROWS as usize);
    starts.map(move |start| VectorRange { sweep, first: first + start, rows: ROWS.min(count - start) })
}

/// Whether a lane's inputs are few enough to try them all.
pub fn is_countable(variant: &Variant) -> bool {
    let small = variant.inputs().iter().all(|input| input.format.width() <= SMALL_FORMAT);
    let bits = variant.input_bits();
    bits <= WHOLE_BITS || small && bits <= LARGE_BITS
}

/// The outcome of comparing one variant with one reference.
#[derive(Default)]
struct ComparisonOutcome {
    vectors: u64,
    differences: u64,
    first: Option<Difference>,
}

/// Compares the oracle with all references. `total` is told the number of all vectors first, then `advance` the
/// number of each batch.
///
/// # Errors
/// If a pattern matches nothing, or a reference breaks down.
pub fn run(
    request: &SelfcheckRequest,
    references: &[Box<dyn Reference>],
    total: &dyn Fn(u64),
    advance: &(dyn Fn(u64) + Sync),
) -> Result<SelfcheckReport> {
    let started = Instant::now();
    let variants = select(&request.only, None)?;
    let mut summaries: Vec<Summary> = references.iter().map(|r| Summary::new(r.name())).collect();
    let mut tasks = Vec::new();
    for (at, reference) in references.iter().enumerate() {
        for &variant in &variants {
            match reference.excluded(variant) {
                Some(reason) => *summaries[at].excluded.entry(reason).or_default() += 1,
                None => tasks.push((at, variant)),
            }
        }
    }
    let batches = |&(at, variant): &(usize, &'static Variant)| -> Vec<VectorRange> {
        references[at].batches(variant, &request.depth)
    };
    if tasks.is_empty() {
        let reasons = summaries.iter().flat_map(|s| s.excluded.keys().map(|r| (s.reference, *r)));
        let reasons: Vec<String> = reasons.map(|(who, reason)| format!("{who}: {reason}")).collect();
        bail!("no reference has any of the selected variants ({})", reasons.join("; "));
    }
    total(tasks.iter().flat_map(batches).map(|batch| batch.rows).sum());

    let compared = |task: &(usize, &'static Variant)| {
        Ok(compare(references[task.0].as_ref(), task.1, &batches(task), advance))
    };
    let outcomes = Pool::new(request.jobs).map(&tasks, |task| compared(task)).all()?;
    for ((at, _), outcome) in tasks.iter().zip(outcomes) {
        summaries[*at].variants += 1;
        summaries[*at].vectors += outcome.vectors;
        summaries[*at].differs(outcome.differences, outcome.first);
    }
    summaries.push(decode::check()?);
    Ok(SelfcheckReport { references: summaries, seconds: started.elapsed().as_secs_f64() })
}

/// Compares the oracle with one reference on one variant.
fn compare(
    reference: &dyn Reference,
    variant: &Variant,
    batches: &[VectorRange],
    advance: &dyn Fn(u64),
) -> ComparisonOutcome {
    let mut oracle = Oracle::new(variant);
    let mut truth = Truth::new(variant);
    let mut computation = reference.computation(variant);
    let judge = match variant.form().contract {
        Contract::Exact => None,
        // A bound allows several right results; whether a result is within it is for the judge to say.
        Contract::Within(_) => Some(Judge::new(variant)),
    };
    let mut operands = columns_for(variant, 0);
    let mut results = truth.results.clone();
    let mut outcome = ComparisonOutcome::default();
    for batch in batches {
        let columns = operands.iter_mut().chain(&mut results);
        columns.for_each(|column| column.resize(batch.rows as usize));
        batch.sweep.fill(variant, SEED, batch.first, &mut operands);
        oracle.expect(&operands, &mut truth);
        computation(&operands, &mut results);
        outcome.vectors += batch.rows;
        advance(batch.rows);
        let rows: Vec<usize> = match &judge {
            None => differing(&truth.results, &results).collect(),
            Some(judge) => judge.wrong_rows(&truth, judge::Batch::new(&operands, &results)),
        };
        outcome.differences += rows.len() as u64;
        if let (Some(&row), None) = (rows.first(), &outcome.first) {
            let vector = format!("sweep {}, vector {}", batch.sweep.name, batch.first + row as u64);
            let both = [truth.results.as_slice(), &results];
            outcome.first = Some(Difference::of_row(variant, vector, row, &operands, both));
        }
    }
    outcome
}
