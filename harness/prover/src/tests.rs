//! Threads for the tests of this crate.

/// Lends so many threads, or as many as there is work for.
pub fn lent(jobs: usize) -> impl Fn(usize, &(dyn Fn() + Sync)) + Sync {
    move |most, work| {
        std::thread::scope(|scope| {
            (0..jobs.min(most)).for_each(|_| {
                scope.spawn(work);
            });
        });
    }
}
