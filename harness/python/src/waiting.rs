//! Long work without the interpreter's lock, which Ctrl-C ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::anyhow;
use base::bug;
use pyo3::prelude::*;

use crate::errors::as_exception;

/// How often signals are looked at.
const EVERY: Duration = Duration::from_millis(50);

/// Does some work in a thread of its own, without the interpreter's lock. After Ctrl-C the flag that the work is given
/// is set, the work is waited for, and the exception of Python's handler is the result.
pub fn interruptibly<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> anyhow::Result<T> + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let stop = &stop;
    let (sender, mut receiver) = mpsc::sync_channel(1);
    thread::scope(|scope| {
        scope.spawn(move || {
            // Somebody receives it as long as the scope lives.
            let _ = sender.send(bug::catch_panic(|| work(stop)));
        });
        let mut signal = None;
        loop {
            // Receivers are not shared between threads, but one of them may have it.
            let (back, received) = py.detach(move || {
                let received = receiver.recv_timeout(EVERY);
                (receiver, received)
            });
            receiver = back;
            match received {
                Ok(done) => return signal.map_or_else(|| done.map_err(as_exception), Err),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(as_exception(anyhow!("this is a bug in the suite; please report it")));
                }
            }
            if let Err(exception) = py.check_signals() {
                stop.store(true, Ordering::Relaxed);
                signal.get_or_insert(exception);
            }
        }
    })
}
