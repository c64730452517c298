//! Carrying out a proof: units of work, threads, and what is kept on disk.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::Result;

use super::products::{Work, products};
use super::specials::specials;
use super::state::State;
use super::steps::{Climber, Shared, Steps};
use super::{Proven, Refutation, Subject};
use crate::progress::Progress;
use crate::run::Shard;
use crate::terminal::say;

/// Addends of a unit of work.
const ADDENDS: u32 = 64;
/// How often the state is written, at most.
const SAVED: Duration = Duration::from_secs(2);
/// One more than the largest word of a sum that is one.
const SUMS: u32 = 1 << 18;

/// How a proof is carried out.
pub struct Settings {
    /// Number of threads.
    pub jobs: usize,
    /// Which part of it.
    pub shard: Option<Shard>,
    /// Where the state is kept.
    pub directory: PathBuf,
    /// Whether to go on from there.
    pub resume: bool,
}

/// How a proof ended.
#[derive(Debug)]
pub enum Outcome {
    /// All is proven.
    Proven(Vec<Proven>),
    /// This part is done, and others are missing.
    Part,
    /// It was interrupted.
    Interrupted,
    /// It is not so.
    Refuted(Refutation),
}

/// Subjects that add alike, together.
fn groups(subjects: Vec<Subject>) -> Vec<Vec<Subject>> {
    let mut groups: Vec<Vec<Subject>> = Vec::new();
    for subject in subjects {
        match groups.iter_mut().find(|group| group[0].adds_like(&subject)) {
            Some(group) => group.push(subject),
            None => groups.push(vec![subject]),
        }
    }
    groups
}

/// The units of a group's work: the first is about what is special, each other about some addends.
fn units(subjects: &[Subject]) -> u32 {
    1 + subjects[0].data().div_ceil(ADDENDS)
}

/// Proves what there is to prove about some subjects.
///
/// # Errors
/// If the state cannot be read or written.
pub fn prove(subjects: Vec<Subject>, settings: &Settings, stop: &AtomicBool) -> Result<Outcome> {
    let groups = groups(subjects);
    let new = State::new(&groups, units, settings.shard);
    let state = if settings.resume { new.resume(&settings.directory)? } else { new };
    state.save(&settings.directory)?;
    let mine = |unit: u32| {
        settings.shard.is_none_or(|Shard { index, count }| u64::from(unit) % count == index - 1)
    };
    let left = |state: &State, group: usize| -> Vec<u32> {
        let group = &state.groups[group];
        (0..group.units).filter(|unit| mine(*unit) && !group.done.contains(unit)).collect()
    };
    let total: usize = (0..groups.len()).map(|group| left(&state, group).len()).sum();
    let progress = Progress::new("units", total as u64)?;
    let kept = Kept { state: Mutex::new((state, Instant::now())), settings, error: Mutex::new(None) };
    for (number, group) in groups.iter().enumerate() {
        let units = left(&kept.state.lock().expect("nobody panics").0, number);
        if units.is_empty() {
            continue;
        }
        if let Err(refutation) = prove_group(number, group, &units, &kept, (stop, &progress)) {
            progress.finish();
            return Ok(Outcome::Refuted(refutation));
        }
    }
    progress.finish();
    if let Some(error) = kept.error.into_inner().expect("nobody panics") {
        return Err(error);
    }
    let (state, _) = kept.state.into_inner().expect("nobody panics");
    state.save(&settings.directory)?;
    let all_mine = (0..groups.len()).all(|group| left(&state, group).is_empty());
    Ok(match state.proven() {
        Some(proven) => Outcome::Proven(proven),
        None if all_mine => Outcome::Part,
        None => Outcome::Interrupted,
    })
}

/// The state, which threads share.
struct Kept<'a> {
    state: Mutex<(State, Instant)>,
    settings: &'a Settings,
    error: Mutex<Option<anyhow::Error>>,
}

impl Kept<'_> {
    fn done(&self, group: usize, unit: u32, steps: &Steps) {
        let mut kept = self.state.lock().expect("nobody panics");
        let (state, saved) = &mut *kept;
        state.groups[group].done.insert(unit);
        state.groups[group].steps.add(steps);
        if saved.elapsed() >= SAVED {
            if let Err(error) = state.save(&self.settings.directory) {
                self.error.lock().expect("nobody panics").get_or_insert(error);
            }
            *saved = Instant::now();
        }
    }

    fn failed(&self) -> bool {
        self.error.lock().expect("nobody panics").is_some()
    }
}

fn prove_group(
    number: usize,
    subjects: &[Subject],
    units: &[u32],
    kept: &Kept<'_>,
    (stop, progress): (&AtomicBool, &Progress),
) -> Result<(), Refutation> {
    let Some(lists) = shared(subjects, (kept.settings.jobs, stop))? else { return Ok(()) };
    {
        let group = &mut kept.state.lock().expect("nobody panics").0.groups[number];
        let of = |subject: usize| lists.iter().filter(move |shared| shared.subjects.contains(&subject));
        group.products = (0..subjects.len())
            .map(|subject| of(subject).map(|shared| shared.list.len() as u64).sum())
            .collect();
        let weights = of(0).map(|shared| shared.list.weights[shared.list.len()]);
        group.pairs = weights.fold(0, u64::wrapping_add);
    }
    let ends: Vec<Vec<u16>> = subjects
        .iter()
        .map(|subject| (0..SUMS).map(|sum| subject.machine.end(sum) as u16).collect())
        .collect();
    let next = AtomicUsize::new(0);
    let data = subjects[0].data();
    let refuted = AtomicBool::new(false);
    let work = || {
        let mut climber = Climber::new(subjects, &lists, &ends);
        while let Some(&unit) = units.get(next.fetch_add(1, Relaxed)) {
            if stop.load(Relaxed) || refuted.load(Relaxed) || kept.failed() {
                break;
            }
            let steps = match unit.checked_sub(1) {
                None => {
                    let mut each = subjects.iter().zip(&ends).enumerate();
                    each.try_for_each(|(at, (subject, ends))| specials(subject, at, &lists, ends, stop))
                        .map(|()| Steps::none(subjects.len()))
                }
                Some(block) => climber.climb(block * ADDENDS..data.min((block + 1) * ADDENDS)),
            };
            let steps = steps.inspect_err(|_| refuted.store(true, Relaxed))?;
            // What is special may have been broken off.
            if unit > 0 || !stop.load(Relaxed) {
                kept.done(number, unit, &steps);
                progress.advance(1);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..kept.settings.jobs).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("a thread of the proof"))
    })
}

/// The products of subjects that add alike, each list once; `None` if that was broken off.
fn shared(subjects: &[Subject], work: Work<'_>) -> Result<Option<Vec<Shared>>, Refutation> {
    let mut all: Vec<Shared> = Vec::new();
    let mut known: Vec<usize> = Vec::new();
    for (number, subject) in subjects.iter().enumerate() {
        if let Some(&like) = known.iter().find(|&&like| subjects[like].multiplies_like(subject)) {
            let theirs = all.iter_mut().filter(|shared| shared.subjects.contains(&like));
            theirs.for_each(|shared| shared.subjects.push(number));
            continue;
        }
        known.push(number);
        say(&format!("Multiplying all pairs of factors of {}.", subject.name));
        let Some(lists) = products(subject, work)? else { return Ok(None) };
        for list in lists {
            match all.iter_mut().find(|shared| shared.list == list) {
                Some(shared) => shared.subjects.push(number),
                None => all.push(Shared { list, subjects: vec![number] }),
            }
        }
    }
    Ok(Some(all))
}
