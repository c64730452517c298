//! What asking about instructions and about kernels has in common: who works.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, bail};

use super::Request;

/// What is said where nothing is left to ask.
pub const ONLY_CASTS: &str =
    "--only selects casts alone, which PTX does not have: ask about instructions";

/// Has `carry_out` do every job, given a file that it may write, on as many threads as the request
/// has. `progress` is told how many verdicts there are, and how many there will be, by `count`.
///
/// # Errors
/// The first of a job, after which no other is begun; or that the run was broken off.
pub fn share<J: Sync, T: Send>(
    jobs: &[J],
    request: &Request,
    directory: &Path,
    progress: &(dyn Fn(u64, u64) + Sync),
    count: impl Fn(&J) -> u64 + Sync,
    carry_out: impl Fn(&J, &Path) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let total = jobs.iter().map(&count).sum();
    let (next, stop) = (AtomicUsize::new(0), &request.stop);
    let found = Mutex::new((0, Vec::new()));
    let work = |worker: usize| -> Result<()> {
        let file = directory.join(format!("{worker}.ptx"));
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
            && !stop.load(Ordering::Relaxed)
        {
            let one = carry_out(job, &file).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            let mut found = found.lock().expect("no worker panics");
            found.0 += count(job);
            found.1.push(one);
            progress(found.0, total);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> =
            (0..request.jobs).map(|worker| scope.spawn(move || work(worker))).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
    })?;
    if stop.load(Ordering::Relaxed) {
        bail!("the run was broken off, and half of it proves nothing: run it again");
    }
    Ok(found.into_inner().expect("no worker panics").1)
}
