//! The part of a report that tells the findings for one variant.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::class::{Class, Datum};
use super::{hex, is_zero};

/// The findings for one variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct VariantReport {
    /// The variant's PTX text, like `fma.rn.ftz.relu.f16x2`.
    pub variant: String,
    /// The outcome for the variant.
    pub status: Status,
    /// The reason why the variant is unsupported, waived or incomplete, or fails for another cause than a mismatch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The judge of the results: `screened` or `series` if any sweep was judged so.
    pub judge: Judge,
    /// Number of vectors that were tested.
    pub vectors: u64,
    /// Number of further vectors that were asked and of which the implementation said that it has no result. Left out
    /// where there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unanswered: u64,
    /// Number of tested vectors that break the contract.
    pub mismatches: u64,
    /// The sweeps that the vectors came from.
    pub sweeps: Vec<SweepReport>,
    /// The named places where the contract accepts more than one result.
    pub relaxations: Vec<RelaxationReport>,
    /// The largest error seen, in units in the last place, where the contract is a bound. Left out if a result is
    /// infinite or NaN and should not be, which `accuracy` says of that result's range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_ulp: Option<f64>,
    /// The errors by range of operands, where the contract is a bound.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accuracy: Vec<RangeReport>,
    /// The mismatches by cause.
    pub classes: Vec<Class>,
}

impl VariantReport {
    /// Returns the largest error seen, in units in the last place: infinite, if a result is infinite or NaN and should
    /// not be.
    pub fn worst(&self) -> Option<f64> {
        // A shortened copy may have no ranges.
        RangeReport::worst_of(&self.accuracy).or(self.max_ulp)
    }

    /// Returns the instruction, like `fma`: the first word of the variant's text.
    pub fn instruction(&self) -> &str {
        self.variant.split('.').next().unwrap_or_default()
    }
}

impl RangeReport {
    /// Returns the largest error of some ranges, in units in the last place: infinite, if a result is infinite or NaN
    /// and should not be; `None` if no range has one.
    pub fn worst_of(ranges: &[RangeReport]) -> Option<f64> {
        let worst = ranges.iter().filter_map(|range| range.worst.as_ref());
        worst.map(|worst| worst.ulp.unwrap_or(f64::INFINITY)).reduce(f64::max)
    }
}

/// The outcome for a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Status {
    /// Every planned vector that the implementation has a result of was tested, there is at least one, and none
    /// mismatched.
    Pass,
    /// A vector mismatched, or a waiver's mismatch no longer occurs.
    Fail,
    /// The implementation does not offer the variant, or has no result of any planned vector.
    Unsupported,
    /// Every mismatch is covered by a waiver.
    Waived,
    /// Not every planned vector was asked; none of those that were asked mismatched.
    Incomplete,
}

impl Status {
    /// Returns the status of a variant without waivers that the implementation says it has.
    ///
    /// The status follows from the numbers of planned vectors, of tested vectors, of vectors without a result, and of
    /// mismatches.
    pub const fn of(planned: u64, vectors: u64, unanswered: u64, mismatches: u64) -> Status {
        // A mismatch outweighs vectors that are still untested.
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

    /// Returns the word that stands for the status in JSON.
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

/// The judge of a variant's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Judge {
    /// MPFR judged every vector.
    Mpfr,
    /// The emulator, whose results on all the vectors have the digest that MPFR found, was compared with every vector.
    /// MPFR judged the vectors that differed from the emulator, and a sample of the others.
    Screened,
    /// The vectors were made on the device that was tested, and the results compared there: with the emulator of
    /// `screened`, its steps written as integer instructions of the device, or, where the vectors are all triples of
    /// operands, with arithmetic in f32. All else is as for `screened`.
    Device,
    /// Polynomials with a proven bound enclosed the exact value of every vector, and judged the vectors that this
    /// decides. MPFR decided the others, and judged a sample of all vectors to the same effect.
    Series,
    /// Every result was compared, bit for bit, with the result that the plan's `model` computes; the contract was not
    /// asked.
    Model,
}

/// The findings for one sweep of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SweepReport {
    /// The sweep's name.
    pub name: String,
    /// Number of planned vectors.
    pub planned: u64,
    /// Number of vectors that were tested.
    pub vectors: u64,
    /// Number of further vectors that were asked and of which the implementation said that it has no result. Left out
    /// where there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unanswered: u64,
    /// Number of tested vectors that break the contract.
    pub mismatches: u64,
    /// The judge of the tested vectors.
    pub judge: Judge,
    /// Number of vectors that MPFR judged: all, or a sample; of a screened sweep also whatever differed from the
    /// emulator.
    pub confirmed: u64,
    /// The digest of the inputs: equal digests mean that the same vectors were asked.
    #[serde(deserialize_with = "hex")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^0x[0-9a-f]+$")))]
    pub inputs: String,
    /// The digest of the implementation's results: equal digests mean equal answers, bit for bit. Where there is no
    /// result, each byte of it counts as 0xa5.
    #[serde(deserialize_with = "hex")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^0x[0-9a-f]+$")))]
    pub results: String,
    /// The digest of the results that were expected, NaNs canonical, under the first interpretation of whatever the
    /// manual leaves open.
    #[serde(deserialize_with = "hex")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^0x[0-9a-f]+$")))]
    pub expected: String,
}

impl SweepReport {
    /// Returns the number of vectors that were asked, whether or not they have a result.
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
    /// The reason why more than one result is accepted.
    pub reason: String,
    /// Number of results that had a choice, each lane of a packed type counted by itself.
    pub results: u64,
    /// The answers that were chosen, each with how often it was. An answer is named by the interpretations of the
    /// contract that it agrees with, like `exact` or `exact or unbounded`.
    pub answers: BTreeMap<String, u64>,
}

/// The errors of an approximate function in one range of operands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RangeReport {
    /// The range in words, like `|a| up to 2 pi`.
    pub range: String,
    /// The bound that the manual promises in the range, like `2 ulp`. Where the manual states no bound: `unstated`, and
    /// the minimum that is left.
    pub bound: String,
    /// Number of results whose operands are in the range, each lane of a packed type counted by itself.
    pub results: u64,
    /// Numbers of results in the range with an error of at most ½, 1, 2, 4 … units in the last place of the exact
    /// value; the last number counts all larger errors.
    pub histogram: Vec<u64>,
    /// The result with the largest error in the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<WorstReport>,
    /// The largest error in each binade of the operand, for a function of one operand. Left out where there are several
    /// operands or no bound, and in older reports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profile: Vec<BinadeReport>,
}

/// The largest error in one binade of the operand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct BinadeReport {
    /// Whether the operands of the binade are negative. Left out where they are not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub negative: bool,
    /// The exponent of the power of two at which the binade's magnitudes begin; for subnormal operands, one less than
    /// the exponent of the smallest normal ones.
    pub exponent: i32,
    /// The largest error, as a part of what the bound permits there: half of the distance from the lowest number that
    /// is right to the highest, and half a unit in the last place. Far above 1 it is a mismatch; next to a power of two
    /// a right result may exceed 1, because there the two sides differ. f64's largest number where the result is not
    /// even finite.
    pub share: f64,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The result with the largest error in a range of operands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct WorstReport {
    /// The error in units in the last place, or f64's largest number if the error is more. Left out if the result is
    /// infinite or NaN and should not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ulp: Option<f64>,
    /// The sweep that asked the vector.
    pub sweep: String,
    /// The vector's number in the sweep.
    pub index: u64,
    /// The vector's inputs.
    pub operands: Vec<Datum>,
}
