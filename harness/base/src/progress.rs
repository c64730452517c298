//! How far a command is, on standard error: a bar for a terminal, a line per tenth for a log.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::terminal::{Pace, say};
use indicatif::{ProgressBar, ProgressStyle};

static SILENT: AtomicBool = AtomicBool::new(false);

/// From now on nothing is said of how far anything is.
pub fn silence() {
    SILENT.store(true, Ordering::Relaxed);
}

/// Whether nothing is.
pub fn is_silent() -> bool {
    SILENT.load(Ordering::Relaxed)
}

/// A count of things that are done, shared by threads.
pub struct Progress {
    bar: ProgressBar,
    things: &'static str,
    terminal: bool,
    started: Instant,
}

impl Progress {
    /// None of so many things is done.
    pub fn new(things: &'static str, length: u64) -> anyhow::Result<Progress> {
        let bar = ProgressBar::new(length).with_style(ProgressStyle::with_template("{msg}")?);
        let terminal = std::io::stderr().is_terminal();
        Ok(Progress { bar, things, terminal, started: Instant::now() })
    }

    /// There are so many.
    pub fn set_length(&self, length: u64) {
        self.bar.set_length(length);
    }

    /// So many more are done.
    pub fn advance(&self, more: u64) {
        if is_silent() {
            return;
        }
        let total = self.bar.length().unwrap_or(0);
        let tenth = |position: u64| position * 10 / total.max(1);
        let before = self.bar.position();
        self.bar.inc(more);
        let done = before + more;
        if self.terminal {
            let (things, elapsed) = (self.things, self.started.elapsed());
            let pace = Pace { things, done, total, before: 0, elapsed, mismatches: 0 };
            self.bar.set_message(pace.bar());
        } else if tenth(before) < tenth(done) {
            // Threads may cross a tenth together: a line too many or too few does no harm.
            say(&format!("{} % of the {} done", tenth(done) * 10, self.things));
        }
    }

    /// No more will come.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
