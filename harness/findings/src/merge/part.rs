//! Reads one part of a run from its directory, and compares it with others.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use implementations::Support;
use judge::Tally;
use reports::{AnyReport, Report, total};
use runner::{Plan, Progress, RunIdentity, STATE_FILE, control, state};
use selection::Shard;

use super::absent_implementation::{described, unsupported_variants};

/// A part of a run: what it was, what it did, and what it reported.
pub struct RunPart {
    pub directory: PathBuf,
    pub identity: RunIdentity,
    pub shard: Shard,
    pub progress: Progress,
    pub report: Report,
    /// The variants that the part could not begin with, each with the support that it has.
    pub without: HashMap<String, Support>,
}

impl RunPart {
    /// Reads the part of a run that a directory holds.
    ///
    /// # Errors
    /// If the directory has no state and report of one part, undamaged.
    pub fn read(directory: &Path) -> Result<RunPart> {
        let shown = directory.display();
        let path = directory.join(STATE_FILE);
        ensure!(
            path.exists(),
            "{shown} has no {STATE_FILE}: name a DIR that `conformance --shard I/N --out DIR` has \
             written"
        );
        let (identity, progress) = state::open(&path)?;
        let Some(shard) = identity.shard() else {
            bail!("{shown} is a whole run that was broken off, not a part: continue it with --resume")
        };
        let path = directory.join("report.json");
        let report = match reports::load_any(&path).with_context(|| {
            format!("the report of part {} of {} in {shown} cannot be read", shard.index, shard.count)
        })? {
            AnyReport::Implementation(report) => *report,
            AnyReport::Compiler(_) => bail!(
                "{} is the report of a compiler, and only parts of a run can be merged",
                path.display()
            ),
        };
        // A part that was killed after it had been resumed has a report that is older than its state.
        let sum = |count: fn(&Tally) -> u64| total(progress.tallies.iter().map(count));
        let mismatches = sum(|tally| tally.mismatches).saturating_add(progress.departures.len() as u64);
        let is_older = report.totals.vectors <= sum(|tally| tally.vectors);
        ensure!(
            identity.is_of(&report, &described(&report))
                && is_older
                && report.totals.mismatches <= mismatches,
            "{shown} has the state of one run and the report of another: run that part again"
        );
        let without = unsupported_variants(&identity, &report);
        Ok(RunPart { directory: directory.to_owned(), identity, shard, progress, report, without })
    }

    /// Returns the part without its tallies: as much as other parts are compared with.
    pub fn summary(&self) -> RunPart {
        RunPart {
            directory: self.directory.clone(),
            identity: self.identity.clone(),
            shard: self.shard,
            progress: Progress { control: self.progress.control.clone(), ..Progress::new(0) },
            report: self.report.clone(),
            without: self.without.clone(),
        }
    }

    /// Returns in words a variant for which another part found other support, if there is one; the two are then of
    /// two implementations.
    pub fn unlike_support(&self, other: &RunPart) -> Option<String> {
        let (here, there) = (&self.without, &other.without);
        let names = here.keys().chain(there.keys());
        let name = names.filter(|name| here.get(*name) != there.get(*name)).min()?;
        Some(format!("only one of them has {}", reports::printable(name)))
    }

    /// Returns a variant whose control vectors have other results in another part, if there is one.
    pub fn unlike_control(&self, other: &RunPart) -> Option<String> {
        let (here, there) = (&self.progress.control, &other.progress.control);
        let place = match here.len() == there.len() {
            true => here.iter().zip(there).position(|(here, there)| here != there)?,
            false => 0,
        };
        Some(reports::printable(self.identity.task(place * control::step(self.identity.tasks()))?))
    }

    /// Returns how many blocks of the part's share of a plan are done, and how many there are.
    ///
    /// # Errors
    /// If the part has not the control vectors of its plan, or counts other vectors than its blocks have.
    pub fn blocks(&self, plan: &Plan) -> Result<(usize, usize)> {
        let tasks = plan.tasks.len();
        ensure!(
            self.progress.control.len() == tasks.div_ceil(control::step(tasks)),
            "{} is damaged: its control vectors are not those of its plan",
            self.directory.join(STATE_FILE).display()
        );
        let planned = plan.blocks().len();
        let Progress { before, beyond, tallies, .. } = &self.progress;
        // All places in `beyond` are above `before`: a state in which they are not is refused when it is read.
        let done = before.saturating_add(beyond.len());
        let mut vectors = plan.vectors_per_task().into_iter().zip(tallies);
        let fits = match done >= planned {
            true => vectors.all(|(vectors, tally)| tally.asked() == vectors),
            false => vectors.all(|(vectors, tally)| tally.asked() <= vectors),
        };
        ensure!(
            done <= planned && fits,
            "{} is damaged: its counts do not fit part {} of {}",
            self.directory.join(STATE_FILE).display(),
            self.shard.index,
            self.shard.count
        );
        Ok((done, planned))
    }
}
