//! Worker that has batches computed by child processes, and finds the vectors that they do not survive.

mod arrays;

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use base::interrupt::{self, Interrupted};
use base::locks::lock;
use base::terminal::say;
use formats::Column;
use isa::Variant;
use isa::matrix::MatrixVariant;

use super::child::Child;
use super::failure::Failure;
use super::patience::Patience;
use super::whole_failures::BatchVerdict;
use super::{ChildProgram, Dialect, binary, explained, kernels, text};
use crate::unwritten::{self, PATTERNS};
use crate::{FailureKind, RowFailure, VaryingRow, Worker, in_words};

/// Number of faults of a variant that are traced to their vectors; whatever fails later fails as a whole.
const TRACED: usize = 4;
/// Number of traced faults that may be hangs, each of which takes a deadline for every halving.
const HANGS: usize = 2;
/// Pauses before a child is started again: the first, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(100));
/// Number of times that starting a child is tried again.
const STARTS: usize = 3;

/// Worker with a child that computes, and what became of the vectors that the child did not survive.
pub struct ProcessWorker<'a> {
    program: &'a ChildProgram,
    child: Option<Child>,
    /// Time that is waited before the next child is started.
    pause: Duration,
    faults: Vec<RowFailure>,
    /// Rows that the children say they have no result of.
    unanswered: Vec<usize>,
    /// Rows whose results depend on the length of the array that they are asked in.
    varying: Vec<VaryingRow>,
    /// Name of the variant that was run last.
    variant: Option<String>,
    /// Number of faults of the variant that was run last that were traced; `hangs` says how many were hangs.
    traced: usize,
    hangs: usize,
    /// Row of the batch before which every row has a result or a fault.
    reached: usize,
    /// Failure of the batch as a whole, if it failed.
    whole: Option<Failure>,
    patience: Patience,
    /// Byte that results are filled with before a kernel runs.
    pattern: u8,
}

/// Columns of a batch, and the variant that it is of.
struct VariantBatch<'a> {
    variant: &'a str,
    operands: &'a [Column],
    results: &'a mut [Column],
}

