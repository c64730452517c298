//! What a person sees on standard error, beside results: messages, and how far a job is.

use std::io::Write;
use std::time::Duration;

use indicatif::{HumanCount, HumanDuration};

/// Before so much time has passed nothing can be said of the time that is left …
const SETTLED: Duration = Duration::from_secs(3);
/// … nor before so many thousandths of the work are done, unless …
const THOUSANDTHS: u128 = 10;
/// … it has gone on for so long.
const LONG: Duration = Duration::from_secs(60);
/// A bar has at least so many columns, and at most …
const BAR_MIN: usize = 8;
/// … so many.
const BAR_MAX: usize = 32;
/// Where a terminal does not tell its width.
const COLUMNS: usize = 80;

/// Says something to a person, on a line of standard error: whatever it quotes from files, programs and
/// command lines, the terminal gets text alone. Nobody need listen.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", reports::printable(text));
}

/// How many columns standard output has, where it is a terminal.
pub fn columns() -> Option<usize> {
    columns_of(&std::io::stdout())
}

/// How many columns standard error has, if it is a terminal.
fn columns_of_messages() -> usize {
    columns_of(&std::io::stderr()).unwrap_or(COLUMNS)
}

#[cfg(unix)]
fn columns_of(stream: &impl std::os::fd::AsFd) -> Option<usize> {
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(stream)?;
    Some(columns.into())
}

#[cfg(windows)]
fn columns_of(stream: &impl std::os::windows::io::AsHandle) -> Option<usize> {
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(stream)?;
    Some(columns.into())
}

/// How long the rest takes at the pace so far, once that can be known: what has just begun has no pace,
/// and a first block that waits for a program to start says nothing of the others.
fn left(elapsed: Duration, fresh: u64, rest: u64) -> Option<Duration> {
    let enough = u128::from(fresh) * 1000 >= (u128::from(fresh) + u128::from(rest)) * THOUSANDTHS;
    let known = fresh > 0 && elapsed >= SETTLED && (enough || elapsed >= LONG);
    // A time that no clock has is none.
    let seconds = elapsed.as_secs_f64() * rest as f64 / fresh as f64;
    known.then(|| Duration::try_from_secs_f64(seconds).ok()).flatten()
}

/// How far a job is.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// What is counted, like `vectors`.
    pub things: &'static str,
    /// How many are done …
    pub done: u64,
    /// … of so many.
    pub total: u64,
    /// How many of those that are done were done before the job was taken up.
    pub before: u64,
    /// How long it has been at it since.
    pub elapsed: Duration,
    /// How many mismatches there are.
    pub mismatches: u64,
}

impl Pace {
    fn percent(&self) -> u64 {
        (u128::from(self.done) * 100 / u128::from(self.total.max(1))) as u64
    }

    fn fresh(&self) -> u64 {
        self.done.saturating_sub(self.before)
    }

    fn left(&self) -> Option<String> {
        let left = left(self.elapsed, self.fresh(), self.total.saturating_sub(self.done))?;
        Some(format!("{} left", HumanDuration(left)))
    }

    fn count(&self) -> String {
        format!("{} of {} {}", HumanCount(self.done), HumanCount(self.total), self.things)
    }

    fn wrong(&self) -> String {
        format!("{} mismatches", HumanCount(self.mismatches))
    }

    /// A line for a log.
    pub fn line(&self) -> String {
        let left = self.left().map_or_else(String::new, |left| format!(", {left}"));
        format!("{:3}%  {}, {}{left}", self.percent(), self.count(), self.wrong())
    }

    /// A line with a bar, for the terminal that standard error is.
    pub fn bar(&self) -> String {
        self.bar_in(columns_of_messages())
    }

    /// A line with a bar in at most so many columns: what matters most is there, and the rest if there is
    /// room.
    fn bar_in(&self, columns: usize) -> String {
        // The last column is left free: some terminals begin a new line in it.
        let mut room = columns.saturating_sub(1).saturating_sub(4);
        let mut fitting = |part: Option<String>| {
            let part = part.filter(|part| part.chars().count() + 2 <= room)?;
            room -= part.chars().count() + 2;
            Some(part)
        };
        let wrong = fitting(Some(self.wrong()).filter(|_| self.mismatches > 0));
        let left = fitting(self.left());
        let count = fitting(Some(self.count()));
        let seconds = self.elapsed.as_secs_f64();
        let rate = (seconds >= 1.0).then(|| (self.fresh() as f64 / seconds) as u64);
        let rate = fitting(rate.map(|rate| format!("{}/s", HumanCount(rate))));
        let parts = [count, rate, left, wrong].into_iter().flatten();
        let text = parts.fold(format!("{:3}%", self.percent()), |text, part| text + "  " + &part);
        let bar = room.saturating_sub(2).min(BAR_MAX);
        if bar < BAR_MIN {
            return text.chars().take(columns).collect();
        }
        let full = (bar as u64 * self.percent() / 100).min(bar as u64) as usize;
        format!("{}{}  {text}", "█".repeat(full), "░".repeat(bar - full))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(done: u64, seconds: u64) -> Pace {
        let elapsed = Duration::from_secs(seconds);
        Pace { things: "vectors", done, total: 1_500_000_000, before: 0, elapsed, mismatches: 0 }
    }

    #[test]
    fn a_bar_fits_its_terminal() {
        let huge = Pace { done: u64::MAX / 3, total: u64::MAX, mismatches: u64::MAX, ..pace(0, 3000) };
        let odd = Pace { done: 7, total: 0, ..pace(0, 0) };
        for pace in [pace(0, 0), pace(70_000_000, 90), pace(1_500_000_000, 4000), huge, odd] {
            for columns in [0, 1, 5, 20, 40, 80, 100, 300] {
                let line = pace.bar_in(columns);
                assert!(line.chars().count() <= columns, "{columns}: {line}");
            }
        }
        let wrong = Pace { mismatches: 12, ..pace(150_000_000, 90) };
        assert_eq!(wrong.bar_in(20), " 10%  12 mismatches");
        assert_eq!(pace(150_000_000, 90).bar_in(30), " 10%  14 minutes left");
        let broad = wrong.bar_in(100);
        assert!(
            broad.contains("█") && broad.contains("150,000,000 of 1,500,000,000 vectors"),
            "{broad}"
        );
        assert!(broad.ends_with("14 minutes left  12 mismatches"), "{broad}");
    }

    /// One vector in the first second is no pace: it would promise 47 years.
    #[test]
    fn the_time_that_is_left_is_said_once_it_can_be_known() {
        for early in [pace(0, 0), pace(1, 1), pace(1, 20), pace(0, 3600), pace(700_000_000, 2)] {
            assert!(!early.bar_in(200).contains("left"), "{early:?}");
            assert!(!early.line().contains("left"), "{early:?}");
        }
        assert!(pace(150_000_000, 5).line().ends_with(", 45 seconds left"));
        // What was done before does not count.
        let resumed = Pace { before: 149_999_999, ..pace(150_000_000, 5) };
        assert!(!resumed.line().contains("left"));
        // Slow, and that is certain.
        assert!(pace(1_000_000, 100).line().contains("2 days left"), "{}", pace(1_000_000, 100).line());
    }
}
