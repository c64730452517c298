//! Runs a warp of a program, step by step.

use ptx::syntax::{Space, Special};

use super::bulk::Pending;
use super::registers::WarpRegisters;
use super::shared::SharedMemory;
use super::{
    Addresses, EntryProgram, Error, Memory, MemoryError, Problem, Surroundings, Tested, ThreadMask,
    Values, WARP, WarpPlace,
};
use crate::integer::{compute_all, opposite_all};
use crate::lowering::{Action, Address, Source, Step, StepGuard};

impl EntryProgram {
    /// Runs the program in a warp with these registers, until its threads have returned or the steps end.
    pub(super) fn carry_out<'a>(
        &'a self,
        registers: &mut WarpRegisters<'a>,
        around: &mut Surroundings,
    ) -> Result<(), Error> {
        let place = around.place;
        // Threads that there are and that have not returned.
        let is_there = |thread: usize| place.first.saturating_add(thread as u64) < place.threads;
        let active = std::array::from_fn(is_there);
        let (shared, pending) = (SharedMemory::new(self.shared), Pending::default());
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
                _ => warp.act(step, does, around).map_err(error)?,
            }
            if warp.active == [false; WARP] {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether threads of a warp may go different ways other than to the end.
    pub fn may_diverge(&self) -> bool {
        self.steps.iter().any(|step| match step.action {
            Action::Branch(target) => step.guard.is_some() && !self.returns_at(target),
            _ => false,
        })
    }

    /// Whether every thread that comes to a step returns.
    fn returns_at(&self, step: usize) -> bool {
        let step = self.steps.get(step);
        step.is_some_and(|step| step.guard.is_none() && matches!(step.action, Action::Return))
    }
}

/// A warp that is being run.
pub struct Warp<'a, 'b> {
    program: &'a EntryProgram,
    pub registers: &'b mut WarpRegisters<'a>,
    pub place: WarpPlace,
    /// The shared memory of the block: it has one warp, or none that the others wait for.
    pub shared: SharedMemory,
    active: ThreadMask,
    pub pending: Pending,
}

impl Warp<'_, '_> {
    /// Returns the active threads in which a guard holds.
    fn does(&self, guard: Option<StepGuard>) -> Result<ThreadMask, Problem> {
        let Some(StepGuard { predicate, wanted }) = guard else { return Ok(self.active) };
        let values = self.registers.get(predicate, self.active)?;
        let mut holds = values.iter().map(|value| (*value == 1) == wanted);
        Ok(self.active.map(|active| holds.next() == Some(true) && active))
    }

    /// Ends the threads of `does`.
    fn leave(&mut self, does: ThreadMask) {
        self.active.iter_mut().zip(does).for_each(|(active, does)| *active &= !does);
    }

