//! The mismatch: a vector whose result breaks the contract, as a report keeps it.

use formats::RowBits;
use serde::{Deserialize, Serialize};

/// A vector whose result breaks the contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mismatch {
    /// Number of the vector in its sweep.
    pub index: u64,
    /// Registers of the operands.
    #[serde(with = "super::registers")]
    pub operands: Vec<RowBits>,
    /// The results that the first interpretation of every open point gives.
    #[serde(with = "super::registers")]
    pub expected: Vec<RowBits>,
    /// Other results that would have been accepted, in words.
    pub accepted: Vec<String>,
    /// Results that the implementation gave; empty if it has no result. Where it gave several, one that is not the
    /// expected one.
    #[serde(with = "super::registers")]
    pub actual: Vec<RowBits>,
    /// Words that say what became of the vector, if the implementation gave nothing, or several results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}
