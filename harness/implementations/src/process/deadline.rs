//! Deadlines: how long something may take, by a clock that stands still while the suite does.

use std::fmt;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// Longest time that is waited for at once.
const SLICE: Duration = Duration::from_millis(100);
/// Time beyond a slice after which the waiting process must have been stopped meanwhile (SIGSTOP, a frozen
/// container, a paused machine).
const JUMP: Duration = Duration::from_secs(1);

/// Rest of the time that an answer may take. Only waiting counts.
#[derive(Debug)]
pub struct Deadline {
    /// Name of the option that sets the limit.
    option: &'static str,
    limit: Duration,
    left: Duration,
}

impl Deadline {
    /// Makes a deadline with all of `limit` left, which is what the option of this name sets.
    pub fn new(option: &'static str, limit: Duration) -> Deadline {
        Deadline { option, limit, left: limit }
    }

    /// Waits for what `poll` gives, which itself waits for as long as it is told.
    pub fn wait<T>(
        &mut self,
        mut poll: impl FnMut(Duration) -> Result<T, RecvTimeoutError>,
    ) -> Result<T, RecvTimeoutError> {
        loop {
            let slice = self.left.min(SLICE);
            let start = Instant::now();
            let polled = poll(slice);
            self.pass(slice, start.elapsed());
            match polled {
                Err(RecvTimeoutError::Timeout) if !self.left.is_zero() => {}
                polled => return polled,
            }
        }
    }

    /// Takes note that `passed` went by where `slice` was to be waited for. Whoever was stopped has not waited,
    /// and what was waited for may have been stopped too: it has all its time again.
    fn pass(&mut self, slice: Duration, passed: Duration) {
        self.left = if passed > slice + JUMP { self.limit } else { self.left.saturating_sub(passed) };
    }
}

impl fmt::Display for Deadline {
    /// Writes the time that was set, and the option that sets it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.limit.as_secs_f64();
        write!(f, "{seconds} s ({}={seconds})", self.option)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds of waiting add up; a stop in between does not, and gives all the time again.
    #[test]
    fn time_during_which_the_suite_is_stopped_does_not_count() {
        let mut deadline = Deadline::new("deadline", Duration::from_secs(2));
        for _ in 0..15 {
            deadline.pass(SLICE, SLICE);
        }
        assert_eq!(deadline.left, Duration::from_millis(500));
        deadline.pass(SLICE, Duration::from_secs(3600));
        assert_eq!(deadline.left, Duration::from_secs(2));
        for _ in 0..20 {
            assert!(!deadline.left.is_zero());
            deadline.pass(SLICE, SLICE + Duration::from_millis(1));
        }
        assert!(deadline.left.is_zero());
        assert_eq!(deadline.to_string(), "2 s (deadline=2)");
    }

    #[test]
    fn what_comes_in_time_is_taken_and_what_does_not_is_late() {
        let mut deadline = Deadline::new("start", Duration::from_millis(250));
        let mut polls = 0;
        let answer = deadline.wait(|_| {
            polls += 1;
            if polls == 3 { Ok(7) } else { Err(RecvTimeoutError::Timeout) }
        });
        assert_eq!(answer, Ok(7));
        let never = |slice| {
            std::thread::sleep(slice);
            Err::<(), _>(RecvTimeoutError::Timeout)
        };
        assert_eq!(deadline.wait(never), Err(RecvTimeoutError::Timeout));
    }
}
