#![doc = include_str!("../README.md")]

mod batches;
pub mod control;
mod hold;
mod judging;
mod meaning;
mod plan;
mod progress;
mod recheck;
mod request;
pub mod state;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use base::interrupt::unless_interrupted;
use base::locks::lock;
use base::pool::{Halt, Pool};
use base::terminal::say;
use implementations::Implementation;
use selection::subject::Subject;

pub use hold::{Held, hold};
pub use judging::{BlockJudge, MissingRows, compute};
pub use meaning::{ALL_OPERANDS, Meaning, MeaningJudge};
pub use plan::{BLOCK, Block, Blocks, JudgedBy, LeftOut, Plan, Task};
pub use progress::Display;
pub use recheck::{RepeatedAnswers, VectorAnswer, VectorPlace, departure, recheck};
pub use request::{Judging, RunRequest};
pub use state::{Departure, Progress, RunIdentity};

use batches::Batches;

/// Interval at which the state of a run is written to disk.
const SAVE_EVERY: Duration = Duration::from_secs(1);
/// Interval at which the display is brought up to date.
const SHOW_EVERY: Duration = Duration::from_millis(200);

/// The name of the state file in a run's directory.
pub const STATE_FILE: &str = "state.json";

/// Settings of how a run is carried out.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// Number of threads.
    pub jobs: usize,
    /// The directory of the state file.
    pub directory: PathBuf,
    /// Whether the run goes on from the state file.
    pub resume: bool,
}

/// The end of a run. `progress` has what the run found by then, in any case.
#[derive(Debug)]
pub struct RunOutcome {
    /// The progress: what was done and found.
    pub progress: Progress,
    /// Whether every block was done.
    pub complete: bool,
    /// The error that broke the run off, or kept its state from disk.
    pub error: Option<anyhow::Error>,
}

/// Carries out a plan until it is done, `stop` is set, or the implementation breaks.
///
/// # Errors
/// Only before anything has been run: if the state cannot be read, or cannot be written.
pub fn run(
    plan: &Plan,
    implementation: &dyn Implementation,
    settings: &RunSettings,
    stop: &AtomicBool,
    display: &Display,
) -> Result<RunOutcome> {
    let identity = RunIdentity::of(plan, &implementation.describe());
    let path = settings.directory.join(STATE_FILE);
    let mut progress = match settings.resume {
        true => state::load(&path, &identity)?,
        false => Progress::new(plan.tasks.len()),
    };
    // A state may hold any number.
    progress.resumed = progress.resumed.saturating_add(u64::from(settings.resume));
    // Mismatches are tried again at the end of the run, so the departures of an earlier end do not count.
    progress.departures.clear();
    // Only shards are compared with each other. One that is taken up again has its digests already.
    if plan.request.shard.is_some() && progress.control.is_empty() {
        progress.control = control::run(plan, implementation)?;
    }
    if !settings.resume {
        // The first save below would overwrite the state of an earlier run.
        keep_previous(&path)?;
    }
    state::save(&path, &identity, &progress)?;

    let started = Instant::now();
    let before = progress.seconds;
    let shared = SharedRun {
        plan,
        implementation,
        blocks: plan.blocks(),
        // `pending` keeps the progress of the beginning: what is done from now on is behind `next`.
        pending: Mutex::new(Pending { next: 0, done: progress.clone() }),
        progress: Mutex::new(progress),
        batches: Arc::default(),
    };
    // A copy goes to disk, so that threads need not wait for the lock while it is written.
    let snapshot = || {
        let mut progress = lock(&shared.progress);
        progress.seconds = before + started.elapsed().as_secs_f64();
        progress.clone()
    };
    let save = || state::save(&path, &identity, &snapshot());

    let mut saved = Instant::now();
    let watch = || {
        display.show(&lock(&shared.progress));
        if saved.elapsed() >= SAVE_EVERY {
            saved = Instant::now();
            if let Err(failed) = save() {
                display.warn_once(&format!("{failed:#}; the run goes on"));
            }
        }
    };
    let pool = Pool::new(settings.jobs).stopped_by(stop);
    let mut error = pool.watched(settings.jobs, |halt| shared.work(halt), SHOW_EVERY, watch).err();

    if let Err(failed) = save() {
        // What broke the run off comes first; that its state is not on disk is told if nothing else is.
        error = error.or(Some(failed));
    }
    let progress = snapshot();
    display.finish();
    let complete = progress.before == shared.blocks.len();
    Ok(RunOutcome { progress, complete, error })
}

