//! The line that tells how far a job is, with a bar or without.

use std::time::Duration;

use indicatif::{HumanCount, HumanDuration};

use super::WrongCount;
use crate::terminal::columns_of_messages;

/// Time that must pass before anything can be said of the time that is left.
const SETTLED: Duration = Duration::from_secs(3);
/// Thousandths of the work that must be done before anything can be said of the time that is left, unless the
/// work has gone on for as long as [`LONG`].
const THOUSANDTHS: u128 = 10;
/// Time after which the time that is left is told however little is done.
const LONG: Duration = Duration::from_secs(60);
/// Fewest columns of a bar.
const BAR_MIN: usize = 8;
/// Most columns of a bar.
const BAR_MAX: usize = 32;

/// Returns how long the rest of the work takes at the pace so far; `None` until that can be known. What has
/// just begun has no pace, and a first block that waits for a program to start says nothing of the others.
fn time_left(elapsed: Duration, fresh: u64, rest: u64) -> Option<Duration> {
    let enough = u128::from(fresh) * 1000 >= (u128::from(fresh) + u128::from(rest)) * THOUSANDTHS;
    let known = fresh > 0 && elapsed >= SETTLED && (enough || elapsed >= LONG);
    // A time too long for a `Duration` counts as not known.
    let seconds = elapsed.as_secs_f64() * rest as f64 / fresh as f64;
    known.then(|| Duration::try_from_secs_f64(seconds).ok()).flatten()
}

/// The numbers that tell how far a job is.
#[derive(Clone, Copy, Debug)]
pub struct Pace<'a> {
    /// The name of what is counted, like `vectors`.
    pub things: &'a str,
    /// The number of things that are done.
    pub done: u64,
    /// The number of things that there are in all, where that is known.
    pub total: Option<u64>,
    /// The number of things, of those that are done, that were done before the job was taken up.
    pub before: u64,
    /// Time for which the job has gone on since it was taken up.
    pub elapsed: Duration,
    /// Wrong results so far, where the job looks for them.
    pub wrong: Option<&'a WrongCount>,
}

