//! A meaning that the results of a run are held to in the place of an instruction's contract.

use std::fmt;

use formats::Column;
use judge::{Batch, Tally};

/// The name under which a tally has the errors of the results of a meaning with a bound.
pub const ALL_OPERANDS: &str = "all operands";

/// What code of a user's own should compute. The plan of a run with a meaning has one subject, an instruction with the
/// same operands and results: its sweeps give the vectors, and nothing else of it counts.
pub trait Meaning: fmt::Debug + Send + Sync {
    /// Returns the meaning as a text, which reports show in the place of the instruction's name.
    fn text(&self) -> String;

    /// Returns a text that is another one for every other meaning, also where they read the same: a run goes on only
    /// under the meaning that it began with.
    fn identity(&self) -> String {
        self.text()
    }

    /// Returns the largest error that is permitted, in words, if there is one: then judges add the errors of results to
    /// their tallies, under the name [`ALL_OPERANDS`].
    fn bound(&self) -> Option<String> {
        None
    }

    /// Returns a judge for one thread.
    fn judge(&self) -> Box<dyn MeaningJudge>;
}

/// A judge of batches by a meaning.
pub trait MeaningJudge {
    /// Computes what these operands should give.
    fn expect(&mut self, operands: &[Column]);

    /// Whether the last batch was left because the run is to end: then nothing is known of its rows.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Returns the results that were expected last: of several that are right, the first.
    fn expected(&self) -> &[Column];

    /// Judges a batch, whose operands are those that [`MeaningJudge::expect`] was given last, and adds to the tally.
    fn judge(&mut self, batch: Batch, tally: &mut Tally);
}
