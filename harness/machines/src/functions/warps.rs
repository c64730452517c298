//! Exchanges words among the threads of a warp, once all are there that take part.

use std::collections::BTreeMap;

use formats::Column;
use isa::Variant;
use ptx::syntax::{Scalar, ShuffleMode, VoteMode, WordOperation};

use super::ExecutionUnit;
use super::atomics::changed;
use super::launch::WARP;
use super::memory::Memory;
use super::registers::RowRegisters;
use super::waiting::{Waiting, WaitingProblem};
use crate::lowering::{Collective, Step};
use crate::problem::Problem;

impl Waiting<'_, '_> {
    /// Executes the operations of a warp whose members are all there.
    pub fn exchange(
        &self,
        waiting: &[(usize, usize)],
        registers: &mut RowRegisters,
        (memory, unit): (&mut Memory, &mut dyn ExecutionUnit),
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
                    Collective::ReduceMembers(operation, ty) => {
                        self.reduce((operation, ty), (at, step), &members, registers)?;
                    }
                    Collective::Reduce(variant) => {
                        self.reduce_tested(variant, (at, step), &members, registers, unit)?;
                    }
                    Collective::Match { all, ty } => {
                        self.matches((all, ty), (at, step), &members, registers)?;
                    }
                    Collective::Elect => self.elect((at, step), &members, registers)?,
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

    /// Gives each member of a `redux.sync` of integers the reduction of the members' words.
    fn reduce(
        &self,
        (operation, ty): (WordOperation, Scalar),
        (at, step): (usize, &Step),
        members: &[usize],
        registers: &mut RowRegisters,
    ) -> Result<(), WaitingProblem> {
        let words = self.values(step.from.first(), (at, members), registers)?;
        let reduced = words.into_iter().reduce(|one, other| changed(operation, ty, one, [other, 0]));
        for target in &step.into {
            registers.set(target, members, members.iter().map(|_| reduced.unwrap_or(0)));
        }
        Ok(())
    }

    /// Gives each member of a `redux.sync` of the table the reduction of the members' words. Words are reduced three by
    /// three, until one is left; the last of them stands in for any that lack, as it changes nothing.
    fn reduce_tested(
        &self,
        variant: &'static Variant,
        (at, step): (usize, &Step),
        members: &[usize],
        registers: &mut RowRegisters,
        unit: &mut dyn ExecutionUnit,
    ) -> Result<(), WaitingProblem> {
        let mut words = self.values(step.from.first(), (at, members), registers)?;
        loop {
            let rows = words.len().div_ceil(3);
            let last = words.last().copied().unwrap_or(0);
            let mut operands = Vec::new();
            for (number, register) in variant.operands().iter().enumerate() {
                let mut column = Column::new(register.ty.row_bytes(), rows);
                for row in 0..rows {
                    column.set(row, words.get(3 * row + number).copied().unwrap_or(last));
                }
                operands.push(column);
            }
            let mut results: Vec<Column> =
                variant.results().iter().map(|of| Column::new(of.ty.row_bytes(), rows)).collect();
            let done = unit.execute(variant, &operands, &mut results);
            done.map_err(|why| (step.instruction, (None, Problem::Tested(why))))?;
            words = results.first().map_or(Vec::new(), |of| (0..rows).map(|row| of.get(row)).collect());
            if words.len() <= 1 {
                break;
            }
        }
        let reduced = words.first().copied().unwrap_or(0);
        for target in &step.into {
            registers.set(target, members, members.iter().map(|_| reduced));
        }
        Ok(())
    }

    /// Gives each member of a `match.sync` the members that have its word, or all of them if all have one word.
    fn matches(
        &self,
        (all, ty): (bool, Scalar),
        (at, step): (usize, &Step),
        members: &[usize],
        registers: &mut RowRegisters,
    ) -> Result<(), WaitingProblem> {
        let bits = u64::MAX >> (64 - ty.width().clamp(1, 64));
        let words = self.values(step.from.first(), (at, members), registers)?;
        let equal = |word: u64| {
            let like = members.iter().zip(&words).filter(|(_, other)| (*other ^ word) & bits == 0);
            like.fold(0_u64, |mask, (&lane, _)| mask | 1 << self.number(lane))
        };
        let everyone = members.iter().fold(0_u64, |mask, &lane| mask | 1 << self.number(lane));
        let masks: Vec<u64> = words.iter().map(|&word| equal(word)).collect();
        let are_equal = masks.iter().all(|&mask| mask == everyone);
        let given = masks.iter().map(|&mask| if !all || are_equal { mask } else { 0 }).collect();
        let holds = members.iter().map(|_| u64::from(are_equal)).collect();
        set_both(step, members, registers, [given, holds]);
        Ok(())
    }

    /// Elects one of the members of an `elect.sync`. PTX does not say which: an error, unless registers that are not set
    /// may be read; then it is the first, or the last.
    fn elect(
        &self,
        (at, step): (usize, &Step),
        members: &[usize],
        registers: &mut RowRegisters,
    ) -> Result<(), WaitingProblem> {
        let (Some(&first), Some(&last)) = (members.first(), members.last()) else { return Ok(()) };
        let elected = match self.unset {
            _ if first == last => first,
            Some(unset) => {
                if unset(0) & 1 == 0 {
                    first
                } else {
                    last
                }
            }
            None => {
                let words = "which thread is elected is open".to_owned();
                return Err(self.problem(at, first, Problem::Open(words)));
            }
        };
        let number = members.iter().map(|_| self.number(elected) as u64).collect();
        let is_own = members.iter().map(|&lane| u64::from(lane == elected)).collect();
        set_both(step, members, registers, [number, is_own]);
        Ok(())
    }
}

/// Sets the first target of a step to the first values, one for each member, and the second target, if there is one, to
/// the second values.
fn set_both(step: &Step, members: &[usize], registers: &mut RowRegisters, values: [Vec<u64>; 2]) {
    for (target, values) in step.into.iter().zip(values) {
        registers.set(target, members, values.into_iter());
    }
}
