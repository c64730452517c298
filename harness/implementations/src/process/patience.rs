//! Patience with a program: when the suite gives up on it as a whole, since one that always hangs would take
//! weeks.

use std::time::Duration;

use super::Limits;

/// Deadlines that may pass without one answer in between: what hangs on every vector of a variant takes two
/// dozen.
const IN_A_ROW: u32 = 40;
/// Deadlines that may pass in all, for each of the suite's threads.
const IN_ALL: u32 = 200;

/// Time that was lost on a program.
#[derive(Debug, Default)]
pub struct Patience {
    /// Time lost since the program's last answer.
    in_a_row: Duration,
    in_all: Duration,
}

impl Patience {
    /// Adds time for which something was waited for in vain.
    pub fn lose(&mut self, time: Duration) {
        self.in_a_row += time;
        self.in_all += time;
    }

    /// Notes that the program has answered.
    pub fn answered(&mut self) {
        self.in_a_row = Duration::ZERO;
    }

    /// Returns why nothing more is to be asked of the program, if so.
    pub fn exhausted(&self, limits: &Limits) -> Option<String> {
        let deadline = limits.deadline;
        let (lost, of, how) = match () {
            () if self.in_a_row >= deadline * IN_A_ROW => {
                (self.in_a_row, IN_A_ROW, "since its last answer")
            }
            () if self.in_all >= deadline * IN_ALL => (self.in_all, IN_ALL, "in all"),
            () => return None,
        };
        Some(format!(
            "the suite has given up on it: no answer for {} s {how} (limit: {of} times the deadline of \
             {} s)",
            lost.as_secs(),
            deadline.as_secs()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_prolong_patience_up_to_a_point() {
        let limits = Limits::default();
        let mut patience = Patience::default();
        for lost in 1..=200 {
            patience.lose(limits.deadline);
            let exhausted = patience.exhausted(&limits);
            assert_eq!(exhausted.is_some(), lost == 200, "{lost}");
            patience.answered();
        }
        let mut patience = Patience::default();
        for lost in 1..=40 {
            patience.lose(limits.deadline);
            assert_eq!(patience.exhausted(&limits).is_some(), lost == 40, "{lost}");
        }
        let words = patience.exhausted(&limits).expect("given up");
        assert!(words.contains("no answer for 400 s since its last answer"), "{words}");
    }
}