impl ProcessWorker<'_> {
    /// Makes a worker that has not started a child yet.
    pub fn new(program: &ChildProgram) -> ProcessWorker<'_> {
        ProcessWorker {
            program,
            child: None,
            pause: PAUSES.0,
            faults: Vec::new(),
            unanswered: Vec::new(),
            varying: Vec::new(),
            variant: None,
            traced: 0,
            hangs: 0,
            reached: 0,
            whole: None,
            patience: Patience::default(),
            pattern: PATTERNS[0],
        }
    }

    /// Has some rows computed by the child that there is, or by a new one, in a whole deadline. Returns what went
    /// wrong.
    fn attempt(&mut self, batch: &mut VariantBatch, rows: Range<usize>) -> Result<Option<Failure>> {
        if interrupt::requested() {
            bail!(Interrupted);
        }
        let failed = self.try_once(batch, rows)?;
        match &failed {
            None => self.patience.answered(),
            Some(failure) => {
                self.patience.lose(self.program.limits.lost(failure));
                if let Some(exhausted) = self.patience.exhausted(&self.program.limits) {
                    let exhausted = format!(
                        "{exhausted}, last with {}; correct it or set a longer deadline, and continue \
                         with --resume",
                        batch.variant
                    );
                    // The reason that the first thread gives stays.
                    let _ = self.program.given_up.set(exhausted);
                }
            }
        }
        Ok(failed)
    }

    /// Has some rows computed once, without noting what that says of the command.
    fn try_once(&mut self, batch: &mut VariantBatch, rows: Range<usize>) -> Result<Option<Failure>> {
        let mut child = match self.child.take() {
            Some(child) => child,
            None => match self.start(batch.variant)? {
                Ok(child) => child,
                Err(failure) => return Ok(Some(failure)),
            },
        };
        let deadline = &mut self.program.limits.answer_deadline();
        let VariantBatch { variant, operands, results } = batch;
        let done = match self.program.dialect {
            Dialect::Binary => binary::run(&mut child, variant, operands, results, rows, deadline),
            Dialect::Text => text::run(&mut child, operands, results, rows, deadline),
            Dialect::Kernels(head) => {
                let batch = kernels::BatchRows { operands, results, rows, pattern: self.pattern };
                kernels::compute(&mut child, head, variant, batch, &self.program.limits)
                    .map(|()| Vec::new())
            }
        };
        match done {
            Ok(unanswered) => {
                self.unanswered.extend(unanswered);
                self.pause = PAUSES.0;
                // In the dialect of lines a child computes one batch and ends.
                self.child = Some(child).filter(|_| self.program.dialect != Dialect::Text);
                Ok(None)
            }
            Err(failure) => {
                self.wait();
                Ok(Some(explained(&mut child, failure)))
            }
        }
    }

    /// Waits, every time longer, so that a command that fails at once does not keep the machine busy.
    fn wait(&mut self) {
        std::thread::sleep(self.pause);
        self.patience.lose(self.pause);
        self.pause = (2 * self.pause).min(PAUSES.1);
    }

    /// Starts a child. A command that does not start is broken as a whole; one that starts and does not introduce
    /// itself any more fails on the batch in hand.
    fn start(&mut self, variant: &str) -> Result<Result<Child, Failure>> {
        let mut tries = 0;
        loop {
            match self.program.start_for(variant)? {
                Ok(child) => return Ok(Ok(child)),
                Err(failure) if tries == STARTS || failure.kind == FailureKind::Timeout => {
                    return Ok(Err(failure));
                }
                Err(_) => self.wait(),
            }
            tries += 1;
        }
    }

    /// Has some rows of a batch computed together, and traces their faults to their vectors.
    fn compute(&mut self, batch: &mut VariantBatch, rows: Range<usize>) -> Result<()> {
        (self.reached, self.whole) = (rows.start, None);
        self.trace(batch, rows.clone())?;
        let rest = self.reached..rows.end;
        if rest.is_empty() {
            return Ok(());
        }
        // These rows failed together with others. They are tried once more by themselves, unless the command is given
        // up.
        let failure = match &self.whole {
            Some(failure) if self.has_given_up() => Some(failure.clone()),
            _ => self.attempt(batch, rest.clone())?,
        };
        if let Some(failure) = failure {
            self.blame(rest, failure);
        }
        Ok(())
    }

    /// Has some rows computed: where that fails, by another child, and then in halves. Rows behind
    /// [`ProcessWorker::reached`] are left where nothing more is to be traced.
    fn trace(&mut self, batch: &mut VariantBatch, rows: Range<usize>) -> Result<()> {
        let used = self.child.is_some();
        let Some(mut failure) = self.attempt(batch, rows.clone())? else {
            self.reached = rows.end;
            return Ok(());
        };
        if used && failure.kind != FailureKind::Timeout {
            // What the child had done before may be to blame.
            match self.attempt(batch, rows.clone())? {
                None => {
                    self.reached = rows.end;
                    self.note_failure(rows, failure, "a new process gave all results");
                    return Ok(());
                }
                Some(again) => failure = again,
            }
        }
        self.whole.get_or_insert_with(|| failure.clone());
        // A failure at the start comes before any vector is sent, so halves say no more of it.
        if rows.len() == 1 || failure.at_start || self.traced >= TRACED || self.traces_no_more() {
            self.blame(rows, failure);
            return Ok(());
        }
        let before = self.faults.len();
        let middle = rows.start + rows.len() / 2;
        self.trace(batch, rows.start..middle)?;
        if self.traces_no_more() {
            return Ok(());
        }
        self.trace(batch, middle..rows.end)?;
        if self.faults.len() == before && self.reached == rows.end {
            self.note_failure(rows, failure, "asked again in halves, it gave all results");
        }
        Ok(())
    }

    /// Whether any thread has given the command up.
    fn has_given_up(&self) -> bool {
        self.program.given_up.get().is_some()
    }

    /// Whether tracing costs more time than it is worth.
    fn traces_no_more(&self) -> bool {
        self.hangs >= HANGS || self.has_given_up()
    }

    /// Notes that some rows have no result, for the reason that `failure` gives.
    fn blame(&mut self, rows: Range<usize>, mut failure: Failure) {
        self.traced += 1;
        self.hangs += usize::from(failure.kind == FailureKind::Timeout);
        self.reached = rows.end;
        if rows.len() > 1 {
            failure.words += &format!(" (one of {} vectors asked together)", rows.len());
        }
        let Failure { kind, words, .. } = failure;
        self.faults.extend(rows.map(|row| RowFailure { row, kind, words: words.clone() }));
    }

    /// Notes a failure on the first of some rows: what happened once is not forgotten because it did not happen
    /// again.
    fn note_failure(&mut self, rows: Range<usize>, failure: Failure, afterwards: &str) {
        let Failure { kind, words, .. } = failure;
        let words = format!(
            "{words} (with {} vectors asked together; counted once, because {afterwards})",
            rows.len()
        );
        self.faults.push(RowFailure { row: rows.start, kind, words });
    }
}

