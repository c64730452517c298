//! The verdict of a report: what it amounts to as a whole.

use super::{ArtifactStatus, Report};

/// The verdict of a report: what it amounts to as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every vector of every supported variant was tested or has no result, and none mismatched without a
    /// waiver.
    Agree,
    /// A variant fails.
    Mismatches,
    /// No variant fails so far, but the run did not reach its end, or an artifact could not be read.
    Incomplete,
    /// The run reached its end without testing a vector: nothing was selected or supported.
    Nothing,
}

impl Report {
    /// Returns the number of artifacts of a fuzz campaign that could not be read.
    pub fn unread(&self) -> u64 {
        self.campaign.as_ref().map_or(0, |campaign| campaign.count(ArtifactStatus::Unread))
    }

    /// Returns the verdict of the report: what it amounts to. A failure outweighs an interruption.
    pub fn verdict(&self) -> Verdict {
        if self.totals.failed > 0 {
            Verdict::Mismatches
        } else if !self.complete || self.totals.incomplete > 0 || self.unread() > 0 {
            Verdict::Incomplete
        } else if self.totals.vectors == 0 {
            Verdict::Nothing
        } else {
            Verdict::Agree
        }
    }
}
