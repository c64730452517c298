//! Answers that no single interpretation gives.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::class::Example;

/// An open point, or several that meet, answered in two ways: each result is right by some
/// interpretation, and no interpretation that the suite knows gives all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Inconsistency {
    /// The relaxation's name, like `zero-sign`; of several, `ftz-ignored × zero-sign`.
    pub relaxation: String,
    /// The variant; or the section of the manual, like `PTX ISA 9.7.3.5`, if each of its variants has an
    /// answer of its own. Neither fails for it.
    pub scope: String,
    /// The answers, with a vector for each.
    pub answers: Vec<AnswerReport>,
}

/// One answer to an open point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct AnswerReport {
    /// The answer, named by the interpretations that it agrees with: `-0 or clamped first`; of several
    /// points `ftz-ignored × zero-sign: flushed × -0 | kept × +0`.
    pub answer: String,
    /// The first variant that gave it.
    pub variant: String,
    /// How many results of that variant have it, each lane of a packed type counted by itself.
    pub count: u64,
    /// A vector with that answer.
    pub example: Example,
}
