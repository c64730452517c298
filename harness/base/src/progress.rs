//! Display of how far a job is, on standard error: a bar for a terminal, a line now and then for a log.

mod pace;
#[cfg(test)]
mod tests;

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::locks::lock;
use crate::terminal::say;
use pace::Pace;

/// Shortest time between two lines of a log.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// Shortest time between two changes of a bar.
const BAR_EVERY: Duration = Duration::from_millis(100);

static SILENT: AtomicBool = AtomicBool::new(false);

// Public for the program's option `--quiet` alone.
/// Stops all messages about how far jobs are, from now on.
#[doc(hidden)]
pub fn silence() {
    SILENT.store(true, Ordering::Relaxed);
}

/// Whether nothing is said of how far any job is.
pub fn is_silent() -> bool {
    SILENT.load(Ordering::Relaxed)
}

/// Wrong results so far, told beside how far a job is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongCount {
    /// The number of wrong things. A log is told this number also when it is 0.
    pub count: u64,
    /// The number in words, like `12 mismatches`.
    pub words: String,
}

/// A count of things that are done, shared by threads, and its display.
pub struct Progress {
    medium: Medium,
    things: String,
    started: Instant,
    counts: Mutex<Counts>,
}

/// The medium on which progress is displayed.
enum Medium {
    Terminal(ProgressBar),
    Log,
    Nowhere,
}

/// Counts that tell how far a job is.
#[derive(Default)]
struct Counts {
    done: u64,
    total: Option<u64>,
    /// The number of things that were done before the job was taken up.
    before: u64,
    wrong: Option<WrongCount>,
    /// Time when progress was last displayed; a log begins with a pause.
    told: Option<Instant>,
}

impl Progress {
    /// Starts to display a job of which nothing is done yet. `things` names what is counted, like `vectors`;
    /// `total` says how many there are, where that is known.
    pub fn new(things: impl Into<String>, total: impl Into<Option<u64>>) -> Progress {
        let medium = if std::io::stderr().is_terminal() { Medium::terminal() } else { Medium::Log };
        Progress::on_medium(medium, things, total)
    }

    /// Counts a job that is not displayed to anybody.
    pub fn hidden() -> Progress {
        Progress::on_medium(Medium::Nowhere, "", None)
    }

    /// Makes the counts of a job of which nothing is done yet, with the medium that displays them.
    fn on_medium(medium: Medium, things: impl Into<String>, total: impl Into<Option<u64>>) -> Progress {
        let started = Instant::now();
        let told = matches!(medium, Medium::Log).then_some(started);
        let counts = Mutex::new(Counts { total: total.into(), told, ..Counts::default() });
        Progress { medium, things: things.into(), started, counts }
    }

    /// Sets the total number of things.
    pub fn set_total(&self, total: u64) {
        lock(&self.counts).total = Some(total);
    }

    /// Notes that `done` things were done before the job was taken up, which say nothing of its pace.
    pub fn take_up(&self, done: u64) {
        let mut counts = lock(&self.counts);
        (counts.before, counts.done) = (done, done);
    }

    /// Notes that `more` things are done, besides those noted before.
    pub fn advance(&self, more: u64) {
        self.change(|counts| counts.done += more);
    }

    /// Notes that `done` things are done by now, and what is wrong, where the job looks for that. Threads may
    /// tell in any order.
    pub fn reach(&self, done: u64, wrong: Option<WrongCount>) {
        self.change(|counts| {
            counts.done = counts.done.max(done);
            counts.wrong = wrong;
        });
    }

    /// Says something without disturbing the display.
    pub fn say(&self, text: &str) {
        match &self.medium {
            Medium::Terminal(bar) => bar.suspend(|| say(text)),
            Medium::Log | Medium::Nowhere => say(text),
        }
    }

    /// Ends the display, since no more will be done: the bar goes away.
    pub fn finish(&self) {
        if let Medium::Terminal(bar) = &self.medium {
            bar.finish_and_clear();
        }
    }

    /// Changes the counts, and displays them on the medium where it is time for that.
    fn change(&self, change: impl FnOnce(&mut Counts)) {
        let due = self.text_if_due(Instant::now(), change).filter(|_| !is_silent());
        match (&self.medium, due) {
            (Medium::Terminal(bar), Some(text)) => bar.set_message(text),
            (Medium::Log, Some(text)) => say(&text),
            _ => {}
        }
    }

    /// Changes the counts, and returns what is to be displayed of them at `now`; `None` if it is not time for
    /// that.
    fn text_if_due(&self, now: Instant, change: impl FnOnce(&mut Counts)) -> Option<String> {
        let mut counts = lock(&self.counts);
        change(&mut counts);
        let pause = match self.medium {
            Medium::Terminal(_) => BAR_EVERY,
            Medium::Log => LINE_EVERY,
            Medium::Nowhere => return None,
        };
        if counts.told.is_some_and(|told| now.saturating_duration_since(told) < pause) {
            return None;
        }
        counts.told = Some(now);
        let &mut Counts { done, total, before, ref wrong, .. } = &mut *counts;
        let elapsed = now.saturating_duration_since(self.started);
        let (things, wrong) = (&*self.things, wrong.as_ref());
        let pace = Pace { things, done, total, before, elapsed, wrong };
        Some(if let Medium::Log = self.medium { pace.line() } else { pace.bar() })
    }
}

impl Medium {
    /// Makes a bar on standard error whose whole line is its message: [`Pace::bar`] draws the rest.
    fn terminal() -> Medium {
        let style = ProgressStyle::with_template("{msg}");
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        Medium::Terminal(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner())))
    }
}
