//! The bench that batches of one variant are tried on.

use anyhow::{Result, bail};
use vectors::{Column, Variant};

use super::plan::{Block, Judging, Task};
use crate::emulator::{Kernel, Machine};
use crate::implementation::Worker;
use crate::judge::{Judge, Tally, Trial, digest};
use crate::oracle::{Oracle, Truth};

/// Every byte of a result that nobody wrote.
const UNWRITTEN: u8 = 0xa5;

/// Of the blocks that the emulator screens, one in so many is judged by MPFR all the same.
pub const SAMPLE: u64 = 64;

/// All that judging batches of one variant takes, made once per thread and variant.
pub struct Bench {
    variant: Variant,
    oracle: Oracle,
    truth: Truth,
    judge: Judge,
    operands: Vec<Column>,
    results: Vec<Column>,
    /// Made when a block is first screened.
    screen: Option<Screen>,
}

/// What comparing with the emulator takes.
struct Screen {
    kernel: Kernel,
    results: Vec<Column>,
    /// The rows that differ: their operands, their results, and how far behind the first they are.
    differing: (Vec<Column>, Vec<Column>, Vec<u64>),
}

impl Bench {
    /// For a variant.
    pub fn new(variant: &Variant, judging: Judging) -> Bench {
        let oracle = match judging {
            Judging::Screened | Judging::Mpfr => Oracle::new(variant),
            Judging::Runs => Oracle::by_runs(variant),
        };
        Bench {
            variant: variant.clone(),
            oracle,
            truth: Oracle::truth(variant),
            judge: Judge::new(variant),
            operands: vectors::sweep::columns_for(variant, 0),
            results: result_columns(variant),
            screen: None,
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
        self.compute(worker)?;
        match task.proven {
            Some(_) if !block.number.is_multiple_of(SAMPLE) => Ok(self.screened(block.first)),
            _ => Ok(self.judged(block.first)),
        }
    }

    /// Has given operands computed, and judges them; `first` is the first row's number.
    pub fn run_rows(&mut self, rows: &[Vec<u64>], first: u64, worker: &mut dyn Worker) -> Result<Tally> {
        for (index, column) in self.operands.iter_mut().enumerate() {
            column.resize(rows.len());
            rows.iter().enumerate().for_each(|(row, operands)| column.set(row, operands[index]));
        }
        self.compute(worker)?;
        Ok(self.judged(first))
    }

    fn compute(&mut self, worker: &mut dyn Worker) -> Result<()> {
        let rows = self.operands[0].rows();
        self.results.iter_mut().for_each(|column| column.resize(rows));
        // What an implementation leaves out must not look like the answers of the batch before.
        self.results.iter_mut().for_each(|column| column.bytes_mut().fill(UNWRITTEN));
        worker.run(&self.variant, &self.operands, &mut self.results)?;
        if let Some(column) = self.results.iter().find(|column| column.rows() != rows) {
            bail!("it gave {} results for {rows} vectors", column.rows());
        }
        Ok(())
    }

    /// Every row is judged by MPFR.
    fn judged(&mut self, first: u64) -> Tally {
        self.oracle.expect(&self.operands, &mut self.truth);
        let mut tally = Tally {
            inputs: digest(first, &self.operands),
            results: digest(first, &self.results),
            expected: digest(first, &self.truth.results),
            ..Tally::default()
        };
        let trial = Trial { first, offsets: None, operands: &self.operands, results: &self.results };
        self.judge.judge(&self.truth, trial, &mut tally);
        tally
    }

    /// Rows are compared with the emulator's, and MPFR judges those that differ.
    fn screened(&mut self, first: u64) -> Tally {
        if self.screen.is_none() {
            self.screen = Screen::new(&self.variant);
        }
        let Some(screen) = &mut self.screen else { return self.judged(first) };
        let rows = self.operands[0].rows();
        screen.results.iter_mut().for_each(|column| column.resize(rows));
        screen.kernel.run(&self.operands, &mut screen.results);
        let results = digest(first, &self.results);
        let mut tally = Tally {
            vectors: rows as u64,
            inputs: digest(first, &self.operands),
            results,
            expected: results,
            ..Tally::default()
        };
        if self.results != screen.results {
            tally.expected = digest(first, &screen.results);
            screen.gather(&self.operands, &self.results);
            let (operands, results, offsets) = &screen.differing;
            self.oracle.expect(operands, &mut self.truth);
            let trial = Trial { first, offsets: Some(offsets), operands, results };
            self.judge.judge(&self.truth, trial, &mut tally);
            tally.vectors = rows as u64;
        }
        tally
    }
}

/// Columns for the results of a variant, still without rows.
fn result_columns(variant: &Variant) -> Vec<Column> {
    variant.results().iter().map(|result| Column::new(result.ty.row_bytes(), 0)).collect()
}

impl Screen {
    /// For a variant; `None` if the emulator has no kernel of it.
    fn new(variant: &Variant) -> Option<Screen> {
        let operands = vectors::sweep::columns_for(variant, 0);
        Some(Screen {
            kernel: Kernel::of(variant, Machine::Lanes)?,
            results: result_columns(variant),
            differing: (operands, result_columns(variant), Vec::new()),
        })
    }

    /// Collects the rows in which `results` differ from the emulator's.
    fn gather(&mut self, operands: &[Column], results: &[Column]) {
        let rows = 0..results[0].rows();
        let differs =
            |&row: &usize| results.iter().zip(&self.results).any(|(a, b)| a.get(row) != b.get(row));
        let differing: Vec<usize> = rows.filter(differs).collect();
        let collect = |from: &[Column], into: &mut [Column]| {
            for (from, into) in from.iter().zip(into) {
                into.resize(differing.len());
                differing.iter().enumerate().for_each(|(at, &row)| into.set(at, from.get(row)));
            }
        };
        collect(operands, &mut self.differing.0);
        collect(results, &mut self.differing.1);
        self.differing.2 = differing.iter().map(|&row| row as u64).collect();
    }
}
