//! What a person sees while a run goes on: a bar on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::locks::lock;
use base::terminal::{Pace, say};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::state::Progress;

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows a run's progress on standard error.
pub struct Display {
    bar: ProgressBar,
    total: u64,
    started: Instant,
    /// Vectors that were done before this part of the run; set when first shown.
    initial: Mutex<Option<u64>>,
    last_line: Option<Mutex<Instant>>,
    warned: AtomicBool,
}

impl Display {
    /// For a run of `total` vectors.
    pub fn new(total: u64) -> Display {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(
            Some(total),
            if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() },
        );
        bar.set_style(ProgressStyle::with_template("{msg}").expect("the template is a constant"));
        Display {
            bar,
            total,
            started: Instant::now(),
            initial: Mutex::new(None),
            last_line: (!terminal).then(|| Mutex::new(Instant::now())),
            warned: AtomicBool::new(false),
        }
    }

    /// Nothing is shown.
    pub fn hidden() -> Display {
        let mut display = Display::new(0);
        display.bar.set_draw_target(ProgressDrawTarget::hidden());
        display.last_line = None;
        display
    }

    /// Brings the display up to date.
    pub fn show(&self, progress: &Progress) {
        let done = progress.asked();
        let pace = Pace {
            things: "vectors",
            done,
            total: self.total,
            before: *lock(&self.initial).get_or_insert(done),
            elapsed: self.started.elapsed(),
            mismatches: progress.mismatches(),
        };
        let Some(last) = &self.last_line else {
            self.bar.set_message(pace.bar());
            return;
        };
        let mut last = lock(last);
        if last.elapsed() >= LINE_EVERY {
            *last = Instant::now();
            say(&pace.line());
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Says something without disturbing the bar, the first time only.
    pub fn warn_once(&self, text: &str) {
        if !self.warned.swap(true, Ordering::Relaxed) {
            self.bar.suspend(|| say(&format!("warning: {text}")));
        }
    }
}
