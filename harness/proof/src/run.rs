//! Carrying out a proof: threads, and what is kept on disk.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::{Duration, Instant};

use anyhow::Result;
use base::progress::Progress;
use base::terminal::say;
use prover::triples::{Group, Refutation, Subject};
use selection::Shard;

use super::Proven;
use super::state::State;

/// How often the state is written, at most.
const SAVED: Duration = Duration::from_secs(2);

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

/// Proves what there is to prove about some subjects.
///
/// # Errors
/// If the state cannot be read or written.
pub fn prove(subjects: Vec<Subject>, settings: &Settings, stop: &AtomicBool) -> Result<Outcome> {
    let groups = Group::all(subjects);
    let new = State::new(&groups, settings.shard);
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
    fn done(&self, group: usize, unit: u32, steps: &prover::triples::Steps) {
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
    group: &Group,
    units: &[u32],
    kept: &Kept<'_>,
    (stop, progress): (&AtomicBool, &Progress),
) -> Result<(), Refutation> {
    let told =
        |subject: &Subject| say(&format!("Multiplying all pairs of factors of {}.", subject.name));
    let Some(multiplied) = group.multiplied((kept.settings.jobs, stop), told)? else { return Ok(()) };
    {
        let group = &mut kept.state.lock().expect("nobody panics").0.groups[number];
        (group.products, group.pairs) = (multiplied.products(), multiplied.pairs());
    }
    let next = AtomicUsize::new(0);
    let refuted = AtomicBool::new(false);
    let work = || {
        let mut prover = multiplied.prover();
        while let Some(&unit) = units.get(next.fetch_add(1, Relaxed)) {
            if stop.load(Relaxed) || refuted.load(Relaxed) || kept.failed() {
                break;
            }
            let steps = prover.prove(unit, stop).inspect_err(|_| refuted.store(true, Relaxed))?;
            if let Some(steps) = steps {
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
