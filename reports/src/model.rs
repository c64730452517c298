//! Holds the types of a conformance run's report: one object per run, the same in memory, in JSON and in the JSON
//! Schema.
//!
//! Counts are JSON numbers. Bit patterns, seeds and digests are always hex strings, because 64-bit integers lose digits
//! in JavaScript and jq. The documentation of the fields is also the description in the JSON Schema.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::unknown::UnknownFields;

mod campaign;
mod class;
mod condition;
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

/// The name and version of the form of a conformance run's report, found in the report's `schema` field.
pub const SCHEMA: &str = "ptx-conformance-report/4";

/// The report of one conformance run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    /// The name and version of the report's form.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA)))]
    pub schema: String,
    /// The suite that ran.
    pub suite: Suite,
    /// The implementation under test.
    pub implementation: Implementation,
    /// The oracle, which knew the right results.
    pub oracle: Oracle,
    /// The machine that the suite ran on.
    pub environment: Environment,
    /// The plan of the run: what it set out to do.
    pub plan: Plan,
    /// Whether the run reached the end of its plan.
    pub complete: bool,
    /// Sentences about everything that makes this run less than the whole of its tier: a filter, a shard, an
    /// interruption. Empty if the run is the whole.
    pub reduced: Vec<String>,
    /// The time at which the run started, and how long it took.
    pub times: Times,
    /// The findings: one entry per variant of the plan, also for variants that could not run.
    pub variants: Vec<VariantReport>,
    /// Sums over the variants.
    pub totals: Totals,
    /// Open points of the manual that were answered in more than one way, within a variant or among the variants of a
    /// section.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inconsistencies: Vec<Inconsistency>,
    /// The rules of PTX, and in which families of instructions they are followed. Left out where no vector was tested,
    /// and in the report of a fuzz campaign.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleReport>,
    /// The outcomes of the artifacts of a fuzz campaign. Left out of all other reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign: Option<Campaign>,
    /// The checksum, by which a changed digit is noticed: the kind of checksum, a colon and the checksum of the report
    /// without this field. It is taken of the report as JSON, without spaces between the tokens and with the fields in
    /// the order in which the suite writes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
    /// Fields of the file that this report was read from, and that this build does not know. They are never written.
    #[serde(skip)]
    pub unknown: UnknownFields,
}

/// The suite that ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Suite {
    /// The suite's version.
    pub version: String,
    /// The git revision that the suite was built from, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

/// The implementation under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Implementation {
    /// The name that selects the implementation on the command line, like `emulator` or `cuda:0`.
    pub name: String,
    /// The implementation's version in its own words.
    pub version: String,
    /// The device that the implementation ran on, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The version of the device's driver, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// Further properties, by name, that tell the device and its state from others', as they were found: firmware,
    /// clocks, error correction.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub details: BTreeMap<String, String>,
}

impl Implementation {
    /// Returns the name that a program gives itself: the first word of its version. Implementations of the suite have
    /// no name there, and their version begins with a digit.
    pub fn introduced(&self) -> Option<&str> {
        let first = self.version.split_whitespace().next()?;
        (!first.starts_with(|letter: char| letter.is_ascii_digit())).then_some(first)
    }

    /// Returns the name and version for a heading: a program's own words, rather than the command that starts it.
    pub(crate) fn title(&self) -> String {
        // What runs on a device has the device's architecture as its version, and no name of its own.
        match self.introduced() {
            Some(_) if self.device.is_none() => self.version.clone(),
            _ => format!("{} {}", self.name, self.version),
        }
    }
}

/// The oracle, which knew the right results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Oracle {
    /// The oracle's name: MPFR.
    pub name: String,
    /// The version of MPFR.
    pub mpfr: String,
    /// The version of GMP, which MPFR is built on.
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
    /// Number of threads that tested.
    pub threads: u64,
}

/// The plan of a run: what it set out to do. Together with the suite's version it determines every vector.
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
    /// The filters whose variants were left out. Not written where there was no such filter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skip: Vec<String>,
    /// The formats of numbers that the run was given by `--format`, each as the option takes it. Not written where there
    /// were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formats: Vec<String>,
    /// The target, like `sm_90`, that the variants were limited to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The target, like `sm_90`, whose sums of products were expected bit for bit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The part of the plan that this run took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Number of planned vectors.
    pub vectors: u64,
    /// The fewest vectors that are planned for a variant whose inputs are not all tried.
    pub floor: u64,
}

/// The part of a plan that a run took, as in `--shard INDEX/COUNT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Shard {
    /// The number of the part, counted from 1: INDEX in `--shard INDEX/COUNT`.
    pub index: u64,
    /// Number of parts of the plan: COUNT in `--shard INDEX/COUNT`.
    pub count: u64,
}

/// The time at which a run started, and how long it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Times {
    /// The start in RFC 3339, like `2026-03-01T02:00:00Z`; in words where the machine's clock stood before
    /// 1970 or after 9999.
    pub started: String,
    /// The seconds that testing took, all parts of a resumed run together.
    pub seconds: f64,
    /// Number of times that the run was interrupted and resumed.
    pub resumed: u64,
}

/// Sums over the variants of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Totals {
    /// Number of variants that the report lists.
    pub variants: u64,
    /// Number of variants that passed.
    pub passed: u64,
    /// Number of variants that failed.
    pub failed: u64,
    /// Number of variants that the implementation does not support.
    pub unsupported: u64,
    /// Number of variants that have mismatches, all of them waived.
    pub waived: u64,
    /// Number of variants that have untested vectors, and no mismatch so far.
    pub incomplete: u64,
    /// Number of vectors that were tested.
    pub vectors: u64,
    /// Number of further vectors of which the implementation said that it has no result. Left out where there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unanswered: u64,
    /// Number of tested vectors that mismatched, waived mismatches included.
    pub mismatches: u64,
    /// Number of results where the contract accepts more than one.
    pub relaxed: u64,
}

impl Totals {
    /// Returns the sums over `variants`.
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

/// Whether a count is 0, so that its field is left out of the JSON.
pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Returns the sum of some counts, or the largest `u64` if the sum is larger: whoever wrote a report may have written
/// any count.
pub fn total(counts: impl IntoIterator<Item = u64>) -> u64 {
    counts.into_iter().fold(0, u64::saturating_add)
}

/// Reads a hex string with lowercase digits, like `0x7c00`, and refuses anything else, so that a report that loads also
/// fits the schema.
pub(crate) fn hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    match text.strip_prefix("0x") {
        Some(digits) if !digits.is_empty() && digits.bytes().all(is_digit) => Ok(text),
        _ => Err(D::Error::custom(format!("`{text}` is not a hex string like `0x7c00`"))),
    }
}
