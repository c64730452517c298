//! What a parent process leaves to the suite, stacks and signals, brought into order before any work.

use std::process::ExitCode;
use std::thread::Builder;

use base::terminal::say;

use crate::FAILED;

/// The bytes of the stack on which commands are carried out, which `ulimit -s` does not decide.
const STACK: usize = 16 << 20;
/// The bytes of the stack of every other thread, at least: the default of the standard library.
const STACK_OF_THREADS: usize = 2 << 20;
/// The variable from which the standard library takes the bytes of a thread's stack.
const VARIABLE: &str = "RUST_MIN_STACK";

/// Brings signals and the environment into order. Call it before any thread is started.
pub fn prepare() {
    let told = std::env::var(VARIABLE).ok().and_then(|text| text.parse::<usize>().ok());
    if told.is_some_and(|bytes| bytes < STACK_OF_THREADS) {
        // SAFETY: no other thread has been started.
        unsafe { std::env::set_var(VARIABLE, STACK_OF_THREADS.to_string()) };
    }
    // A write beyond `ulimit -f` then fails like one on a full disk: with a sentence, and without files left over.
    #[cfg(unix)]
    // SAFETY: no handler is installed, and no other thread changes what signals do.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN)
    };
}

/// Does some work on a stack that is large enough, and returns its exit code.
pub fn on_a_stack(work: impl FnOnce() -> ExitCode + Send) -> ExitCode {
    std::thread::scope(|scope| {
        match Builder::new().name("main".into()).stack_size(STACK).spawn_scoped(scope, work) {
            // A panic has been told by the hook for panics.
            Ok(thread) => thread.join().unwrap_or(ExitCode::from(FAILED)),
            Err(error) => {
                say(&format!(
                    "error: no thread could be started ({error}): raise the limits on memory and threads \
                     (`ulimit -v`, `ulimit -u`)"
                ));
                ExitCode::from(FAILED)
            }
        }
    })
}
