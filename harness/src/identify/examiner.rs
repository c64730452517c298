//! Who asks an implementation, and keeps what it answered.

use anyhow::{Result, bail};
use emulator::dot::DotKernel;
use vectors::Column;
use vectors::matrix::sweep::results_for;
use vectors::matrix::{Lowering, MatrixVariant};

use super::question::{Question, columns};
use crate::implementation::Worker;

/// Asks for dot products of one variant.
pub struct Examiner<'a> {
    pub variant: &'static MatrixVariant,
    worker: &'a mut dyn Worker,
    batches: Vec<(Vec<Column>, Vec<u64>)>,
}

impl<'a> Examiner<'a> {
    /// Of a variant that the implementation has.
    pub fn new(variant: &'static MatrixVariant, worker: &'a mut dyn Worker) -> Examiner<'a> {
        Examiner { variant, worker, batches: Vec::new() }
    }

    /// How many vectors were asked for so far.
    pub fn asked(&self) -> usize {
        self.batches.iter().map(|(_, answers)| answers.len()).sum()
    }

    /// Whom it asks.
    pub fn worker(&mut self) -> &mut dyn Worker {
        self.worker
    }

    /// Answers to questions, which count as evidence.
    pub fn ask(&mut self, questions: &[Question]) -> Result<Vec<u64>> {
        self.ask_columns(columns(self.variant, questions))
    }

    /// The same of columns.
    pub fn ask_columns(&mut self, operands: Vec<Column>) -> Result<Vec<u64>> {
        let answers = answers(self.worker, self.variant, &operands)?;
        self.batches.push((operands, answers.clone()));
        Ok(answers)
    }

    /// Whether a sum that is computed in this way has all the answers so far.
    pub fn agrees(&self, lowering: Lowering) -> bool {
        let Some(mut kernel) = DotKernel::with(self.variant, lowering) else { return false };
        self.batches
            .iter()
            .rev()
            .all(|(operands, answers)| computed(&mut kernel, self.variant, operands) == *answers)
    }
}

/// What a worker answers.
pub fn answers(
    worker: &mut dyn Worker,
    variant: &MatrixVariant,
    operands: &[Column],
) -> Result<Vec<u64>> {
    let rows = operands.first().map_or(0, Column::rows);
    if rows == 0 {
        return Ok(Vec::new());
    }
    let mut results = results_for(variant, rows);
    worker.run_dots(variant, operands, &mut results)?;
    if let Some(failure) = worker.faults().first() {
        bail!("it gave no result of {variant}: {}", failure.words);
    }
    if !worker.unanswered().is_empty() {
        bail!("it says that it has no result of some vectors of {variant}: ask without it, by --only");
    }
    Ok(bits(&results))
}

/// What a kernel computes.
pub fn computed(kernel: &mut DotKernel, variant: &MatrixVariant, operands: &[Column]) -> Vec<u64> {
    let rows = operands.first().map_or(0, Column::rows);
    let mut results = results_for(variant, rows);
    kernel.run(operands, &mut results);
    bits(&results)
}

fn bits(results: &[Column]) -> Vec<u64> {
    (0..results[0].rows()).map(|row| results[0].get(row)).collect()
}
