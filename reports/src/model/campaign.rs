//! The part of a report that tells the outcomes of a fuzz campaign's artifacts.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The tier that a report's plan names where the vectors are those that a fuzz campaign kept.
pub const FUZZ: &str = "fuzz";

/// The outcomes of a fuzz campaign's artifacts, the inputs that it kept, when they were tried again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Campaign {
    /// Every file that the campaign kept, in the order of the names.
    pub artifacts: Vec<Artifact>,
    /// The causes behind the classes of failing variants, each once; the cause of the first class comes first.
    pub causes: Vec<RootCause>,
}

/// A file that a fuzz campaign kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Artifact {
    /// The file's path in the folder of artifacts.
    pub file: String,
    /// The outcome of trying the artifact again.
    pub status: ArtifactStatus,
    /// The variant that the artifact is a vector of. Left out where the artifact is no vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The class of the mismatch that the artifact's vector was when it was tried alone. Left out where it was no
    /// mismatch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The reason why the artifact was not tried. Left out where it was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The outcome of trying an artifact of a fuzz campaign again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ArtifactStatus {
    /// The artifact's vector is a mismatch, as it was when it was found, or of another class.
    Fails,
    /// The artifact's vector is no mismatch any more.
    Agrees,
    /// The implementation does not have the artifact's variant, or has no result of the vector.
    Untested,
    /// The file stands for no vector, so nobody knows whether what was found is still there.
    Unread,
}

impl ArtifactStatus {
    /// All outcomes that an artifact may have.
    pub const ALL: [ArtifactStatus; 4] = [
        ArtifactStatus::Fails,
        ArtifactStatus::Agrees,
        ArtifactStatus::Untested,
        ArtifactStatus::Unread,
    ];

    /// Returns the outcome's name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            ArtifactStatus::Fails => "fails",
            ArtifactStatus::Agrees => "agrees",
            ArtifactStatus::Untested => "untested",
            ArtifactStatus::Unread => "unread",
        }
    }
}

/// Classes of mismatches with one cause: they have one explanation, or their explanation is not known and they look
/// alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[non_exhaustive]
pub struct RootCause {
    /// The explanation in words.
    pub words: String,
    /// The names of the classes that have this cause, in the order of the variants.
    pub classes: Vec<String>,
}

impl Campaign {
    /// Returns the number of artifacts with the given outcome.
    pub fn count(&self, status: ArtifactStatus) -> u64 {
        self.artifacts.iter().filter(|artifact| artifact.status == status).count() as u64
    }
}
