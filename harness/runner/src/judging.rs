//! Judges what an implementation gives for the blocks of one variant.

mod batch_judge;
mod device;
mod digests;
mod missing_rows;
#[cfg(test)]
mod tests;
mod triples;

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use base::interrupt::Interrupted;
use emulator::{Backend, Kernel};
use formats::digests::triples::Weights;
use formats::{Column, RowBits, column};
use implementations::Worker;
use isa::{Target, Variant, results_for};
use judge::{Batch, Tally, Truth};
use oracle::Oracle;
use selection::subject::{Subject, VectorSource};

use batch_judge::{BatchJudge, LaneJudge};
use digests::Digests;
pub use missing_rows::{MissingRows, compute};

use super::batches::Batches;
use super::meaning::Meaning;
use super::plan::{Block, JudgedBy, Task};
use super::request::Judging;

/// Sampling interval for screened blocks: of the blocks that the emulator screens, MPFR judges one in this many all
/// the same.
pub const SAMPLE: u64 = 64;
/// Sampling interval for series: of the blocks that series judge, MPFR judges one in this many, and both must say the
/// same.
const SERIES_SAMPLE: u64 = 1024;

/// Whether MPFR judges the block with this number, as it does one in `every` blocks. The sampled place wanders, so
/// that shards share the samples.
fn is_sample(block: u64, every: u64) -> bool {
    // 37 and `every`, a power of two, have no common factor. So the place takes every remainder in turn.
    block % every == block / every * 37 % every
}

/// A judge of batches of one subject, with all that this takes; made once per thread and subject.
pub struct BlockJudge {
    subject: Subject,
    batch_judge: BatchJudge,
    operands: Vec<Column>,
    results: Vec<Column>,
    /// Operands that are shared with other judges.
    batches: Arc<Batches>,
    /// The way columns are digested, with the digest of the operands.
    digests: Digests,
    /// The rows of the last batch that have no results.
    gaps: MissingRows,
    /// The emulator to compare with; made when a block is first screened.
    screen: Option<Screen>,
    /// The oracle by series and what it said last; made when a block is first judged by series.
    series: Option<(Oracle, Truth)>,
}

/// The emulator's kernel and its results, with which results are compared.
struct Screen {
    kernel: Kernel,
    results: Vec<Column>,
}

impl BlockJudge {
    /// Creates the judge of a subject, which is held to its contract.
    pub fn new(subject: Subject, judging: Judging) -> BlockJudge {
        BlockJudge::held_to(subject, judging, None)
    }

    /// Creates the judge of a subject. A matrix instruction is held to what the target `model` computes, if a model
    /// is given and that target computes the instruction; everything else is held to its contract.
    pub fn held_to(subject: Subject, judging: Judging, model: Option<Target>) -> BlockJudge {
        let batch_judge = match subject {
            Subject::Variant(variant) => BatchJudge::lanes(variant, judging),
            Subject::Matrix(variant) => model
                .and_then(|target| BatchJudge::model(variant, target))
                .unwrap_or_else(|| BatchJudge::dots(variant)),
        };
        BlockJudge {
            subject,
            batch_judge,
            operands: subject.operands(0),
            results: subject.results(0),
            batches: Arc::default(),
            digests: Digests::default(),
            gaps: MissingRows::default(),
            screen: None,
            series: None,
        }
    }

    /// Creates the judge of a variant's operands and results that are held to a meaning in the place of its contract.
    pub fn of_meaning(variant: &'static Variant, meaning: &dyn Meaning) -> BlockJudge {
        let judge = BlockJudge::new(Subject::Variant(variant), Judging::Mpfr);
        BlockJudge { batch_judge: BatchJudge::Meaning(meaning.judge()), ..judge }
    }

    /// Makes the judge share operands with other judges: it uses those in `batches`, and adds its own.
    pub(crate) fn sharing(mut self, batches: &Arc<Batches>) -> BlockJudge {
        self.batches = batches.clone();
        self
    }

    /// Returns the subject that is tried.
    pub fn subject(&self) -> Subject {
        self.subject
    }

    /// Generates the vectors of a block, has a worker compute them, and judges the results.
    pub fn run_block(
        &mut self,
        task: &Task,
        block: Block,
        seed: u64,
        worker: &mut dyn Worker,
    ) -> Result<Tally> {
        let tally = match task.is_of_triples() {
            true => self.run_triples(task, block, seed, worker),
            false => self.run_part(task, block, seed, worker),
        }?;
        self.unless_interrupted(tally)
    }

