//! The condition on operands under which a user's own code was judged, and the words for what it leaves out.

use super::Report;

/// The name of the detail of an implementation that has the condition.
const CONDITION: &str = "where";

impl Report {
    /// Whether vectors were left out because their operands do not fulfil a condition.
    pub fn has_condition(&self) -> bool {
        self.implementation.details.contains_key(CONDITION)
    }

    /// Returns the heading of the number of vectors that were asked and not judged.
    pub(crate) fn gap(&self) -> &'static str {
        if self.has_condition() { "left out by --where" } else { "no result" }
    }

    /// Returns the words behind the number of vectors that were asked and not judged.
    pub(crate) fn gap_words(&self) -> &'static str {
        if self.has_condition() { "left out by --where" } else { "without a result" }
    }
}
