//! The registers of a function that is being run, a column each.

use super::action::{Source, Target};
use super::declared::Register;
use crate::interpreter::Problem;

/// What is wrong, and in which row, if not in all.
pub type Wrong = (Option<usize>, Problem);

/// Where a register was set, of the lanes that run the function.
#[derive(Clone)]
enum Set {
    Nowhere,
    Everywhere,
    In(Vec<bool>),
}

pub struct Registers<'a> {
    registers: &'a [Register],
    rows: usize,
    /// How many lanes run the function.
    lanes: usize,
    values: Vec<u64>,
    set: Vec<Set>,
    /// Whether what is not set holds something.
    filled: bool,
    /// The address of the function's variables.
    base: u64,
}

impl<'a> Registers<'a> {
    /// Of so many rows, of which so many run the function. What is not set is an error where it is read, or
    /// else holds these bits.
    pub fn new(
        registers: &'a [Register],
        (rows, lanes): (usize, usize),
        base: u64,
        unset: Option<u64>,
    ) -> Registers<'a> {
        let held =
            |register: &Register| unset.unwrap_or(0) & (u64::MAX >> (64 - register.width.clamp(1, 64)));
        let values =
            registers.iter().flat_map(|register| std::iter::repeat_n(held(register), rows)).collect();
        let set = vec![Set::Nowhere; registers.len()];
        Registers { registers, rows, lanes, values, set, filled: unset.is_some(), base }
    }

    /// What a register holds in these lanes, added to `values`.
    fn register(&self, register: usize, lanes: &[usize], values: &mut Vec<u64>) -> Result<(), Wrong> {
        let unset = match self.set.get(register) {
            _ if self.filled => None,
            Some(Set::Everywhere) => None,
            Some(Set::In(set)) => lanes.iter().find(|&&lane| set.get(lane) != Some(&true)),
            _ => lanes.first(),
        };
        if let Some(&lane) = unset {
            let name = self.registers.get(register).map(|of| of.name.clone()).unwrap_or_default();
            return Err((Some(lane), Problem::Unset(name)));
        }
        let column = self.values.get(register * self.rows..).unwrap_or_default();
        match lanes.len() == self.rows {
            true => values.extend_from_slice(column.get(..self.rows).unwrap_or_default()),
            false => values.extend(lanes.iter().map(|&lane| column.get(lane).copied().unwrap_or(0))),
        }
        Ok(())
    }

    /// The values of a source in these lanes, in the place of what `values` was.
    pub fn values(&self, source: Source, lanes: &[usize], values: &mut Vec<u64>) -> Result<(), Wrong> {
        values.clear();
        match source {
            Source::Register(register) => self.register(register, lanes, values)?,
            Source::Negated(register) => {
                self.register(register, lanes, values)?;
                values.iter_mut().for_each(|value| *value ^= 1);
            }
            Source::Constant(value) => values.resize(lanes.len(), value),
            Source::Variable(at) => values.resize(lanes.len(), self.base + at as u64),
        }
        Ok(())
    }

    /// Sets a register in these lanes.
    pub fn set(&mut self, target: &Target, lanes: &[usize], values: impl Iterator<Item = u64>) {
        let Some(register) = target.register else { return };
        let start = register * self.rows;
        let Some(column) = self.values.get_mut(start..start + self.rows) else { return };
        let Some(set) = self.set.get_mut(register) else { return };
        match lanes.len() == self.rows {
            true => column.iter_mut().zip(values).for_each(|(old, new)| *old = target.held(new)),
            false => lanes.iter().zip(values).for_each(|(&lane, new)| {
                if let Some(old) = column.get_mut(lane) {
                    *old = target.held(new);
                }
            }),
        }
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