    /// Returns a tally, unless what was expected of its batch is not known.
    ///
    /// # Errors
    /// [`Interrupted`].
    fn unless_interrupted(&self, tally: Tally) -> Result<Tally> {
        match self.batch_judge.is_interrupted() {
            true => Err(Interrupted.into()),
            false => Ok(tally),
        }
    }

    /// Generates the vectors of a block, or of a part of a block of triples, has a worker compute them, and judges the
    /// results.
    fn run_part(
        &mut self,
        task: &Task,
        block: Block,
        seed: u64,
        worker: &mut dyn Worker,
    ) -> Result<Tally> {
        let sample = is_sample(block.number, SAMPLE);
        let screenable = task.judged_by == JudgedBy::Emulator;
        // Only what the emulator is proven for may be judged on a device, which knows no oracle.
        let mut screen = |results: Option<&mut [Column]>| match task.asked {
            VectorSource::Lanes(variant, _) if screenable => {
                let found = worker.screen(variant, block.first, block.rows, results);
                found.with_context(|| broke(self.subject))
            }
            _ => Ok(None),
        };
        // Where a device screens, most blocks end here: no vector is made on this side, and no result is copied.
        let screening = screen(None)?;
        if let Some(found) = screening.filter(|found| found.differing == 0 && !sample) {
            return Ok(found.as_expected(block.rows));
        }
        self.digests = match task.is_of_triples() {
            true => {
                self.operands.iter_mut().for_each(|column| column.resize(block.rows));
                task.asked.fill(seed, block.first, &mut self.operands);
                Digests::Triples(Weights::of(&self.operands))
            }
            false => {
                let inputs = self.batches.fill(task, block, seed, &mut self.operands);
                Digests::Rows { first: block.first, inputs }
            }
        };
        // Where all triples are tried, screening stores no results.
        let mut stored = false;
        if screening.is_some() && !sample {
            self.gaps = MissingRows::default();
            missing_rows::clear(&mut self.results, block.rows);
            stored = screen(Some(&mut self.results))?.is_some();
        }
        if !stored {
            self.compute(worker).with_context(|| broke(self.subject))?;
        }
        let mut tally = match task.judged_by {
            // The emulator can leave out rows without an answer, which are many where code is tried in a domain alone.
            JudgedBy::Emulator if !sample && self.gaps.are_unanswered() => self.screened(block.first),
            // Series and emulator compare whole columns, in which a row without a result would look like a wrong one.
            _ if !self.gaps.is_empty() => self.judged(block.first),
            JudgedBy::Series => self.by_series(block)?,
            JudgedBy::Emulator | JudgedBy::Mpfr | JudgedBy::Model => self.judged(block.first),
        };
        if let Some(found) = screening {
            tally.on_device = block.rows as u64;
            self.confirm(found, block, worker, &mut tally)?;
        }
        // Hardware may answer otherwise the next time, so in the sample everything is computed twice.
        if sample && worker.is_physical() {
            self.recompute(block.first, &mut tally, |operands, results| {
                worker.run_subject(self.subject, operands, results)
            })?;
        }
        Ok(tally)
    }

    /// Has a worker compute given operands, and judges the results; `first` is the number of the first row.
    pub fn run_rows(
        &mut self,
        rows: &[Vec<RowBits>],
        first: u64,
        worker: &mut dyn Worker,
    ) -> Result<Tally> {
        self.operands.iter_mut().for_each(|column| column.resize(rows.len()));
        for (row, registers) in rows.iter().enumerate() {
            column::set_row_bits(&mut self.operands, row, registers);
        }
        self.digests = Digests::of_rows(first, &self.operands);
        self.compute(worker)?;
        let tally = self.judged(first);
        self.unless_interrupted(tally)
    }

    /// Returns the operands of the batch that was tried last.
    pub fn operands(&self) -> &[Column] {
        &self.operands
    }

    /// Returns the results of the batch that was tried last.
    pub fn results(&self) -> &[Column] {
        &self.results
    }

    /// Has a worker compute the operands of this judge into its results, and notes the rows without one.
    fn compute(&mut self, worker: &mut dyn Worker) -> Result<()> {
        self.gaps = compute(worker, self.subject, &self.operands, &mut self.results)?;
        Ok(())
    }

    /// Has MPFR, or the model, judge every row of the batch.
    fn judged(&mut self, first: u64) -> Tally {
        if !self.gaps.is_empty() {
            return self.judged_with_gaps(first);
        }
        self.batch_judge.expect(&self.operands);
        self.tally(first)
    }

