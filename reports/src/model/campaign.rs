//! What became of the artifacts of a fuzz campaign.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The tier, in a report's plan, of vectors that a fuzz campaign kept.
pub const FUZZ: &str = "fuzz";

/// What became of the artifacts of a fuzz campaign, the inputs that it kept, when they were tried again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Campaign {
    /// Every file that there was, in the order of their names.
    pub artifacts: Vec<Artifact>,
    /// What is behind the classes of failing variants, each cause once, that of the first class first.
    pub causes: Vec<RootCause>,
}

/// One file of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Artifact {
    /// Its path in the folder of artifacts.
    pub file: String,
    /// What became of it.
    pub status: ArtifactStatus,
    /// The variant that it is a vector of. Left out where it is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The class of the mismatch that its vector was, tried alone. Left out where it was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Why it was not tried. Left out where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What became of an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ArtifactStatus {
    /// Its vector is a mismatch, as it was when it was found, or of another class.
    Fails,
    /// Its vector is no mismatch any more.
    Agrees,
    /// The implementation does not have the variant, or has no result of the vector.
    Untested,
    /// The file stands for no vector, so nobody knows whether what was found is still there.
    Unread,
}

impl ArtifactStatus {
    /// All of them.
    pub const ALL: [ArtifactStatus; 4] = [
        ArtifactStatus::Fails,
        ArtifactStatus::Agrees,
        ArtifactStatus::Untested,
        ArtifactStatus::Unread,
    ];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            ArtifactStatus::Fails => "fails",
            ArtifactStatus::Agrees => "agrees",
            ArtifactStatus::Untested => "untested",
            ArtifactStatus::Unread => "unread",
        }
    }
}

/// Classes that have one explanation, or of which it is not known and that look alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RootCause {
    /// The explanation in words.
    pub words: String,
    /// Its classes, in the order of the variants.
    pub classes: Vec<String>,
}

impl Campaign {
    /// How many artifacts became so.
    pub fn count(&self, status: ArtifactStatus) -> u64 {
        self.artifacts.iter().filter(|artifact| artifact.status == status).count() as u64
    }
}
