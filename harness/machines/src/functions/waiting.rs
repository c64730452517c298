//! Lets threads of a block wait for each other, and exchange words once all are there that take part.

use std::collections::BTreeMap;

use ptx::syntax::BarrierReduction;

use super::ExecutionUnit;
use super::Filling;
use super::code::Code;
use super::lanes::RunningLanes;
use super::launch::{Grid, WARP};
use super::memory::Memory;
use super::registers::{RowProblem, RowRegisters};
use crate::lowering::{Action, BarrierDoes, Collective, Source, Step, barrier_problem};
use crate::problem::Problem;

/// The threads of some rows that wait, and what is known of the others.
pub struct Waiting<'a, 'b> {
    pub grid: Grid,
    pub code: &'a Code,
    /// Whether each lane has ended.
    pub ended: &'b [bool],
    pub unset: Option<Filling>,
    /// Whether lanes that would wait for ever go on.
    pub goes_on: bool,
}

/// A thread that has come to a barrier of its block.
struct AtBarrier {
    lane: usize,
    /// The number of the step.
    at: usize,
    /// The number of threads that the barrier counts, if it is said.
    due: Option<u64>,
    does: BarrierDoes,
}

/// A problem of a lane, and the number of the instruction that it is in.
pub type WaitingProblem = (usize, RowProblem);

impl Waiting<'_, '_> {
    /// Lets all lanes go on that have waited for each other; all lanes that have not returned wait.
    ///
    /// # Errors
    /// If no lane can go on, says which one waits and for whom, and at what a lane may not do.
    pub fn release(
        &self,
        lanes: &mut RunningLanes,
        registers: &mut RowRegisters,
        memory: &mut Memory,
        unit: &mut dyn ExecutionUnit,
    ) -> Result<(), WaitingProblem> {
        let threads = self.grid.threads_of_block().max(1);
        let waiting = lanes.parked();
        let mut released = Vec::new();
        for of_block in waiting.chunk_by(|one, other| one.0 / threads == other.0 / threads) {
            for of_warp in
                of_block.chunk_by(|(one, _), (other, _)| one % threads / WARP == other % threads / WARP)
            {
                self.exchange(of_warp, registers, (memory, unit), &mut released)?;
            }
            self.pass_barriers(of_block, registers, memory, &mut released)?;
        }
        if released.is_empty() && self.goes_on {
            released.extend(waiting.iter().map(|(lane, _)| *lane));
        }
        if released.is_empty() {
            return Err(self.stuck(&waiting, registers, memory));
        }
        lanes.release(&released);
        Ok(())
    }

    /// Returns the collective operation that a lane waits at.
    pub(super) fn operation(&self, step: usize) -> Option<(Collective, &Step)> {
        let step = self.code.steps.get(step)?;
        match step.action {
            Action::Collective(collective) => Some((collective, step)),
            _ => None,
        }
    }

    /// Returns a problem of a lane at a step.
    pub(super) fn problem(&self, step: usize, lane: usize, problem: Problem) -> WaitingProblem {
        let instruction = self.code.steps.get(step).map_or(0, |step| step.instruction);
        (instruction, (Some(lane), problem))
    }

    /// Returns the values of a source of a step in some lanes.
    pub(super) fn values(
        &self,
        source: Option<&Source>,
        (step, lanes): (usize, &[usize]),
        registers: &RowRegisters,
    ) -> Result<Vec<u64>, WaitingProblem> {
        let source = source.copied().unwrap_or(Source::Constant(0));
        let mut values = Vec::new();
        let found = registers.values(source, lanes, &mut values).map(<[u64]>::to_vec);
        found.map_err(|problem| (self.code.steps.get(step).map_or(0, |step| step.instruction), problem))
    }

    /// Returns the number of a lane's warp in its block; all lanes that are compared are of one block.
    fn number_of_warp(&self, lane: usize) -> usize {
        self.grid.place(lane)[1] / WARP
    }

    /// Returns the number of a lane's thread in its warp.
    pub(super) fn number(&self, lane: usize) -> usize {
        self.grid.place(lane)[1] % WARP
    }

    /// Lists the lanes of the warp of a lane, in order.
    pub(super) fn of_warp(&self, lane: usize) -> impl Iterator<Item = usize> {
        let [_, thread] = self.grid.place(lane);
        let first = lane - thread % WARP;
        first..first + (self.grid.threads_of_block() - (thread - thread % WARP)).min(WARP)
    }

    pub(super) fn has_ended(&self, lane: usize) -> bool {
        self.ended.get(lane).copied().unwrap_or(false)
    }

