//! Runs code on batches of vectors. Vectors that the code fails on are found by halving the batch.

use std::ops::Range;

use anyhow::{Result, bail};
use formats::Column;
use isa::Variant;
use machines::functions::{Argument, ExecutionUnit, Given, Settled};

use super::{CallShape, Code, Role};
use crate::{FailureKind, RowFailure, Worker};

/// The most steps that one thread may take.
pub const STEPS: u64 = 1 << 16;
/// The number of failures after which the rest of a batch, none of whose vectors has a result, is not tried.
const FAILURES_MAX: usize = 64;
/// The byte of results that the code has not written.
const NEVER_WRITTEN: u8 = 0xcd;

/// Runs code in one thread of this program.
pub struct CodeWorker<'a> {
    code: &'a Code,
    unit: Box<dyn ExecutionUnit>,
    failures: Vec<RowFailure>,
}

impl CodeWorker<'_> {
    pub fn new(code: &Code) -> CodeWorker<'_> {
        CodeWorker { code, unit: (code.unit)(), failures: Vec::new() }
    }

    /// Runs the code on some rows of a batch, and writes their results. A row that the code fails on is noted.
    fn rows(&mut self, batch: &mut Batch, rows: Range<usize>) -> Result<()> {
        if self.failures.len() >= FAILURES_MAX && !batch.has_results {
            let words = format!("not tried, because the first {FAILURES_MAX} vectors all failed");
            self.fail(rows, &words);
            return Ok(());
        }
        let threads = rows.len().div_ceil(batch.each);
        let arguments = arguments(self.code, batch.operands, batch.each, rows.clone());
        match self.code.function.run_settled(&mut *self.unit, threads, &arguments, STEPS) {
            Ok(settled) => {
                batch.has_results = true;
                self.keep(batch, rows, &settled);
                Ok(())
            }
            Err(error) if error.lane.is_none() => bail!("{error}"),
            Err(error) if threads == 1 => {
                self.fail(rows, &without_row(&error));
                Ok(())
            }
            Err(_) => {
                let middle = rows.start + threads / 2 * batch.each;
                self.rows(batch, rows.start..middle)?;
                self.rows(batch, middle..rows.end)
            }
        }
    }

    /// Copies the results of rows to the batch. A row whose results depend on a register that was never set fails.
    fn keep(&mut self, batch: &mut Batch, rows: Range<usize>, settled: &Settled) {
        let Some((first, others)) = settled.each.split_first() else { return };
        batch.write(self.code, rows.clone(), first);
        let Some(unset) = settled.unset.as_ref().filter(|_| !others.is_empty()) else { return };
        let kept: Vec<Vec<u8>> = rows.clone().map(|row| batch.row(row)).collect();
        let mut differs = vec![false; rows.len()];
        for other in others {
            batch.write(self.code, rows.clone(), other);
            for ((differs, row), kept) in differs.iter_mut().zip(rows.clone()).zip(&kept) {
                *differs |= batch.row(row) != *kept;
            }
        }
        batch.write(self.code, rows.clone(), first);
        let words =
            format!("the result depends on a register that was never set: {}", without_row(unset));
        for (row, _) in rows.zip(differs).filter(|(_, differs)| *differs) {
            self.fail(row..row + 1, &words);
        }
    }

    fn fail(&mut self, rows: Range<usize>, words: &str) {
        let failure = |row| RowFailure { row, kind: FailureKind::Failed, words: words.to_owned() };
        self.failures.extend(rows.map(failure));
    }
}

/// Returns the words of an error without the number of a row: the report names the vector.
fn without_row(error: &machines::functions::Error) -> String {
    machines::functions::Error { lane: None, ..error.clone() }.to_string()
}

impl Worker for CodeWorker<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.failures.clear();
        let each = self.code.vectors_of_thread(variant).map_err(anyhow::Error::msg)?;
        let rows = operands.first().map_or(0, Column::rows);
        self.rows(&mut Batch { operands, results, each, has_results: false }, 0..rows)?;
        self.failures.sort_by_key(|failure| failure.row);
        Ok(())
    }

    fn faults(&mut self) -> Vec<RowFailure> {
        std::mem::take(&mut self.failures)
    }
}

/// A batch that is being run.
struct Batch<'a> {
    operands: &'a [Column],
    results: &'a mut [Column],
    /// The number of vectors of a thread.
    each: usize,
    /// Whether some vector has a result.
    has_results: bool,
}

