//! Checks what a device says of its own results, and what it says of the same vectors again.

use anyhow::{Context, Error, Result, anyhow, bail};
use formats::{Column, column};
use implementations::unwritten::{self, PATTERNS};
use implementations::{Screening, Worker};
use judge::{Mismatch, MismatchKind, Tally};
use selection::subject::Subject;

use super::{BlockJudge, broke};
use crate::plan::Block;

impl BlockJudge {
    /// Compares what the device found about its own results with what was found about them here.
    pub(super) fn confirm(
        &mut self,
        found: Screening,
        block: Block,
        worker: &mut dyn Worker,
        tally: &mut Tally,
    ) -> Result<()> {
        // The device and this side computed digests of the same vectors. Where the results are the same, too, both
        // must agree on whether any is wrong.
        let agree = tally.results == tally.expected;
        let as_before = found.results == tally.results;
        if found.inputs != tally.inputs || as_before && agree != (found.differing == 0) {
            bail!(
                "the kernel that judges {} on the device is wrong about vectors {} to {}: this is a \
                 bug in the suite, or in the device's integer arithmetic; run with --judge mpfr, and \
                 please report it",
                self.subject,
                block.first,
                block.first + block.rows as u64 - 1
            );
        }
        if as_before {
            return Ok(());
        }
        // The results have changed between the two times. The row in which they did so is looked for.
        let Subject::Variant(variant) = self.subject else { return Ok(()) };
        self.recompute(block.first, tally, |operands, results| {
            match worker.screen(variant, block.first, block.rows, Some(results))? {
                // The results are made as they were the first time, by the device itself where it stores them.
                Some(_) => Ok(()),
                None => worker.run(variant, operands, results),
            }
        })?;
        if tally.classes.contains_key(&MismatchKind::Unstable) {
            return Ok(());
        }
        Err(self.unstable_digest(block))
    }

    /// Returns the error about a device whose digest of the results changes, though no row is found whose result does.
    pub(super) fn unstable_digest(&self, block: Block) -> Error {
        anyhow!(
            "the device gave different results of {} when vectors {} to {} were run again: its results \
             cannot be relied on",
            self.subject,
            block.first,
            block.first + block.rows as u64 - 1
        )
    }

    /// Has the same vectors computed once more; a row that is not as before is a mismatch.
    pub(super) fn recompute(
        &self,
        first: u64,
        tally: &mut Tally,
        compute: impl FnOnce(&[Column], &mut [Column]) -> Result<()>,
    ) -> Result<()> {
        let mut again = self.results.clone();
        // The copy must not keep the first results: a row that is left unwritten would look unchanged.
        unwritten::fill(&mut again, PATTERNS[0]);
        compute(&self.operands, &mut again).with_context(|| broke(self.subject))?;
        if again == self.results {
            return Ok(());
        }
        for row in 0..again[0].rows() {
            let [before, now] = [&self.results, &again].map(|of| column::row_bits(of, row));
            if before != now {
                let index = first.wrapping_add(row as u64);
                tally.mismatch(MismatchKind::Unstable, index, || Mismatch {
                    index,
                    operands: column::row_bits(&self.operands, row),
                    expected: before,
                    accepted: Vec::new(),
                    actual: now,
                    words: None,
                });
            }
        }
        Ok(())
    }
}