    /// Judges every row by the enclosures that series give; in a sample of the blocks MPFR judges them, too.
    fn by_series(&mut self, block: Block) -> Result<Tally> {
        let BatchJudge::Lanes(lane_judge) = &mut self.batch_judge else {
            return Ok(self.judged(block.first));
        };
        if self.series.is_none() {
            let oracle = Oracle::by_series(&lane_judge.variant);
            self.series = oracle.map(|oracle| (oracle, Truth::new(&lane_judge.variant)));
        }
        // A variant without a series is judged as without `Series`: by MPFR.
        let Some((oracle, truth)) = &mut self.series else { return Ok(self.judged(block.first)) };
        oracle.expect(&self.operands, truth);
        let mpfr = is_sample(block.number, SERIES_SAMPLE);
        if mpfr {
            lane_judge.compared(&self.operands, truth)?;
        }
        // `tally` judges by the truth that the batch judge holds.
        std::mem::swap(&mut lane_judge.truth, truth);
        let tally = self.tally(block.first);
        Ok(if mpfr { tally } else { Tally { confirmed: 0, ..tally } })
    }

    /// Judges the results of the batch by what the batch judge expects of them.
    fn tally(&mut self, first: u64) -> Tally {
        let (results, expected) = (self.digests.results(&self.results), self.batch_judge.expected());
        // Equal columns have equal digests, so in a right block only one digest is computed.
        let expected = match self.results == expected {
            true => results,
            false => self.digests.results(expected),
        };
        let mut tally = Tally { inputs: self.digests.inputs(), results, expected, ..Tally::default() };
        let batch = Batch { first, offsets: None, operands: &self.operands, results: &self.results };
        self.batch_judge.judge(batch, &mut tally);
        tally
    }

    /// Has MPFR judge some rows of the batch; the tally counts as judged all rows that have an answer.
    fn judge_rows(&mut self, rows: &[usize], first: u64, tally: &mut Tally) {
        let [operands, results] = [&self.operands, &self.results].map(|of| column::select(of, rows));
        let offsets: Vec<u64> = rows.iter().map(|&row| row as u64).collect();
        self.batch_judge.expect(&operands);
        let batch = Batch { first, offsets: Some(&offsets), operands: &operands, results: &results };
        self.batch_judge.judge(batch, tally);
        // The judge has counted the selected rows only.
        tally.vectors = self.operands[0].rows() as u64 - tally.unanswered;
    }

    /// Compares every row with the emulator's results, and has MPFR judge the rows that differ.
    fn screened(&mut self, first: u64) -> Tally {
        if let (None, BatchJudge::Lanes(lane_judge)) = (&self.screen, &self.batch_judge) {
            self.screen = Screen::new(&lane_judge.variant);
        }
        // Without a kernel of the emulator, MPFR judges every row.
        let Some(screen) = &mut self.screen else { return self.judged(first) };
        let rows = self.operands[0].rows();
        screen.results.iter_mut().for_each(|column| column.resize(rows));
        screen.kernel.run(&self.operands, &mut screen.results);
        let results = self.digests.results(&self.results);
        let unanswered = &self.gaps.unanswered;
        let mut tally = Tally {
            vectors: (rows - unanswered.len()) as u64,
            unanswered: unanswered.len() as u64,
            inputs: self.digests.inputs(),
            results,
            expected: results,
            ..Tally::default()
        };
        if self.results != screen.results {
            tally.expected = self.digests.results(&screen.results);
            let differing = column::differing(&self.results, &screen.results);
            let differing: Vec<usize> =
                differing.filter(|row| unanswered.binary_search(row).is_err()).collect();
            self.judge_rows(&differing, first, &mut tally);
        }
        tally
    }
}

/// Returns the words for an implementation that failed as a whole on a subject.
fn broke(subject: Subject) -> String {
    format!("the implementation failed on {subject}")
}

impl LaneJudge {
    /// Compares the results that series give with MPFR's, for all rows; a disagreement is an error.
    fn compared(&mut self, operands: &[Column], series: &Truth) -> Result<()> {
        self.oracle.expect(operands, &mut self.truth);
        if let Some(row) = oracle::departure(series, &self.truth) {
            let input = operands[0].get(row);
            bail!(
                "series and MPFR disagree about {} of {input:#010x}: this is a bug in the suite, not \
                 in the implementation; run with --judge mpfr, and please report it",
                self.variant
            );
        }
        Ok(())
    }
}

impl Screen {
    /// Creates the screen of a variant; `None` if the emulator has no kernel for the variant.
    fn new(variant: &Variant) -> Option<Screen> {
        let kernel = Kernel::of(variant, Backend::Lanes)?;
        Some(Screen { kernel, results: results_for(variant, 0) })
    }
}