impl Batch<'_> {
    /// Writes what the code gave for some rows into the results.
    fn write(&mut self, code: &Code, rows: Range<usize>, given: &Given) {
        match &code.call {
            CallShape::Function => {
                for (into, from) in self.results.iter_mut().zip(&given.results) {
                    copy_back(from, into, rows.clone());
                }
            }
            CallShape::Kernel(kernel) => {
                let pointers = kernel.roles.iter().filter(|role| role.is_pointer());
                for (role, from) in pointers.zip(&given.behind) {
                    let result = match *role {
                        Role::Written { result, .. } | Role::InPlace { result, .. } => result,
                        _ => continue,
                    };
                    if let Some(into) = self.results.get_mut(result) {
                        copy_back(from, into, rows.clone());
                    }
                }
            }
        }
    }

    /// Returns the bytes of a row of results.
    fn row(&self, row: usize) -> Vec<u8> {
        self.results.iter().flat_map(|column| column.row_bytes_of(row).iter().copied()).collect()
    }
}

/// Returns an argument for each parameter of the code, from the operands of some rows, of which a thread has `each`.
pub fn arguments(code: &Code, operands: &[Column], each: usize, rows: Range<usize>) -> Vec<Argument> {
    let threads = rows.len().div_ceil(each);
    let operand = |number: usize, bytes: usize| {
        let mut column = Column::new(bytes, threads);
        if let Some(from) = operands.get(number) {
            copy_rows(from, rows.clone(), &mut column);
        }
        column
    };
    let constant = |value: u64, bytes: usize| {
        let mut column = Column::new(bytes, threads);
        (0..threads).for_each(|thread| column.set(thread, value));
        Argument::Value(column)
    };
    match &code.call {
        CallShape::Function => {
            let sizes = code.function.parameters().map(|(_, bytes)| bytes).enumerate();
            sizes.map(|(number, bytes)| Argument::Value(operand(number, bytes))).collect()
        }
        CallShape::Kernel(kernel) => {
            let argument = |(role, &size): (&Role, &usize)| match *role {
                Role::Read { operand: number, bytes } => Argument::Behind(operand(number, bytes)),
                Role::InPlace { operand: number, bytes, .. } => Argument::Behind(operand(number, bytes)),
                Role::Value { operand: number, bytes } => Argument::Value(operand(number, bytes)),
                Role::Written { bytes, .. } => {
                    let mut column = Column::new(bytes, threads);
                    column.bytes_mut().fill(NEVER_WRITTEN);
                    Argument::Behind(column)
                }
                Role::Rows(value) | Role::Constant(value) => constant(value, size),
                Role::Unused => Argument::Behind(Column::new(size, threads)),
            };
            kernel.roles.iter().zip(&kernel.sizes).map(argument).collect()
        }
    }
}

impl Role {
    /// Whether the parameter points to memory.
    fn is_pointer(&self) -> bool {
        matches!(self, Role::Read { .. } | Role::Written { .. } | Role::InPlace { .. } | Role::Unused)
    }
}

/// Copies rows of a column of operands to arguments. Those of one thread lie side by side, and the last thread may have
/// fewer; a parameter that is wider than an operand has zeros above it.
fn copy_rows(from: &Column, rows: Range<usize>, into: &mut Column) {
    let bytes = from.bytes_of(rows.clone());
    if into.row_bytes().is_multiple_of(from.row_bytes()) && into.rows() < rows.len()
        || into.row_bytes() == from.row_bytes()
    {
        into.bytes_mut().iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        return;
    }
    for (at, row) in rows.enumerate() {
        let from = from.row_bytes_of(row);
        into.row_bytes_of_mut(at).iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    }
}

/// Copies what was given for rows to a column of results, as [`copy_rows`] lays it out.
fn copy_back(from: &Column, into: &mut Column, rows: Range<usize>) {
    if from.row_bytes().is_multiple_of(into.row_bytes()) && from.rows() < rows.len()
        || into.row_bytes() == from.row_bytes()
    {
        let to = into.bytes_of_mut(rows);
        to.iter_mut().zip(from.bytes()).for_each(|(to, from)| *to = *from);
        return;
    }
    for (at, row) in rows.enumerate() {
        let to = into.row_bytes_of_mut(row);
        to.iter_mut().zip(from.row_bytes_of(at)).for_each(|(to, from)| *to = *from);
    }
}
