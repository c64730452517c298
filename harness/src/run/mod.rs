//! The runner: threads take blocks of a plan, each with its own oracle and worker.

mod budget;
mod plan;
mod progress;
mod report;
mod state;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use vectors::{Column, Variant};

pub use budget::Tier;
pub use plan::{BLOCK, Block, Plan, Request, Shard, Task, Unsupported, select};
pub use progress::Display;
pub use report::build as report;
pub use state::{Identity, Progress};

use crate::implementation::{Implementation, Worker};
use crate::judge::{Judge, Tally, Trial, digest};
use crate::oracle::{Oracle, Truth};

/// How often the state goes to disk.
const SAVE_EVERY: Duration = Duration::from_secs(2);
/// How often the display is brought up to date.
const SHOW_EVERY: Duration = Duration::from_millis(200);

/// The name of the state file in a run's directory.
pub const STATE_FILE: &str = "state.json";

/// How a run is carried out.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Number of threads.
    pub jobs: usize,
    /// Where the state file goes.
    pub directory: PathBuf,
    /// Whether to go on from the state file.
    pub resume: bool,
}

/// How a run ended. What it found by then is in `progress` in any case.
#[derive(Debug)]
pub struct Outcome {
    /// What was done and found.
    pub progress: Progress,
    /// Whether every block was done.
    pub complete: bool,
    /// What broke the run off, or kept its state from disk.
    pub error: Option<anyhow::Error>,
}

/// Carries out a plan until it is done, `stop` is set, or the implementation breaks.
///
/// # Errors
/// Only before anything has been run: if the state cannot be read, or not be written.
pub fn run(
    plan: &Plan,
    implementation: &dyn Implementation,
    settings: &Settings,
    stop: &AtomicBool,
    display: &Display,
) -> Result<Outcome> {
    let identity = Identity::of(plan, &implementation.describe());
    let path = settings.directory.join(STATE_FILE);
    let mut progress = match settings.resume {
        true => state::load(&path, &identity)?,
        false => Progress::new(plan.tasks.len()),
    };
    progress.resumed += u64::from(settings.resume);
    if !settings.resume {
        keep_previous(&path)?;
    }
    state::save(&path, &identity, &progress)?;

    let started = Instant::now();
    let before = progress.seconds;
    let blocks: Vec<Block> = plan.blocks().collect();
    let pending: Vec<usize> = (0..blocks.len()).filter(|&place| !progress.has(place)).collect();
    let queue = Mutex::new(pending.into_iter());
    let progress = Mutex::new(progress);
    let broken = AtomicBool::new(false);
    let mut error = None;

    std::thread::scope(|scope| {
        let (sender, ended) = mpsc::channel();
        for _ in 0..settings.jobs {
            let sender = sender.clone();
            let (blocks, queue, progress, broken) = (&blocks, &queue, &progress, &broken);
            scope.spawn(move || {
                let take = || {
                    let halt = stop.load(Ordering::Relaxed) || broken.load(Ordering::Relaxed);
                    if halt { None } else { lock(queue).next() }
                };
                let finish = |place: usize, tally| {
                    lock(progress).finish(place, blocks[place].task, tally);
                };
                let work = || work(plan, implementation, blocks, take, finish);
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
                    .unwrap_or_else(|_| {
                        Err(anyhow!("a thread of the run failed: this is a bug of the suite"))
                    });
                if result.is_err() {
                    broken.store(true, Ordering::Relaxed);
                }
                // The receiver outlives every sender.
                let _ = sender.send(result);
            });
        }
        drop(sender);
        let mut saved = Instant::now();
        loop {
            let ended = ended.recv_timeout(SHOW_EVERY);
            let snapshot = || {
                let mut progress = lock(&progress);
                progress.seconds = before + started.elapsed().as_secs_f64();
                progress.clone()
            };
            match ended {
                Ok(Ok(())) => {}
                Ok(Err(broke)) => error = error.take().or(Some(broke)),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => display.show(&lock(&progress)),
            }
            if saved.elapsed() >= SAVE_EVERY {
                saved = Instant::now();
                match state::save(&path, &identity, &snapshot()) {
                    Ok(()) => {}
                    Err(failed) => display.warn_once(&format!("{failed:#}; the run goes on")),
                }
            }
        }
    });

    let mut progress = progress.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    progress.seconds = before + started.elapsed().as_secs_f64();
    display.finish(&progress);
    let complete = progress.before == blocks.len();
    if let Err(failed) = state::save(&path, &identity, &progress) {
        error = error.or(Some(failed));
    }
    Ok(Outcome { progress, complete, error })
}

