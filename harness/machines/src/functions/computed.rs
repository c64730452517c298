//! Executes steps that are neither branches nor calls, in each lane for itself.

use formats::Column;
use isa::Variant;
use ptx::syntax::{Carry, Space};

use super::ExecutionUnit;
use super::memory::{Memory, Variable, put, word};
use super::registers::{RowProblem, RowRegisters};
use super::shared::{SHARED, WINDOW};
use crate::integer::{carried, compute_all, opposite_all};
use crate::lowering::{Action, Address, ResultRegister, Source, Step};
use crate::problem::{MemoryError, Problem};

/// Memory for the values of sources and the columns of operands, which is kept from step to step.
#[derive(Default)]
pub struct Scratch {
    values: [Vec<u64>; 4],
    operands: Vec<Column>,
}

impl Scratch {
    /// Reads the values of up to four sources in these lanes.
    fn fill<'s>(
        &'s mut self,
        registers: &'s RowRegisters,
        sources: &[Source],
        lanes: &[usize],
    ) -> Result<[&'s [u64]; 4], RowProblem> {
        let mut all: [&[u64]; 4] = [&[]; 4];
        for ((into, values), source) in all.iter_mut().zip(&mut self.values).zip(sources) {
            *into = registers.values(*source, lanes, values)?;
        }
        Ok(all)
    }
}

/// The memory, the unit and the scratch that a step is executed with.
pub struct Around<'a, 'b, 'c> {
    pub memory: &'a mut Memory<'b, 'c>,
    pub unit: &'a mut dyn ExecutionUnit,
    pub scratch: &'a mut Scratch,
}

/// Executes a step that is neither a branch nor a call, in these lanes.
pub fn act(
    step: &Step,
    registers: &mut RowRegisters,
    lanes: &[usize],
    around: &mut Around,
) -> Result<(), RowProblem> {
    match &step.action {
        Action::Compute(integer) => {
            let all = around.scratch.fill(registers, &step.from, lanes)?;
            // `compute_all` goes through four slices of one length. Those that an instruction lacks are not looked at,
            // so its first source stands for them.
            let [a, ..] = all;
            let all = all.map(|values| if values.is_empty() { a } else { values });
            let (mut words, mut opposite) = (vec![0; lanes.len()], Vec::new());
            compute_all(*integer, all, &mut words);
            if step.into.len() > 1 {
                opposite.resize(lanes.len(), 0);
                opposite_all(*integer, all, &mut opposite);
            }
            let results = step.into.iter().zip([words, opposite]);
            results.for_each(|(target, words)| registers.set(target, lanes, words.into_iter()));
        }
        Action::Carry(carry) => carry_all(*carry, step, registers, lanes, around.scratch)?,
        Action::Tested(variant) => {
            let operands = operands(variant, &step.from, registers, lanes, around.scratch)?;
            let new = |ty: &isa::Type| Column::new(ty.row_bytes(), lanes.len());
            let mut results: Vec<Column> =
                variant.results().iter().map(|result| new(&result.ty)).collect();
            let done = around.unit.execute(variant, operands, &mut results);
            done.map_err(|why| (None, Problem::Tested(why)))?;
            for (target, result) in step.into.iter().zip(&results) {
                store(result, target, registers, lanes);
            }
        }
        Action::Unpack(part) => {
            let [words, ..] = around.scratch.fill(registers, &step.from, lanes)?;
            // A copy, because a register that is set may be the one that is taken apart.
            let words = words.to_vec();
            for (number, target) in (0u32..).zip(&step.into) {
                let shift = number * part;
                registers.set(target, lanes, words.iter().map(|word| word >> shift));
            }
        }
        Action::Pack(part) => {
            let mut words = vec![0; lanes.len()];
            for (number, source) in (0u32..).zip(&step.from) {
                let [parts, ..] = around.scratch.fill(registers, std::slice::from_ref(source), lanes)?;
                let shift = number * part;
                let mask = u64::MAX >> (64 - part);
                words.iter_mut().zip(parts).for_each(|(word, one)| *word |= (one & mask) << shift);
            }
            let results = step.into.iter().zip([words]);
            results.for_each(|(target, words)| registers.set(target, lanes, words.into_iter()));
        }
        Action::Load(at, bytes) => {
            let Around { memory, scratch, .. } = around;
            let place = place(*at, registers, lanes, step.into.len() * bytes, memory, scratch)?;
            for (offset, target) in (0..).step_by(*bytes).zip(&step.into) {
                let words = place.load(memory, lanes, offset, *bytes)?;
                registers.set(target, lanes, words.into_iter());
            }
        }
        Action::Store(at, bytes) => {
            let Around { memory, scratch, .. } = around;
            let place = place(*at, registers, lanes, step.from.len() * bytes, memory, scratch)?;
            for (offset, source) in (0..).step_by(*bytes).zip(&step.from) {
                let [words, ..] = scratch.fill(registers, std::slice::from_ref(source), lanes)?;
                place.store(memory, lanes, offset, *bytes, words)?;
            }
        }
        Action::Branch(_) | Action::BranchIndexed(_) | Action::Nothing => {}
        Action::Call(_) | Action::Return | Action::End => {}
        Action::IsInSpace(space) => {
            let [addresses, ..] = around.scratch.fill(registers, &step.from, lanes)?;
            let memory = &around.memory;
            let is: Vec<u64> =
                addresses.iter().map(|&address| memory.is_in(*space, address).into()).collect();
            for target in &step.into {
                registers.set(target, lanes, is.iter().copied());
            }
        }
        // The threads of a block execute them together, see `waiting`, or each for itself, see `atomics`.
        Action::Collective(_) => {}
    }
    Ok(())
}

