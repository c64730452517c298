//! Tells what became of the artifacts of a fuzz campaign.

use crate::{Artifact, ArtifactStatus, Campaign};

use super::page::Page;
use crate::text::{counted, thousands};

/// The largest number of artifacts of a status that are named.
const NAMED: usize = 20;

/// Says how many artifacts have each status, and names those that do not fail.
pub(super) fn campaign(campaign: Option<&Campaign>, page: Page) -> String {
    let Some(campaign) = campaign else { return String::new() };
    let artifacts = counted(campaign.artifacts.len() as u64, "artifact");
    let heading = format!("{artifacts} of fuzzing: {}", counts(campaign));
    let mut out = page.sentence(Page::bold, &heading);
    for status in ArtifactStatus::ALL {
        // Artifacts that fail have their classes above.
        let of_status = campaign.artifacts.iter().filter(|artifact| artifact.status == status);
        let named: Vec<&Artifact> = of_status.filter(|of| of.status != ArtifactStatus::Fails).collect();
        for artifact in named.iter().take(NAMED) {
            let reason = artifact.reason.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            out += &page.wrapped(&format!("{} {}{reason}", status.name(), artifact.file), 2, 4);
        }
        if named.len() > NAMED {
            let more = thousands((named.len() - NAMED) as u64);
            out += &page.wrapped(&format!("{} {more} more, named in the report", status.name()), 2, 4);
        }
    }
    out
}

/// Says on one line how many artifacts have each status.
pub(crate) fn counts(campaign: &Campaign) -> String {
    let count = |status: ArtifactStatus| match campaign.count(status) {
        0 => None,
        count => Some(format!("{} {}", thousands(count), words(status, count == 1))),
    };
    ArtifactStatus::ALL.into_iter().filter_map(count).collect::<Vec<_>>().join(", ")
}

/// Returns the words for some artifacts of a status, or for one.
fn words(status: ArtifactStatus, one: bool) -> &'static str {
    match (status, one) {
        (ArtifactStatus::Fails, true) => "fails",
        (ArtifactStatus::Fails, false) => "fail",
        (ArtifactStatus::Agrees, true) => "no longer fails",
        (ArtifactStatus::Agrees, false) => "no longer fail",
        (ArtifactStatus::Untested, _) => "untested",
        (ArtifactStatus::Unread, _) => "unread",
    }
}
