//! A pool of threads for all work that is a list of items.
//!
//! Whatever happens in a thread is told by the call that started it. A panic becomes an error with its place,
//! and a thread that the system does not give is a sentence with what to do. An error ends the other threads at
//! their next item. Which error is told does not depend on which thread was faster.

#[cfg(test)]
mod tests;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::Duration;

use anyhow::{Result, anyhow};

use crate::bug;
use crate::interrupt::Interrupted;
use crate::locks::{lock, opened};

/// A pool of threads: how many do some work, and what ends it early.
#[derive(Clone, Copy, Debug)]
pub struct Pool<'a> {
    jobs: usize,
    stop: Option<&'a AtomicBool>,
    takes_fewer: bool,
    /// Bytes of each thread's stack, too many for the system where a test wants no thread to be had.
    #[cfg(test)]
    stack: Option<usize>,
}

/// A sign to threads to end, for which they look before they begin with anything.
pub struct Halt<'a> {
    stop: Option<&'a AtomicBool>,
    broken: AtomicBool,
}

impl Halt<'_> {
    /// Whether nothing more is to be begun: the work was stopped from outside, or a thread failed.
    pub fn is_set(&self) -> bool {
        // The flags guard no data, so their order does not matter: results pass through locks and a channel.
        self.broken.load(Ordering::Relaxed) || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// The outcome of work on a list of items.
#[derive(Debug)]
pub struct Done<R> {
    /// The result of each item, in the order of the items; `None` where an item has none.
    pub results: Vec<Option<R>>,
    /// The reason why results are missing, unless the work was stopped from outside: the error of the first
    /// item that has one.
    pub error: Option<anyhow::Error>,
}

impl<R> Done<R> {
    /// Returns the results of all items, in the order of the items.
    ///
    /// # Errors
    /// The error of the first item that failed; [`Interrupted`] if items are missing because the work was
    /// stopped.
    pub fn all(self) -> Result<Vec<R>> {
        match self.error {
            Some(error) => Err(error),
            None => self.results.into_iter().collect::<Option<_>>().ok_or_else(|| Interrupted.into()),
        }
    }

    /// Returns the result of each item, in the order of the items; `None` for those that were left because the
    /// work was stopped.
    ///
    /// # Errors
    /// The error of the first item that failed.
    pub fn partial_results(self) -> Result<Vec<Option<R>>> {
        self.error.map_or(Ok(self.results), Err)
    }
}

impl<'a> Pool<'a> {
    /// Makes a pool of `jobs` threads, one at least.
    pub fn new(jobs: usize) -> Pool<'static> {
        Pool {
            jobs: jobs.max(1),
            stop: None,
            takes_fewer: false,
            #[cfg(test)]
            stack: None,
        }
    }

    /// Makes a pool of a thread for each processor, or of as many as the system gives.
    pub fn of_processors() -> Pool<'static> {
        let processors = std::thread::available_parallelism().map_or(1, |processors| processors.get());
        Pool { takes_fewer: true, ..Pool::new(processors) }
    }

    /// Returns the pool with `factor` times as many threads, for work that waits most of the time.
    pub fn times(self, factor: usize) -> Pool<'a> {
        Pool { jobs: self.jobs * factor, ..self }
    }

    /// Returns the pool with a flag: it begins with no item once `stop` is set.
    pub fn stopped_by(self, stop: &AtomicBool) -> Pool<'_> {
        // The inner pool drops the former flag, because the new one may live for another time.
        Pool { jobs: self.jobs, stop: Some(stop), ..Pool { stop: None, ..self } }
    }

    /// Does some work on each item, as [`Pool::run_on_each`] does, with nothing that belongs to a thread.
    pub fn map<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> Result<R> + Sync) -> Done<R> {
        self.run_on_each(items, || Ok(()), |(), item| work(item))
    }

    /// Does some work on each item, on as many threads as there are, each with something of its own that `start`
    /// makes. Items are begun in their order. The first error or panic ends all threads at their next item.
    pub fn run_on_each<T: Sync, S, R: Send>(
        &self,
        items: &[T],
        start: impl Fn() -> Result<S> + Sync,
        work: impl Fn(&mut S, &T) -> Result<R> + Sync,
    ) -> Done<R> {
        let next = AtomicUsize::new(0);
        let results = Mutex::new(items.iter().map(|_| None).collect::<Vec<Option<R>>>());
        // The first error so far, by the number of its item, with this number.
        let failed = Mutex::new(None::<(usize, anyhow::Error)>);
        let fail = |number: usize, error: anyhow::Error| {
            let mut failed = lock(&failed);
            if failed.as_ref().is_none_or(|(first, _)| number < *first) {
                *failed = Some((number, error));
            }
        };
        let unmanned = self.threads(items.len(), |halt| {
            // `start` is called by a thread that has an item only, so that its error belongs to that item.
            let mut own = None;
            while !halt.is_set() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(number) else { break };
                let result = bug::catch_panic(|| {
                    let own = match &mut own {
                        Some(own) => own,
                        none => none.insert(start()?),
                    };
                    work(own, item)
                });
                match result {
                    Ok(result) => lock(&results)[number] = Some(result),
                    Err(error) => {
                        fail(number, error);
                        // An error from this thread has the others end, too.
                        return Err(anyhow!("item {number}"));
                    }
                }
            }
            Ok(())
        });
        // An error of `threads` alone is a thread that did not start. Any other one stands for one in `failed`.
        let error = opened(failed).map(|(_, error)| error).or(unmanned.err());
        Done { results: opened(results), error }
    }

    /// Has threads, `most` at most, call `work` once each; `work` asks [`Halt::is_set`] before it begins with
    /// anything.
    ///
    /// # Errors
    /// The first error that a thread returned, with a panic as an error that has its place; or that a thread
    /// could not be started.
    pub fn threads(&self, most: usize, work: impl Fn(&Halt) -> Result<()> + Sync) -> Result<()> {
        self.watched(most, work, Duration::MAX, || ())
    }

    /// Has threads, `most` at most, call `work` once each, for code that has no threads of its own.
    ///
    /// # Errors
    /// The errors of [`Pool::threads`].
    pub fn lend(&self, most: usize, work: &(dyn Fn() + Sync)) -> Result<()> {
        self.threads(most, |_| {
            work();
            Ok(())
        })
    }

    /// Does as [`Pool::threads`], and calls `watch` on this thread, again and again after each interval
    /// `every`, until all threads have ended.
    ///
    /// # Errors
    /// The errors of [`Pool::threads`].
    pub fn watched(
        &self,
        most: usize,
        work: impl Fn(&Halt) -> Result<()> + Sync,
        every: Duration,
        mut watch: impl FnMut(),
    ) -> Result<()> {
        let halt = Halt { stop: self.stop, broken: AtomicBool::new(false) };
        let work = || {
            let ended = bug::catch_panic(|| work(&halt));
            if ended.is_err() {
                halt.broken.store(true, Ordering::Relaxed);
            }
            ended
        };
        let mut error = None;
        std::thread::scope(|scope| {
            let (sender, ended) = mpsc::channel();
            let mut begun = 0;
            for _ in 0..self.jobs.min(most) {
                let sender = sender.clone();
                // The receiver outlives every sender.
                let work = move || drop(sender.send(work()));
                match self.builder().spawn_scoped(scope, work) {
                    Ok(_) => begun += 1,
                    Err(_) if self.takes_fewer => break,
                    Err(refused) => {
                        halt.broken.store(true, Ordering::Relaxed);
                        error =
                            Some(anyhow!("a thread could not be started ({refused}): use fewer --jobs"));
                        break;
                    }
                }
            }
            // The channel closes with the last thread only if this thread holds no sender.
            drop(sender);
            if begun == 0 && most > 0 && error.is_none() {
                // No thread was to be had, so this one does all the work.
                error = work().err();
            }
            loop {
                let came = match every {
                    // This is `Pool::threads`: nobody watches, so there is nothing to wake up for.
                    Duration::MAX => ended.recv().map_err(|_| RecvTimeoutError::Disconnected),
                    every => ended.recv_timeout(every),
                };
                match came {
                    Ok(ended) => error = error.take().or(ended.err()),
                    Err(RecvTimeoutError::Timeout) => watch(),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        error.map_or(Ok(()), Err)
    }

    /// Returns a builder of one thread; tests ask for a stack that no system gives, to have no thread.
    fn builder(&self) -> Builder {
        #[cfg(test)]
        if let Some(stack) = self.stack {
            return Builder::new().stack_size(stack);
        }
        Builder::new()
    }
}