impl Pace<'_> {
    /// Returns how much of the job is done, in whole percent; `None` where the total is not known.
    fn percent(&self) -> Option<u64> {
        // A job of nothing has no share. The product with 100 may exceed 64 bits.
        let total = u128::from(self.total?.max(1));
        Some((u128::from(self.done) * 100 / total) as u64)
    }

    /// Returns how many things were done since the job was taken up.
    fn fresh(&self) -> u64 {
        self.done.saturating_sub(self.before)
    }

    /// Returns the words for the time that is left; `None` until it can be known.
    fn left(&self) -> Option<String> {
        let left = time_left(self.elapsed, self.fresh(), self.total?.saturating_sub(self.done))?;
        Some(format!("{} left", HumanDuration(left)))
    }

    /// Returns the words for how many things are done, and of how many.
    fn count(&self) -> String {
        let of = self.total.map_or_else(String::new, |total| format!(" of {}", HumanCount(total)));
        format!("{}{of} {}", HumanCount(self.done), self.things)
    }

    /// Returns a line for a log.
    pub fn line(&self) -> String {
        let percent = self.percent().map_or_else(String::new, |percent| format!("{percent:3}%  "));
        let wrong = self.wrong.map(|wrong| wrong.words.clone());
        let parts = [Some(self.count()), wrong, self.left()].into_iter().flatten();
        percent + &parts.collect::<Vec<_>>().join(", ")
    }

    /// Returns a line with a bar, for the terminal that standard error is.
    pub fn bar(&self) -> String {
        self.bar_in(columns_of_messages())
    }

    /// Returns a line with a bar in at most `columns` columns: what matters most is there, and the rest if
    /// there is room.
    fn bar_in(&self, columns: usize) -> String {
        // The last column is left free: some terminals begin a new line in it.
        let percent = self.percent().map(|percent| format!("{percent:3}%"));
        let taken = percent.as_ref().map_or(0, |percent| percent.chars().count());
        let mut room = columns.saturating_sub(1).saturating_sub(taken);
        // Each part takes its columns with the two spaces before it.
        let mut fitting = |part: Option<String>| {
            let part = part.filter(|part| part.chars().count() + 2 <= room)?;
            room -= part.chars().count() + 2;
            Some(part)
        };
        // Parts ask for room in the order of their importance, which is not their order in the line.
        let wrong = self.wrong.filter(|wrong| wrong.count > 0);
        let wrong = fitting(wrong.map(|wrong| wrong.words.clone()));
        let left = fitting(self.left());
        let count = fitting(Some(self.count()));
        let seconds = self.elapsed.as_secs_f64();
        // In the first second the quotient says more of the clock than of the job.
        let rate = (seconds >= 1.0).then(|| (self.fresh() as f64 / seconds) as u64);
        let rate = fitting(rate.map(|rate| format!("{}/s", HumanCount(rate))));
        let parts = [percent, count, rate, left, wrong].into_iter().flatten();
        let text = parts.collect::<Vec<_>>().join("  ");
        // Two spaces stand between the bar and the text.
        let bar = room.saturating_sub(2).min(BAR_MAX);
        let Some(percent) = self.percent().filter(|_| bar >= BAR_MIN) else {
            return text.chars().take(columns).collect();
        };
        let full = (bar as u64 * percent / 100).min(bar as u64) as usize;
        format!("{}{}  {text}", "█".repeat(full), "░".repeat(bar - full))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(done: u64, seconds: u64) -> Pace<'static> {
        let elapsed = Duration::from_secs(seconds);
        let total = Some(1_500_000_000);
        Pace { things: "vectors", done, total, before: 0, elapsed, wrong: None }
    }

    fn mismatches(count: u64) -> WrongCount {
        WrongCount { count, words: format!("{count} mismatches") }
    }

    #[test]
    fn a_bar_fits_its_terminal() {
        let [none, twelve, all] = [0, 12, u64::MAX].map(mismatches);
        let (done, total) = (u64::MAX / 3, Some(u64::MAX));
        let huge = Pace { done, total, wrong: Some(&all), ..pace(0, 3000) };
        let odd = Pace { done: 7, total: Some(0), ..pace(0, 0) };
        let endless = Pace { total: None, ..huge };
        for pace in [pace(0, 0), pace(70_000_000, 90), pace(1_500_000_000, 4000), huge, odd, endless] {
            for columns in [0, 1, 5, 20, 40, 80, 100, 300] {
                let line = pace.bar_in(columns);
                assert!(line.chars().count() <= columns, "{columns}: {line}");
            }
        }
        let wrong = Pace { wrong: Some(&twelve), ..pace(150_000_000, 90) };
        assert_eq!(wrong.bar_in(20), " 10%  12 mismatches");
        assert_eq!(pace(150_000_000, 90).bar_in(30), " 10%  14 minutes left");
        let broad = wrong.bar_in(100);
        assert!(
            broad.contains("█") && broad.contains("150,000,000 of 1,500,000,000 vectors"),
            "{broad}"
        );
        assert!(broad.ends_with("14 minutes left  12 mismatches"), "{broad}");
        // A bar has room for what matters: that nothing is wrong, a log says.
        let right = Pace { wrong: Some(&none), ..wrong };
        assert!(!right.bar_in(100).contains("mismatches"));
        assert!(right.line().contains(" vectors, 0 mismatches, 14 minutes left"), "{}", right.line());
    }

    #[test]
    fn of_a_job_without_an_end_no_share_is_said() {
        let three = WrongCount { count: 3, words: "3 wrong in 2 classes".into() };
        let endless = Pace { things: "programs", total: None, wrong: Some(&three), ..pace(1200, 60) };
        assert_eq!(endless.line(), "1,200 programs, 3 wrong in 2 classes");
        assert_eq!(endless.bar_in(80), "1,200 programs  20/s  3 wrong in 2 classes");
    }

    /// Tests that early counts promise nothing: one vector in the first second is no pace, and would promise 47
    /// years.
    #[test]
    fn the_time_that_is_left_is_said_once_it_can_be_known() {
        for early in [pace(0, 0), pace(1, 1), pace(1, 20), pace(0, 3600), pace(700_000_000, 2)] {
            assert!(!early.bar_in(200).contains("left"), "{early:?}");
            assert!(!early.line().contains("left"), "{early:?}");
        }
        assert!(pace(150_000_000, 5).line().ends_with(", 45 seconds left"));
        // Work that was done before the job was taken up does not count for its pace.
        let resumed = Pace { before: 149_999_999, ..pace(150_000_000, 5) };
        assert!(!resumed.line().contains("left"));
        // This job is slow, and that is certain by now.
        assert!(pace(1_000_000, 100).line().contains("2 days left"), "{}", pace(1_000_000, 100).line());
    }
}
