//! A run's progress on disk, so that a run that was killed can go on.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::LazyLock;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use judge::{Mismatch, MismatchKind, Tally};
use reports::Report;
use serde::{Deserialize, Serialize};
use vectors::RowBits;
use vectors::digests::triples;
use vectors::isa::Target;
use vectors::limits::ELEMENTS_MAX;

use super::plan::Plan;
use super::request::{Judging, Request, Shard};
use crate::budget::Tier;
use crate::implementation::Description;
use crate::sealed::{digest_of, opened, sealed};
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
    /// How many vectors of a sweep the implementation can be given at most, where it is slow.
    vectors_max: Option<u64>,
}

impl Identity {
    /// The identity of a plan for an implementation.
    pub fn of(plan: &Plan, implementation: &Description) -> Identity {
        let request = &plan.request;
        let texts = |task: &super::plan::Task| {
            (task.subject().id().to_owned(), task.asked.sweep().to_owned(), task.vectors)
        };
        Identity {
            version: VERSION,
            suite: env!("CARGO_PKG_VERSION").into(),
            program: program(),
            implementation: joined(implementation),
            tier: request.tier.name().into(),
            seed: request.seed,
            only: request.only.clone(),
            skip: request.skip.clone(),
            target: request.target.map(|target| target.to_string()),
            model: request.model.map(|target| target.to_string()),
            shard: request.shard,
            judging: request.judging,
            tasks: plan.tasks.iter().map(texts).collect(),
            vectors_max: plan.vectors_max,
        }
    }

    /// The part that it is of, if it is of one.
    pub fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// How many vectors of a sweep the implementation can be given at most.
    pub fn vectors_max(&self) -> Option<u64> {
        self.vectors_max
    }

    /// Of how many tasks the plan is.
    pub fn tasks(&self) -> usize {
        self.tasks.len()
    }

    /// Whose vectors a task of the plan has.
    pub fn task(&self, number: usize) -> Option<&str> {
        self.tasks.get(number).map(|(subject, ..)| &**subject)
    }

    /// Whether all triples of a variant are in it.
    pub fn has_triples(&self, variant: &str) -> bool {
        self.tasks.iter().any(|(subject, _, vectors)| subject == variant && *vectors == triples::ALL)
    }

    /// The variants that the plan has vectors of.
    pub fn subjects(&self) -> HashSet<&str> {
        self.tasks.iter().map(|(subject, ..)| &**subject).collect()
    }

    /// What was asked for, parts aside.
    ///
    /// # Errors
    /// If it is none that this suite knows.
    pub fn whole(&self) -> Result<Request> {
        let target = |target: &Option<String>| -> Result<Option<Target>> {
            target.as_ref().map(|text| text.parse().map_err(anyhow::Error::msg)).transpose()
        };
        Ok(Request {
            tier: Tier::from_str(&self.tier, false).map_err(anyhow::Error::msg)?,
            seed: self.seed,
            only: self.only.clone(),
            skip: self.skip.clone(),
            target: target(&self.target)?,
            model: target(&self.model)?,
            shard: None,
            judging: self.judging,
        })
    }

    /// In what it is another than that of a plan for an implementation, parts and program aside.
    pub fn departs(&self, plan: &Plan, implementation: &Description) -> Option<String> {
        let here = Identity { program: self.program.clone(), ..Identity::of(plan, implementation) };
        here.difference(&Identity { shard: None, ..self.clone() })
    }

    /// In what it is not of the same run as another part.
    pub fn difference_of_parts(&self, other: &Identity) -> Option<String> {
        let count = |identity: &Identity| identity.shard.map_or(1, |shard| shard.count);
        if count(self) != count(other) {
            return Some(format!("one has {} parts, the other {}", count(self), count(other)));
        }
        let (name, mine, theirs) = self.differing(&Identity { shard: self.shard, ..other.clone() })?;
        Some(format!("{name} is `{mine}` of one and `{theirs}` of the other"))
    }

    /// Whether a report may be of it.
    pub fn is_of(&self, report: &Report, implementation: &Description) -> bool {
        let shard = report.plan.shard.map(|of| Shard { index: of.index, count: of.count });
        (self.shard, &self.tier, &*self.implementation)
            == (shard, &report.plan.tier, &*joined(implementation))
            && report.plan.seed == format!("{:#x}", self.seed)
            && (&self.only, &self.skip) == (&report.plan.only, &report.plan.skip)
    }

    /// In what the two differ, if they do: its name, and what it is here and there.
    fn differing(&self, other: &Identity) -> Option<(&'static str, String, String)> {
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
        let named = fields.into_iter().find(|(_, mine, theirs)| mine != theirs);
        let unnamed = || ("instruction table or budget", "one".into(), "another".into());
        named.or_else(|| (self != other).then(unnamed))
    }

    /// In what another differs, if it does.
    fn difference(&self, other: &Identity) -> Option<String> {
        let (name, mine, theirs) = self.differing(other)?;
        Some(match &*theirs {
            "another" => format!("its {name} is another"),
            _ => format!("its {name} is `{theirs}`, this run's `{mine}`"),
        })
    }
}

/// Who an implementation is. The details are of a moment.
fn joined(implementation: &Description) -> String {
    let Description { name, version, device, driver, details: _ } = implementation;
    let parts = [Some(name), Some(version), device.as_ref(), driver.as_ref()];
    parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Digest of this program's file; where it cannot be read, all programs are alike.
pub(crate) fn program() -> String {
    static DIGEST: LazyLock<String> = LazyLock::new(|| {
        let digest = std::env::current_exe().and_then(|file| digest_of(&file));
        digest.map_or_else(|_| "unknown".into(), |digest| format!("{digest:#018x}"))
    });
    DIGEST.clone()
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

impl Progress {
    /// Why it cannot be what was done of a plan with these tasks, if it cannot.
    fn damage(&self, tasks: &[(String, String, u64)]) -> Option<&'static str> {
        let of = |task: &(String, String, u64)| Subject::named(&task.0).ok();
        let each = || self.tallies.iter().zip(tasks);
        let departs = |Departure { task, mismatch, .. }: &Departure| {
            let subject = tasks.get(*task).and_then(of);
            subject.is_some_and(|subject| has_vectors_of(&Tally::default(), subject, Some(mismatch)))
        };
        match () {
            () if self.tallies.len() != tasks.len() => {
                Some("it has another number of tasks than its plan")
            }
            () if !each().all(|(tally, (.., vectors))| is_possible(tally, *vectors)) => {
                Some("it counts more vectors than its plan has")
            }
            () if !each().all(|(tally, task)| {
                of(task).is_some_and(|subject| has_vectors_of(tally, subject, None))
            }) || !self.departures.iter().all(departs) =>
            {
                Some("it has a vector that is none of its variant")
            }
            () => None,
        }
    }
}

/// Whether the vectors that a tally keeps, and one more, have the registers of a subject, and no bits beyond those.
fn has_vectors_of(tally: &Tally, subject: Subject, more: Option<&Mismatch>) -> bool {
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
    let mut examples =
        tally.classes.values().flat_map(|class| &class.examples).chain(firsts).chain(more);
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
