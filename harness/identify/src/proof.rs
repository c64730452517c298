//! The trial of a guess on all sweeps, and the search for vectors on which two models differ.

use anyhow::Result;
use formats::Column;
use implementations::Worker;
use isa::matrix::{MatrixVariant, columns_for};
use judge::Unpublished;
use serde::Serialize;
use sweeps::matrix::DotSweep;

use super::examiner::answers;
use super::sum_computation::{Reckoner, SumComputation};

/// Number of vectors that are asked for at once.
const BATCH: u64 = 512;
/// Number of vectors of each sweep that are looked through for one on which two models differ.
pub const SOUGHT: u64 = 2048;

/// The outcome of a trial.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TrialOutcome {
    /// The number of vectors that were compared.
    pub vectors: u64,
    /// The number of sweeps that these vectors are of.
    pub sweeps: usize,
    /// The number of answers that were not the guess's.
    pub mismatches: u64,
    /// The first mismatch, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<TrialMismatch>,
}

/// An answer that a guess does not give.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrialMismatch {
    /// The name of the variant.
    pub variant: &'static str,
    /// The name of the sweep.
    pub sweep: &'static str,
    /// The number of the vector in the sweep.
    pub vector: u64,
    /// The operands, each a row of its column, as hexadecimal digits with the first byte last.
    pub operands: Vec<(&'static str, String)>,
    /// The answer of the implementation.
    pub answer: String,
    /// The result that the guess has.
    pub guess: String,
    #[serde(skip)]
    columns: Vec<Column>,
}

impl TrialMismatch {
    /// Returns the operands of the mismatch.
    pub fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }
}

/// Generates up to `vectors` vectors of a sweep for a variant, a batch at a time.
pub fn batches(
    variant: &MatrixVariant,
    sweep: &'static DotSweep,
    vectors: u64,
) -> impl Iterator<Item = (u64, Vec<Column>)> {
    let length = sweep.length(variant).at_most(vectors);
    let firsts = (0..length).step_by(BATCH as usize);
    firsts.map(move |first| {
        let mut columns = columns_for(variant, (length - first).min(BATCH) as usize);
        sweep.fill(variant, 0, first, &mut columns);
        (first, columns)
    })
}

/// Compares an implementation with a guess on up to `vectors` vectors of each sweep.
pub fn prove(
    worker: &mut dyn Worker,
    variant: &'static MatrixVariant,
    way: SumComputation,
    vectors: u64,
) -> Result<TrialOutcome> {
    let mut proof = TrialOutcome::default();
    let Some(mut reckoner) = Reckoner::new(variant, way) else { return Ok(proof) };
    let open = Unpublished::of(variant);
    for sweep in DotSweep::all() {
        let mut any = 0;
        for (first, operands) in batches(variant, sweep, vectors) {
            any = 1;
            let found = answers(worker, variant, &operands)?;
            let guessed = reckoner.results(variant, &operands);
            proof.vectors += found.len() as u64;
            for (row, (&answer, &guess)) in found.iter().zip(&guessed).enumerate() {
                let right = reckoner.gives(guess, answer);
                if right || open.answer(&operands, row, guess, answer).is_some() {
                    continue;
                }
                proof.mismatches += 1;
                if proof.first.is_none() {
                    let d = variant.dot().d;
                    proof.first = Some(TrialMismatch {
                        variant: variant.text(),
                        sweep: sweep.name,
                        vector: first + row as u64,
                        operands: shown(variant, &operands, row),
                        answer: d.show(answer).hex(),
                        guess: d.show(guess).hex(),
                        columns: formats::column::select(&operands, &[row]),
                    });
                }
            }
        }
        // A sweep that has no vectors for the variant does not count.
        proof.sweeps += any;
    }
    Ok(proof)
}

impl TrialOutcome {
    /// Adds another variant's trial of the same kind.
    pub fn join(&mut self, other: TrialOutcome) {
        self.vectors += other.vectors;
        // Each variant is tried on the same sweeps, so that their numbers do not add up.
        self.sweeps = self.sweeps.max(other.sweeps);
        self.mismatches += other.mismatches;
        self.first = self.first.take().or(other.first);
    }
}

/// Writes the operands of a row as hexadecimal digits, each with the name of its role.
fn shown(variant: &MatrixVariant, operands: &[Column], row: usize) -> Vec<(&'static str, String)> {
    let digits = |column: &Column| {
        column.row_bytes_of(row).iter().rev().map(|byte| format!("{byte:02x}")).collect()
    };
    variant.operands().iter().zip(operands).map(|(o, column)| (o.role.name(), digits(column))).collect()
}

/// Finds the first vector of a sweep on which two models differ, among the first `vectors` of each sweep. Returns the
/// sweep and the vector's number.
pub fn split(
    variant: &MatrixVariant,
    [one, other]: [SumComputation; 2],
    vectors: u64,
) -> Option<(&'static DotSweep, u64)> {
    let mut ways = [Reckoner::new(variant, one)?, Reckoner::new(variant, other)?];
    DotSweep::all().iter().find_map(|sweep| {
        batches(variant, sweep, vectors).find_map(|(first, operands)| {
            let [one, other] = ways.each_mut().map(|way| way.results(variant, &operands));
            let row = one.iter().zip(&other).position(|(one, other)| one != other)?;
            Some((sweep, first + row as u64))
        })
    })
}

/// Generates one vector of a sweep.
pub fn vector(variant: &MatrixVariant, sweep: &DotSweep, number: u64) -> Vec<Column> {
    let mut columns = columns_for(variant, 1);
    sweep.fill(variant, 0, number, &mut columns);
    columns
}