    /// Lets the threads of a block pass the barriers that all have come to who are waited for.
    fn pass_barriers(
        &self,
        waiting: &[(usize, usize)],
        registers: &mut RowRegisters,
        memory: &mut Memory,
        released: &mut Vec<usize>,
    ) -> Result<(), WaitingProblem> {
        let mut barriers: BTreeMap<u64, Vec<AtBarrier>> = BTreeMap::new();
        for &(lane, at) in waiting {
            let Some((Collective::BlockBarrier { does, .. }, step)) = self.operation(at) else {
                continue;
            };
            let value = |number: usize| -> Result<Option<u64>, WaitingProblem> {
                let Some(source) = step.from.get(number) else { return Ok(None) };
                let values = self.values(Some(source), (at, &[lane]), registers)?;
                Ok(values.first().map(|word| word & 0xffff_ffff))
            };
            let (barrier, due) = (value(0)?.unwrap_or(0), value(2)?);
            if let Some(words) = barrier_problem(barrier, due) {
                return Err(self.problem(at, lane, Problem::Stuck(words)));
            }
            barriers.entry(barrier).or_default().push(AtBarrier { lane, at, due, does });
        }
        for (barrier, come) in barriers {
            self.come_to_barrier(barrier, come, registers, memory, released)?;
        }
        Ok(())
    }

    /// Lets threads arrive at one barrier, and lets those that wait there pass it once all have come.
    fn come_to_barrier(
        &self,
        barrier: u64,
        come: Vec<AtBarrier>,
        registers: &mut RowRegisters,
        memory: &mut Memory,
        released: &mut Vec<usize>,
    ) -> Result<(), WaitingProblem> {
        let Some(&AtBarrier { lane: first, due, .. }) = come.first() else { return Ok(()) };
        // Where threads may be fewer than the code expects, nothing is said of the barriers that they come to.
        let stuck = |of: Option<&AtBarrier>, words: &str| match of.filter(|_| !self.goes_on) {
            Some(of) => Err(self.problem(of.at, of.lane, Problem::Stuck(words.to_owned()))),
            None => Ok(()),
        };
        let thread = |of: &AtBarrier| self.grid.place(of.lane)[1];
        let block = self.grid.place(first)[0];
        let shared = memory.shared_of(block);
        let mut arrived: Vec<usize> = shared.arrived(barrier).collect();
        let before = shared.due(barrier);
        let differs =
            |of: &&AtBarrier| of.due != due || before.is_some_and(|before| of.due != Some(before));
        let words = "threads come to one barrier for different numbers of threads";
        stuck(come.iter().find(differs), words)?;
        let reduces = |does: BarrierDoes| match does {
            BarrierDoes::Reduce(reduces) => Some(reduces),
            BarrierDoes::Wait | BarrierDoes::Arrive => None,
        };
        let reduction = come.first().and_then(|of| reduces(of.does));
        let differs = |of: &&AtBarrier| {
            reduces(of.does) != reduction || reduction.is_some() && !arrived.is_empty()
        };
        let words =
            "threads come to one barrier of which some reduce, and others do not, or differently";
        stuck(come.iter().find(differs), words)?;
        let again = format!("comes to barrier {barrier} again before the barrier is passed");
        stuck(come.iter().find(|of| arrived.contains(&thread(of))), &again)?;
        let (arriving, waiting): (Vec<AtBarrier>, Vec<AtBarrier>) =
            come.into_iter().partition(|of| of.does == BarrierDoes::Arrive);
        for of in &arriving {
            if !arrived.contains(&thread(of)) {
                shared.arrive(barrier, thread(of), of.due.unwrap_or(0));
                arrived.push(thread(of));
            }
            released.push(of.lane);
        }
        let start = first - self.grid.place(first)[1];
        let lanes: Vec<usize> = waiting.iter().map(|of| of.lane).collect();
        let there: Vec<usize> =
            lanes.iter().copied().chain(arrived.iter().map(|thread| start + thread)).collect();
        let all = self.grid.threads_of_block() as u64;
        if ((there.len() + self.exited(start, &there, due.is_none())) as u64) < due.unwrap_or(all) {
            return Ok(());
        }
        self.check_aligned(&waiting)?;
        if let Some(reduction) = reduction {
            self.reduce_at_barrier(reduction, &waiting, registers)?;
        }
        memory.shared_of(block).pass_barrier(barrier);
        released.extend(lanes);
        Ok(())
    }

    /// Refuses threads of one warp that wait at different instructions of which one is aligned.
    fn check_aligned(&self, waiting: &[AtBarrier]) -> Result<(), WaitingProblem> {
        for of_warp in waiting
            .chunk_by(|one, other| self.number_of_warp(one.lane) == self.number_of_warp(other.lane))
        {
            let Some(&AtBarrier { at, .. }) = of_warp.first() else { continue };
            let is_aligned = |at: usize| {
                let operation = self.operation(at).map(|(collective, _)| collective);
                matches!(operation, Some(Collective::BlockBarrier { aligned: true, .. }))
            };
            if let Some(of) = of_warp.iter().find(|of| of.at != at && is_aligned(of.at)) {
                let words = format!(
                    "the threads of one warp wait at different barriers, and others at {}",
                    self.named(at)
                );
                return Err(self.problem(of.at, of.lane, Problem::Stuck(words)));
            }
        }
        Ok(())
    }

