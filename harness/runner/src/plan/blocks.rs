//! Blocks, into which a plan is cut: the units of work and of digests. Each part of a run has blocks of its own.

use std::ops::Range;

use selection::Shard;

use super::{Plan, Task, block_length};

/// A block: consecutive vectors of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The index of the task in the plan.
    pub task: usize,
    /// The number of the block in its task.
    pub number: u64,
    /// The number of the block's first vector in its task.
    pub first: u64,
    /// The number of vectors in the block.
    pub rows: usize,
}

impl Plan {
    /// Returns the blocks of this run's shard, in order.
    pub fn blocks(&self) -> Blocks<'_> {
        let mut ends = Vec::with_capacity(self.tasks.len());
        for task in &self.tasks {
            ends.push(ends.last().copied().unwrap_or(0) + blocks_of_all_shards(task.vectors));
        }
        let shard = self.request.shard.unwrap_or(WHOLE);
        Blocks { plan: self, ends, shard }
    }

    /// Returns how many vectors this run's shard has of each task.
    pub fn vectors_per_task(&self) -> Vec<u64> {
        let blocks = self.blocks();
        let vectors = |task: usize| {
            let (places, block) = (blocks.places(task), self.tasks[task].block());
            // Only the last block of a task may be shorter.
            let short = places.clone().next_back().map(|place| block - blocks.get(place).rows as u64);
            (places.end - places.start) as u64 * block - short.unwrap_or(0)
        };
        (0..self.tasks.len()).map(vectors).collect()
    }
}

/// The blocks of a plan's shard, by their places; a nightly plan has tens of millions.
pub struct Blocks<'a> {
    plan: &'a Plan,
    /// For each task, the number of blocks up to its end, all shards taken together.
    ends: Vec<u64>,
    shard: Shard,
}

impl Blocks<'_> {
    /// Returns the number of blocks in the shard.
    pub fn len(&self) -> usize {
        self.own_blocks_before(self.ends.last().copied().unwrap_or(0))
    }

    /// Whether the shard has no block.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the block at a place in the shard's order.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn get(&self, place: usize) -> Block {
        // Blocks are dealt to the shards in turn, so that each shard has a part of every task. Shards count from 1.
        let overall = place as u64 * self.shard.count + self.shard.index - 1;
        // An end is the number of the next task's first block, so tasks that end at or before it are passed over.
        let task = self.ends.partition_point(|&end| end <= overall);
        let number = overall - self.start(task);
        let Task { vectors, .. } = self.plan.tasks[task];
        let block = self.plan.tasks[task].block();
        let first = number * block;
        let rows = block.min(vectors - first) as usize;
        Block { task, number, first, rows }
    }

    /// Returns the places of a task's blocks in the shard's order.
    fn places(&self, task: usize) -> Range<usize> {
        self.own_blocks_before(self.start(task))..self.own_blocks_before(self.ends[task])
    }

    /// Returns the number of blocks before those of a task, all shards taken together.
    fn start(&self, task: usize) -> u64 {
        task.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// Returns how many of the plan's first `overall` blocks are this shard's.
    fn own_blocks_before(&self, overall: u64) -> usize {
        own_blocks(overall, self.shard)
    }
}

/// The shard of a run that is not split.
const WHOLE: Shard = Shard { index: 1, count: 1 };

/// Returns how many blocks a shard has of a plan whose tasks have the given numbers of vectors; `None` is a run that is
/// not split. A sum that does not fit is taken for the largest number that does.
pub(crate) fn block_count(vectors: impl Iterator<Item = u64>, shard: Option<Shard>) -> usize {
    let overall = vectors.map(blocks_of_all_shards).fold(0, u64::saturating_add);
    own_blocks(overall, shard.unwrap_or(WHOLE))
}

/// Returns how many blocks a task of this many vectors has, all shards taken together.
fn blocks_of_all_shards(vectors: u64) -> u64 {
    vectors.div_ceil(block_length(vectors))
}

/// Returns how many of a plan's first `overall` blocks a shard has.
fn own_blocks(overall: u64, Shard { index, count }: Shard) -> usize {
    // Each whole round has one block of this shard. The last round has it if it comes as far as this shard.
    (overall / count + u64::from(overall % count >= index)) as usize
}