/// Executes an instruction of extended precision in each lane, with the carry that the lane has.
fn carry_all(
    carry: Carry,
    step: &Step,
    registers: &mut RowRegisters,
    lanes: &[usize],
    scratch: &mut Scratch,
) -> Result<(), RowProblem> {
    let all = scratch.fill(registers, &step.from, lanes)?;
    let [a, b, c, _] = all;
    // The carry stands behind the other sources. A sum of two has it as `c`, and does not look at `c`.
    let last = all.get(step.from.len().saturating_sub(1)).filter(|_| carry.takes);
    let word = |values: &[u64], at: usize| values.get(at).copied().unwrap_or(0);
    let each = (0..lanes.len()).map(|at| {
        let last = last.is_some_and(|last| word(last, at) == 1);
        carried(carry, [word(a, at), word(b, at), word(c, at)], last)
    });
    let (sums, carries): (Vec<u64>, Vec<u64>) = each.map(|(sum, carry)| (sum, u64::from(carry))).unzip();
    let results = step.into.iter().zip([sums, carries]);
    results.for_each(|(target, words)| registers.set(target, lanes, words.into_iter()));
    Ok(())
}

/// Fills the columns of a variant's operands from the sources of a step, a row for each lane.
fn operands<'s>(
    variant: &Variant,
    sources: &[Source],
    registers: &RowRegisters,
    lanes: &[usize],
    scratch: &'s mut Scratch,
) -> Result<&'s [Column], RowProblem> {
    let Scratch { values: [kept, ..], operands } = scratch;
    for (at, (source, register)) in sources.iter().zip(variant.operands()).enumerate() {
        let values = registers.values(*source, lanes, kept)?;
        let (bytes, rows) = (register.ty.row_bytes(), lanes.len());
        // A column of the last step is used again if it has the same shape.
        match operands.get_mut(at) {
            Some(old) if (old.row_bytes(), old.rows()) == (bytes, rows) => {}
            Some(old) => *old = Column::new(bytes, rows),
            None => operands.push(Column::new(bytes, rows)),
        }
        let Some(column) = operands.get_mut(at) else { continue };
        match column.row_bytes() {
            1 => write(column.elements_mut::<u8>(), values, |value| value as u8),
            2 => write(column.elements_mut::<u16>(), values, |value| value as u16),
            4 => write(column.elements_mut::<u32>(), values, |value| value as u32),
            _ => values.iter().enumerate().for_each(|(row, &value)| column.set(row, value)),
        }
    }
    let count = sources.len().min(variant.operands().len());
    Ok(operands.get(..count).unwrap_or_default())
}

/// Writes values into the elements of a column, each cut to the width of the elements.
fn write<T>(elements: &mut [T], values: &[u64], narrow: impl Fn(u64) -> T) {
    elements.iter_mut().zip(values).for_each(|(element, &value)| *element = narrow(value));
}

