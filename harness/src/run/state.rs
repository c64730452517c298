//! A run's progress on disk, so that a run that was killed can go on.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use judge::{Mismatch, Tally};
use serde::{Deserialize, Serialize};
use vectors::RowBits;
use vectors::limits::ELEMENTS_MAX;
use xxhash_rust::xxh3::xxh3_64;

use super::plan::Plan;
use super::request::{Judging, Shard};
use crate::implementation::Description;
use crate::sealed::{opened, sealed};
use crate::subject::Subject;

/// Changes when the meaning of a state file does.
const VERSION: u32 = 6;

/// What a run must share with the one it goes on from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    version: u32,
    suite: String,
    /// Digest of the program: what another one did is not to be continued.
    program: String,
    implementation: String,
    tier: String,
    seed: u64,
    only: Vec<String>,
    skip: Vec<String>,
    target: Option<String>,
    model: Option<String>,
    shard: Option<Shard>,
    judging: Judging,
    /// Variant, sweep and number of vectors of each task.
    tasks: Vec<(String, String, u64)>,
}

impl Identity {
    /// The identity of a plan for an implementation.
    pub fn of(plan: &Plan, implementation: &Description) -> Identity {
        // The details are of a moment.
        let Description { name, version, device, driver, details: _ } = implementation;
        let parts = [Some(name), Some(version), device.as_ref(), driver.as_ref()];
        let implementation: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        let request = &plan.request;
        let texts = |task: &super::plan::Task| {
            (task.subject().id().to_owned(), task.asked.sweep().to_owned(), task.vectors)
        };
        Identity {
            version: VERSION,
            suite: env!("CARGO_PKG_VERSION").into(),
            program: program(),
            implementation: implementation.join(" "),
            tier: request.tier.name().into(),
            seed: request.seed,
            only: request.only.clone(),
            skip: request.skip.clone(),
            target: request.target.map(|target| target.to_string()),
            model: request.model.map(|target| target.to_string()),
            shard: request.shard,
            judging: request.judging,
            tasks: plan.tasks.iter().map(texts).collect(),
        }
    }

    /// In what the two differ, if they do.
    fn difference(&self, other: &Identity) -> Option<String> {
        let seed = |identity: &Identity| format!("{:#x}", identity.seed);
        let shard = |identity: &Identity| match identity.shard {
            Some(Shard { index, count }) => format!("{index}/{count}"),
            None => "none".into(),
        };
        let judging = |identity: &Identity| format!("{:?}", identity.judging).to_lowercase();
        let or_none = |target: &Option<String>| target.clone().unwrap_or("none".into());
        let fields = [
            ("suite version", self.suite.clone(), other.suite.clone()),
            ("program", self.program.clone(), other.program.clone()),
            ("--impl", self.implementation.clone(), other.implementation.clone()),
            ("--tier", self.tier.clone(), other.tier.clone()),
            ("--seed", seed(self), seed(other)),
            ("--only", self.only.join(" "), other.only.join(" ")),
            ("--skip", self.skip.join(" "), other.skip.join(" ")),
            ("--target", or_none(&self.target), or_none(&other.target)),
            ("--model", or_none(&self.model), or_none(&other.model)),
            ("--shard", shard(self), shard(other)),
            ("--judge", judging(self), judging(other)),
        ];
        let differing = fields.into_iter().find(|(_, mine, theirs)| mine != theirs);
        differing
            .map(|(name, mine, theirs)| format!("its {name} is `{theirs}`, this run's `{mine}`"))
            .or_else(|| (self != other).then(|| "its instruction table or budget is another".into()))
    }
}

/// Digest of this program's file; where it cannot be read, all programs are alike.
fn program() -> String {
    let file = std::env::current_exe().and_then(std::fs::read);
    file.map_or_else(|_| "unknown".into(), |bytes| format!("{:#018x}", xxh3_64(&bytes)))
}

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
}

