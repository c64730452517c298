//! Judges all triples of a variant's operands, of which a device judges billions at a time. Where results differ,
//! they are searched for by halves, down to parts that are judged here.

use std::ops::Range;

use anyhow::{Context, Result, bail};
use implementations::{Screening, Worker};
use judge::{MismatchKind, Tally};
use selection::subject::VectorSource;

use super::{BlockJudge, SAMPLE, broke, is_sample};
use crate::plan::{Block, Task};

/// Number of vectors in a part, which is judged here as a whole.
const PART: u64 = ptx::TRIPLES_OF_WARP;
/// Largest number of parts of a block that are judged here: where much is wrong, these parts show what. The vectors of
/// other parts that differ do not count as judged.
const PARTS: usize = 16;

/// A search for what differs in a block, and the tally so far.
struct Search<'a> {
    task: &'a Task,
    /// The block that is searched.
    block: Block,
    /// The seed of the run.
    seed: u64,
    /// The number of parts that may still be judged here.
    left: usize,
    /// The tally of all parts of the block that are done.
    tally: Tally,
}

impl Search<'_> {
    /// Returns some parts of the block, counted from 0, as a block of their own.
    fn part(&self, parts: &Range<u64>) -> Block {
        let rows = (parts.end - parts.start) * PART;
        Block { first: self.block.first + parts.start * PART, rows: rows as usize, ..self.block }
    }
}

impl BlockJudge {
    /// Has a block of triples judged on the device that makes them; in a sample of the blocks, MPFR judges one part
    /// here.
    pub(super) fn run_triples(
        &mut self,
        task: &Task,
        block: Block,
        seed: u64,
        worker: &mut dyn Worker,
    ) -> Result<Tally> {
        let mut search = Search { task, block, seed, left: PARTS, tally: Tally::default() };
        // No rows are left over: a block has 2^32, and a part 2^19.
        let parts = block.rows as u64 / PART;
        // The sampled part wanders, too: 37 is the step by which `is_sample` moves on.
        let sample = is_sample(block.number, SAMPLE).then_some(block.number / SAMPLE * 37 % parts);
        let mut rest = 0..parts;
        if let Some(at) = sample {
            // The sampled part is judged here as a whole, and the device is asked about the parts on both sides of it.
            self.search(&mut search, &(0..at), worker)?;
            let part = self.run_part(task, search.part(&(at..at + 1)), seed, worker)?;
            search.tally.add(part);
            rest.start = at + 1;
        }
        self.search(&mut search, &rest, worker)?;
        Ok(search.tally)
    }

    /// Has the device judge some parts; where something differs, searches their halves, down to single parts, which are
    /// judged here. Returns what the device said of the parts as a whole; `None` if there are none.
    ///
    /// # Errors
    /// If the driver does not run the kernel, or if the device gives other results when it is asked again.
    fn search(
        &mut self,
        search: &mut Search,
        parts: &Range<u64>,
        worker: &mut dyn Worker,
    ) -> Result<Option<Screening>> {
        let VectorSource::Lanes(variant, _) = search.task.asked else { return Ok(None) };
        if parts.is_empty() {
            return Ok(None);
        }
        let block = search.part(parts);
        let found = worker.screen(variant, block.first, block.rows, None);
        let Some(found) = found.with_context(|| broke(self.subject))? else {
            bail!(
                "the driver cannot run the kernel that judges all triples of {variant}: leave the \
                 variant out with --skip, or choose another --tier"
            );
        };
        if found.differing == 0 {
            search.tally.add(found.as_expected(block.rows));
            return Ok(Some(found));
        }
        let again = if parts.end - parts.start > 1 {
            let middle = parts.start.midpoint(parts.end);
            let halves = [parts.start..middle, middle..parts.end];
            let [one, other] = halves.map(|half| self.search(search, &half, worker));
            [one?, other?].into_iter().flatten().map(|half| half.results).fold(0, u64::wrapping_add)
        } else if search.left > 0 {
            search.left -= 1;
            let part = self.run_part(search.task, block, search.seed, worker)?;
            let unstable = part.classes.contains_key(&MismatchKind::Unstable);
            // A row that changed is counted as a mismatch already, so that the run need not end for it.
            let results = if unstable { found.results } else { part.results };
            search.tally.add(part);
            results
        } else {
            found.results
        };
        // The sum of digests of the halves has to be the digest of the whole, unless results changed in between.
        if again == found.results { Ok(Some(found)) } else { Err(self.unstable_digest(block)) }
    }
}
