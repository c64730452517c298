//! What has batches computed by children, and finds the vectors that they do not survive.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, Result};
use vectors::{Column, Variant};

use super::child::{Child, Failure};
use super::{Dialect, Program, binary, explained, text};
use crate::implementation::{FailureKind, RowFailure, Worker};

/// The least part of the deadline that a part of a batch has, when the culprit is looked for.
const LEAST: u32 = 8;
/// So many faults of a variant are traced to their vectors; whatever fails later fails as a whole.
const TRACED: usize = 4;
/// Pauses before a child is started again: the first, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(100));
/// A child that cannot be started is tried so often.
const STARTS: usize = 3;

/// A child that computes, and what became of the vectors that it did not survive.
pub struct ProcessWorker<'a> {
    program: &'a Program,
    child: Option<Child>,
    /// How long is waited before the next child is started.
    pause: Duration,
    faults: Vec<RowFailure>,
    /// The rows that the children say they have no result of.
    unanswered: Vec<usize>,
    /// The variant that was run last, and how many of its faults were traced.
    traced: (Option<Variant>, usize),
}

/// The columns of a batch.
struct Batch<'a> {
    variant: &'a Variant,
    operands: &'a [Column],
    results: &'a mut [Column],
}

impl ProcessWorker<'_> {
    /// One that has not started a child yet.
    pub fn new(program: &Program) -> ProcessWorker<'_> {
        let (faults, unanswered) = (Vec::new(), Vec::new());
        ProcessWorker { program, child: None, pause: PAUSES.0, faults, unanswered, traced: (None, 0) }
    }

    /// Has some rows computed by the child that there is, or by a new one. Gives what went wrong.
    fn attempt(&mut self, batch: &mut Batch, rows: Range<usize>) -> Result<Option<Failure>> {
        let mut child = match self.child.take() {
            Some(child) => child,
            None => match self.start(batch.variant)? {
                Ok(child) => child,
                Err(failure) => return Ok(Some(failure)),
            },
        };
        let limit = self.limit(rows.len(), batch.operands[0].rows());
        let Batch { variant, operands, results } = batch;
        let done = match self.program.dialect {
            Dialect::Binary => binary::run(&mut child, variant, operands, results, rows, limit),
            Dialect::Text => text::run(&mut child, operands, results, rows, limit),
        };
        match done {
            Ok(unanswered) => {
                self.unanswered.extend(unanswered);
                self.pause = PAUSES.0;
                // A child of the other dialect has ended.
                self.child = Some(child).filter(|_| self.program.dialect == Dialect::Binary);
                Ok(None)
            }
            Err(failure) => {
                self.wait();
                Ok(Some(explained(&mut child, failure)))
            }
        }
    }

    /// How long so many rows of a batch may take: twice their share of the deadline, so that a command
    /// that is slow is not taken for one that hangs.
    fn limit(&self, rows: usize, all: usize) -> Duration {
        let deadline = self.program.limits.deadline;
        deadline.mul_f64(2.0 * rows as f64 / all as f64).clamp(deadline / LEAST, deadline)
    }

    /// Waits, every time longer, so that a command that fails at once does not keep the machine busy.
    fn wait(&mut self) {
        std::thread::sleep(self.pause);
        self.pause = (2 * self.pause).min(PAUSES.1);
    }

    /// Starts a child. What does not start is broken as a whole; what starts and does not introduce
    /// itself any more fails on the batch in hand.
    fn start(&mut self, variant: &Variant) -> Result<Result<Child, Failure>> {
        let mut tries = 0;
        loop {
            match self.program.start_for(variant)? {
                Ok(child) => return Ok(Ok(child)),
                Err(failure) if tries == STARTS => return Ok(Err(failure)),
                Err(_) => self.wait(),
            }
            tries += 1;
        }
    }

    /// Has rows `rows` computed: where that fails, by another child, and then in halves.
    fn compute(&mut self, batch: &mut Batch, rows: Range<usize>) -> Result<()> {
        let used = self.child.is_some();
        let Some(mut failure) = self.attempt(batch, rows.clone())? else { return Ok(()) };
        if used && failure.kind != FailureKind::Timeout {
            // It may be the fault of what the child had done before.
            match self.attempt(batch, rows.clone())? {
                None => {
                    self.once(rows, failure, "a new process did not fail");
                    return Ok(());
                }
                Some(again) => failure = again,
            }
        }
        if rows.len() == 1 || self.traced.1 >= TRACED {
            self.traced.1 += 1;
            if rows.len() > 1 {
                failure.words += &format!(" (one of {} vectors tried together)", rows.len());
            }
            let Failure { kind, words } = failure;
            self.faults.extend(rows.map(|row| RowFailure { row, kind, words: words.clone() }));
            return Ok(());
        }
        let before = self.faults.len();
        let middle = rows.start + rows.len() / 2;
        self.compute(batch, rows.start..middle)?;
        self.compute(batch, middle..rows.end)?;
        if self.faults.len() == before {
            self.once(rows, failure, "in halves they did not");
        }
        Ok(())
    }

    /// What happened once is not forgotten because it did not happen again: it is the first row's.
    fn once(&mut self, rows: Range<usize>, failure: Failure, afterwards: &str) {
        let Failure { kind, words } = failure;
        let words = format!("{words} (it and the {} behind it; {afterwards})", rows.len() - 1);
        self.faults.push(RowFailure { row: rows.start, kind, words });
    }
}

impl Worker for ProcessWorker<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.faults.clear();
        self.unanswered.clear();
        if self.traced.0.as_ref() != Some(variant) {
            self.traced = (Some(variant.clone()), 0);
        }
        let rows = operands.first().context("a variant without operands")?.rows();
        self.compute(&mut Batch { variant, operands, results }, 0..rows)?;
        self.faults.sort_by_key(|fault| fault.row);
        Ok(())
    }

    fn faults(&mut self) -> Vec<RowFailure> {
        std::mem::take(&mut self.faults)
    }

    fn unanswered(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.unanswered)
    }
}
