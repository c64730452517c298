//! The inquiry that all questions of one run have in common: who is asked, about which targets, in which versions of
//! PTX.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use isa::{PtxVersion, Target, sm};
use ptx::VersionHistory;

use super::assembler::{Assembler, Verdicts};
use super::{Disagreement, Explanation};

/// The sampling of a reduced run: it asks about one in so many of the spellings one step from a form.
pub const SAMPLING: usize = 10;

/// A request for a run: what to ask, and how.
pub struct LegalityRequest {
    /// The patterns of forms to ask about, and about what is one step from these forms; all forms if there are none.
    pub only: Vec<String>,
    /// Whether to ask on few targets only, and about a sample of what is illegal.
    pub reduced: bool,
    /// The number of assemblers at work at a time.
    pub jobs: usize,
    /// The flag that breaks the run off when it is set.
    pub stop: &'static AtomicBool,
}

/// A target, with the version of PTX that brought it.
pub type DatedTarget = (Target, PtxVersion);

/// A run against one assembler: what all of its questions have in common.
pub struct Inquiry<'a> {
    /// The assembler that is asked.
    pub assembler: &'a Assembler,
    /// The request that the run carries out.
    pub request: &'a LegalityRequest,
    /// The directory where modules may be written.
    pub directory: &'a Path,
    /// The versions that the assembler knows.
    pub calendar: VersionHistory,
    /// The targets to ask about.
    pub targets: Vec<DatedTarget>,
}

impl Inquiry<'_> {
    /// Returns the sampling: one in so many of the spellings one step from a form is asked about.
    pub fn sampling(&self) -> usize {
        if self.request.reduced { SAMPLING } else { 1 }
    }

    /// Whether the list of known disagreements is tested. Under `--only` the list is used but not tested, because it
    /// is about everything.
    pub fn checks_explanations(&self) -> bool {
        self.request.only.is_empty() && self.calendar.is_full()
    }

    /// Returns the targets to ask about: in a reduced run, those of a sample.
    pub fn targets(&self, is_in_sample: impl Fn(Target) -> bool) -> Vec<DatedTarget> {
        let wanted = |(target, _): &DatedTarget| !self.request.reduced || is_in_sample(*target);
        self.targets.iter().copied().filter(wanted).collect()
    }
}

/// Returns the targets without their versions.
pub fn names(targets: &[DatedTarget]) -> Vec<Target> {
    targets.iter().map(|&(target, _)| target).collect()
}

/// The answers about one of the two tables, of lanes or of matrix instructions, compared with that table.
#[derive(Default)]
pub struct TableAnswers {
    pub instructions: usize,
    pub legal: usize,
    pub verdicts: u64,
    pub disagreements: Vec<Disagreement>,
    pub explanations: Vec<Explanation>,
}

/// Returns the versions of PTX that the assembler knows.
pub fn calendar(assembler: &Assembler, directory: &Path) -> Result<VersionHistory> {
    VersionHistory::until(|ptx| accepts(assembler, directory, sm(80), ptx))?
        .context("ptxas knows no version of PTX that the table has: use ptxas 12 or later")
}

/// Whether the assembler reads modules for a target in a version at all.
pub fn accepts(
    assembler: &Assembler,
    directory: &Path,
    target: Target,
    ptx: PtxVersion,
) -> Result<bool> {
    let verdicts = assembler.judge(&directory.join("probe.ptx"), (target, ptx), &[])?;
    Ok(matches!(verdicts, Verdicts::Each(_)))
}
