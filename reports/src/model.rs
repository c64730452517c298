//! The report: one object per run, the same in memory, in JSON and in the schema.
//!
//! Counts are JSON numbers. Bit patterns, seeds and digests are always hex strings, because 64-bit
//! integers lose digits in JavaScript and jq. The documentation of the fields is also the
//! description in the JSON Schema.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::unknown::UnknownFields;

mod campaign;
mod class;
mod inconsistency;
mod rule;
mod variant;
mod verdict;

pub use campaign::{Artifact, ArtifactStatus, Campaign, FUZZ, RootCause};
pub use class::{Class, Datum, Example, Explanation, Flaw, Lane, Waiver};
pub use inconsistency::{AnswerReport, Inconsistency};
pub use rule::{RuleCell, RuleReport};
pub use variant::{
    BinadeReport, Judge, RangeReport, RelaxationReport, Status, SweepReport, VariantReport, WorstReport,
};
pub use verdict::Verdict;

/// The name and version of the report's form, found in its `schema` field.
pub const SCHEMA: &str = "ptx-conformance-report/4";

/// The report of one conformance run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    /// The name and version of this form.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA)))]
    pub schema: String,
    /// The suite that ran.
    pub suite: Suite,
    /// What was under test.
    pub implementation: Implementation,
    /// What knew the right results.
    pub oracle: Oracle,
    /// The machine that the suite ran on.
    pub environment: Environment,
    /// What the run set out to do.
    pub plan: Plan,
    /// Whether the run reached the end of its plan.
    pub complete: bool,
    /// In sentences, everything that makes this run less than the whole of its tier: a filter, a
    /// shard, an interruption. Empty if it is the whole.
    pub reduced: Vec<String>,
    /// When the run started and how long it took.
    pub times: Times,
    /// What was found, one entry per variant of the plan, also for those that could not run.
    pub variants: Vec<VariantReport>,
    /// Sums over the variants.
    pub totals: Totals,
    /// Open points that were answered in more than one way, within a variant or among those of a section.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inconsistencies: Vec<Inconsistency>,
    /// Which of PTX's rules are followed, family by family. Left out where no vector was tested, and of a fuzz
    /// campaign.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleReport>,
    /// What became of the artifacts of a fuzz campaign. Left out of all other reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign: Option<Campaign>,
    /// How a changed digit is noticed: the kind of checksum, a colon and the checksum of the report without
    /// this field, as JSON without spaces between its tokens and with its fields in their order here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
    /// Fields of the file that this report was read from, which this build does not know. They are never written.
    #[serde(skip)]
    pub unknown: UnknownFields,
}

/// The suite that ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Suite {
    /// Its version.
    pub version: String,
    /// The git revision it was built from, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

/// What was under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Implementation {
    /// The name that selects it on the command line, like `emulator` or `cuda:0`.
    pub name: String,
    /// Its version in its own words.
    pub version: String,
    /// The device it ran on, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The version of the device's driver, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// What else tells the device and its state from others', by name, as it was found: firmware,
    /// clocks, error correction.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub details: BTreeMap<String, String>,
}

/// What knew the right results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Oracle {
    /// Its name: MPFR.
    pub name: String,
    /// The version of MPFR.
    pub mpfr: String,
    /// The version of GMP below it.
    pub gmp: String,
}

/// The machine that the suite ran on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Environment {
    /// The operating system.
    pub os: String,
    /// The processor's architecture, like `x86_64`.
    pub arch: String,
    /// The processor's name.
    pub cpu: String,
    /// How many threads tested.
    pub threads: u64,
}

/// What the run set out to do. Together with the suite's version it determines every vector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Plan {
    /// The tier: `quick`, `nightly` or `exhaustive`; `fuzz` where the vectors are those that a fuzz campaign kept.
    pub tier: String,
    /// The seed of the random sweeps.
    #[serde(deserialize_with = "hex")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^0x[0-9a-f]+$")))]
    pub seed: String,
    /// The filters that selected variants; empty if there was none.
    pub only: Vec<String>,
    /// The filters whose variants were left out. Not written where there was none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skip: Vec<String>,
    /// The target, like `sm_90`, that the variants were limited to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The target, like `sm_90`, whose sums of products were expected bit for bit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The part of the plan that this run took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// How many vectors were planned.
    pub vectors: u64,
    /// The fewest vectors that a variant gets whose inputs are not all tried.
    pub floor: u64,
}

/// The part of a plan that a run took, as in `--shard INDEX/COUNT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Shard {
    /// Which part.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

/// When the run started and how long it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Times {
    /// The start in RFC 3339, like `2026-03-01T02:00:00Z`; in words where the machine's clock stood before
    /// 1970 or after 9999.
    pub started: String,
    /// How many seconds testing took, all parts of a resumed run together.
    pub seconds: f64,
    /// How often the run was interrupted and resumed.
    pub resumed: u64,
}

/// Sums over the variants of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Totals {
    /// How many variants the report lists.
    pub variants: u64,
    /// How many of them passed.
    pub passed: u64,
    /// How many failed.
    pub failed: u64,
    /// How many the implementation does not support.
    pub unsupported: u64,
    /// How many have mismatches that are all waived.
    pub waived: u64,
    /// How many have untested vectors, and no mismatch so far.
    pub incomplete: u64,
    /// How many vectors were tested.
    pub vectors: u64,
    /// How many more had no result, as the implementation said. Left out where there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unanswered: u64,
    /// How many of them mismatched, waived ones included.
    pub mismatches: u64,
    /// How many results had a choice.
    pub relaxed: u64,
}

impl Totals {
    /// The sums over `variants`.
    pub fn of(variants: &[VariantReport]) -> Totals {
        let mut totals = Totals::default();
        for variant in variants {
            totals.variants += 1;
            *match variant.status {
                Status::Pass => &mut totals.passed,
                Status::Fail => &mut totals.failed,
                Status::Unsupported => &mut totals.unsupported,
                Status::Waived => &mut totals.waived,
                Status::Incomplete => &mut totals.incomplete,
            } += 1;
        }
        let relaxations = variants.iter().flat_map(|variant| &variant.relaxations);
        Totals {
            vectors: total(variants.iter().map(|variant| variant.vectors)),
            unanswered: total(variants.iter().map(|variant| variant.unanswered)),
            mismatches: total(variants.iter().map(|variant| variant.mismatches)),
            relaxed: total(relaxations.map(|relaxation| relaxation.results)),
            ..totals
        }
    }
}

/// Whether there is nothing to write down.
pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The sum of some counts, or the largest number if that is larger: whoever wrote a report may have
/// written any.
pub fn total(counts: impl IntoIterator<Item = u64>) -> u64 {
    counts.into_iter().fold(0, u64::saturating_add)
}

/// Reads a hex string and refuses anything else, so that a report that loads also fits the schema.
pub(crate) fn hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    match text.strip_prefix("0x") {
        Some(digits) if !digits.is_empty() && digits.bytes().all(is_digit) => Ok(text),
        _ => Err(D::Error::custom(format!("`{text}` is not a hex string like `0x7c00`"))),
    }
}
