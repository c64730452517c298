//! Which rules a whole implementation follows.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rule of PTX, and how it is followed in each family of instructions that it concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RuleReport {
    /// The rule, in words, like `flushes inputs`.
    pub rule: String,
    /// The families that have variants that it concerns; of all others it says nothing.
    pub families: Vec<RuleCell>,
}

/// How one family of instructions follows a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RuleCell {
    /// The instructions, like `fma mad`.
    pub family: String,
    /// How many variants that the rule concerns were tested; 0 if none was.
    pub variants: u64,
    /// In how many of them nothing shows that it is not followed.
    pub following: u64,
}