/// Data that the threads of a run share.
struct SharedRun<'a> {
    plan: &'a Plan,
    implementation: &'a dyn Implementation,
    blocks: Blocks<'a>,
    pending: Mutex<Pending>,
    progress: Mutex<Progress>,
    /// Operands that several variants have, made once for all threads.
    batches: Arc<Batches>,
}

/// The blocks that no thread has taken yet.
struct Pending {
    /// The lowest place that a block not yet taken may have.
    next: usize,
    /// The progress when the run began, whose blocks are not taken again.
    done: Progress,
}

impl SharedRun<'_> {
    /// Takes the next block to be done and returns its place; `None` if no block is left, or the threads are to halt.
    fn take(&self, halt: &Halt) -> Option<usize> {
        if halt.is_set() {
            return None;
        }
        let mut pending = lock(&self.pending);
        let place = (pending.next..self.blocks.len()).find(|&place| !pending.done.has(place))?;
        pending.next = place + 1;
        Some(place)
    }

    /// Does blocks on one thread until there are no more.
    fn work(&self, halt: &Halt) -> Result<()> {
        let mut worker =
            self.implementation.worker().context("the implementation could not be started")?;
        // Blocks come in the order of the tasks, so one judge serves many blocks before the subject changes.
        let mut judge: Option<BlockJudge> = None;
        let request = &self.plan.request;
        while let Some(place) = self.take(halt) {
            let block = self.blocks.get(place);
            let task = &self.plan.tasks[block.task];
            if judge.as_ref().is_none_or(|judge| judge.subject() != task.subject()) {
                let made = match (&self.plan.meaning, task.subject()) {
                    (Some(meaning), Subject::Variant(variant)) => {
                        BlockJudge::of_meaning(variant, meaning.as_ref())
                    }
                    (_, subject) => BlockJudge::held_to(subject, request.judging, request.model),
                };
                judge = Some(made.sharing(&self.batches));
            }
            let judge = judge.as_mut().expect("just made");
            let tally = judge.run_block(task, block, request.seed, worker.as_mut());
            // An interrupted block is done when the run is taken up again.
            let Some(tally) = unless_interrupted(tally)? else { return Ok(()) };
            lock(&self.progress).finish(place, block.task, tally);
        }
        Ok(())
    }
}

/// Writes the state of a finished shard for `report merge`, with its departures: the mismatches that were answered
/// otherwise when they were tried again.
///
/// # Errors
/// If the state cannot be written.
pub fn leave(
    plan: &Plan,
    implementation: &dyn Implementation,
    directory: &Path,
    progress: &Progress,
    departures: &[Departure],
) -> Result<()> {
    let progress = Progress { departures: departures.to_vec(), ..progress.clone() };
    let identity = RunIdentity::of(plan, &implementation.describe());
    state::save(&directory.join(STATE_FILE), &identity, &progress)
}

/// Removes the state of a run whose report is safe.
pub fn forget(directory: &Path) {
    // A state that stays behind is harmless: the next run says that it found one.
    let _ = std::fs::remove_file(directory.join(STATE_FILE));
}

/// Renames the state file of an unfinished run, or of a shard that is to be merged, so that it is not overwritten.
fn keep_previous(path: &Path) -> Result<()> {
    if path.exists() {
        let kept = path.with_extension("previous.json");
        std::fs::rename(path, &kept)
            .with_context(|| format!("{} could not be renamed", path.display()))?;
        say(&format!("The state of an earlier run was found, and is kept as {}.", kept.display()));
    }
    Ok(())
}