impl Progress {
    /// Nothing done yet of a plan of `tasks` tasks.
    pub fn new(tasks: usize) -> Progress {
        let tallies = vec![Tally::default(); tasks];
        Progress { before: 0, beyond: BTreeSet::new(), tallies, seconds: 0.0, resumed: 0 }
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
    if let Ok(OfAnyForm { identity: Form { version, suite } }) = serde_json::from_slice(json)
        && version != VERSION
    {
        bail!(
            "{shown} was written by another version of the suite: by {}, in form {version}, and this one, \
             {}, reads form {VERSION}; go on with the build that wrote it, or run without --resume",
            reports::printable(&suite),
            identity.suite
        );
    }
    let state: State<Identity, Progress> = serde_json::from_slice(json).map_err(|error| {
        let error = reports::printable(&error.to_string());
        anyhow::anyhow!("{shown} is damaged or from another version ({error}); run without --resume")
    })?;
    if let Some(difference) = identity.difference(&state.identity) {
        let difference = reports::printable(&difference);
        bail!(
            "{shown} belongs to another run: {difference}; give the same arguments, another --out, \
             or run without --resume"
        );
    }
    let Progress { tallies, .. } = &state.progress;
    if tallies.len() != identity.tasks.len() {
        bail!("{shown} is damaged: it has another number of tasks than its plan; run without --resume");
    }
    if !tallies.iter().zip(&identity.tasks).all(|(tally, (.., vectors))| is_possible(tally, *vectors)) {
        bail!("{shown} is damaged: it counts more vectors than its plan has; run without --resume");
    }
    let is_of = |(tally, (name, ..)): (&Tally, &(String, String, u64))| {
        Subject::named(name).is_ok_and(|subject| has_vectors_of(tally, subject))
    };
    if !tallies.iter().zip(&identity.tasks).all(is_of) {
        bail!("{shown} is damaged: it has a vector that is none of its variant; run without --resume");
    }
    Ok(state.progress)
}

/// Whether the vectors that a tally keeps have the registers of a subject, and no bits beyond those.
fn has_vectors_of(tally: &Tally, subject: Subject) -> bool {
    let fit = |widths: &[usize], bits: &[RowBits]| {
        let mut each = widths.iter().zip(bits);
        widths.len() == bits.len() && each.all(|(width, bits)| bits.fits(*width))
    };
    let operand_widths: Vec<usize> =
        subject.operand_names().into_iter().map(|(_, row_bytes)| row_bytes).collect();
    let result_widths = subject.result_bytes();
    let worst = tally.errors.values().filter_map(|errors| errors.worst.as_ref());
    let firsts = tally.firsts.values().flat_map(|firsts| firsts.values());
    let firsts = firsts.chain(tally.meetings.values().map(|meeting| &meeting.first));
    let mut examples = tally.classes.values().flat_map(|class| &class.examples).chain(firsts);
    worst.into_iter().all(|worst| fit(&operand_widths, &worst.operands))
        && examples.all(|Mismatch { operands, expected, actual, .. }| {
            fit(&operand_widths, operands)
                && fit(&result_widths, expected)
                && (actual.is_empty() || fit(&result_widths, actual))
        })
}

/// Whether so many vectors can have added up to a tally, in which each counts at most once for a lane.
fn is_possible(tally: &Tally, vectors: u64) -> bool {
    let Tally { mismatches, confirmed, on_device, answers, meetings, errors, classes, .. } = tally;
    let answers = answers.values().flat_map(|answers| answers.values());
    let answers = answers.chain(meetings.values().map(|meeting| &meeting.count));
    let errors = errors.values().flat_map(|errors| &errors.histogram);
    let classes = classes.values().map(|class| &class.count);
    let mut counts =
        [mismatches, confirmed, on_device].into_iter().chain(answers).chain(errors).chain(classes);
    let asked = tally.vectors.checked_add(tally.unanswered);
    asked.is_some_and(|asked| asked <= vectors)
        && counts.all(|count| *count <= vectors.saturating_mul(ELEMENTS_MAX as u64))
}

#[cfg(test)]
mod tests;
