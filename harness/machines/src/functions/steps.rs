//! Counts the steps of lanes, and of blocks of threads: both are bounded, so that every run comes to an end.

use super::launch::Grid;
use super::registers::RowProblem;
use crate::problem::Problem;

/// The number of threads that may take all the steps which a thread may take: those of a larger block have fewer
/// together.
const FULL_THREADS: u64 = 128;

/// The steps that have been taken so far.
pub struct StepCount {
    /// The number of steps that a lane may take.
    most: u64,
    /// The number of steps that each lane has taken.
    taken: Vec<u64>,
    /// The threads of a block, and the number of steps that those of each block have taken together; `None` if blocks have
    /// so few threads that the bound of each is enough.
    of_blocks: Option<(Grid, Vec<u64>)>,
}

impl StepCount {
    /// Returns the count of so many lanes, which are the threads of a grid, of which each may take `most` steps.
    pub fn new(most: u64, lanes: usize, grid: Option<Grid>) -> StepCount {
        let grid = grid.filter(|grid| grid.threads_of_block() as u64 > FULL_THREADS);
        let of_blocks = grid.map(|grid| (grid, vec![0; lanes.div_ceil(grid.threads_of_block())]));
        StepCount { most, taken: vec![0; lanes], of_blocks }
    }

    /// Returns the number of lanes.
    pub fn lanes(&self) -> usize {
        self.taken.len()
    }

    /// Adds the steps since the group was formed to those that its lanes have taken.
    pub fn add(&mut self, group: &[usize], since: &mut u64) {
        for &lane in group {
            if let Some(taken) = self.taken.get_mut(lane) {
                *taken += *since;
            }
        }
        if let Some((grid, of_blocks)) = &mut self.of_blocks {
            for (block, lanes) in in_blocks(*grid, group) {
                if let Some(taken) = of_blocks.get_mut(block) {
                    *taken += *since * lanes;
                }
            }
        }
        *since = 0;
    }

    /// Returns how many steps each lane of a group may still take.
    pub fn left(&self, group: &[usize]) -> u64 {
        let taken = group.iter().filter_map(|&lane| self.taken.get(lane)).max();
        let left = self.most.saturating_sub(taken.copied().unwrap_or(0));
        let Some((grid, of_blocks)) = &self.of_blocks else { return left };
        let left_of = |(block, lanes): (usize, u64)| {
            Some(self.most_of_block().saturating_sub(*of_blocks.get(block)?) / lanes)
        };
        in_blocks(*grid, group).filter_map(left_of).min().unwrap_or(left).min(left)
    }

    /// Returns the lane of a group that has taken more steps than it may, and the problem.
    pub fn spent(&self, group: &[usize]) -> RowProblem {
        let is_spent = |lane: &&usize| self.taken.get(**lane).is_some_and(|&taken| taken > self.most);
        if let Some(&lane) = group.iter().find(is_spent) {
            return (Some(lane), Problem::Steps);
        }
        let most = self.most_of_block();
        let is_spent = |lane: &&usize| {
            let of = self.of_blocks.as_ref();
            let taken = of.and_then(|(grid, of_blocks)| of_blocks.get(grid.place(**lane)[0]));
            taken.is_some_and(|&taken| taken > most)
        };
        (group.iter().find(is_spent).copied(), Problem::StepsOfBlock(most))
    }

    /// Returns the number of steps that the threads of a block may take together.
    fn most_of_block(&self) -> u64 {
        self.most.saturating_mul(FULL_THREADS)
    }
}

/// Lists the blocks that lanes in order lie in, each with the number of its lanes.
fn in_blocks(grid: Grid, group: &[usize]) -> impl Iterator<Item = (usize, u64)> {
    let block = move |lane: usize| grid.place(lane)[0];
    group.chunk_by(move |one, other| block(*one) == block(*other)).filter_map(move |lanes| {
        let first = lanes.first()?;
        Some((block(*first), lanes.len() as u64))
    })
}
