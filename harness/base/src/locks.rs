//! Access to what threads share, also where one of them has panicked.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex whose content may be used on as a holder that panicked has left it: at worst something is
/// missing there, and what was found is still there.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes what a mutex holds when all other threads are done with it, also if one of them has panicked.
pub fn opened<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
