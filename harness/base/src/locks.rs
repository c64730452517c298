//! What threads share, also where one of them has panicked.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks what may be used on as a holder that panicked has left it: something is missing there at worst, and what was
/// found is not.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same, when all others are done with it.
pub fn opened<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
