//! Checks the artifacts of a fuzz campaign against each other, and its causes against the classes of the report.

use super::{Contradictions, short};
use crate::{Artifact, ArtifactStatus, FUZZ, Report, RootCause};

/// Adds where the findings about a fuzz campaign contradict each other, or the rest of the report.
pub(super) fn contradictions(report: &Report, found: &mut Contradictions) {
    let is_fuzz = report.plan.tier == FUZZ;
    let Some(campaign) = &report.campaign else {
        if is_fuzz {
            found.0.push("`plan.tier` is fuzz, and there is no `campaign`".into());
        }
        return;
    };
    if !is_fuzz {
        found.0.push("there is a `campaign`, and `plan.tier` is not fuzz".into());
    }
    found.twice("", "artifact", campaign.artifacts.iter().map(|artifact| &*artifact.file));
    for artifact in campaign.artifacts.iter().filter(|artifact| !fits(artifact)) {
        let (file, status) = (short(&artifact.file), artifact.status.name());
        found.0.push(format!(
            "artifact {file}: its `status` is {status}, which contradicts its other fields"
        ));
    }
    let classes = |causes: &[RootCause]| {
        let mut all: Vec<String> = causes.iter().flat_map(|cause| cause.classes.clone()).collect();
        // Causes may stand in another order than this build would give them; only their classes count.
        all.sort();
        all
    };
    if classes(&campaign.causes) != classes(&RootCause::all(&report.variants)) {
        found.0.push("`campaign.causes` do not name each failing class exactly once".into());
    }
}

/// Whether an artifact has what its status says: a class if it fails, a reason if it was not tried.
fn fits(artifact: &Artifact) -> bool {
    let Artifact { status, variant, class, reason, .. } = artifact;
    let untried = matches!(status, ArtifactStatus::Untested | ArtifactStatus::Unread);
    class.is_some() == (*status == ArtifactStatus::Fails)
        && reason.is_some() == untried
        && (variant.is_some() || *status == ArtifactStatus::Unread)
}
