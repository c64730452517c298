//! Runs code on batches of vectors. Vectors that the code fails on are found by halving the batch.

use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use base::interrupt::{self, Interrupted};
use formats::{Column, column};
use isa::Variant;
use launch::{CallShape, Role};
use machines::functions::{Argument, ExecutionUnit, NEVER_STORED, Settled};
use machines::interpreter::{MemoryError, Problem};

use super::batch::{Batch, arguments};
use super::{Code, Domain};
use crate::{FailureKind, RowFailure, Worker};

/// The most steps that one thread may take.
pub const STEPS: u64 = 1 << 20;
/// The number of failures after which the rest of a batch, none of whose vectors has a result, is not tried.
const FAILURES_MAX: usize = 64;
/// The number of elements of operands that launches of many threads have in memory at once.
const ELEMENTS_TOGETHER: usize = 1 << 20;
/// The time that rows which are executed together should take: an interruption is heard of between them.
const PIECE: Duration = Duration::from_millis(250);
/// The number of threads that a worker executes together at first, when it does not know how long they take.
const FIRST_PIECE: usize = 1024;
/// The byte that stands where no result is stored when a row is run again, to tell that from a result which looks like
/// [`NEVER_STORED`].
const NEVER_STORED_AGAIN: u8 = 0x32;

/// Runs code in one thread of this program.
pub struct CodeWorker<'a> {
    code: &'a Code,
    unit: Box<dyn ExecutionUnit>,
    failures: Vec<RowFailure>,
    /// The rows of the last batch that lie outside of the code's domain.
    outside: Vec<usize>,
    /// The number of rows that were executed in [`PIECE`] of the last ones; `None` if there were none.
    pace: Option<usize>,
}

