//! Execution of a proof: its threads, and what is kept on disk.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use base::locks::{lock, opened};
use base::pool::Pool;
use base::progress::Progress;
use base::terminal::say;
use prover::triples::{ProofSubject, Refutation, SubjectGroup};
use selection::Shard;

use super::Proven;
use super::state::State;

/// Shortest time between two writes of the state.
const SAVED: Duration = Duration::from_secs(2);

/// Settings of how a proof is carried out.
pub struct ProofSettings {
    /// Number of threads that work on the proof.
    pub jobs: usize,
    /// The part of the proof that is carried out; `None` for the whole.
    pub shard: Option<Shard>,
    /// Directory in which the state is kept.
    pub directory: PathBuf,
    /// Whether to go on from the state in `directory`.
    pub resume: bool,
}

/// The outcome of a proof.
#[derive(Debug)]
pub enum ProofOutcome {
    /// Everything is proven: what is known of each subject.
    Proven(Vec<Proven>),
    /// The asked part of the proof is done, and others are missing.
    Part,
    /// The proof was interrupted before its part was done.
    Interrupted,
    /// The proof failed: what disproves it.
    Refuted(Refutation),
}

/// Proves what there is to prove about some subjects, until `stop` is set, and keeps the state on disk.
///
/// # Errors
/// If the state cannot be read or written.
pub fn prove(
    subjects: Vec<ProofSubject>,
    settings: &ProofSettings,
    stop: &AtomicBool,
) -> Result<ProofOutcome> {
    let groups = SubjectGroup::all(subjects);
    let new = State::new(&groups, settings.shard);
    let state = if settings.resume { new.resume(&settings.directory)? } else { new };
    state.save(&settings.directory)?;
    let mine = |unit: u32| {
        // Shards are numbered from 1.
        settings.shard.is_none_or(|Shard { index, count }| u64::from(unit) % count == index - 1)
    };
    let left = |state: &State, group: usize| -> Vec<u32> {
        let group = &state.groups[group];
        (0..group.units).filter(|unit| mine(*unit) && !group.done.contains(unit)).collect()
    };
    let total: usize = (0..groups.len()).map(|group| left(&state, group).len()).sum();
    let progress = Progress::new("units", total as u64);
    let kept = ProofState { state: Mutex::new((state, Instant::now())), settings };
    for (number, group) in groups.iter().enumerate() {
        let units = left(&lock(&kept.state).0, number);
        if units.is_empty() {
            continue;
        }
        let refuted = prove_group(number, group, &units, &kept, (stop, &progress));
        if let Some(refutation) = refuted.inspect_err(|_| progress.finish())? {
            progress.finish();
            return Ok(ProofOutcome::Refuted(refutation));
        }
    }
    progress.finish();
    let (state, _) = opened(kept.state);
    state.save(&settings.directory)?;
    let all_mine = (0..groups.len()).all(|group| left(&state, group).is_empty());
    Ok(match state.proven() {
        Some(proven) => ProofOutcome::Proven(proven),
        None if all_mine => ProofOutcome::Part,
        None => ProofOutcome::Interrupted,
    })
}

/// The state of a proof, which threads share, with the time when it was last written.
struct ProofState<'a> {
    state: Mutex<(State, Instant)>,
    settings: &'a ProofSettings,
}

impl ProofState<'_> {
    /// Notes that a unit is proven, and writes the state where that is due.
    ///
    /// # Errors
    /// If the state cannot be written.
    fn done(&self, group: usize, unit: u32, steps: &prover::triples::Steps) -> Result<()> {
        let mut kept = lock(&self.state);
        let (state, saved) = &mut *kept;
        state.groups[group].done.insert(unit);
        state.groups[group].steps.add(steps);
        if saved.elapsed() >= SAVED {
            *saved = Instant::now();
            state.save(&self.settings.directory)?;
        }
        Ok(())
    }
}

/// Proves some units of a group, until `stop` is set; returns the refutation of the first unit that is refuted.
///
/// # Errors
/// If the state cannot be written, or a thread fails.
fn prove_group(
    number: usize,
    group: &SubjectGroup,
    units: &[u32],
    kept: &ProofState<'_>,
    (stop, progress): (&AtomicBool, &Progress),
) -> Result<Option<Refutation>> {
    let told =
        |subject: &ProofSubject| say(&format!("Multiplying all pairs of factors of {}.", subject.name));
    let pool = Pool::new(kept.settings.jobs).stopped_by(stop);
    let broken = Mutex::new(None);
    let threads = |most: usize, work: &(dyn Fn() + Sync)| {
        if let Err(error) = pool.lend(most, work) {
            lock(&broken).get_or_insert(error);
            stop.store(true, Relaxed);
        }
    };
    let multiplied = group.multiplied((&threads, stop), told);
    if let Some(error) = opened(broken) {
        return Err(error);
    }
    let multiplied = match multiplied {
        Ok(Some(multiplied)) => multiplied,
        Ok(None) => return Ok(None),
        Err(refutation) => return Ok(Some(refutation)),
    };
    {
        let group = &mut lock(&kept.state).0.groups[number];
        (group.products, group.pairs) = (multiplied.products(), multiplied.pairs());
    }
    let refuted = Mutex::new(None::<(u32, Refutation)>);
    let proven = pool.run_on_each(
        units,
        || Ok(multiplied.prover()),
        |prover, &unit| {
            match prover.prove(unit, stop) {
                Ok(Some(steps)) => {
                    kept.done(number, unit, &steps)?;
                    progress.advance(1);
                }
                // The unit was left because `stop` is set.
                Ok(None) => {}
                Err(refutation) => {
                    let mut refuted = lock(&refuted);
                    // Several threads may refute units at a time; the lowest one is told.
                    if refuted.as_ref().is_none_or(|(first, _)| unit < *first) {
                        *refuted = Some((unit, refutation));
                    }
                    // This only ends the other threads' work: what disproves the unit is kept above.
                    bail!("refuted");
                }
            }
            Ok(())
        },
    );
    match opened(refuted) {
        Some((_, refutation)) => Ok(Some(refutation)),
        None => proven.partial_results().map(|_| None),
    }
}
