//! Lets threads of a block wait for each other, and exchange words once all are there that take part.

use std::collections::BTreeMap;

use ptx::syntax::{ShuffleMode, VoteMode};

use super::Filling;
use super::code::Code;
use super::lanes::RunningLanes;
use super::launch::{Grid, WARP};
use super::memory::Memory;
use super::registers::{RowProblem, RowRegisters};
use crate::lowering::{Action, Collective, Source, Step};
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
    ) -> Result<(), WaitingProblem> {
        let threads = self.grid.threads_of_block().max(1);
        let waiting = lanes.parked();
        let mut released = Vec::new();
        for of_block in waiting.chunk_by(|one, other| one.0 / threads == other.0 / threads) {
            for of_warp in
                of_block.chunk_by(|(one, _), (other, _)| one % threads / WARP == other % threads / WARP)
            {
                self.exchange(of_warp, registers, memory, &mut released)?;
            }
            self.pass_barriers(of_block, registers, memory, &mut released)?;
        }
        if released.is_empty() && self.goes_on {
            released.extend(waiting.iter().map(|(lane, _)| *lane));
        }
        if released.is_empty() {
            return Err(self.stuck(&waiting, registers));
        }
        lanes.release(&released);
        Ok(())
    }

    /// Returns the collective operation that a lane waits at.
    fn operation(&self, step: usize) -> Option<(Collective, &Step)> {
        let step = self.code.steps.get(step)?;
        match step.action {
            Action::Collective(collective) => Some((collective, step)),
            _ => None,
        }
    }

    /// Returns a problem of a lane at a step.
    fn problem(&self, step: usize, lane: usize, problem: Problem) -> WaitingProblem {
        let instruction = self.code.steps.get(step).map_or(0, |step| step.instruction);
        (instruction, (Some(lane), problem))
    }

    /// Returns the values of a source of a step in some lanes.
    fn values(
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

    /// Executes the operations of a warp whose members are all there.
    fn exchange(
        &self,
        waiting: &[(usize, usize)],
        registers: &mut RowRegisters,
        memory: &mut Memory,
        released: &mut Vec<usize>,
    ) -> Result<(), WaitingProblem> {
        let mut steps: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &(lane, at) in waiting {
            let of_warp =
                |collective: &Collective| !matches!(collective, Collective::BlockBarrier { .. });
            if self.operation(at).is_some_and(|(collective, _)| of_warp(&collective)) {
                steps.entry(at).or_default().push(lane);
            }
        }
        for (at, lanes) in steps {
            let Some((collective, step)) = self.operation(at) else { continue };
            let masks = self.values(step.from.last(), (at, &lanes), registers)?;
            let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
            for (lane, mask) in lanes.into_iter().zip(masks) {
                groups.entry(mask & 0xffff_ffff).or_default().push(lane);
            }
            for (mask, members) in groups {
                let number = |lane: usize| self.number(lane);
                if let Some(&lane) = members.iter().find(|&&lane| mask >> number(lane) & 1 == 0) {
                    let words = format!("the thread is none of the members 0x{mask:08x}");
                    return Err(self.problem(at, lane, Problem::Stuck(words)));
                }
                let Some(&first) = members.first() else { continue };
                if self.of_warp(first).any(|lane| {
                    mask >> number(lane) & 1 == 1 && !self.has_ended(lane) && !members.contains(&lane)
                }) {
                    continue;
                }
                match collective {
                    Collective::Exchange(mode) => self.shuffle(mode, (at, step), &members, registers)?,
                    Collective::Vote(mode) => self.vote(mode, (at, step), &members, registers)?,
                    _ => {
                        let [block, thread] = self.grid.place(first);
                        memory.shared_of(block).pass_warp_barrier(thread / WARP);
                    }
                }
                released.extend(members);
            }
        }
        Ok(())
    }

    /// Returns the number of a lane's warp in its block; all lanes that are compared are of one block.
    fn number_of_warp(&self, lane: usize) -> usize {
        self.grid.place(lane)[1] / WARP
    }

    /// Returns the number of a lane's thread in its warp.
    fn number(&self, lane: usize) -> usize {
        self.grid.place(lane)[1] % WARP
    }

    /// Lists the lanes of the warp of a lane, in order.
    fn of_warp(&self, lane: usize) -> impl Iterator<Item = usize> {
        let [_, thread] = self.grid.place(lane);
        let first = lane - thread % WARP;
        first..first + (self.grid.threads_of_block() - (thread - thread % WARP)).min(WARP)
    }

    fn has_ended(&self, lane: usize) -> bool {
        self.ended.get(lane).copied().unwrap_or(false)
    }

    /// Gives each member of a `shfl.sync` the word of another (PTX ISA, `shfl.sync`).
    fn shuffle(
        &self,
        mode: ShuffleMode,
        (at, step): (usize, &Step),
        members: &[usize],
        registers: &mut RowRegisters,
    ) -> Result<(), WaitingProblem> {
        let [words, others, clamps] = [0, 1, 2].map(|number| step.from.get(number));
        let words = self.values(words, (at, members), registers)?;
        let others = self.values(others, (at, members), registers)?;
        let clamps = self.values(clamps, (at, members), registers)?;
        let (mut given, mut there) = (Vec::new(), Vec::new());
        for (number, &lane) in members.iter().enumerate() {
            let own = self.number(lane) as i64;
            let part = |values: &[u64]| values.get(number).copied().unwrap_or(0);
            let (other, clamp) = ((part(&others) & 31) as i64, part(&clamps));
            let (segments, clamp) = ((clamp >> 8 & 31) as i64, (clamp & 31) as i64);
            let least = own & segments;
            let most = least | clamp & !segments;
            let (asked, is_there) = match mode {
                ShuffleMode::Up => (own - other, own - other >= most),
                ShuffleMode::Down => (own + other, own + other <= most),
                ShuffleMode::Butterfly => (own ^ other, own ^ other <= most),
                ShuffleMode::Index => {
                    let asked = least | other & !segments;
                    (asked, asked <= most)
                }
            };
            let from = if is_there { asked } else { own };
            let holder = members.iter().position(|&lane| self.number(lane) as i64 == from);
            let word = match (holder.and_then(|holder| words.get(holder)), self.unset) {
                (Some(word), _) => *word,
                (None, Some(unset)) => unset(from as usize),
                (None, None) => {
                    return Err(self.problem(at, lane, Problem::Absent(from as u32)));
                }
            };
            given.push(word);
            there.push(u64::from(is_there));
        }
        for (target, values) in step.into.iter().zip([given, there]) {
            registers.set(target, members, values.into_iter());
        }
        Ok(())
    }

    /// Gives each member of a `vote.sync` the answer.
    fn vote(
        &self,
        mode: VoteMode,
        (at, step): (usize, &Step),
        members: &[usize],
        registers: &mut RowRegisters,
    ) -> Result<(), WaitingProblem> {
        let votes = self.values(step.from.first(), (at, members), registers)?;
        let holds = |vote: &u64| *vote & 1 == 1;
        let answer = match mode {
            VoteMode::All => votes.iter().all(holds).into(),
            VoteMode::Any => votes.iter().any(holds).into(),
            VoteMode::Uniform => (votes.iter().all(holds) || !votes.iter().any(holds)).into(),
            VoteMode::Ballot => members
                .iter()
                .zip(&votes)
                .filter(|(_, vote)| holds(vote))
                .fold(0, |all, (&lane, _)| all | 1 << self.number(lane)),
        };
        for target in &step.into {
            registers.set(target, members, members.iter().map(|_| answer));
        }
        Ok(())
    }

    /// Lets the threads of a block pass the barriers that all have come to who are waited for.
    fn pass_barriers(
        &self,
        waiting: &[(usize, usize)],
        registers: &RowRegisters,
        memory: &mut Memory,
        released: &mut Vec<usize>,
    ) -> Result<(), WaitingProblem> {
        let mut barriers: BTreeMap<u64, Vec<(usize, usize, Option<u64>)>> = BTreeMap::new();
        for &(lane, at) in waiting {
            let Some((Collective::BlockBarrier { .. }, step)) = self.operation(at) else { continue };
            let value = |source: Option<&Source>| -> Result<u64, WaitingProblem> {
                let values = self.values(source, (at, &[lane]), registers)?;
                Ok(values.first().copied().unwrap_or(0))
            };
            let due = match step.from.get(1) {
                Some(count) => Some(value(Some(count))?),
                None => None,
            };
            barriers.entry(value(step.from.first())?).or_default().push((lane, at, due));
        }
        let all = self.grid.threads_of_block() as u64;
        for arrived in barriers.into_values() {
            let Some(&(first, _, due)) = arrived.first() else { continue };
            if let Some(&(lane, at, _)) = arrived.iter().find(|(.., own)| *own != due) {
                let words = "threads wait at one barrier for different numbers of threads".to_owned();
                return Err(self.problem(at, lane, Problem::Stuck(words)));
            }
            if ((arrived.len() + self.exited(&arrived, due.is_none())) as u64) < due.unwrap_or(all) {
                continue;
            }
            for of_warp in
                arrived.chunk_by(|one, other| self.number_of_warp(one.0) == self.number_of_warp(other.0))
            {
                let Some(&(_, at, _)) = of_warp.first() else { continue };
                let is_aligned = |at: usize| {
                    matches!(self.operation(at), Some((Collective::BlockBarrier { aligned: true }, _)))
                };
                let other = of_warp.iter().find(|(_, own, _)| *own != at && is_aligned(*own));
                if let Some(&(lane, own, _)) = other {
                    let words = format!(
                        "the threads of one warp wait at different barriers, and others at {}",
                        self.named(at)
                    );
                    return Err(self.problem(own, lane, Problem::Stuck(words)));
                }
            }
            memory.shared_of(self.grid.place(first)[0]).pass_barrier();
            released.extend(arrived.into_iter().map(|(lane, ..)| lane));
        }
        Ok(())
    }

    /// Counts the threads that have exited and are not waited for at a barrier: a barrier counts a warp as a whole once
    /// those of its threads have come that have not exited (PTX ISA, `barrier`). Without a number of threads, it waits for
    /// no warp that has exited (`of_block`).
    fn exited(&self, arrived: &[(usize, usize, Option<u64>)], of_block: bool) -> usize {
        let Some(&(first, ..)) = arrived.first() else { return 0 };
        let start = first - self.grid.place(first)[1];
        let lanes = start..start + self.grid.threads_of_block();
        let has_come = |lane: usize| {
            arrived.iter().any(|(other, ..)| self.number_of_warp(*other) == self.number_of_warp(lane))
        };
        lanes.filter(|&lane| self.has_ended(lane) && (of_block || has_come(lane))).count()
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
    fn stuck(&self, waiting: &[(usize, usize)], registers: &RowRegisters) -> WaitingProblem {
        let Some(&(lane, at)) = waiting.first() else { return (0, (None, Problem::Ends)) };
        let threads = self.grid.threads_of_block().max(1);
        let (first, own) = (lane - self.grid.place(lane)[1], self.grid.place(lane)[1]);
        let wanted: Vec<usize> = match self.operation(at) {
            Some((Collective::BlockBarrier { .. }, _)) => (first..first + threads).collect(),
            Some((_, step)) => {
                let mask = self.values(step.from.last(), (at, &[lane]), registers);
                let mask = mask.ok().and_then(|mask| mask.first().copied()).unwrap_or(u64::MAX);
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
