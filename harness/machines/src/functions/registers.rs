//! The registers of a function that is being run, each in a column.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use ptx::syntax::Special;

use super::Filling;
use super::code::Code;
use super::launch::Grid;
use crate::lowering::{ResultRegister, Source, UsedRegister};
use crate::problem::Problem;

/// A problem, and the row that it is in, if it is not in all.
pub type RowProblem = (Option<usize>, Problem);

/// The lanes in which a register was set, of those that run the function.
#[derive(Clone)]
enum Set {
    Nowhere,
    Everywhere,
    In(Vec<bool>),
}

/// The registers of a function that is being run: the values of each, and the lanes in which it was set.
pub struct RowRegisters<'a> {
    registers: &'a [UsedRegister],
    /// The column of each register.
    slots: Cow<'a, [usize]>,
    rows: usize,
    /// The number of lanes that run the function.
    lanes: usize,
    values: Vec<u64>,
    set: Vec<Set>,
    /// The values of registers that were never set. `None` makes a read of such a register an error.
    unset: Option<Filling>,
    /// How often the time was read, in all functions that are being run.
    clock: &'a Cell<u64>,
    /// The address of the function's variables.
    base: u64,
    /// The grid whose threads the lanes are, again and again, and the number of the first lane's thread; `None` if special
    /// registers are constants.
    grid: Option<(Grid, usize)>,
}

impl<'a> RowRegisters<'a> {
    /// Returns the registers of a function for `rows` rows, of which `lanes` run it. A register that is not set is an
    /// error where it is read, or else holds the bits of `unset`. `values` is memory of registers that nobody needs any
    /// more.
    pub fn new(
        code: &'a Code,
        (rows, lanes): (usize, usize),
        (base, grid): (u64, Option<(Grid, usize)>),
        (unset, clock): (Option<Filling>, &'a Cell<u64>),
        mut values: Vec<u64>,
    ) -> RowRegisters<'a> {
        let Code { registers, slots, .. } = code;
        // A register that may be read before it is set has to hold its own bits until then.
        let (slots, count) = match unset {
            None => (Cow::Borrowed(&slots.of[..]), slots.count),
            Some(_) => (Cow::Owned((0..registers.len()).collect()), registers.len()),
        };
        // Old values stay: `set` keeps them from being read, or they are filled over here.
        values.resize(count * rows, 0);
        if let (Some(unset), true) = (unset, rows > 0) {
            for (number, (column, register)) in values.chunks_exact_mut(rows).zip(registers).enumerate()
            {
                column.fill(unset(number) & (u64::MAX >> (64 - register.width.clamp(1, 64))));
            }
        }
        let set = vec![Set::Nowhere; registers.len()];
        RowRegisters { registers, slots, rows, lanes, values, set, unset, clock, base, grid }
    }

    /// Returns where the column of a register lies in `values`.
    fn column(&self, register: usize) -> Range<usize> {
        let start = self.slots.get(register).map_or(usize::MAX, |slot| slot * self.rows);
        start..start.saturating_add(self.rows)
    }

    /// Returns the memory of the registers, for others.
    pub fn into_values(self) -> Vec<u64> {
        self.values
    }

