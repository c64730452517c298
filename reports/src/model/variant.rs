//! What was found for one variant.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::class::{Class, Datum};
use super::{hex, is_zero};

/// What was found for one variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct VariantReport {
    /// The variant's PTX text, like `fma.rn.ftz.relu.f16x2`.
    pub variant: String,
    /// The outcome.
    pub status: Status,
    /// Why it is unsupported, waived or incomplete, or fails for another cause than a mismatch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who judged the results: `screened` or `series` if that is so of any sweep.
    pub judge: Judge,
    /// How many vectors were tested.
    pub vectors: u64,
    /// How many more were asked, and the implementation said that it has no result of them. Left out
    /// where there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unanswered: u64,
    /// How many of them break the contract.
    pub mismatches: u64,
    /// The sweeps that the vectors came from.
    pub sweeps: Vec<SweepReport>,
    /// The named places where the contract accepts more than one result.
    pub relaxations: Vec<RelaxationReport>,
    /// The largest error seen, in units of the last place, where the contract is a bound; none if a result is infinite
    /// or NaN and should not be, which `accuracy` says of its range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_ulp: Option<f64>,
    /// The errors by range of operands, where the contract is a bound.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accuracy: Vec<RangeReport>,
    /// The mismatches by cause.
    pub classes: Vec<Class>,
}

impl VariantReport {
    /// The largest error seen, in units of the last place: infinite, if a result is infinite or NaN and should not be.
    pub fn worst(&self) -> Option<f64> {
        // A shortened copy may have no ranges.
        RangeReport::worst_of(&self.accuracy).or(self.max_ulp)
    }

    /// The instruction, like `fma`: the first word of the text.
    pub fn instruction(&self) -> &str {
        self.variant.split('.').next().unwrap_or_default()
    }
}

impl RangeReport {
    /// The largest error of some ranges: infinite, if a result is infinite or NaN and should not be.
    pub fn worst_of(ranges: &[RangeReport]) -> Option<f64> {
        let worst = ranges.iter().filter_map(|range| range.worst.as_ref());
        worst.map(|worst| worst.ulp.unwrap_or(f64::INFINITY)).reduce(f64::max)
    }
}

/// The outcome for a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Every planned vector that the implementation has a result of was tested, there is one, and none
    /// mismatched.
    Pass,
    /// A vector mismatched, or a waiver's mismatch no longer occurs.
    Fail,
    /// The implementation does not offer the variant, or has no result of any planned vector.
    Unsupported,
    /// Every mismatch is covered by a waiver.
    Waived,
    /// Not every planned vector was asked; none of those that were mismatched.
    Incomplete,
}

impl Status {
    /// The status of a variant that the implementation says it has, without waivers, of which so many
    /// vectors were tested and so many had no result.
    pub const fn of(planned: u64, vectors: u64, unanswered: u64, mismatches: u64) -> Status {
        if mismatches > 0 {
            Status::Fail
        } else if vectors.saturating_add(unanswered) < planned {
            Status::Incomplete
        } else if vectors == 0 && unanswered > 0 {
            Status::Unsupported
        } else {
            Status::Pass
        }
    }

    /// The word used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::Fail => "fail",
            Status::Unsupported => "unsupported",
            Status::Waived => "waived",
            Status::Incomplete => "incomplete",
        }
    }
}

/// Who judged a variant's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Judge {
    /// MPFR judged every vector.
    Mpfr,
    /// The emulator, whose results on all the vectors have the digest that MPFR found, was compared
    /// with every vector; MPFR judged those that differed from it, and a sample of the others.
    Screened,
    /// The vectors were made on the device that was tested, and results compared there: with the same emulator's
    /// steps as its integer instructions, or, of all triples, with arithmetic in f32; all else as for `screened`.
    Device,
    /// Polynomials with a proven bound enclosed the exact value of every vector, and judged those that
    /// this decides; MPFR decided the others, and judged a sample of all to the same effect.
    Series,
    /// Every result was compared, bit for bit, with what the plan's `model` computes; the contract was not
    /// asked.
    Model,
}

/// One sweep of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SweepReport {
    /// The sweep's name.
    pub name: String,
    /// How many vectors were planned.
    pub planned: u64,
    /// How many were tested.
    pub vectors: u64,
    /// How many more were asked, and the implementation said that it has no result of them. Left out
    /// where there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unanswered: u64,
    /// How many of them break the contract.
    pub mismatches: u64,
    /// Who judged them.
    pub judge: Judge,
    /// How many of them MPFR judged: all, or a sample, and of a screened sweep whatever differed from
    /// the emulator.
    pub confirmed: u64,
    /// A digest of the inputs: equal digests mean that the same vectors were asked.
    #[serde(deserialize_with = "hex")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^0x[0-9a-f]+$")))]
    pub inputs: String,
    /// A digest of the implementation's results: equal digests mean equal answers, bit for bit. Each byte
    /// of a result that there is not counts as 0xa5.
    #[serde(deserialize_with = "hex")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^0x[0-9a-f]+$")))]
    pub results: String,
    /// A digest of the results that were expected, NaNs canonical, under the first interpretation of
    /// whatever the manual leaves open.
    #[serde(deserialize_with = "hex")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^0x[0-9a-f]+$")))]
    pub expected: String,
}

impl SweepReport {
    /// How many vectors were asked, whether or not they have a result.
    pub fn asked(&self) -> u64 {
        self.vectors.saturating_add(self.unanswered)
    }
}

/// A named place where the contract accepts more than one result, and what the implementation did
/// there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RelaxationReport {
    /// The relaxation's name, like `any-nan`.
    pub name: String,
    /// Why more than one result is accepted.
    pub reason: String,
    /// How many results had a choice, each lane of a packed type counted by itself.
    pub results: u64,
    /// What was chosen, and how often: an answer is named by the interpretations of the contract that it
    /// agrees with, like `exact` or `exact or unbounded`.
    pub answers: BTreeMap<String, u64>,
}

/// The errors of an approximate function in one range of operands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RangeReport {
    /// The range in words, like `|a| up to 2 pi`.
    pub range: String,
    /// What the manual promises there, like `2 ulp`; `unstated`, and the minimum that is left, where it
    /// states no bound.
    pub bound: String,
    /// How many results had operands in the range, each lane of a packed type counted by itself.
    pub results: u64,
    /// How many of them had an error of at most ½, 1, 2, 4 … units in the last place of the exact
    /// value; the last number counts all larger ones.
    pub histogram: Vec<u64>,
    /// The result with the largest error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<WorstReport>,
    /// The largest error in each binade of the operand, of a function of one. Left out where there are several
    /// operands or no bound, and in older reports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profile: Vec<BinadeReport>,
}

/// The largest error in one binade of the operand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct BinadeReport {
    /// Whether the operands are negative. Left out where they are not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub negative: bool,
    /// The power of two from which on the binade's magnitudes are; of subnormal operands one less than that of the
    /// smallest normal ones.
    pub exponent: i32,
    /// The error, as a part of what the bound permits there: half of the distance from the lowest number that is
    /// right to the highest, and half a unit of the last place. Far above 1 it is a mismatch; next to a power of two a
    /// right result may exceed 1, because there the two sides differ. f64's largest number where the result is not
    /// even finite.
    pub share: f64,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The result with the largest error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct WorstReport {
    /// The error in units of the last place, f64's largest number if it is more; none if the result is infinite or
    /// NaN and should not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ulp: Option<f64>,
    /// The sweep that asked.
    pub sweep: String,
    /// The vector's number in the sweep.
    pub index: u64,
    /// The inputs.
    pub operands: Vec<Datum>,
}
