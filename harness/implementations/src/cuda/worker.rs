//! Worker of a GPU: batches of one thread, on a stream of its own.

use anyhow::{Context, Error, Result, anyhow, ensure};
use formats::{Column, column};
use isa::Variant;
use isa::matrix::MatrixVariant;
use ptx::{ROWS_EACH, TRIPLES_OF_WARP, WARP};

use super::dots::placement;
use super::gpu::LoadedKernel;
use super::stream::{LaunchThreads, Stream};
use super::{CONSTANTS, Cuda, SCREENED};
use crate::unwritten::{self, PATTERNS};
use crate::{FailureKind, RowFailure, Screening, Worker, in_words};

/// Worker that runs batches on a stream of its own on a device.
pub struct CudaWorker<'a> {
    cuda: &'a Cuda,
    stream: Stream<'a>,
    /// Kernel that worked, with a vector and its results.
    known: Option<ControlVector>,
    /// Rows of the last batch that have no result.
    faults: Vec<RowFailure>,
}

/// A vector that a kernel gave the result of, kept to see later whether the device still works.
struct ControlVector {
    function: LoadedKernel,
    operands: Vec<Column>,
    results: Vec<Column>,
}

impl<'a> CudaWorker<'a> {
    /// Makes a worker that has a stream of its own.
    ///
    /// # Errors
    /// If the device is unable to go on.
    pub fn new(cuda: &'a Cuda) -> Result<CudaWorker<'a>> {
        let stream = Stream::of(&cuda.gpu).with_context(|| cuda.cannot_go_on())?;
        Ok(CudaWorker { cuda, stream, known: None, faults: Vec::new() })
    }

    fn try_run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        let function = self.cuda.kernels.get(&self.cuda.gpu, variant)?.map_err(|said| {
            anyhow!("only supported variants are run, and {variant} does not compile: {said}")
        })?;
        self.run_kernel(function, operands, results)?;
        self.look_for_unwritten(function, operands, results)
    }

    /// Finds the rows of results that a kernel leaves as they were.
    fn look_for_unwritten(
        &mut self,
        function: LoadedKernel,
        operands: &[Column],
        results: &[Column],
    ) -> Result<()> {
        let suspected = unwritten::suspected(results);
        if suspected.is_empty() {
            return Ok(());
        }
        let mut columns = results.to_vec();
        unwritten::fill(&mut columns, PATTERNS[1]);
        columns.extend_from_slice(operands);
        self.stream.run_over(function, &mut columns, results.len())?;
        self.faults.extend(unwritten::confirmed(suspected, &columns[..results.len()]));
        Ok(())
    }

    fn try_run_dots(
        &mut self,
        variant: &MatrixVariant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        let cuda = self.cuda;
        let function = cuda.dots.get(&cuda.gpu, variant, placement(variant, operands))?;
        let function = function.map_err(|said| {
            anyhow!("only supported variants are run, and {variant} does not compile: {said}")
        })?;
        self.run_kernel(function, operands, results)
    }

    fn run_kernel(
        &mut self,
        function: LoadedKernel,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        self.stream.run_columns(function, operands, results)?;
        if self.known.is_none() && operands.first().is_some_and(|column| column.rows() > 0) {
            let first = |columns: &[Column]| columns.iter().map(first_row).collect();
            self.known =
                Some(ControlVector { function, operands: first(operands), results: first(results) });
        }
        Ok(())
    }

    /// Returns in words what becomes of a kernel that was not run. A driver of a device is unable to go on after
    /// most failures, and what stands in for a driver may be, too: so a kernel that worked before is run
    /// again. If it does work, the failure is this kernel's, which is asked for no more.
    fn outlive(&mut self, kernel: &str, error: Error) -> Result<String> {
        let words = format!("the driver does not run it: {error:#}");
        if self.still_works().is_err() {
            return Err(error.context(self.cuda.cannot_go_on()));
        }
        self.cuda.failed().insert(kernel.to_owned(), words.clone());
        Ok(words)
    }

    fn still_works(&mut self) -> Result<()> {
        self.stream.idle(self.cuda.idle)?;
        let Some(ControlVector { function, operands, results }) = &self.known else { return Ok(()) };
        let mut again: Vec<Column> =
            results.iter().map(|column| Column::new(column.row_bytes(), column.rows())).collect();
        self.stream.run_columns(*function, operands, &mut again)?;
        ensure!(again == *results, "a kernel that worked before now gives different results");
        Ok(())
    }

    fn blame(&mut self, rows: usize, words: String) {
        let kind = FailureKind::Failed;
        self.faults = (0..rows).map(|row| RowFailure { row, kind, words: words.clone() }).collect();
    }

