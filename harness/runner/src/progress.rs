//! The display that a person sees while a run goes on.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use base::progress::{self, WrongCount};
use reports::thousands;

use super::state::Progress;

/// A display of a run's progress on standard error.
pub struct Display {
    shown: progress::Progress,
    taken_up: Once,
    warned: AtomicBool,
}

impl Display {
    /// Creates a display for a run of `total` vectors.
    pub fn new(total: u64) -> Display {
        Display::of(progress::Progress::new("vectors", total))
    }

    /// Creates a display of which nothing is seen but warnings.
    pub fn hidden() -> Display {
        Display::of(progress::Progress::hidden())
    }

    /// Makes the display of a run that has shown nothing and warned of nothing.
    fn of(shown: progress::Progress) -> Display {
        Display { shown, taken_up: Once::new(), warned: AtomicBool::new(false) }
    }

    /// Brings the display up to date. Vectors done at the first call count as done before this part of the run.
    pub fn show(&self, progress: &Progress) {
        let (done, count) = (progress.asked(), progress.mismatches());
        self.taken_up.call_once(|| self.shown.take_up(done));
        let words = format!("{} mismatches", thousands(count));
        self.shown.reach(done, Some(WrongCount { count, words }));
    }

    /// Takes the progress bar away.
    pub fn finish(&self) {
        self.shown.finish();
    }

    /// Shows a warning without disturbing the bar; later calls show nothing.
    pub fn warn_once(&self, text: &str) {
        if !self.warned.swap(true, Ordering::Relaxed) {
            self.shown.say(&format!("warning: {text}"));
        }
    }
}
