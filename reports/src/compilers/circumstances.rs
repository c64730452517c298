//! Under which conditions a wrong program is right.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What became of a wrong program where it was compiled in other ways.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Circumstances {
    /// What compiled for each target of the finding, in the compiler's words: a library may have two compilers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub compiled_by: BTreeMap<String, String>,
    /// Changes to the source that hide something from the optimiser and make the program right, in words: `its constant
    /// is a parameter`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub right_as_soon_as: Vec<String>,
    /// Levels of optimisation, by their options.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<Condition>,
    /// Other versions of the compiler.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<Condition>,
    /// The source of a program that is right, and as near to the wrong one as any that was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbour: Option<String>,
}

/// A condition, and what became of the program under it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Condition {
    /// The option, or the version.
    pub name: String,
    /// What became of the program.
    pub verdict: Outcome,
}

/// What became of a program under a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It is right.
    Right,
    /// It is wrong as well.
    Wrong,
    /// It is not compiled, or cannot be executed.
    Unknown,
}

impl Outcome {
    /// The same in words.
    pub const fn words(self) -> &'static str {
        match self {
            Outcome::Right => "right",
            Outcome::Wrong => "wrong",
            Outcome::Unknown => "not compiled or not executed",
        }
    }
}
