//! The sharing of jobs among threads, for questions about instructions and about kernels alike.

use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use anyhow::{Context, Result};
use base::pool::Pool;

use super::LegalityRequest;

/// The message where nothing is left to ask.
pub const ONLY_CASTS: &str = "--only selects only casts, which PTX does not have: select instructions";

/// Has `carry_out` do every job, given a file that it may write, on as many threads as the request has. `progress` is
/// told how many verdicts there are, and how many there will be; `count` says how many a job has.
///
/// # Errors
/// The first error of a job, after which no other job is begun; or that the run was broken off.
pub fn share<J: Sync, T: Send>(
    jobs: &[J],
    request: &LegalityRequest,
    directory: &Path,
    progress: &(dyn Fn(u64, u64) + Sync),
    count: impl Fn(&J) -> u64 + Sync,
    carry_out: impl Fn(&J, &Path) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let total = jobs.iter().map(&count).sum();
    let (file, done) = (AtomicUsize::new(0), AtomicU64::new(0));
    // Each thread has a file of its own, which its jobs write one after the other.
    let start = || Ok(directory.join(format!("{}.ptx", file.fetch_add(1, Ordering::Relaxed))));
    let found =
        Pool::new(request.jobs).stopped_by(request.stop).run_on_each(jobs, start, |file, job| {
            let found = carry_out(job, file)?;
            let more = count(job);
            progress(done.fetch_add(more, Ordering::Relaxed) + more, total);
            Ok(found)
        });
    let found: Option<Vec<T>> = found.partial_results()?.into_iter().collect();
    found.context("the run was broken off, and a part of it proves nothing: run it again")
}
