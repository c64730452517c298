//! A warp of a program.

use super::bulk::Pending;
use super::integer::compute_all;
use super::registers::Registers;
use super::shared::Shared;
use super::{
    Action, Address, Addresses, Error, Memory, Place, Problem, Program, Source, Surroundings, Threads,
    Values, WARP,
};
use crate::syntax::{Space, Special};

impl Program {
    pub(super) fn carry_out(
        &self,
        registers: &mut Registers,
        around: &mut Surroundings,
    ) -> Result<(), Error> {
        let Place { threads, first, .. } = around.place;
        // Threads that there are and that have not returned.
        let active = std::array::from_fn(|thread| first.saturating_add(thread as u64) < threads);
        let shared = Shared::new(self.shared);
        let mut warp = Warp { registers, shared, active, pending: Pending::default() };
        let mut next = 0;
        let mut left = around.steps;
        while let Some(step) = self.steps.get(next) {
            next += 1;
            let error = |problem| Error { instruction: next, problem };
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

struct Warp<'a, 'b> {
    registers: &'a mut Registers<'b>,
    /// The block's, of which there is one warp, or none that the others wait for.
    shared: Shared,
    active: Threads,
    pending: Pending<'a>,
}

impl<'a> Warp<'a, '_> {
    /// The active threads in which a guard holds.
    fn does(&self, guard: Option<(usize, bool)>) -> Result<Threads, Problem> {
        let Some((predicate, wanted)) = guard else { return Ok(self.active) };
        let mut holds =
            self.registers.get(predicate, self.active)?.iter().map(|value| (*value == 1) == wanted);
        Ok(self.active.map(|active| holds.next() == Some(true) && active))
    }

    /// These threads are active no more.
    fn leave(&mut self, does: Threads) {
        self.active.iter_mut().zip(does).for_each(|(active, does)| *active &= !does);
    }

    /// What a source holds in the threads that do what is there; what is in no register is put into `made`.
    fn value<'b>(
        &'b self,
        source: Source,
        does: Threads,
        place: Place,
        made: &'b mut Values,
    ) -> Result<&'b Values, Problem> {
        *made = match source {
            Source::Register(register) => return self.registers.get(register, does),
            Source::Constant(value) => [value; WARP],
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
    fn copied(&self, source: Source, does: Threads, place: Place) -> Result<Values, Problem> {
        self.value(source, does, place, &mut [0; WARP]).copied()
    }

    /// The address of each thread's word, of the threads that do what is there.
    fn addresses(&self, at: Address, does: Threads, place: Place) -> Result<Addresses, Problem> {
        let mut made = [0; WARP];
        let mut bases = self.value(at.base, does, place, &mut made)?.iter();
        Ok(does.map(|does| {
            let base = bases.next().filter(|_| does);
            base.map(|base| base.wrapping_add(at.offset))
        }))
    }

    /// The memory of a space.
    fn memory<'b>(&'b mut self, space: Space, around: &'b mut Surroundings) -> &'b mut dyn Memory {
        match space {
            Space::Shared => &mut self.shared,
            _ => &mut *around.memory,
        }
    }

    /// That all threads of the warp are there.
    fn whole(&self, does: Threads) -> Result<(), Problem> {
        if does == [true; WARP] { Ok(()) } else { Err(Problem::Inactive) }
    }

    /// Does what is neither a branch nor a return, in the threads that do it.
    fn act(
        &mut self,
        action: &'a Action,
        does: Threads,
        around: &mut Surroundings,
    ) -> Result<(), Problem> {
        let place = around.place;
        match action {
            Action::Compute { integer, into, sources } => {
                let mut made = [[0; WARP]; 4];
                let mut values = [&[0; WARP]; 4];
                for ((values, made), source) in values.iter_mut().zip(&mut made).zip(sources) {
                    *values = self.value(*source, does, place, made)?;
                }
                let mut result = [0; WARP];
                compute_all(*integer, values.map(Values::as_slice), &mut result);
                self.registers.set(*into, does, result);
            }
            Action::Unpack { into: [low, high], from, half } => {
                let from = self.copied(*from, does, place)?;
                self.registers.set(*low, does, from.map(|word| word & ((1 << half) - 1)));
                self.registers.set(*high, does, from.map(|word| word >> half));
            }
            Action::Pack { into, from: [low, high], half } => {
                let mut low = self.copied(*low, does, place)?.into_iter();
                let high = self.copied(*high, does, place)?;
                self.registers.set(*into, does, high.map(|high| high << half | low.next().unwrap_or(0)));
            }
            Action::LoadParameter { into, name, bytes } => {
                let value = around.parameters.get(name);
                let value = value.ok_or_else(|| Problem::NoParameter(name.clone()))?;
                self.registers.set(*into, does, [value & u64::MAX >> (64 - 8 * bytes); WARP]);
            }
            Action::Load { into, at, bytes } => {
                let mut values = [0; WARP];
                let addresses = self.addresses(*at, does, place)?;
                let memory = self.memory(at.space, around);
                for (value, address) in values.iter_mut().zip(addresses) {
                    if let Some(address) = address {
                        *value = memory.load(address, *bytes).map_err(Problem::Memory)?;
                    }
                }
                self.registers.set(*into, does, values);
            }
            Action::Store { at, bytes, from } => {
                self.pending.stored();
                let from = self.copied(*from, does, place)?;
                let addresses = self.addresses(*at, does, place)?;
                let memory = self.memory(at.space, around);
                for (word, address) in from.into_iter().zip(addresses) {
                    if let Some(address) = address {
                        memory.store(address, *bytes, word).map_err(Problem::Memory)?;
                    }
                }
            }
            Action::ReduceAdd { at, bytes, from } => {
                let from = self.copied(*from, does, place)?;
                for (addend, address) in from.into_iter().zip(self.addresses(*at, does, place)?) {
                    if let Some(address) = address {
                        let sum = around.memory.load(address, *bytes).map_err(Problem::Memory)?;
                        let sum = sum.wrapping_add(addend);
                        around.memory.store(address, *bytes, sum).map_err(Problem::Memory)?;
                    }
                }
            }
            Action::Shuffle { into, from, flipped } => {
                self.whole(does)?;
                let from = self.copied(*from, does, place)?;
                let other = |thread: usize| from.get(thread ^ flipped).copied().unwrap_or(0);
                self.registers.set(*into, does, std::array::from_fn(other));
            }
            Action::WarpBarrier => self.whole(does)?,
            Action::Barrier if place.threads > WARP as u64 => return Err(Problem::Warps),
            Action::Barrier => {}
            Action::Tile(moved) => {
                self.whole(does)?;
                let addresses = self.addresses(moved.at, does, place)?;
                let stride = moved.stride.map(|stride| self.copied(stride, does, place)).transpose()?;
                let at = moved.at(addresses, stride)?;
                let mut fragment = Vec::new();
                if moved.is_stored() {
                    let each = moved
                        .registers
                        .iter()
                        .map(|&register| self.registers.get(register, does).copied());
                    fragment = each.collect::<Result<_, _>>()?;
                }
                let memory = self.memory(moved.at.space, around);
                match moved.is_stored() {
                    true => moved.store(at, &fragment, memory).map_err(Problem::Memory)?,
                    false => {
                        let loaded = moved.load(at, memory).map_err(Problem::Memory)?;
                        let each = moved.registers.iter().zip(loaded);
                        each.for_each(|(&register, values)| self.registers.set(register, does, values));
                    }
                }
            }
            Action::Tested { tested, into, sources } => {
                if tested.matrix.is_some() {
                    self.whole(does)?;
                }
                let sources: Result<Vec<Values>, Problem> =
                    sources.iter().map(|source| self.copied(*source, does, place)).collect();
                let results = (around.execute)(tested, &sources?).map_err(Problem::Tested)?;
                if results.len() != into.len() {
                    return Err(Problem::Tested(format!("`{}` has other results", tested.spelling)));
                }
                into.iter()
                    .zip(results)
                    .for_each(|(into, values)| self.registers.set(*into, does, values));
            }
            Action::Reduce(reduction) => {
                self.whole(does)?;
                let from = self.copied(reduction.from, does, place)?;
                let result = reduction.run(from, around.execute)?;
                self.registers.set(reduction.into, does, result);
            }
            Action::Word(word) => {
                let addresses = self.addresses(word.at, does, place)?;
                let parts: Result<Vec<Values>, Problem> =
                    word.from.iter().map(|&source| self.copied(source, does, place)).collect();
                let memory: &mut dyn Memory = match word.at.space {
                    Space::Shared => &mut self.shared,
                    _ => &mut *around.memory,
                };
                let old = word.run(addresses, &parts?, memory, around.execute)?;
                word.into
                    .iter()
                    .zip(old)
                    .for_each(|(&into, values)| self.registers.set(into, does, values));
            }
            Action::Bulk(bulk) => {
                let at = self.addresses(bulk.word.at, does, place)?;
                let from = self.addresses(bulk.from, does, place)?;
                self.pending.begin(bulk, at, from)?;
            }
            Action::ProxyFence => self.pending.fenced(),
            Action::BulkCommit => self.pending.commit(),
            Action::BulkWait => {
                self.pending.wait(&mut self.shared, &mut *around.memory, around.execute)?;
            }
            Action::Branch(_) | Action::Return => {}
        }
        Ok(())
    }
}
