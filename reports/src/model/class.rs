//! The part of a report that tells mismatches by their causes, each with examples of its vectors.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hex;

/// Mismatches of one variant that have one cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Class {
    /// The variant and a short name of the cause, like `mul.rn.ftz.f16/not-flushed`. This name is unique in the report.
    pub id: String,
    /// The diagnosis in words: what is wrong with the results.
    pub diagnosis: String,
    /// Number of mismatches that belong to the class.
    pub count: u64,
    /// The explanation of what the implementation seems to do instead, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// The properties that all mismatches of a class without an explanation have in common, in words without numbers:
    /// classes of one operation that have the same ones are put together. Left out by older suites.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The simplest mismatch of the class that was found. The search for it began with the mismatch that its `sweep`
    /// and `index` tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simplest: Option<Example>,
    /// The waiver because of which the class does not fail the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiver: Option<Waiver>,
    /// Some mismatches of the class, the first one first.
    pub examples: Vec<Example>,
}

/// A waiver: why mismatches are known and do not fail a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Waiver {
    /// The reason for the waiver.
    pub reason: String,
    /// The place where the reason is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// An explanation of a class: a wrong model of the variant that gives every result of the class that was tried again,
/// and gets no other result wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Explanation {
    /// The names of the flaws of the wrong model, one or two.
    pub flaws: Vec<String>,
    /// The flaws of the wrong model in words.
    pub words: String,
    /// The flaws of the wrong model one by one, in the order of `flaws`. Left out by older suites.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Flaw>,
    /// Number of mismatches of the class that were tried again; the wrong model gives the result of each.
    pub mismatches: u64,
    /// Number of vectors with right results that the wrong model computes right, too.
    pub agreeing: u64,
    /// The modifiers, like `.rz`, that have no effect, where that explains as much and nothing else is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignores: Vec<String>,
    /// Other wrong models that would explain as much, each named by its flaws.
    pub others: Vec<String>,
    /// The words for each name in `others`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_words: BTreeMap<String, String>,
}

/// A flaw of a wrong model that explains mismatches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Flaw {
    /// The flaw's name, as in `flaws` of the explanation.
    pub id: String,
    /// The flaw in words: what is wrong.
    pub words: String,
    /// The modifier, like `.sat`, where the flaw is that this modifier has no effect, and is named after it. Left out
    /// where something else is wrong, and where modifiers of several names have the flaw in common.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modifier: Option<String>,
}

/// A vector with its expected and its actual results, as an example of a mismatch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Example {
    /// The sweep that asked the vector.
    pub sweep: String,
    /// The vector's number in the sweep.
    pub index: u64,
    /// The vector's inputs.
    pub operands: Vec<Datum>,
    /// The results that were expected.
    pub expected: Vec<Datum>,
    /// Other results that the contract would have accepted, in words or as hex strings.
    pub accepted: Vec<String>,
    /// The results that the implementation gave; none if it crashed, or was late. Where it gave several, one of those
    /// that were not expected.
    pub actual: Vec<Datum>,
    /// The description, in words, of what became of an implementation that gave no results, the implementation's own
    /// words last; or of the results that it gave in arrays of different lengths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// An operand or result of a vector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Datum {
    /// The name in the manual's syntax, like `a` or `d`.
    pub name: String,
    /// The PTX type, like `f16x2`.
    #[serde(rename = "type")]
    pub ty: String,
    /// All bits of the operand or result.
    #[serde(deserialize_with = "hex")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^0x[0-9a-f]+$")))]
    pub bits: String,
    /// The values: one for a scalar, several for a packed type. The value in the lowest bits comes first.
    pub lanes: Vec<Lane>,
}

/// A value of an operand or result: a scalar, or a lane of a packed type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Lane {
    /// The bits of the value.
    #[serde(deserialize_with = "hex")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^0x[0-9a-f]+$")))]
    pub bits: String,
    /// The value in decimal.
    pub value: String,
    /// The value's sign, exponent and significand, for a person.
    pub fields: String,
    /// A number's sign and significand in binary, with all digits that its format has: `-1.0110000000`. Left out of
    /// zero, infinity, NaN and integers, and by older suites.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub significand: Option<String>,
    /// The exponent of the power of two that the significand is multiplied with. Left out where `significand` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exponent: Option<i32>,
}

/// Largest number of values of an operand or result that are shown.
const SHOWN: usize = 16;
/// Largest number of values that a packed register has, which is that of `e4m3x8`; in an operand with more values, zeros
/// tell nothing.
const PACKED: usize = 8;

impl Datum {
    /// Returns the values that are shown, each with its place: all values of a packed register, and of an operand with
    /// more values those that are not zero; sixteen at most.
    pub(crate) fn shown_values(&self) -> Vec<(usize, &Lane)> {
        let many = self.lanes.len() > PACKED;
        let told = self.lanes.iter().enumerate().filter(|(_, lane)| !many || !lane.is_zero());
        told.take(SHOWN).collect()
    }
}

impl Explanation {
    /// Returns an explanation by the given flaws, which covers no mismatch so far.
    pub fn of(parts: Vec<Flaw>) -> Explanation {
        let words: Vec<&str> = parts.iter().map(|flaw| &*flaw.words).collect();
        let (flaws, words) = (parts.iter().map(|flaw| flaw.id.clone()).collect(), words.join("; and "));
        Explanation { flaws, words, parts, ..Explanation::default() }
    }
}

impl Flaw {
    /// Returns a flaw that is not the lack of a modifier's effect: `modifier` is `None`.
    pub fn new(id: impl Into<String>, words: impl Into<String>) -> Flaw {
        Flaw { id: id.into(), words: words.into(), modifier: None }
    }
}

impl Lane {
    /// Whether no bit of the value is set.
    pub(crate) fn is_zero(&self) -> bool {
        self.bits.trim_start_matches("0x").bytes().all(|digit| digit == b'0')
    }
}
