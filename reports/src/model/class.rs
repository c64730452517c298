//! Mismatches of one cause, and their vectors.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hex;

/// Mismatches of one variant that have one cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Class {
    /// The variant and a short name of the cause, like `mul.rn.ftz.f16/not-flushed`. It is unique in
    /// the report.
    pub id: String,
    /// What is wrong with the results.
    pub diagnosis: String,
    /// How many mismatches belong to the class.
    pub count: u64,
    /// What the implementation seems to do instead, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// The simplest mismatch of the class that was found, by a search that began with the one that its
    /// sweep and number tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simplest: Option<Example>,
    /// Why the class does not fail the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiver: Option<Waiver>,
    /// Some mismatches, the first one first.
    pub examples: Vec<Example>,
}

/// Why mismatches are known and do not fail a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Waiver {
    /// The reason.
    pub reason: String,
    /// Where it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// A wrong model of the variant that gives every result of a class that was tried again, and gets no
/// other wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Explanation {
    /// The names of what is wrong with the model, one or two.
    pub flaws: Vec<String>,
    /// The same in words.
    pub words: String,
    /// The same one by one, in the order of `flaws`. Left out by older suites.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Flaw>,
    /// How many mismatches of the class were tried again, each of whose results it gives.
    pub mismatches: u64,
    /// How many vectors with results that are right it has right, too.
    pub agreeing: u64,
    /// The modifiers, like `.rz`, that have no effect, where that explains as much and nothing else is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignores: Vec<String>,
    /// What else would explain as much.
    pub others: Vec<String>,
    /// What these names stand for, in words.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_words: BTreeMap<String, String>,
}

/// One thing that is wrong with a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Flaw {
    /// Its name, as in `flaws`.
    pub id: String,
    /// What is wrong, in words.
    pub words: String,
    /// The modifier, like `.sat`, where the flaw is that this one has no effect, and is named after it. Left out where
    /// something else is wrong, and where modifiers of several names have the flaw in common.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modifier: Option<String>,
}

/// One mismatch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Example {
    /// The sweep that asked.
    pub sweep: String,
    /// The vector's number in the sweep.
    pub index: u64,
    /// The inputs.
    pub operands: Vec<Datum>,
    /// The results that were expected.
    pub expected: Vec<Datum>,
    /// Other results that the contract would have accepted, in words or as hex strings.
    pub accepted: Vec<String>,
    /// The results that the implementation gave; none if it crashed, or was late.
    pub actual: Vec<Datum>,
    /// What became of it then, in words, those of the implementation last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// One operand or result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Datum {
    /// Its name in the manual's syntax, like `a` or `d`.
    pub name: String,
    /// Its type, like `f16x2`.
    #[serde(rename = "type")]
    pub ty: String,
    /// All its bits.
    #[serde(deserialize_with = "hex")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^0x[0-9a-f]+$")))]
    pub bits: String,
    /// Its values: one for a scalar; several for a packed type, that of the lowest bits first.
    pub lanes: Vec<Lane>,
}

/// One value of an operand or result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Lane {
    /// Its bits.
    #[serde(deserialize_with = "hex")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^0x[0-9a-f]+$")))]
    pub bits: String,
    /// The value in decimal.
    pub value: String,
    /// Its sign, exponent and significand, for a person.
    pub fields: String,
    /// A number's sign and significand in binary, with all digits that its format has: `-1.0110000000`. Left out of zero,
    /// infinity, NaN and integers, and by older suites.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub significand: Option<String>,
    /// The power of two that the significand is multiplied with. Left out where that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exponent: Option<i32>,
}

/// How many values of an operand or result are shown.
const SHOWN: usize = 16;
/// How many values a packed register has at most; of more, zeros tell nothing.
const PACKED: usize = 4;

impl Datum {
    /// The values that are shown, with their places: those of a packed register, and of more those that are not
    /// zero; sixteen at most.
    pub(crate) fn shown(&self) -> Vec<(usize, &Lane)> {
        let many = self.lanes.len() > PACKED;
        let told = self.lanes.iter().enumerate().filter(|(_, lane)| !many || !lane.is_zero());
        told.take(SHOWN).collect()
    }
}

impl Explanation {
    /// An explanation by these flaws, of no mismatch so far.
    pub fn of(parts: Vec<Flaw>) -> Explanation {
        let words: Vec<&str> = parts.iter().map(|flaw| &*flaw.words).collect();
        let (flaws, words) = (parts.iter().map(|flaw| flaw.id.clone()).collect(), words.join("; and "));
        Explanation { flaws, words, parts, ..Explanation::default() }
    }
}

impl Flaw {
    /// A flaw that is not one of a modifier.
    pub fn new(id: impl Into<String>, words: impl Into<String>) -> Flaw {
        Flaw { id: id.into(), words: words.into(), modifier: None }
    }
}

impl Lane {
    /// Whether no bit is set.
    pub(crate) fn is_zero(&self) -> bool {
        self.bits.trim_start_matches("0x").bytes().all(|digit| digit == b'0')
    }
}
