//! What threads share, also where one of them has panicked.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks what no holder can leave half changed, because every change is one call.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same, when all others are done with it.
pub fn opened<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
