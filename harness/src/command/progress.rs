//! How far a command is, on standard error: a bar for a terminal, a line per tenth for a log.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// A count of things that are done, shared by threads.
pub struct Progress {
    bar: ProgressBar,
    things: &'static str,
    terminal: bool,
}

impl Progress {
    /// None of so many things is done.
    pub fn new(things: &'static str, length: u64) -> anyhow::Result<Progress> {
        let style =
            format!("{{bar:32}} {{percent:>3}}%  {{human_pos}} of {{human_len}} {things}, {{eta}} left");
        let bar = ProgressBar::new(length).with_style(ProgressStyle::with_template(&style)?);
        Ok(Progress { bar, things, terminal: std::io::stderr().is_terminal() })
    }

    /// There are so many.
    pub fn set_length(&self, length: u64) {
        self.bar.set_length(length);
    }

    /// So many more are done.
    pub fn advance(&self, more: u64) {
        let tenth = |position: u64| position * 10 / self.bar.length().unwrap_or(0).max(1);
        let before = self.bar.position();
        self.bar.inc(more);
        // Threads may cross a tenth together: a line too many or too few does no harm.
        if !self.terminal && tenth(before) < tenth(before + more) {
            eprintln!("{} % of the {} done", tenth(before + more) * 10, self.things);
        }
    }

    /// No more will come.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
