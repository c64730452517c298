//! A warp of a program.

use super::bulk::Pending;
use super::registers::Registers;
use super::shared::Shared;
use super::{
    Addresses, Error, Memory, MemoryError, Place, Problem, Program, Surroundings, Tested, Threads,
    Values, WARP,
};
use crate::integer::{compute_all, opposite_all};
use crate::lowering::{Action, Address, Guard, Source};
use crate::syntax::{Space, Special};

impl Program {
    pub(super) fn carry_out<'a>(
        &'a self,
        registers: &mut Registers<'a>,
        around: &mut Surroundings,
    ) -> Result<(), Error> {
        let place = around.place;
        // Threads that there are and that have not returned.
        let is_there = |thread: usize| place.first.saturating_add(thread as u64) < place.threads;
        let active = std::array::from_fn(is_there);
        let (shared, pending) = (Shared::new(self.shared), Pending::default());
        let mut warp = Warp { program: self, registers, place, shared, active, pending };
        let mut next = 0;
        let mut left = around.steps;
        while let Some(step) = self.steps.get(next) {
            next += 1;
            let error = |problem| Error { instruction: step.instruction, problem };
            left = left.checked_sub(1).ok_or_else(|| error(Problem::Steps))?;
            let does = warp.does(step.guard).map_err(error)?;
            match &step.action {
                Action::Return => warp.leave(does),
                Action::Branch(_) if does == [false; WARP] => {}
                Action::Branch(target) if does == warp.active => next = *target,
                // Nobody waits for those who go where they do nothing but return.
                Action::Branch(target) if self.returns_at(*target) => warp.leave(does),
                Action::Branch(_) => return Err(error(Problem::Diverges)),
                action => warp.act(action, does, around).map_err(error)?,
            }
            if warp.active == [false; WARP] {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether every thread that comes to a step returns.
    fn returns_at(&self, step: usize) -> bool {
        let step = self.steps.get(step);
        step.is_some_and(|step| step.guard.is_none() && matches!(step.action, Action::Return))
    }
}

pub struct Warp<'a, 'b> {
    program: &'a Program,
    pub registers: &'b mut Registers<'a>,
    pub place: Place,
    /// The block's, of which there is one warp, or none that the others wait for.
    pub shared: Shared,
    active: Threads,
    pub pending: Pending<'a>,
}

impl<'a> Warp<'a, '_> {
    /// The active threads in which a guard holds.
    fn does(&self, guard: Option<Guard>) -> Result<Threads, Problem> {
        let Some(Guard { predicate, wanted }) = guard else { return Ok(self.active) };
        let values = self.registers.get(predicate, self.active)?;
        let mut holds = values.iter().map(|value| (*value == 1) == wanted);
        Ok(self.active.map(|active| holds.next() == Some(true) && active))
    }

    /// These threads are active no more.
    fn leave(&mut self, does: Threads) {
        self.active.iter_mut().zip(does).for_each(|(active, does)| *active &= !does);
    }

    /// What a source holds in the threads that do what is there; what is in no register is put into `made`.
    fn value<'s>(
        &'s self,
        source: Source,
        does: Threads,
        made: &'s mut Values,
    ) -> Result<&'s Values, Problem> {
        let place = self.place;
        *made = match source {
            Source::Register(register) => return self.registers.get(register, does),
            Source::Negated(register) => self.registers.get(register, does)?.map(|value| value ^ 1),
            Source::Constant(value) => [value; WARP],
            Source::Variable(at) => [at as u64; WARP],
            Source::Special(Special::BlockIndex) => [place.block; WARP],
            Source::Special(Special::BlockSize) => [place.threads; WARP],
            Source::Special(Special::ThreadIndex) => {
                std::array::from_fn(|thread| place.first.wrapping_add(thread as u64))
            }
            Source::Special(Special::Lane) => std::array::from_fn(|thread| thread as u64),
        };
        Ok(made)
    }

    /// The same as a copy.
    pub fn copied(&self, source: Source, does: Threads) -> Result<Values, Problem> {
        self.value(source, does, &mut [0; WARP]).copied()
    }

    /// The same of several.
    pub fn all(&self, sources: &[Source], does: Threads) -> Result<Vec<Values>, Problem> {
        sources.iter().map(|&source| self.copied(source, does)).collect()
    }

    /// The space of an address, and the address of each thread's word, of the threads that do what is there.
    pub fn addresses(&self, at: Address, does: Threads) -> Result<(Space, Addresses), Problem> {
        let (space, source, offset) = match at {
            Address::Own(own, from) => (Space::Param, Source::Variable(own.start), from as u64),
            Address::Of(space, source, offset) => (space, source, offset),
        };
        let mut made = [0; WARP];
        let mut bases = self.value(source, does, &mut made)?.iter();
        let each = does.map(|does| {
            let base = bases.next().filter(|_| does);
            base.map(|base| base.wrapping_add(offset))
        });
        Ok((space, each))
    }

    /// The memory of a space.
    pub fn memory<'s>(&'s mut self, space: Space, around: &'s mut Surroundings) -> &'s mut dyn Memory {
        match space {
            Space::Shared => &mut self.shared,
            _ => &mut *around.memory,
        }
    }

    /// A word that lies in a parameter.
    fn parameter(&self, at: u64, bytes: usize, around: &Surroundings) -> Result<u64, Problem> {
        let at = at as usize;
        let holding = self.program.parameters.iter().find(|(_, own)| own.holds(at, bytes));
        let (name, own) = holding.ok_or(Problem::Memory(MemoryError::Address))?;
        let value = around.parameters.get(name).ok_or_else(|| Problem::NoParameter(name.clone()))?;
        Ok(value.checked_shr(8 * (at - own.start) as u32).unwrap_or(0))
    }

    /// Does what is neither a branch nor a return, in the threads that do it.
    fn act(
        &mut self,
        action: &'a Action,
        does: Threads,
        around: &mut Surroundings,
    ) -> Result<(), Problem> {
        match action {
            Action::Compute { integer, into, opposite, sources } => {
                let mut made = [[0; WARP]; 4];
                let mut values = [&[0; WARP]; 4];
                for ((values, made), source) in values.iter_mut().zip(&mut made).zip(sources) {
                    *values = self.value(*source, does, made)?;
                }
                let (sources, mut result) = (values.map(Values::as_slice), [0; WARP]);
                compute_all(*integer, sources, &mut result);
                if let Some(other) = opposite {
                    let mut turned = opposite_all(*integer, sources).into_iter();
                    let turned = std::array::from_fn(|_| turned.next().unwrap_or(0));
                    self.registers.set(other, does, turned);
                }
                self.registers.set(into, does, result);
            }
            Action::Unpack { into, from, part } => {
                let from = self.copied(*from, does)?;
                for (number, target) in (0u32..).zip(into) {
                    self.registers.set(target, does, from.map(|word| word >> (number * part)));
                }
            }
            Action::Pack { into, from, part } => {
                let mut words = [0; WARP];
                for (number, source) in (0u32..).zip(from) {
                    let parts = self.copied(*source, does)?;
                    let (mask, shift) = (u64::MAX >> (64 - part), number * part);
                    words.iter_mut().zip(parts).for_each(|(word, one)| *word |= (one & mask) << shift);
                }
                self.registers.set(into, does, words);
            }
            Action::Load { into, at, bytes } => {
                let (space, addresses) = self.addresses(*at, does)?;
                for (offset, target) in (0u64..).step_by(*bytes).zip(into) {
                    let mut values = [0; WARP];
                    for (value, address) in values.iter_mut().zip(addresses) {
                        let Some(address) = address.map(|address| address.wrapping_add(offset)) else {
                            continue;
                        };
                        *value = match space {
                            Space::Param => self.parameter(address, *bytes, around)?,
                            space => {
                                let word = self.memory(space, around).load(address, *bytes);
                                word.map_err(Problem::Memory)?
                            }
                        };
                    }
                    self.registers.set(target, does, values);
                }
            }
            Action::Store { at, bytes, from } => {
                self.pending.stored();
                let all = self.all(from, does)?;
                let (space, addresses) = self.addresses(*at, does)?;
                let memory = self.memory(space, around);
                for (offset, words) in (0u64..).step_by(*bytes).zip(all) {
                    for (word, address) in words.into_iter().zip(addresses) {
                        if let Some(address) = address {
                            let stored = memory.store(address.wrapping_add(offset), *bytes, word);
                            stored.map_err(Problem::Memory)?;
                        }
                    }
                }
            }
            Action::Tested { variant, into, sources } => {
                let given = self.all(sources, does)?;
                let tested = Tested::variant(variant, into, sources);
                let results = tested.results(around.execute, &given, variant.results().len())?;
                into.iter().zip(results).for_each(|(into, values)| {
                    self.registers.set(into, does, values);
                });
            }
            Action::Collective(collective) => self.collective(collective, does, around)?,
            Action::Branch(_) | Action::Return => {}
            // No kernel has any.
            Action::Carry { .. } | Action::BranchIndexed { .. } | Action::Call(_) | Action::End => {}
        }
        Ok(())
    }
}