impl ProcessWorker<'_> {
    /// Has a batch computed of the variant that goes by this name.
    fn run_named(&mut self, variant: &str, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.faults.clear();
        self.unanswered.clear();
        self.varying.clear();
        if let Some(reason) = self.program.given_up.get() {
            bail!("{reason}");
        }
        if self.variant.as_deref() != Some(variant) {
            self.variant = Some(variant.to_owned());
            (self.traced, self.hangs) = (0, 0);
        }
        let rows = operands.first().context("a variant without operands")?.rows();
        let mut batch = VariantBatch { variant, operands, results };
        match self.program.limits.lengths.is_empty() {
            true => self.compute(&mut batch, 0..rows)?,
            false => self.compute_in_arrays(&mut batch, rows)?,
        }
        if matches!(self.program.dialect, Dialect::Kernels(_)) && self.faults.is_empty() {
            self.look_for_unwritten(variant, operands, results)?;
        }
        self.faults.sort_by_key(|fault| fault.row);
        self.note_batch(variant, rows);
        Ok(())
    }

    /// Notes whether any row of a batch has a result, and gives the command up if none of several variants has.
    fn note_batch(&self, variant: &str, rows: usize) {
        match lock(&self.program.whole_failures).note_batch(variant, rows, &self.faults) {
            BatchVerdict::GoOn => {}
            BatchVerdict::Tell(text) => say(&text),
            BatchVerdict::GiveUp(reason) => {
                // The reason that the first thread gives stays.
                let _ = self.program.given_up.set(reason);
            }
        }
    }
}

impl ProcessWorker<'_> {
    /// Finds the rows of results that a kernel leaves as they were.
    fn look_for_unwritten(
        &mut self,
        variant: &str,
        operands: &[Column],
        results: &[Column],
    ) -> Result<()> {
        let suspected = unwritten::suspected(results);
        if suspected.is_empty() {
            return Ok(());
        }
        let mut again = results.to_vec();
        let rows = 0..again[0].rows();
        self.pattern = PATTERNS[1];
        let failed = self.attempt(&mut VariantBatch { variant, operands, results: &mut again }, rows);
        // Also where the attempt fails: the next batch begins with the first pattern.
        self.pattern = PATTERNS[0];
        if failed?.is_some() {
            // The second look failed, so what the kernel gave at first is judged.
            return Ok(());
        }
        self.faults.extend(unwritten::confirmed(suspected, &again));
        Ok(())
    }
}

impl Worker for ProcessWorker<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        match self.program.dialect {
            Dialect::Kernels(_) => in_words(variant, operands, results, |operands, results| {
                self.run_named(variant.text(), operands, results)
            }),
            Dialect::Binary | Dialect::Text => self.run_named(variant.text(), operands, results),
        }
    }

    fn run_dots(
        &mut self,
        variant: &MatrixVariant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        self.run_named(variant.text(), operands, results)
    }

    fn faults(&mut self) -> Vec<RowFailure> {
        std::mem::take(&mut self.faults)
    }

    fn unanswered(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.unanswered)
    }

    fn varying(&mut self) -> Vec<VaryingRow> {
        std::mem::take(&mut self.varying)
    }
}
