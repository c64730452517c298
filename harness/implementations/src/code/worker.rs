//! Runs code on batches of vectors. Vectors that the code fails on are found by halving the batch.

use std::ops::Range;

use anyhow::{Result, anyhow, bail};
use formats::{Column, column};
use isa::Variant;
use machines::functions::{Argument, ExecutionUnit, Given, NEVER_STORED, Settled};
use machines::interpreter::{MemoryError, Problem};

use super::{CallShape, Code, Role};
use crate::{FailureKind, RowFailure, Worker};

/// The most steps that one thread may take.
pub const STEPS: u64 = 1 << 20;
/// The number of failures after which the rest of a batch, none of whose vectors has a result, is not tried.
const FAILURES_MAX: usize = 64;
/// The byte that stands where no result is stored when a row is run again, to tell that from a result which looks like
/// [`NEVER_STORED`].
const NEVER_STORED_AGAIN: u8 = 0x32;

/// Runs code in one thread of this program.
pub struct CodeWorker<'a> {
    code: &'a Code,
    unit: Box<dyn ExecutionUnit>,
    failures: Vec<RowFailure>,
}

impl CodeWorker<'_> {
    pub fn new(code: &Code, unit: Box<dyn ExecutionUnit>) -> CodeWorker<'_> {
        CodeWorker { code, unit, failures: Vec::new() }
    }

    /// Runs the code on some rows of a batch, and writes their results. A row that the code fails on is noted.
    ///
    /// # Errors
    /// If the code does what is not interpreted, or is not at its end after [`STEPS`]: nothing is known then.
    fn rows(&mut self, batch: &mut Batch, rows: Range<usize>) -> Result<()> {
        if self.failures.len() >= FAILURES_MAX && !batch.has_results {
            let words = format!("not tried, because the first {FAILURES_MAX} vectors all failed");
            self.fail(rows, &words);
            return Ok(());
        }
        let threads = rows.len().div_ceil(batch.each);
        let arguments = arguments(self.code, batch.operands, batch.each, rows.clone(), NEVER_STORED);
        match self.code.function.run_settled(&mut *self.unit, threads, &arguments, STEPS) {
            Ok(settled) => {
                batch.has_results = true;
                if let Some(read) = &settled.read {
                    self.code.note_unset(without_row(read));
                }
                self.keep(batch, rows.clone(), &settled);
                self.check_operands(batch.each, rows.clone(), &arguments, &settled);
                self.check_stored(batch, rows)
            }
            Err(error) if error.lane.is_none() => bail!("{error}"),
            Err(error) if is_beyond_us(&error.problem) => {
                let row = rows.start + error.lane.unwrap_or_default() * batch.each;
                let operands: Vec<String> = batch
                    .operands
                    .iter()
                    .map(|column| column.row_bits(row).hex(column.row_bytes()))
                    .collect();
                let most = match error.problem {
                    Problem::Steps => format!(" within {STEPS} steps of a thread"),
                    _ => String::new(),
                };
                bail!(
                    "no verdict for the operands {}: {}{most}",
                    operands.join(", "),
                    without_row(&error)
                )
            }
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

    /// Fails the rows of threads that have overwritten an operand which no result belongs to.
    fn check_operands(
        &mut self,
        each: usize,
        rows: Range<usize>,
        arguments: &[Argument],
        settled: &Settled,
    ) {
        let (CallShape::Kernel(kernel), Some(given)) = (&self.code.call, settled.each.first()) else {
            return;
        };
        let pointers = kernel.roles.iter().zip(arguments).filter(|(role, _)| role.is_pointer());
        let mut overwritten = Vec::new();
        for ((role, argument), after) in pointers.zip(&given.behind) {
            let (Role::Read { .. }, Argument::Behind(before)) = (role, argument) else { continue };
            overwritten.extend(
                (0..before.rows())
                    .filter(|&thread| before.row_bytes_of(thread) != after.row_bytes_of(thread)),
            );
        }
        for thread in overwritten {
            let first = rows.start + thread * each;
            self.fail(first..rows.end.min(first + each), "the kernel overwrites an operand");
        }
    }

    /// Fails the rows for which no result is stored. Only rows that look so are run again.
    fn check_stored(&mut self, batch: &mut Batch, rows: Range<usize>) -> Result<()> {
        let looks_so = |row: usize, byte: u8, results: &[Column]| {
            results.iter().any(|column| column.row_bytes_of(row).iter().all(|one| *one == byte))
        };
        let thread = |row: usize| (row - rows.start) / batch.each;
        let mut threads: Vec<usize> =
            rows.clone().filter(|&row| looks_so(row, NEVER_STORED, batch.results)).map(thread).collect();
        threads.dedup();
        if threads.is_empty() {
            return Ok(());
        }
        let of_threads: Vec<usize> = threads
            .iter()
            .flat_map(|thread| {
                rows.start + thread * batch.each..rows.end.min(rows.start + (thread + 1) * batch.each)
            })
            .collect();
        let operands = column::select(batch.operands, &of_threads);
        let all = 0..of_threads.len();
        let mut results = column::select(batch.results, &of_threads);
        let arguments = arguments(self.code, &operands, batch.each, all.clone(), NEVER_STORED_AGAIN);
        let count = all.len().div_ceil(batch.each);
        let unit = &mut *self.unit;
        let function = &self.code.function;
        let settled = function.run_settled_over(NEVER_STORED_AGAIN, unit, count, &arguments, STEPS);
        let settled = settled.map_err(|error| anyhow!("{error}"))?;
        if let Some(given) = settled.each.first() {
            let mut again = Batch {
                operands: &operands,
                results: &mut results,
                each: batch.each,
                has_results: true,
            };
            again.write(self.code, all, given);
        }
        for (at, row) in of_threads.into_iter().enumerate() {
            let never =
                looks_so(row, NEVER_STORED, batch.results) && looks_so(at, NEVER_STORED_AGAIN, &results);
            if never {
                self.fail(row..row + 1, "no result is stored");
            }
        }
        Ok(())
    }

    fn fail(&mut self, rows: Range<usize>, words: &str) {
        let failure = |row| RowFailure { row, kind: FailureKind::Failed, words: words.to_owned() };
        self.failures.extend(rows.map(failure));
    }
}

/// Whether a problem says more of what is interpreted here than of the code.
fn is_beyond_us(problem: &Problem) -> bool {
    matches!(problem, Problem::Steps | Problem::Memory(MemoryError::Table))
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
        self.failures.dedup_by_key(|failure| failure.row);
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
/// Memory of results has bytes of `never_stored`.
pub fn arguments(
    code: &Code,
    operands: &[Column],
    each: usize,
    rows: Range<usize>,
    never_stored: u8,
) -> Vec<Argument> {
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
                    column.bytes_mut().fill(never_stored);
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