    /// Has a batch run, unless the kernel of this subject has failed before.
    fn attempt(
        &mut self,
        subject: &str,
        rows: usize,
        run: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.faults.clear();
        // A copy, so that the lock is not held while the batch is run.
        let before = self.cuda.failed().get(subject).cloned();
        if let Some(words) = before {
            self.blame(rows, words);
            return Ok(());
        }
        run(self).or_else(|error| self.outlive(subject, error).map(|words| self.blame(rows, words)))
    }

    /// Computes a batch with kernels made for it, in whose text the operands stand.
    fn run_constants(
        &mut self,
        variant: &Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        let kernels = &self.cuda.kernels;
        let rows = operands.first().map_or(0, Column::rows);
        for start in (0..rows).step_by(CONSTANTS) {
            let rows = start..rows.min(start + CONSTANTS);
            let vectors: Vec<_> = rows.clone().map(|row| column::row(operands, row)).collect();
            let (module, interface) = kernels.of_constants(variant, &vectors)?;
            let part = |column: &'_ mut Column| -> std::ops::Range<usize> {
                rows.start * column.row_bytes()..rows.end * column.row_bytes()
            };
            let mut parts: Vec<&mut [u8]> = Vec::new();
            for column in results.iter_mut() {
                let bytes = part(column);
                parts.push(&mut column.bytes_mut()[bytes]);
            }
            let made = self.stream.run_once(
                module.text(),
                &interface,
                kernels.level,
                rows.len() as u32,
                &mut parts,
            )?;
            made.map_err(|said| anyhow!("{variant} does not compile of some constants: {said}"))?;
        }
        Ok(())
    }

    fn try_screen(
        &mut self,
        variant: &Variant,
        first: u64,
        rows: usize,
        results: Option<&mut [Column]>,
    ) -> Result<Option<Screening>> {
        let stored = results.is_some();
        // The kernel of all triples has no columns for results.
        let threads =
            threads(variant, rows as u64).filter(|_| !(stored && sweeps::has_all_triples(variant)));
        let Some(threads) = threads.filter(|_| !self.cuda.kernels.constants) else { return Ok(None) };
        let Some(function) = self.cuda.kernels.screen(&self.cuda.gpu, variant)? else {
            return Ok(None);
        };
        let mut bytes: Option<Vec<&mut [u8]>> =
            results.map(|results| results.iter_mut().map(Column::bytes_mut).collect());
        let [inputs, results, differing] =
            self.stream.screen(function, first, threads, bytes.as_deref_mut())?;
        Ok(Some(Screening { inputs, results, differing }))
    }
}

impl Worker for CudaWorker<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        let rows = operands.first().map_or(0, Column::rows);
        let constants = self.cuda.kernels.constants;
        in_words(variant, operands, results, |words, results| {
            self.attempt(variant.text(), rows, |worker| match constants {
                // They stand in the text, register by register.
                true => worker.run_constants(variant, operands, results),
                false => worker.try_run(variant, words, results),
            })
        })
    }

    fn run_dots(
        &mut self,
        variant: &MatrixVariant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        let rows = operands.first().map_or(0, Column::rows);
        self.attempt(variant.text(), rows, |worker| worker.try_run_dots(variant, operands, results))
    }

    fn faults(&mut self) -> Vec<RowFailure> {
        std::mem::take(&mut self.faults)
    }

    fn screen(
        &mut self,
        variant: &Variant,
        first: u64,
        rows: usize,
        results: Option<&mut [Column]>,
    ) -> Result<Option<Screening>> {
        let judging = format!("{variant}, judged");
        if self.cuda.failed().contains_key(&judging) {
            return Ok(None);
        }
        // Where the kernel is not run that judges, the host does.
        let screened = self.try_screen(variant, first, rows, results);
        screened.or_else(|error| self.outlive(&judging, error).map(|_| None))
    }

    fn is_physical(&self) -> bool {
        !self.cuda.kernels.constants
    }
}

/// Returns the threads that judge so many vectors, if a kernel can be asked for just these.
fn threads(variant: &Variant, rows: u64) -> Option<LaunchThreads> {
    let (least, each) = match sweeps::has_all_triples(variant) {
        true => (TRIPLES_OF_WARP, TRIPLES_OF_WARP / u64::from(WARP)),
        false => (SCREENED.into(), ROWS_EACH.into()),
    };
    let all = u32::try_from(rows / each).ok().filter(|_| rows.is_multiple_of(least))?;
    // Blocks are full: every thread of a kernel that judges takes vectors.
    let block = if all.is_multiple_of(2 * WARP) { 2 * WARP } else { WARP };
    Some(LaunchThreads { all, block })
}

/// Returns the first row of a column.
fn first_row(column: &Column) -> Column {
    let mut first = Column::new(column.row_bytes(), 1);
    first.bytes_mut().copy_from_slice(column.bytes_of(0..1));
    first
}
