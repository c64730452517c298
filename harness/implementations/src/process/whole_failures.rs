//! Variants that fail on every vector of a batch: when the suite shows the first failure at once, and when it gives up
//! on a program that fails everywhere in the same way.

use std::collections::BTreeSet;

use reports::excerpt;

use crate::{FailureKind, RowFailure};

/// Number of variants in a row that may fail wholly, with the same words, where the program has never had a result.
const WITHOUT_ANY_RESULT: usize = 3;
/// Number of such variants where the program has had results: it may lack a whole family of variants without saying so.
const AFTER_RESULTS: usize = 64;

/// A program's record of batches that failed as a whole, since its last result.
#[derive(Debug, Default)]
pub struct WholeFailures {
    /// Whether any vector ever had a result.
    has_answered: bool,
    /// Whether the first failure of a whole batch was shown.
    is_shown: bool,
    /// Words of the failures in a row, without what differs from one to the next.
    words: String,
    /// Variants that failed so since the last result.
    variants: BTreeSet<String>,
}

/// The consequence of a batch's outcome for the run.
#[derive(Debug, PartialEq, Eq)]
pub enum BatchVerdict {
    /// Nothing: the run goes on.
    GoOn,
    /// The run goes on, and a person is told this.
    Tell(String),
    /// The program is given up, for this reason.
    GiveUp(String),
}

impl WholeFailures {
    /// Notes the outcome of a batch of a variant: its number of rows, and those that have no result.
    pub fn note_batch(&mut self, variant: &str, rows: usize, failures: &[RowFailure]) -> BatchVerdict {
        let Some(first) = failures.first() else {
            self.has_answered |= rows > 0;
            self.variants.clear();
            return BatchVerdict::GoOn;
        };
        let failed: BTreeSet<usize> = failures.iter().map(|failure| failure.row).collect();
        if failed.len() < rows {
            self.has_answered = true;
            self.variants.clear();
            return BatchVerdict::GoOn;
        }
        let words = first.words.split(" (one of ").next().unwrap_or_default();
        let constant = without_numbers(words);
        if constant != self.words {
            self.words = constant;
            self.variants.clear();
        }
        // How long is waited for a program that hangs is `Patience`'s.
        if first.kind != FailureKind::Timeout {
            self.variants.insert(variant.to_owned());
        }
        let most = if self.has_answered { AFTER_RESULTS } else { WITHOUT_ANY_RESULT };
        if self.variants.len() >= most {
            return BatchVerdict::GiveUp(format!(
                "the suite has given up on it: all vectors of {most} variants in a row failed in the same way, \
                 last those of {variant}: {}; mend it, and go on with --resume",
                excerpt(words)
            ));
        }
        if self.is_shown {
            return BatchVerdict::GoOn;
        }
        self.is_shown = true;
        BatchVerdict::Tell(format!(
            "note: all {rows} vectors of a batch of {variant} failed: {words}; the run goes on"
        ))
    }
}

/// Returns a text without its digits: numbers of processes, lines and vectors differ from one failure to the next.
fn without_numbers(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_fail(rows: usize, words: &str) -> Vec<RowFailure> {
        let failure = |row| RowFailure { row, kind: FailureKind::Crashed, words: words.into() };
        (0..rows).map(failure).collect()
    }

    #[test]
    fn a_program_that_fails_everywhere_is_given_up_after_three_variants() {
        let mut known = WholeFailures::default();
        let note = |known: &mut WholeFailures, variant: &str, words: &str| {
            known.note_batch(variant, 4, &all_fail(4, words))
        };
        let BatchVerdict::Tell(text) = note(&mut known, "add.f16", "TypeError in line 7") else {
            panic!("the first failure is shown")
        };
        assert!(text.contains("all 4 vectors") && text.contains("TypeError in line 7"), "{text}");
        // Another batch of a variant is no other variant.
        assert_eq!(note(&mut known, "add.f16", "TypeError in line 9"), BatchVerdict::GoOn);
        assert_eq!(note(&mut known, "add.f32", "TypeError in line 9"), BatchVerdict::GoOn);
        let BatchVerdict::GiveUp(reason) = note(&mut known, "add.f64", "TypeError in line 9") else {
            panic!("given up")
        };
        assert!(reason.contains("3 variants") && reason.contains("TypeError"), "{reason}");
    }

    #[test]
    fn results_and_other_words_begin_the_count_again() {
        let mut known = WholeFailures::default();
        for variant in ["a", "b"] {
            known.note_batch(variant, 2, &all_fail(2, "one"));
        }
        // Other words.
        assert_eq!(known.note_batch("c", 2, &all_fail(2, "another")), BatchVerdict::GoOn);
        // One row of two has a result; from then on more variants may fail.
        assert_eq!(known.note_batch("d", 2, &all_fail(1, "another")), BatchVerdict::GoOn);
        let fails = |known: &mut WholeFailures, at: usize| {
            known.note_batch(&format!("v{at}"), 2, &all_fail(2, "another"))
        };
        assert!((1..AFTER_RESULTS).all(|at| fails(&mut known, at) == BatchVerdict::GoOn));
        assert!(matches!(fails(&mut known, AFTER_RESULTS), BatchVerdict::GiveUp(_)));
    }
}
