//! A kernel as an implementation that also executes some vectors in further launches, in which other threads than the
//! first compute them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use anyhow::Result;
use base::locks::lock;
use formats::{Column, column};
use isa::{Variant, results_for};
use sweeps::CounterRng;

use super::{Code, grid};
use crate::{Description, FailureKind, Implementation, RowFailure, Support, Worker};

/// The number of vectors of which one is executed in further launches, too. The operands alone decide which vector it
/// is, so that a vector that fails fails again.
const SAMPLE: u64 = 256;

/// Code that is executed as a user's, and for some vectors in further launches, see [`Code::other_launches`].
pub struct ThoroughCode {
    code: Code,
    /// The code in its further launches, for each instruction that was asked for.
    others: Mutex<BTreeMap<&'static str, Arc<Vec<Code>>>>,
}

impl ThoroughCode {
    /// Makes an implementation of code.
    pub fn new(code: Code) -> ThoroughCode {
        ThoroughCode { code, others: Mutex::default() }
    }

    /// Returns the code in its further launches for vectors of an instruction.
    fn others(&self, variant: &Variant) -> Arc<Vec<Code>> {
        let Some(known) = Variant::named(variant.text()) else { return Arc::default() };
        let mut others = lock(&self.others);
        let found = others.entry(known.text()).or_insert_with(|| {
            let launches = self.code.other_launches(known);
            // A launch that was found is one.
            Arc::new(launches.iter().filter_map(|launch| self.code.relaunched(launch).ok()).collect())
        });
        found.clone()
    }
}

impl Implementation for ThoroughCode {
    fn describe(&self) -> Description {
        self.code.describe()
    }

    fn support(&self, variant: &Variant) -> Support {
        self.code.support(variant)
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(Box::new(ThoroughWorker { own: self, worker: self.code.worker()?, failures: Vec::new() }))
    }
}

/// Runs code, and some vectors in further launches, in one thread of this program.
struct ThoroughWorker<'a> {
    own: &'a ThoroughCode,
    worker: Box<dyn Worker + 'a>,
    failures: Vec<RowFailure>,
}

impl Worker for ThoroughWorker<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.failures.clear();
        self.worker.run(variant, operands, results)?;
        self.failures = self.worker.faults();
        let others = self.own.others(variant);
        if others.is_empty() {
            return Ok(());
        }
        let rows = operands.first().map_or(0, Column::rows);
        let is_sampled =
            |row: &usize| CounterRng::new(grid::seed(operands, *row), 2).next().is_multiple_of(SAMPLE);
        let failed = |row: &usize| self.failures.iter().any(|failure| failure.row == *row);
        let sampled: Vec<usize> = (0..rows).filter(is_sampled).filter(|row| !failed(row)).collect();
        if sampled.is_empty() {
            return Ok(());
        }
        let (operands, due) = (column::select(operands, &sampled), column::select(results, &sampled));
        for other in others.iter() {
            let mut given = results_for(variant, sampled.len());
            let mut worker = other.worker()?;
            worker.run(variant, &operands, &mut given)?;
            let launch = other.launch().unwrap_or_default();
            let faults = worker.faults();
            let outside = worker.unanswered();
            let fails = |at: usize, words: &str| RowFailure {
                row: sampled.get(at).copied().unwrap_or_default(),
                kind: FailureKind::Failed,
                words: format!("with --launch '{launch}': {words}"),
            };
            let wrong = column::differing(&given, &due)
                .filter(|at| !outside.contains(at) && faults.iter().all(|failure| failure.row != *at));
            self.failures
                .extend(wrong.map(|at| fails(at, "another result than in a launch of one thread")));
            self.failures.extend(faults.iter().map(|failure| fails(failure.row, &failure.words)));
        }
        self.failures.sort_by_key(|failure| failure.row);
        self.failures.dedup_by_key(|failure| failure.row);
        Ok(())
    }

    fn unanswered(&mut self) -> Vec<usize> {
        self.worker.unanswered()
    }

    fn faults(&mut self) -> Vec<RowFailure> {
        std::mem::take(&mut self.failures)
    }
}