    /// Returns the values of a register in these lanes; `values` is memory for values that do not lie in the column as
    /// they are asked for.
    fn register<'s>(
        &'s self,
        register: usize,
        lanes: &[usize],
        values: &'s mut Vec<u64>,
    ) -> Result<&'s [u64], RowProblem> {
        let unset = match self.set.get(register) {
            _ if self.unset.is_some() => None,
            Some(Set::Everywhere) => None,
            Some(Set::In(set)) => lanes.iter().find(|&&lane| set.get(lane) != Some(&true)),
            _ => lanes.first(),
        };
        if let Some(&lane) = unset {
            let name = self.registers.get(register).map(|of| of.name.clone()).unwrap_or_default();
            return Err((Some(lane), Problem::Unset(name)));
        }
        let column = self.values.get(self.column(register)).unwrap_or_default();
        // With all rows the column itself is the answer, without a copy.
        if lanes.len() == self.rows {
            return Ok(column);
        }
        values.extend(lanes.iter().map(|&lane| column.get(lane).copied().unwrap_or(0)));
        Ok(values)
    }

    /// Returns the values of a source in these lanes; `values` is memory for them.
    pub fn values<'s>(
        &'s self,
        source: Source,
        lanes: &[usize],
        values: &'s mut Vec<u64>,
    ) -> Result<&'s [u64], RowProblem> {
        values.clear();
        match source {
            Source::Register(register) => return self.register(register, lanes, values),
            Source::Negated(register) => {
                let mut own = Vec::new();
                let held = self.register(register, lanes, &mut own)?;
                values.extend(held.iter().map(|value| value ^ 1));
            }
            Source::Constant(value) => values.resize(lanes.len(), value),
            Source::Special(special) if special.is_open() => self.open(special, lanes, values)?,
            Source::Special(special) => match self.grid {
                Some((grid, first)) => {
                    let all = grid.all_threads().max(1);
                    values.extend(lanes.iter().map(|lane| grid.value(special, (first + lane) % all)));
                }
                // Elsewhere the loading has put a constant in its place, or refused it.
                None => values.resize(lanes.len(), 0),
            },
            Source::Variable(at) => values.resize(lanes.len(), self.base + at as u64),
        }
        Ok(values)
    }

    /// Returns the bits that decide where PTX leaves a choice, if there are any.
    pub fn unset_bits(&self) -> Option<u64> {
        self.unset.map(|unset| unset(0))
    }

    /// Reads a special register whose value PTX leaves open: an error, or else a value that depends on the bits of registers
    /// that are not set, so that runs with other bits have other values.
    fn open(&self, special: Special, lanes: &[usize], values: &mut Vec<u64>) -> Result<(), RowProblem> {
        let Some(unset) = self.unset else {
            let words = format!("what `{}` holds is open", special.text());
            return Err((lanes.first().copied(), Problem::Open(words)));
        };
        let bits = unset(0);
        let value = match special {
            Special::Warp => {
                // Warps are numbered from the first one on, or from the last.
                let number = |lane: &usize| {
                    let (grid, first) = self.grid.unwrap_or((Grid::block(1), 0));
                    let [warp, warps] = grid.warp((first + lane) % grid.all_threads().max(1));
                    (if bits & 1 == 0 { warp } else { warps - 1 - warp }) as u64
                };
                values.extend(lanes.iter().map(number));
                return Ok(());
            }
            Special::Warps => 64 - 16 * (bits & 1),
            Special::Processor => bits & 31,
            Special::Processors => 32 + (bits & 127),
            Special::Launch => bits & 0xffff_ffff,
            clock => {
                // Time goes on from one read to the next, so that who waits for it comes to an end; how fast is open, too.
                let reads = self.clock.get() + 1;
                self.clock.set(reads);
                let time = (bits >> 16).wrapping_add(reads.wrapping_mul(257 + (unset(1) & 0xfff0)));
                match clock {
                    Special::ClockHigh | Special::TimerHigh => time >> 32,
                    Special::Clock | Special::TimerLow => time & 0xffff_ffff,
                    _ => time,
                }
            }
        };
        values.resize(lanes.len(), value);
        Ok(())
    }

    /// Sets a register in these lanes.
    pub fn set(&mut self, target: &ResultRegister, lanes: &[usize], values: impl Iterator<Item = u64>) {
        let Some(register) = target.register else { return };
        let column = self.column(register);
        let Some(column) = self.values.get_mut(column) else { return };
        let Some(set) = self.set.get_mut(register) else { return };
        match lanes.len() == self.rows {
            true => column.iter_mut().zip(values).for_each(|(old, new)| *old = target.held(new)),
            false => lanes.iter().zip(values).for_each(|(&lane, new)| {
                if let Some(old) = column.get_mut(lane) {
                    *old = target.held(new);
                }
            }),
        }
        // Lanes that do not run this function never read its registers.
        if lanes.len() == self.lanes {
            *set = Set::Everywhere;
            return;
        }
        if matches!(set, Set::Nowhere) {
            *set = Set::In(vec![false; self.rows]);
        }
        if let Set::In(set) = set {
            for &lane in lanes {
                if let Some(is) = set.get_mut(lane) {
                    *is = true;
                }
            }
        }
    }
}