    /// Returns the words of a source, of which those of the threads of `does` count. Words that are in no register are
    /// put into `made`.
    fn value<'s>(
        &'s self,
        source: Source,
        does: ThreadMask,
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
            // The lowering for warps has refused all others.
            Source::Special(_) => [0; WARP],
        };
        Ok(made)
    }

    /// Returns the words of a source as a copy; those of the threads of `does` count.
    pub fn copied(&self, source: Source, does: ThreadMask) -> Result<Values, Problem> {
        self.value(source, does, &mut [0; WARP]).copied()
    }

    /// Returns the words of several sources, in order; those of the threads of `does` count.
    pub fn all(&self, sources: &[Source], does: ThreadMask) -> Result<Vec<Values>, Problem> {
        sources.iter().map(|&source| self.copied(source, does)).collect()
    }

    /// Returns the space of an address, and the address that each thread of `does` has there.
    pub fn addresses(&self, at: Address, does: ThreadMask) -> Result<(Space, Addresses), Problem> {
        let (space, source, offset) = match at {
            // Kernels have no variables of a thread's own, so what lies in an extent is a parameter.
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

    /// Returns the memory of a space.
    pub fn memory<'s>(&'s mut self, space: Space, around: &'s mut Surroundings) -> &'s mut dyn Memory {
        match space {
            Space::Shared => &mut self.shared,
            _ => &mut *around.memory,
        }
    }

    /// Reads the word at an address in a space.
    fn load(
        &mut self,
        space: Space,
        address: u64,
        bytes: usize,
        around: &mut Surroundings,
    ) -> Result<u64, Problem> {
        if space != Space::Param {
            return self.memory(space, around).load(address, bytes).map_err(Problem::Memory);
        }
        let at = address as usize;
        let holding = self.program.parameters.iter().find(|(_, own)| own.holds(at, bytes));
        let (name, own) = holding.ok_or(Problem::Memory(MemoryError::Address))?;
        let value = around.parameters.get(name).ok_or_else(|| Problem::NoParameter(name.clone()))?;
        // The register cuts the value to its width, and bytes behind the eighth are zero.
        Ok(value.checked_shr(8 * (at - own.start) as u32).unwrap_or(0))
    }

    /// Executes a step that is neither a branch nor a return, in the threads of `does`.
    fn act(&mut self, step: &Step, does: ThreadMask, around: &mut Surroundings) -> Result<(), Problem> {
        match &step.action {
            Action::Compute(integer) => {
                let mut made = [[0; WARP]; 4];
                let mut values = [&[0; WARP]; 4];
                for ((values, made), source) in values.iter_mut().zip(&mut made).zip(&step.from) {
                    *values = self.value(*source, does, made)?;
                }
                let (sources, mut results) = (values.map(Values::as_slice), [[0; WARP]; 2]);
                let [result, opposite] = &mut results;
                compute_all(*integer, sources, result);
                if step.into.len() > 1 {
                    opposite_all(*integer, sources, opposite);
                }
                for (target, values) in step.into.iter().zip(&results) {
                    self.registers.set(target, does, values);
                }
            }
            Action::Unpack(part) => {
                let from = self.all(&step.from, does)?;
                let word =
                    |number: u32| from.iter().map(move |from| from.map(|word| word >> (number * part)));
                self.set(step, does, (0..).flat_map(word));
            }
            Action::Pack(part) => {
                let mut words = [0; WARP];
                for (number, parts) in (0u32..).zip(self.all(&step.from, does)?) {
                    let (mask, shift) = (u64::MAX >> (64 - part), number * part);
                    words.iter_mut().zip(parts).for_each(|(word, one)| *word |= (one & mask) << shift);
                }
                self.set(step, does, [words]);
            }
            Action::Load(at, bytes) => {
                let (space, addresses) = self.addresses(*at, does)?;
                let mut loaded = vec![[0; WARP]; step.into.len()];
                for (offset, values) in (0u64..).step_by(*bytes).zip(&mut loaded) {
                    for (value, address) in values.iter_mut().zip(addresses) {
                        if let Some(address) = address {
                            *value = self.load(space, address.wrapping_add(offset), *bytes, around)?;
                        }
                    }
                }
                self.set(step, does, loaded);
            }
            Action::Store(at, bytes) => {
                self.pending.stored();
                let all = self.all(&step.from, does)?;
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
            Action::Tested(variant) => {
                let given = self.all(&step.from, does)?;
                let tested = Tested::variant(variant, step);
                self.set(step, does, tested.results(around.execute, &given, variant.results().len())?);
            }
            Action::Collective(collective) => self.collective(*collective, step, does, around)?,
            Action::Branch(_) | Action::Return => {}
            // No kernel has such steps.
            Action::Carry(_)
            | Action::BranchIndexed(_)
            | Action::Call(_)
            | Action::IsInSpace(_)
            | Action::Nothing
            | Action::End => {}
        }
        Ok(())
    }

    /// Sets the registers of a step in the threads of `does`, in order.
    pub fn set(&mut self, step: &Step, does: ThreadMask, results: impl IntoIterator<Item = Values>) {
        let each = step.into.iter().zip(results);
        each.for_each(|(target, values)| self.registers.set(target, does, &values));
    }
}