/// Sets a register to a column of results.
fn store(result: &Column, target: &ResultRegister, registers: &mut RowRegisters, lanes: &[usize]) {
    match result.row_bytes() {
        1 => registers.set(target, lanes, result.elements::<u8>().iter().map(|&bits| bits.into())),
        2 => registers.set(target, lanes, result.elements::<u16>().iter().map(|&bits| bits.into())),
        4 => registers.set(target, lanes, result.elements::<u32>().iter().map(|&bits| bits.into())),
        8 => registers.set(target, lanes, result.elements::<u64>().iter().copied()),
        _ => registers.set(target, lanes, (0..lanes.len()).map(|row| result.get(row))),
    }
}

/// The place of the words that a step loads or stores.
pub enum MemoryPlace {
    /// A variable of a function: in each lane the words lie so far from its beginning.
    Variable(Variable, usize),
    /// An address for each lane, all aligned.
    Each(Vec<u64>),
}

impl MemoryPlace {
    /// Loads a word for each of these lanes, `offset` bytes behind the place.
    fn load(
        &self,
        memory: &mut Memory,
        lanes: &[usize],
        offset: usize,
        bytes: usize,
    ) -> Result<Vec<u64>, RowProblem> {
        match self {
            MemoryPlace::Variable(variable, from) => {
                let (all, stride) = memory.all(*variable);
                let start = |lane: usize| lane * stride + from + offset;
                let found = |&lane: &usize| all.get(start(lane)..start(lane) + bytes).map_or(0, word);
                Ok(lanes.iter().map(found).collect())
            }
            MemoryPlace::Each(addresses) => {
                let each = lanes.iter().zip(addresses).map(|(&lane, address)| {
                    let word = memory.load(lane, address.wrapping_add(offset as u64), bytes);
                    word.map_err(|problem| (Some(lane), problem))
                });
                each.collect()
            }
        }
    }

    /// Stores a word of each of these lanes, `offset` bytes behind the place.
    fn store(
        &self,
        memory: &mut Memory,
        lanes: &[usize],
        offset: usize,
        bytes: usize,
        words: &[u64],
    ) -> Result<(), RowProblem> {
        match self {
            MemoryPlace::Variable(variable, from) => {
                let (all, stride) = memory.all(*variable);
                for (lane, &word) in lanes.iter().zip(words) {
                    let start = lane * stride + from + offset;
                    if let Some(into) = all.get_mut(start..start + bytes) {
                        put(into, word);
                    }
                }
            }
            MemoryPlace::Each(addresses) => {
                for ((&lane, address), &word) in lanes.iter().zip(addresses).zip(words) {
                    let stored = memory.store(lane, address.wrapping_add(offset as u64), bytes, word);
                    stored.map_err(|problem| (Some(lane), problem))?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the generic address of an address in a space; one in no memory if it is an address of another space.
fn in_space(space: Space, address: u64) -> u64 {
    match (space, address >> 32) {
        // Addresses in shared memory have 32 bits.
        (Space::Shared, 0) => WINDOW | address,
        (Space::Shared, _) | (Space::Global, SHARED) => u64::MAX,
        _ => address,
    }
}

/// Finds the place of the words that a step loads or stores, `bytes` of them in each lane.
pub fn place(
    at: Address,
    registers: &RowRegisters,
    lanes: &[usize],
    bytes: usize,
    memory: &Memory,
    scratch: &mut Scratch,
) -> Result<MemoryPlace, RowProblem> {
    let (space, source, offset) = match at {
        Address::Own(extent, from) => return Ok(MemoryPlace::Variable(memory.last(extent), from)),
        Address::Of(space, source, offset) => (space, source, offset),
    };
    let [bases, ..] = scratch.fill(registers, &[source], lanes)?;
    let crooked = bases.iter().position(|base| !base.wrapping_add(offset).is_multiple_of(bytes as u64));
    if let Some(row) = crooked {
        return Err((lanes.get(row).copied(), Problem::Memory(MemoryError::Alignment)));
    }
    // Code that nobody has optimised has its variables in memory, at one address in all lanes.
    let same = bases.first().filter(|first| bases.iter().all(|base| base == *first));
    let variable = same.and_then(|base| memory.variable(base.wrapping_add(offset), bytes));
    Ok(match variable {
        Some((variable, from)) => MemoryPlace::Variable(variable, from),
        None => {
            let each = bases.iter().map(|base| in_space(space, base.wrapping_add(offset)));
            MemoryPlace::Each(each.collect())
        }
    })
}
