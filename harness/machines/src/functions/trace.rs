//! Records what one row does: each instruction that it executes, with the registers that it sets.

use std::cell::RefCell;
use std::fmt;

use super::code::Code;
use super::registers::RowRegisters;
use crate::lowering::{Source, Step};

/// An instruction that a row has executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedInstruction {
    /// The name of the function.
    pub function: String,
    /// The number of the instruction, counted from 1.
    pub instruction: usize,
    /// The text of the instruction.
    pub text: String,
    /// The registers that it has set: the name, the width in bits, and the bits of each.
    pub set: Vec<(String, u32, u64)>,
}

/// The record of a row, up to a number of instructions.
#[derive(Debug)]
pub(super) struct TraceRecord {
    instructions: RefCell<Vec<TracedInstruction>>,
    most: usize,
    /// The lane that is recorded.
    pub lane: usize,
}

impl TraceRecord {
    /// Makes a record that keeps the first `most` instructions of a lane.
    pub fn new(most: usize, lane: usize) -> TraceRecord {
        TraceRecord { instructions: RefCell::default(), most, lane }
    }

    /// Notes that a row has executed a step.
    pub fn add(&self, code: &Code, step: &Step, registers: &RowRegisters, row: usize) {
        let mut all = self.instructions.borrow_mut();
        if all.len() == self.most {
            return;
        }
        let text = step.instruction.checked_sub(1).and_then(|number| code.texts.get(number));
        let text = text.map(|[_, text]| text.clone()).unwrap_or_default();
        let set = step.into.iter().filter_map(|target| target.register).filter_map(|register| {
            let mut values = Vec::new();
            let value = registers.values(Source::Register(register), &[row], &mut values).ok()?;
            let of = code.registers.get(register)?;
            Some((of.name.clone(), of.width, value.first().copied()?))
        });
        let set = set.collect();
        let (function, instruction) = (code.name.clone(), step.instruction);
        all.push(TracedInstruction { function, instruction, text, set });
    }

    /// Returns the instructions in the order in which they were executed.
    pub fn into_instructions(self) -> Vec<TracedInstruction> {
        self.instructions.into_inner()
    }
}

impl TracedInstruction {
    /// Whether a value that the instruction sets is probably a floating-point number: newer compilers have untyped
    /// registers. Integers and addresses look like very small numbers.
    fn is_number(&self, value: f64) -> bool {
        let is_float = [".f32", ".f64"].iter().any(|ty| self.text.contains(ty));
        is_float || (1e-20..=1e20).contains(&value.abs())
    }
}

impl fmt::Display for TracedInstruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:3}  {}", self.instruction, self.text)?;
        for (at, (name, width, bits)) in self.set.iter().enumerate() {
            let digits = width.div_ceil(4) as usize;
            let between = if at == 0 { "  →  " } else { ", " };
            write!(f, "{between}{name} = 0x{bits:0digits$x}")?;
            match width {
                32 if self.is_number(f32::from_bits(*bits as u32).into()) => {
                    write!(f, " ({:?})", f32::from_bits(*bits as u32))?;
                }
                64 if self.is_number(f64::from_bits(*bits)) => {
                    write!(f, " ({:?})", f64::from_bits(*bits))?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