impl CodeWorker<'_> {
    pub fn new(code: &Code, unit: Box<dyn ExecutionUnit>) -> CodeWorker<'_> {
        CodeWorker { code, unit, failures: Vec::new(), outside: Vec::new(), pace: None }
    }

    /// Runs the code on some rows of a batch, and writes their results. A row that the code fails on is noted.
    ///
    /// # Errors
    /// If the code does what is not interpreted, or is not at its end after [`STEPS`]: nothing is known then. And
    /// [`Interrupted`].
    fn rows(&mut self, batch: &mut Batch, rows: Range<usize>) -> Result<()> {
        if interrupt::requested() {
            return Err(Interrupted.into());
        }
        if self.failures.len() >= FAILURES_MAX && !batch.has_results {
            let words = format!("not tried, because the first {FAILURES_MAX} vectors all failed");
            self.fail(rows, &words);
            return Ok(());
        }
        let threads = rows.len().div_ceil(batch.each);
        let of = (batch.variant, batch.elements, NEVER_STORED);
        let arguments = arguments(self.code, batch.operands, batch.each, rows.clone(), of);
        let passed = self.code.assembled(&arguments, threads);
        match self.code.function.run_settled(&mut *self.unit, threads, &passed, STEPS) {
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
        let words = format!("the result depends on {}: {}", kind_of(unset), without_row(unset));
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
        let (CallShape::Roles(kernel), Some(given)) = (&self.code.launched.call, settled.each.first())
        else {
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
            self.fail(first..rows.end.min(first + each), "the code overwrites an operand");
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
        let of = (batch.variant, batch.elements, NEVER_STORED_AGAIN);
        let arguments = arguments(self.code, &operands, batch.each, all.clone(), of);
        let count = all.len().div_ceil(batch.each);
        let unit = &mut *self.unit;
        let function = &self.code.function;
        let passed = self.code.assembled(&arguments, count);
        let settled = function.run_settled_over(NEVER_STORED_AGAIN, unit, count, &passed, STEPS);
        let settled = settled.map_err(|error| anyhow!("{error}"))?;
        if let Some(given) = settled.each.first() {
            let mut again = Batch {
                operands: &operands,
                results: &mut results,
                each: batch.each,
                has_results: true,
                variant: batch.variant,
                elements: batch.elements,
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

    /// Runs the code on all rows of a batch.
    ///
    /// # Errors
    /// As [`CodeWorker::rows`], and if the code has other operands than the instruction.
    fn run_all(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.failures.clear();
        let each = self.code.vectors_of_thread(variant).map_err(anyhow::Error::msg)?;
        let elements = self.code.elements(variant).map_err(anyhow::Error::msg)?;
        let rows = operands.first().map_or(0, Column::rows);
        let mut batch = Batch { operands, results, each, has_results: false, variant, elements };
        // A launch of many threads has memory for all of them.
        let together = elements.map_or(rows, |elements| (ELEMENTS_TOGETHER / elements.count).max(1));
        let first = (FIRST_PIECE / self.code.threads_of_row()).max(1) * each;
        let mut start = 0;
        while start < rows {
            // The vectors of a thread stay together.
            let piece = self.pace.unwrap_or(first).min(together).next_multiple_of(each.max(1));
            let end = rows.min(start + piece.max(1));
            let begun = Instant::now();
            self.rows(&mut batch, start..end)?;
            let share = PIECE.as_secs_f64() / begun.elapsed().as_secs_f64().max(1e-6);
            self.pace = Some(((end - start) as f64 * share) as usize);
            start = end;
        }
        self.failures.sort_by_key(|failure| failure.row);
        self.failures.dedup_by_key(|failure| failure.row);
        Ok(())
    }

    fn fail(&mut self, rows: Range<usize>, words: &str) {
        let failure = |row| RowFailure { row, kind: FailureKind::Failed, words: words.to_owned() };
        self.failures.extend(rows.map(failure));
    }
}

/// Runs code on the rows of a batch that lie within a domain, if there is one. `run` is given these rows, and returns its
/// failures. Returns the failures, and the rows outside of the domain, by their numbers in the batch.
///
/// # Errors
/// Those of `run`.
pub fn run_within(
    domain: Option<&Domain>,
    variant: &Variant,
    operands: &[Column],
    results: &mut [Column],
    run: impl FnOnce(&[Column], &mut [Column]) -> Result<Vec<RowFailure>>,
) -> Result<(Vec<RowFailure>, Vec<usize>)> {
    let rows = operands.first().map_or(0, Column::rows);
    let Some(domain) = domain else { return Ok((run(operands, results)?, Vec::new())) };
    let within = domain.rows(variant, operands);
    if within.len() == rows {
        return Ok((run(operands, results)?, Vec::new()));
    }
    let mut left = within.iter().copied().peekable();
    let outside = (0..rows).filter(|row| left.next_if_eq(row).is_none()).collect();
    if within.is_empty() {
        return Ok((Vec::new(), outside));
    }
    let selected = column::select(operands, &within);
    let mut given = column::select(results, &within);
    let mut failures = run(&selected, &mut given)?;
    for (from, into) in given.iter().zip(results) {
        for (at, &row) in within.iter().enumerate() {
            into.row_bytes_of_mut(row).copy_from_slice(from.row_bytes_of(at));
        }
    }
    for failure in &mut failures {
        failure.row = within.get(failure.row).copied().unwrap_or(failure.row);
    }
    Ok((failures, outside))
}

/// Returns the words for what was never set, or is open.
fn kind_of(unset: &machines::functions::Error) -> &'static str {
    match unset.problem {
        Problem::UnsetShared(_) => "a word of shared memory that was never set",
        Problem::Absent(_) => "a word of a thread that was never set",
        Problem::Open(_) => "what PTX leaves open",
        _ => "a register that was never set",
    }
}

/// Whether a problem says more of what is interpreted here than of the code.
fn is_beyond_us(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::Steps
            | Problem::StepsOfBlock(_)
            | Problem::Refused(_)
            | Problem::CalledApart
            | Problem::Memory(MemoryError::Table)
    )
}

/// Returns the words of an error without the number of a row: the report names the vector.
fn without_row(error: &machines::functions::Error) -> String {
    machines::functions::Error { lane: None, ..error.clone() }.to_string()
}

impl Worker for CodeWorker<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.outside.clear();
        let domain = self.code.domain();
        (self.failures, self.outside) =
            run_within(domain, variant, operands, results, |operands, results| {
                self.run_all(variant, operands, results)?;
                Ok(std::mem::take(&mut self.failures))
            })?;
        Ok(())
    }

    fn unanswered(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.outside)
    }

    fn faults(&mut self) -> Vec<RowFailure> {
        std::mem::take(&mut self.failures)
    }
}
