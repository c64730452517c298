//! The part of a report that tells which answers of an implementation no single interpretation of the manual gives.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::class::Example;

/// An open point of the manual, or several that meet, answered in two ways: each result is right by some
/// interpretation, and no interpretation that the suite knows gives all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Inconsistency {
    /// The relaxation's name, like `zero-sign`; the names of all where several meet, like `ftz-ignored × zero-sign`.
    pub relaxation: String,
    /// The variant that gave all of the answers; or the section of the manual, like `PTX ISA 9.7.3.5`, if each of its
    /// variants has an answer of its own. Neither fails for the inconsistency.
    pub scope: String,
    /// The answers, each with a vector.
    pub answers: Vec<AnswerReport>,
}

/// An answer to an open point of the manual.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct AnswerReport {
    /// The answer, named by the interpretations that it agrees with: `-0 or clamped first`. An answer to several points
    /// is named like `ftz-ignored × zero-sign: flushed × -0 | kept × +0`.
    pub answer: String,
    /// The first variant that gave the answer.
    pub variant: String,
    /// Number of results of `variant` with the answer, each lane of a packed type counted by itself.
    pub count: u64,
    /// A vector with that answer.
    pub example: Example,
}
