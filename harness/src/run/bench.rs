//! The bench that batches of one variant are tried on.

use anyhow::{Result, bail};
use vectors::{Column, Variant};

use super::plan::{Block, Task};
use crate::implementation::Worker;
use crate::judge::{Judge, Tally, Trial, digest};
use crate::oracle::{Oracle, Truth};

/// Every byte of a result that nobody wrote.
const UNWRITTEN: u8 = 0xa5;

/// All that judging batches of one variant takes, made once per thread and variant.
pub struct Bench {
    variant: Variant,
    oracle: Oracle,
    truth: Truth,
    judge: Judge,
    operands: Vec<Column>,
    results: Vec<Column>,
}

impl Bench {
    /// For a variant.
    pub fn new(variant: &Variant) -> Bench {
        Bench {
            variant: variant.clone(),
            oracle: Oracle::new(variant),
            truth: Oracle::truth(variant),
            judge: Judge::new(variant),
            operands: vectors::sweep::columns_for(variant, 0),
            results: variant
                .results()
                .iter()
                .map(|result| Column::new(result.ty.row_bytes(), 0))
                .collect(),
        }
    }

    /// The variant that is tried.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Generates a block, has it computed, and judges it.
    pub fn run_block(
        &mut self,
        task: &Task,
        block: Block,
        seed: u64,
        worker: &mut dyn Worker,
    ) -> Result<Tally> {
        self.operands.iter_mut().for_each(|column| column.resize(block.rows));
        task.sweep.fill(&self.variant, seed, block.first, &mut self.operands);
        self.judge(block.first, worker)
    }

    /// Has given operands computed, and judges them; `first` is the first row's number.
    pub fn run_rows(&mut self, rows: &[Vec<u64>], first: u64, worker: &mut dyn Worker) -> Result<Tally> {
        for (index, column) in self.operands.iter_mut().enumerate() {
            column.resize(rows.len());
            rows.iter().enumerate().for_each(|(row, operands)| column.set(row, operands[index]));
        }
        self.judge(first, worker)
    }

    fn judge(&mut self, first: u64, worker: &mut dyn Worker) -> Result<Tally> {
        let rows = self.operands[0].rows();
        self.results.iter_mut().for_each(|column| column.resize(rows));
        // What an implementation leaves out must not look like the answers of the batch before.
        self.results.iter_mut().for_each(|column| column.bytes_mut().fill(UNWRITTEN));
        worker.run(&self.variant, &self.operands, &mut self.results)?;
        if let Some(column) = self.results.iter().find(|column| column.rows() != rows) {
            bail!("it gave {} results for {rows} vectors", column.rows());
        }
        self.oracle.expect(&self.operands, &mut self.truth);
        let mut tally = Tally {
            inputs: digest(first, &self.operands),
            results: digest(first, &self.results),
            ..Tally::default()
        };
        let trial = Trial { first, operands: &self.operands, results: &self.results };
        self.judge.judge(&self.truth, trial, &mut tally);
        Ok(tally)
    }
}
