//! A run's progress on disk, so that a run that was killed can go on.

mod damage;
mod identity;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base::sealed::{opened, sealed};
use judge::{Mismatch, MismatchKind, Tally};
use serde::{Deserialize, Serialize};

pub use identity::Identity;

/// Changes when the meaning of a state file does.
const VERSION: u32 = 6;

/// What has been done of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// Every block whose place in the plan's order is lower is done …
    pub before: usize,
    /// … and so are the blocks at these places.
    pub beyond: BTreeSet<usize>,
    /// What each task's blocks added up to.
    pub tallies: Vec<Tally>,
    /// Seconds of running so far.
    pub seconds: f64,
    /// How often the run was taken up again.
    pub resumed: u64,
    /// What came of a shard's control vectors ([`super::control`]); nothing before it has run them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub control: Vec<u64>,
    /// What answered otherwise when a finished shard's first mismatches were tried again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub departures: Vec<Departure>,
}

/// A mismatch that was another one when it was tried again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    /// The number of its task in the plan.
    pub task: usize,
    /// How its answers depart.
    pub kind: MismatchKind,
    /// What came at first, and what came then.
    pub mismatch: Mismatch,
}

impl Progress {
    /// Nothing done yet of a plan of `tasks` tasks.
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

    /// Marks the block at `place` done; it belongs to `task` and added up to `tally`.
    pub fn finish(&mut self, place: usize, task: usize, tally: Tally) {
        self.tallies[task].add(tally);
        self.beyond.insert(place);
        while self.beyond.remove(&self.before) {
            self.before += 1;
        }
    }

    /// Counts mismatches that were others when they were tried again.
    pub fn depart(&mut self, departures: impl IntoIterator<Item = Departure>) {
        for Departure { task, kind, mismatch } in departures {
            self.tallies[task].mismatch(kind, mismatch.index, || mismatch);
        }
    }

    /// Vectors asked so far.
    pub fn asked(&self) -> u64 {
        self.tallies.iter().map(Tally::asked).sum()
    }

    /// Mismatches found so far.
    pub fn mismatches(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.mismatches).sum()
    }
}

/// A state file is at most so large, in MiB, as a report is, which says the same in more words.
const LARGEST: u64 = reports::store::LARGEST;

/// What a state file holds.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct State<I, P> {
    identity: I,
    progress: P,
}

/// Writes the state file, whole or not at all.
pub fn save(path: &Path, identity: &Identity, progress: &Progress) -> Result<()> {
    let json = sealed(to_json(identity, progress)?);
    reports::store::write_atomically(path, &json).context("the state of the run is not on disk")
}

/// What a state file holds, as its text.
pub fn to_json(identity: &Identity, progress: &Progress) -> Result<Vec<u8>> {
    Ok(serde_json::to_vec(&State { identity, progress })?)
}

/// Reads the state file of an earlier part of the run that `identity` describes.
///
/// # Errors
/// If there is none, if it is damaged, or if it belongs to another run.
pub fn load(path: &Path, identity: &Identity) -> Result<Progress> {
    let shown = path.display();
    let json = match reports::read_at_most(path, LARGEST) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            bail!("there is nothing to resume: {shown} does not exist; run without --resume")
        }
        other => other.with_context(|| format!("{shown} could not be read"))?,
    };
    let Some(json) = opened(json) else {
        bail!(
            "{shown} is damaged: it is not what was written, or from another version; run without --resume"
        );
    };
    from_json(&json, path, identity)
}

/// Of a state file of any form: which it has, and who wrote it.
#[derive(Deserialize)]
struct Form {
    version: u32,
    suite: String,
}

/// A state file of any form, read before all else, because others may have other fields.
#[derive(Deserialize)]
struct OfAnyForm {
    identity: Form,
}

/// Reads what a state file at `path` holds.
///
/// # Errors
/// If another version of the suite wrote it, in another form; if it is damaged; or if it belongs to another
/// run than the one that `identity` describes.
pub fn from_json(json: &[u8], path: &Path, identity: &Identity) -> Result<Progress> {
    let shown = path.display();
    let state = parsed(json, path, "go on with the build that wrote it, or run without --resume")?;
    if let Some(difference) = identity.difference(&state.identity) {
        let difference = reports::printable(&difference);
        bail!(
            "{shown} belongs to another run: {difference}; give the same arguments, another --out, \
             or run without --resume"
        );
    }
    match state.progress.damage(&identity.tasks) {
        Some(damage) => bail!("{shown} is damaged: {damage}; run without --resume"),
        None => Ok(state.progress),
    }
}

/// Reads the state file of any run, which says itself of which.
///
/// # Errors
/// As [`load`], but for other runs.
pub fn open(path: &Path) -> Result<(Identity, Progress)> {
    let shown = path.display();
    let json = reports::read_at_most(path, LARGEST);
    let json = opened(json.with_context(|| format!("{shown} could not be read"))?);
    let json = json.with_context(|| format!("{shown} is damaged: it is not what was written"))?;
    let state = parsed(&json, path, "merge with the build that wrote it")?;
    match state.progress.damage(&state.identity.tasks) {
        Some(damage) => bail!("{shown} is damaged: {damage}; run that part again"),
        None => Ok((state.identity, state.progress)),
    }
}

/// What a state file at `path` holds, if it has the form of this version; `else_do` is what to do where not.
fn parsed(json: &[u8], path: &Path, else_do: &str) -> Result<State<Identity, Progress>> {
    let shown = path.display();
    if let Ok(OfAnyForm { identity: Form { version, suite } }) = serde_json::from_slice(json)
        && version != VERSION
    {
        bail!(
            "{shown} was written by another version of the suite: by {}, in form {version}, and this one, \
             {}, reads form {VERSION}; {else_do}",
            reports::printable(&suite),
            env!("CARGO_PKG_VERSION")
        );
    }
    serde_json::from_slice(json).map_err(|error| {
        let error = reports::printable(&error.to_string());
        anyhow::anyhow!("{shown} is damaged or from another version ({error}); {else_do}")
    })
}

#[cfg(test)]
mod tests;
