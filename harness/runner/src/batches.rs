//! Keeps operands that several variants have, so that they are made once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use base::locks::lock;
use formats::Column;
use formats::digests::digest;
use sweeps::Sequence;

use super::plan::{Block, Task};

/// Memory that the kept operands may take, in bytes.
const KEPT: usize = 192 << 20;
/// Largest number of vectors of a task whose batches are kept. Batches of longer tasks would be forgotten before
/// another variant asks for them.
const VECTORS: u64 = 1 << 20;

/// The operands that all threads of a run made last. Variants that share their vectors stand side by side in the
/// table, most of them by the dozen.
#[derive(Default)]
pub struct Batches(Mutex<Recent>);

#[derive(Default)]
struct Recent {
    made: VecDeque<Arc<GeneratedBatch>>,
    bytes: usize,
}

/// Some vectors of a sweep, with their digest.
struct GeneratedBatch {
    sequence: Sequence,
    seed: u64,
    first: u64,
    operands: Vec<Column>,
    digest: u64,
}

impl GeneratedBatch {
    /// Returns the memory that the operands take, in bytes.
    fn bytes(&self) -> usize {
        self.operands.iter().map(|column| column.bytes().len()).sum()
    }
}

impl Batches {
    /// Writes a block of vectors into the operands of its subject, and returns their digest.
    pub fn fill(&self, task: &Task, block: Block, seed: u64, operands: &mut Vec<Column>) -> u64 {
        // Without a sequence nothing says which other variants have the same vectors, so nothing is kept.
        let sequence = if task.vectors <= VECTORS { task.asked.sequence() } else { None };
        let (first, rows) = (block.first, block.rows);
        let known = sequence.as_ref().and_then(|sequence| {
            let is_it = |made: &&Arc<GeneratedBatch>| {
                (made.first, made.operands[0].rows(), made.seed) == (first, rows, seed)
                    && made.sequence == *sequence
            };
            lock(&self.0).made.iter().rev().find(is_it).cloned()
        });
        if let Some(made) = known {
            operands.clone_from(&made.operands);
            return made.digest;
        }
        operands.iter_mut().for_each(|column| column.resize(rows));
        // Vectors are made without the lock. Two threads may make the same ones, which costs time and is not wrong.
        task.asked.fill(seed, first, operands);
        let digest = digest(first, operands);
        if let Some(sequence) = sequence {
            let operands = operands.clone();
            lock(&self.0).keep(GeneratedBatch { sequence, seed, first, operands, digest });
        }
        digest
    }
}

impl Recent {
    /// Adds a batch, and forgets the oldest ones as long as all together are too large.
    fn keep(&mut self, made: GeneratedBatch) {
        self.bytes += made.bytes();
        self.made.push_back(Arc::new(made));
        while self.bytes > KEPT
            && let Some(oldest) = self.made.pop_front()
        {
            self.bytes -= oldest.bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use implementations::Emulator;
    use selection::budget::Tier;

    use super::*;
    use crate::{Plan, RunRequest};

    /// Vectors and their digest are those of the sweep, whoever asked before, and for what.
    #[test]
    fn batches_are_what_their_sweeps_have() {
        let only = ["set.?t.*.f16", "fma.rn*.f16", "mul*.f16x2"].map(str::to_owned);
        let plan = Plan::new(RunRequest::of(Tier::Quick, only.to_vec()), &Emulator::scalar()).unwrap();
        let batches = Batches::default();
        let blocks = plan.blocks();
        for place in 0..blocks.len() {
            let block = blocks.get(place);
            let task = &plan.tasks[block.task];
            for seed in [0, 1] {
                let mut operands = task.subject().operands(3);
                let found = batches.fill(task, block, seed, &mut operands);
                let mut own = task.subject().operands(block.rows);
                task.asked.fill(seed, block.first, &mut own);
                assert_eq!(found, digest(block.first, &own), "{task:?}");
                assert_eq!(operands, own, "{task:?}");
            }
        }
        let recent = lock(&batches.0);
        // The blocks were filled for two seeds, and most of them are another variant's as well.
        assert!(recent.made.len() < blocks.len(), "{} of {}", recent.made.len(), 2 * blocks.len());
        assert_eq!(recent.bytes, recent.made.iter().map(|made| made.bytes()).sum::<usize>());
        assert!(recent.bytes <= KEPT);
    }
}
