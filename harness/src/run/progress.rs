//! What a person sees while a run goes on: a bar on a terminal, a line now and then elsewhere.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

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
        let style = ProgressStyle::with_template(
            "{bar:32} {percent:>3}%  {human_pos} of {human_len} vectors, {per_sec}, {eta} left  {msg}",
        );
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(
            Some(total),
            if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() },
        );
        bar.set_style(style.expect("the template is a constant"));
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
        let initial = *super::lock(&self.initial).get_or_insert(done);
        if self.bar.position() == 0 && initial > 0 {
            self.bar.set_position(initial);
            self.bar.reset_eta();
        }
        self.bar.set_position(done);
        let mismatches = progress.mismatches();
        if mismatches > 0 {
            self.bar.set_message(format!("{} mismatches", HumanCount(mismatches)));
        }
        let Some(last) = &self.last_line else { return };
        let mut last = super::lock(last);
        if last.elapsed() < LINE_EVERY {
            return;
        }
        *last = Instant::now();
        let fresh = done.saturating_sub(initial).max(1) as f64;
        let rate = fresh / self.started.elapsed().as_secs_f64();
        let left = Duration::from_secs_f64(self.total.saturating_sub(done) as f64 / rate);
        let line = format!(
            "{:3}%  {} of {} vectors, {} mismatches, {} left",
            done * 100 / self.total.max(1),
            HumanCount(done),
            HumanCount(self.total),
            HumanCount(mismatches),
            HumanDuration(left),
        );
        // A terminal that has gone is no reason to end.
        let _ = writeln!(std::io::stderr(), "{line}");
    }

    /// Takes the bar away.
    pub fn finish(&self, progress: &Progress) {
        self.bar.set_position(progress.asked());
        self.bar.finish_and_clear();
    }

    /// Says something without disturbing the bar, the first time only.
    pub fn warn_once(&self, text: &str) {
        if !self.warned.swap(true, Ordering::Relaxed) {
            let _ = self.bar.suspend(|| writeln!(std::io::stderr(), "warning: {text}"));
        }
    }
}
