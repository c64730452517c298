//! A run's progress on disk, so that a run that was killed can go on.

mod damage;
mod identity;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use base::store::{self, Purpose, Stamp, StoreContent, StoreRefusal};
use judge::{Mismatch, MismatchKind, Tally};
use serde::{Deserialize, Serialize};

pub use identity::RunIdentity;

/// Version of the form of state files, which changes when their meaning does.
const VERSION: u32 = 6;

/// The progress of a run: what has been done of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The place in the plan's order before which every block is done.
    pub before: usize,
    /// The places beyond `before` whose blocks are done, too.
    pub beyond: BTreeSet<usize>,
    /// The sum of the tallies of each task's blocks.
    pub tallies: Vec<Tally>,
    /// Running time so far, in seconds.
    pub seconds: f64,
    /// The number of times that the run was taken up again.
    pub resumed: u64,
    /// The digests of the results of a shard's control vectors ([`super::control`]); empty before they have been run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub control: Vec<u64>,
    /// The mismatches that were answered otherwise when a finished shard's first mismatches were tried again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub departures: Vec<Departure>,
}

/// A mismatch that was another one when it was tried again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    /// The number of the mismatch's task in the plan.
    pub task: usize,
    /// The way in which the answers depart.
    pub kind: MismatchKind,
    /// The mismatch, with the answer that came at first, and the one that came then.
    pub mismatch: Mismatch,
}

impl Progress {
    /// Creates the progress of a plan of `tasks` tasks of which nothing is done yet.
    pub fn new(tasks: usize) -> Progress {
        Progress {
            before: 0,
            beyond: BTreeSet::new(),
            tallies: vec![Tally::default(); tasks],
            seconds: 0.0,
            resumed: 0,
            control: Vec::new(),
            departures: Vec::new(),
        }
    }

    /// Whether the block at this place is done.
    pub fn has(&self, place: usize) -> bool {
        place < self.before || self.beyond.contains(&place)
    }

    /// Marks the block at `place` as done; the block belongs to `task` and added up to `tally`.
    pub fn finish(&mut self, place: usize, task: usize, tally: Tally) {
        self.tallies[task].add(tally);
        self.beyond.insert(place);
        // Only blocks behind a gap are kept one by one.
        while self.beyond.remove(&self.before) {
            self.before += 1;
        }
    }

    /// Counts departures, which are mismatches that were others when they were tried again.
    pub fn count_departures(&mut self, departures: impl IntoIterator<Item = Departure>) {
        for Departure { task, kind, mismatch } in departures {
            self.tallies[task].mismatch(kind, mismatch.index, || mismatch);
        }
    }

    /// Returns the number of vectors asked so far.
    pub fn asked(&self) -> u64 {
        self.tallies.iter().map(Tally::asked).sum()
    }

    /// Returns the number of mismatches found so far.
    pub fn mismatches(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.mismatches).sum()
    }
}

/// The contents of a state file.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct State<I, P> {
    identity: I,
    progress: P,
}

impl StoreContent for State<RunIdentity, Progress> {
    const FORM: u32 = VERSION;
    /// The largest size of a state file: that of a report, which says the same in more words.
    const LARGEST: u64 = reports::store::LARGEST;

    fn stamp(json: &[u8]) -> Option<Stamp> {
        store::stamp_of_identity(json)
    }
}

/// Writes the state file, whole or not at all.
pub fn save(path: &Path, identity: &RunIdentity, progress: &Progress) -> Result<()> {
    store::save(path, &State { identity, progress }).context("the state of the run is not on disk")
}

/// Returns the contents of a state file as JSON.
pub fn to_json(identity: &RunIdentity, progress: &Progress) -> Result<Vec<u8>> {
    Ok(serde_json::to_vec(&State { identity, progress })?)
}

/// Reads the state file of an earlier part of the run that `identity` describes.
///
/// # Errors
/// If there is no such file, if it is damaged, or if it belongs to another run.
pub fn load(path: &Path, identity: &RunIdentity) -> Result<Progress> {
    let progress = store::load(path).and_then(|state| of_run(state, identity));
    progress.map_err(|refusal| refusal.to_error(path, Purpose::Resume))
}

/// Reads the contents `json` of the state file at `path`.
///
/// # Errors
/// If another version of the suite wrote it, in another form; if it is damaged; or if it belongs to another
/// run than the one that `identity` describes.
pub fn from_json(json: &[u8], path: &Path, identity: &RunIdentity) -> Result<Progress> {
    let progress = store::parsed(json).and_then(|state| of_run(state, identity));
    progress.map_err(|refusal| refusal.to_error(path, Purpose::Resume))
}

/// Reads the state file of any run, and returns the identity of that run with its progress.
///
/// # Errors
/// As [`load`], but a state of any run is accepted.
pub fn open(path: &Path) -> Result<(RunIdentity, Progress)> {
    let state = store::load(path).and_then(|state: State<RunIdentity, Progress>| {
        let defined = state.identity.define_formats();
        defined.map_err(|error| StoreRefusal::Damaged(error.to_string()))?;
        undamaged(state)
    });
    let State { identity, progress } =
        state.map_err(|refusal| refusal.to_error(path, Purpose::Merge))?;
    Ok((identity, progress))
}

/// Returns the progress of a state, if the state is undamaged and of the run that `identity` describes.
fn of_run(
    state: State<RunIdentity, Progress>,
    identity: &RunIdentity,
) -> Result<Progress, StoreRefusal> {
    match identity.difference(&state.identity) {
        Some(difference) => Err(StoreRefusal::OfAnother { job: "run", difference }),
        None => Ok(undamaged(state)?.progress),
    }
}

/// Returns the state, if it can be what was done of its plan.
fn undamaged(state: State<RunIdentity, Progress>) -> Result<State<RunIdentity, Progress>, StoreRefusal> {
    match state.progress.damage(&state.identity) {
        Some(damage) => Err(StoreRefusal::Damaged(damage.into())),
        None => Ok(state),
    }
}

#[cfg(test)]
mod tests;