/// Removes the state of a run whose report is safe.
pub fn forget(directory: &Path) {
    // A state that stays behind is harmless: the next run says that it found one.
    let _ = std::fs::remove_file(directory.join(STATE_FILE));
}

/// Keeps the state of an unfinished run from being overwritten.
fn keep_previous(path: &Path) -> Result<()> {
    if path.exists() {
        let kept = path.with_extension("previous.json");
        std::fs::rename(path, &kept)
            .with_context(|| format!("{} could not be renamed", path.display()))?;
        eprintln!("An unfinished run was found; its state is kept as {}.", kept.display());
    }
    Ok(())
}

/// A lock whose holder cannot have left the data half changed: every change is one call.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// One thread: runs the blocks that `take` gives it.
fn work(
    plan: &Plan,
    implementation: &dyn Implementation,
    blocks: &[Block],
    take: impl Fn() -> Option<usize>,
    finish: impl Fn(usize, Tally),
) -> Result<()> {
    let mut worker = implementation.worker().context("the implementation could not be started")?;
    let mut bench: Option<Bench> = None;
    while let Some(place) = take() {
        let block = blocks[place];
        let task = &plan.tasks[block.task];
        if bench.as_ref().is_none_or(|bench| bench.variant != *task.variant) {
            bench = Some(Bench::new(task.variant));
        }
        let bench = bench.as_mut().expect("just made");
        let tally = bench
            .run(task, block, plan.request.seed, worker.as_mut())
            .with_context(|| format!("the implementation broke on {}", task.variant))?;
        finish(place, tally);
    }
    Ok(())
}

/// All that judging batches of one variant takes, made once per thread and variant.
pub struct Bench {
    variant: Variant,
    oracle: Oracle,
    truth: Truth,
    judge: Judge,
    operands: Vec<Column>,
    results: Vec<Column>,
}

impl Bench {
    /// For a variant.
    pub fn new(variant: &Variant) -> Bench {
        Bench {
            variant: variant.clone(),
            oracle: Oracle::new(variant),
            truth: Oracle::truth(variant),
            judge: Judge::new(variant),
            operands: vectors::sweep::columns_for(variant, 0),
            results: variant.results().iter().map(|ty| Column::new(ty.row_bytes(), 0)).collect(),
        }
    }

    /// Generates a block, has it computed, and judges it.
    fn run(&mut self, task: &Task, block: Block, seed: u64, worker: &mut dyn Worker) -> Result<Tally> {
        self.operands.iter_mut().for_each(|column| column.resize(block.rows));
        task.sweep.fill(&self.variant, seed, block.first, &mut self.operands);
        self.judge(block.first, worker)
    }

    /// Has given operands computed, and judges them; `first` is the first row's number.
    pub fn run_rows(&mut self, rows: &[Vec<u64>], first: u64, worker: &mut dyn Worker) -> Result<Tally> {
        for (index, column) in self.operands.iter_mut().enumerate() {
            column.resize(rows.len());
            rows.iter().enumerate().for_each(|(row, operands)| column.set(row, operands[index]));
        }
        self.judge(first, worker)
    }

    fn judge(&mut self, first: u64, worker: &mut dyn Worker) -> Result<Tally> {
        let rows = self.operands[0].rows();
        self.results.iter_mut().for_each(|column| column.resize(rows));
        worker.run(&self.variant, &self.operands, &mut self.results)?;
        self.oracle.expect(&self.operands, &mut self.truth);
        let mut tally = Tally {
            inputs: digest(first, &self.operands),
            results: digest(first, &self.results),
            ..Tally::default()
        };
        let trial = Trial { first, operands: &self.operands, results: &self.results[0] };
        self.judge.judge(&self.truth, trial, &mut tally);
        Ok(tally)
    }
}