    /// Gives the threads at a barrier the reduction of the predicates of all.
    fn reduce_at_barrier(
        &self,
        reduction: BarrierReduction,
        waiting: &[AtBarrier],
        registers: &mut RowRegisters,
    ) -> Result<(), WaitingProblem> {
        let mut holding = 0;
        for of in waiting {
            let predicate = self.operation(of.at).and_then(|(_, step)| step.from.get(1));
            let values = self.values(predicate, (of.at, &[of.lane]), registers)?;
            holding += values.iter().filter(|&&value| value == 1).count();
        }
        let result = match reduction {
            BarrierReduction::Count => holding as u64,
            BarrierReduction::And => (holding == waiting.len()).into(),
            BarrierReduction::Or => (holding > 0).into(),
        };
        for of in waiting {
            for target in self.operation(of.at).into_iter().flat_map(|(_, step)| &step.into) {
                registers.set(target, &[of.lane], std::iter::once(result));
            }
        }
        Ok(())
    }

    /// Counts the threads that have exited and are not waited for at a barrier: a barrier counts a warp as a whole once
    /// those of its threads have come that have not exited (PTX ISA, `barrier`). So the last warp of a block counts as one
    /// even if the block has no thread for each of its places. Without a number of threads, a barrier waits for no warp
    /// that has exited (`of_block`).
    fn exited(&self, start: usize, there: &[usize], of_block: bool) -> usize {
        let threads = self.grid.threads_of_block();
        let mut has_come = vec![false; threads.div_ceil(WARP)];
        // A thread that has arrived may have exited since, and counts once.
        let mut is_there = vec![false; threads];
        for lane in there {
            if let Some(is) = is_there.get_mut(lane - start) {
                *is = true;
            }
            if let Some(has) = has_come.get_mut((lane - start) / WARP) {
                *has = true;
            }
        }
        let come = |lane: usize| has_come.get((lane - start) / WARP) == Some(&true);
        let lanes = start..start + threads;
        let is_exited = |lane: usize| {
            self.has_ended(lane)
                && is_there.get(lane - start) == Some(&false)
                && (of_block || come(lane))
        };
        let exited = lanes.filter(|&lane| is_exited(lane)).count();
        let missing = threads.next_multiple_of(WARP) - threads;
        exited + if has_come.last() == Some(&true) && !of_block { missing } else { 0 }
    }

    /// Returns the instruction of a step, in words.
    fn named(&self, at: usize) -> String {
        let number = self.code.steps.get(at).map_or(0, |step| step.instruction);
        let text = number.checked_sub(1).and_then(|number| self.code.texts.get(number));
        let line = number.checked_sub(1).and_then(|number| self.code.lines.get(number));
        let (text, line) = (text.map_or("", |[_, text]| text), line.copied().unwrap_or_default());
        format!("`{text}` in line {line}")
    }

    /// Returns the problem of lanes of which none can go on.
    fn stuck(
        &self,
        waiting: &[(usize, usize)],
        registers: &RowRegisters,
        memory: &mut Memory,
    ) -> WaitingProblem {
        let Some(&(lane, at)) = waiting.first() else { return (0, (None, Problem::Ends)) };
        let threads = self.grid.threads_of_block().max(1);
        let [block, own] = self.grid.place(lane);
        let first = lane - own;
        let value = |source: Option<&Source>| {
            let values = self.values(source, (at, &[lane]), registers);
            values.ok().and_then(|values| values.first().copied())
        };
        let wanted: Vec<usize> = match self.operation(at) {
            Some((Collective::BlockBarrier { .. }, step)) => {
                let barrier = value(step.from.first()).unwrap_or(0);
                let arrived: Vec<usize> = memory.shared_of(block).arrived(barrier).collect();
                (first..first + threads).filter(|lane| !arrived.contains(&(lane - first))).collect()
            }
            Some((_, step)) => {
                let mask = value(step.from.last()).unwrap_or(u64::MAX);
                self.of_warp(lane).filter(|&lane| mask >> self.number(lane) & 1 == 1).collect()
            }
            None => Vec::new(),
        };
        let place = |other: usize| waiting.iter().find(|(lane, _)| *lane == other).map(|(_, at)| *at);
        let Some(&other) = wanted.iter().find(|&&other| place(other) != Some(at)) else {
            let words = "fewer threads come to the barrier than it waits for".to_owned();
            return self.problem(at, lane, Problem::Stuck(words));
        };
        let number = self.grid.place(other)[1];
        let problem = match place(other) {
            Some(other) => Problem::Stuck(format!(
                "thread {own} waits here for thread {number}, which waits at {}",
                self.named(other)
            )),
            None if self.has_ended(other) => {
                Problem::Stuck(format!("thread {own} waits here for thread {number}, which has ended"))
            }
            None => Problem::CalledApart,
        };
        self.problem(at, lane, problem)
    }
}
