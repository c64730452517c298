//! The part of a report that tells which rules of PTX an implementation follows as a whole.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rule of PTX, and how it is followed in each family of instructions that it concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RuleReport {
    /// The rule, in words, like `flushes inputs`.
    pub rule: String,
    /// The families of instructions that have variants which the rule concerns; about other families the rule says
    /// nothing.
    pub families: Vec<RuleCell>,
}

/// How one family of instructions follows a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RuleCell {
    /// The instructions of the family, like `fma mad`.
    pub family: String,
    /// Number of tested variants of the family that the rule concerns; 0 if none was tested.
    pub variants: u64,
    /// Number of tested variants that the rule concerns and where nothing shows that it is not followed.
    pub following: u64,
}
