//! The part of a compiler's report that tells under which conditions a wrong program is right.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The outcomes of a wrong program where it was compiled in other ways.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Circumstances {
    /// The compiler of each target of the finding, in its own words: a library may have two compilers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub compiled_by: BTreeMap<String, String>,
    /// Changes to the source that hide something from the optimiser and make the program right, in words: `its constant
    /// is a parameter`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub right_as_soon_as: Vec<String>,
    /// Levels of optimisation, named by their options, each with the outcome.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<Condition>,
    /// Other versions of the compiler, each with the outcome.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<Condition>,
    /// The source of a program that is right, and as near to the wrong one as any program that was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbour: Option<String>,
}

/// A condition, and the outcome of a wrong program under it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Condition {
    /// The compiler's option, or its version.
    pub name: String,
    /// The outcome of the program under the condition.
    pub verdict: ConditionOutcome,
}

/// The outcome of a wrong program under another condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Outcome"))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ConditionOutcome {
    /// The program is right.
    Right,
    /// The program is wrong under this condition as well.
    Wrong,
    /// The program is not compiled, or cannot be executed.
    Unknown,
}

impl ConditionOutcome {
    /// Returns the outcome in words.
    pub const fn words(self) -> &'static str {
        match self {
            ConditionOutcome::Right => "right",
            ConditionOutcome::Wrong => "wrong",
            ConditionOutcome::Unknown => "not compiled or not executed",
        }
    }
}
