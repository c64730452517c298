//! The examiner, which asks an implementation and keeps what it answered.

use anyhow::{Result, bail};
use formats::Column;
use implementations::Worker;
use isa::matrix::{MatrixVariant, results_for};

use super::question::{DotQuestion, columns};
use super::sum_computation::{Reckoner, SumComputation};

/// An examiner of an implementation's dot products of one variant.
pub struct Examiner<'a> {
    pub variant: &'static MatrixVariant,
    worker: &'a mut dyn Worker,
    batches: Vec<(Vec<Column>, Vec<u64>)>,
}

impl<'a> Examiner<'a> {
    /// Makes the examiner of a variant that the implementation has.
    pub fn new(variant: &'static MatrixVariant, worker: &'a mut dyn Worker) -> Examiner<'a> {
        Examiner { variant, worker, batches: Vec::new() }
    }

    /// Returns how many vectors were asked for so far.
    pub fn asked(&self) -> usize {
        self.batches.iter().map(|(_, answers)| answers.len()).sum()
    }

    /// Returns the worker that the examiner asks.
    pub fn worker(&mut self) -> &mut dyn Worker {
        self.worker
    }

    /// Asks questions, and returns the answers, which count as evidence.
    pub fn ask(&mut self, questions: &[DotQuestion]) -> Result<Vec<u64>> {
        self.ask_columns(columns(self.variant, questions))
    }

    /// Asks for the dot products of operand columns, and returns the answers, which count as evidence.
    pub fn ask_columns(&mut self, operands: Vec<Column>) -> Result<Vec<u64>> {
        let answers = answers(self.worker, self.variant, &operands)?;
        self.batches.push((operands, answers.clone()));
        Ok(answers)
    }

    /// Whether a sum that is computed in this way has all the answers so far.
    pub fn agrees(&self, way: SumComputation) -> bool {
        let Some(mut reckoner) = Reckoner::new(self.variant, way) else { return false };
        // The newest batches come first: behind the fixed questions stand only those that older answers did not decide.
        self.batches.iter().rev().all(|(operands, answers)| {
            let results = reckoner.results(self.variant, operands);
            results.iter().zip(answers).all(|(&result, &answer)| reckoner.gives(result, answer))
        })
    }
}

/// Returns what a worker answers to operand columns, one result for each row.
pub fn answers(
    worker: &mut dyn Worker,
    variant: &MatrixVariant,
    operands: &[Column],
) -> Result<Vec<u64>> {
    let rows = operands.first().map_or(0, Column::rows);
    // A ladder may have no questions, where the formats lack its numbers.
    if rows == 0 {
        return Ok(Vec::new());
    }
    let mut results = results_for(variant, rows);
    worker.run_dots(variant, operands, &mut results)?;
    if let Some(failure) = worker.faults().first() {
        bail!("it gave no result for {variant}: {}", failure.words);
    }
    if !worker.unanswered().is_empty() {
        bail!("it has no result for some vectors of {variant}: select others with --only");
    }
    if let Some(varying) = worker.varying().first() {
        bail!("its results for {variant} depend on the length of an array: {}", varying.words);
    }
    Ok((0..rows).map(|row| results[0].get(row)).collect())
}
