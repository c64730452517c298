//! Compares two reports of an implementation: what changed from one to the other, and whether it got worse.

mod errors;
mod sweeps;
mod unlike;
mod variants;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Plan, Report, Status, VariantReport};

pub use unlike::Unlike;

/// The changes from one report of an implementation to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Whether each run reached its end, where only one of the two did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<Ends>,
    /// The variants of which anything changed, ordered by name.
    pub variants: Vec<VariantChange>,
}

/// Whether two runs reached the ends of their plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ends {
    /// Whether the earlier run reached its end.
    pub before: bool,
    /// Whether the later run reached its end.
    pub after: bool,
}

impl Comparison {
    /// Whether anything changed for the worse.
    pub fn is_worse(&self) -> bool {
        self.complete.is_some_and(|ends| !ends.after) || self.variants.iter().any(|change| change.worse)
    }
}

impl Ends {
    /// Returns whether each of two runs reached its end; `None` if both did or neither did.
    pub(crate) fn differing(before: bool, after: bool) -> Option<Ends> {
        (before != after).then_some(Ends { before, after })
    }
}

/// The changes about one variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct VariantChange {
    /// The variant.
    pub variant: String,
    /// Whether any of the changes is for the worse.
    pub worse: bool,
    /// The changes: at least one.
    pub changes: Vec<Change>,
}

/// A change of a variant from one report to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Change {
    /// The variant has another outcome. A variant that a report does not list counts as not tested, as does an
    /// unsupported one.
    Status {
        /// The outcome in the earlier report, if the variant was tested.
        before: Option<Status>,
        /// The outcome in the later report, if the variant was tested.
        after: Option<Status>,
    },
    /// More or fewer vectors of the variant have a result.
    Vectors {
        /// Number of vectors with a result in the earlier report.
        before: u64,
        /// Number of vectors with a result in the later report.
        after: u64,
    },
    /// Fewer vectors of a sweep have a result, which the number for all sweeps does not tell; or a sweep came or went.
    Sweep {
        /// The sweep's name.
        sweep: String,
        /// Number of the sweep's vectors with a result in the earlier report.
        before: u64,
        /// Number of the sweep's vectors with a result in the later report.
        after: u64,
    },
    /// A sweep has more or fewer mismatches, though the classes have as many as before.
    Mismatches {
        /// The sweep's name.
        sweep: String,
        /// Number of the sweep's mismatches in the earlier report.
        before: u64,
        /// Number of the sweep's mismatches in the later report.
        after: u64,
    },
    /// A class of mismatches came, went, grew or shrank.
    Class {
        /// The class's name.
        id: String,
        /// Number of the class's mismatches in the earlier report.
        before: u64,
        /// Number of the class's mismatches in the later report.
        after: u64,
    },
    /// A class that both reports have is explained by other flaws. The words are those of each report.
    Cause {
        /// The class's name.
        id: String,
        /// The explanation in the earlier report; none if nothing explained the class.
        before: Option<String>,
        /// The explanation in the later report; none if nothing explains the class.
        after: Option<String>,
    },
    /// The implementation answers otherwise where the manual leaves a choice.
    Choice {
        /// The relaxation's name.
        relaxation: String,
        /// The answers given in the earlier report.
        before: Vec<String>,
        /// The answers given in the later report.
        after: Vec<String>,
    },
    /// The largest error of an approximation, in units in the last place, has changed.
    Error {
        /// The range of the operands; none if a report tells the error of all operands alone.
        range: Option<String>,
        /// The largest error in the earlier report; none if it was infinite.
        before: Option<f64>,
        /// The largest error in the later report; none if it is infinite.
        after: Option<f64>,
    },
    /// Only one of the reports gives the largest error of an approximation.
    Given {
        /// The range of the operands; none if a report tells the error of all operands alone.
        range: Option<String>,
        /// Whether the later report is the one that gives the error.
        after: bool,
    },
    /// More or fewer results of an approximation have an error above a threshold.
    Histogram {
        /// The range of the operands.
        range: String,
        /// The threshold in units in the last place: the one for which the difference is largest.
        above: f64,
        /// Number of results with an error above the threshold in the earlier report.
        before: u64,
        /// Number of results with an error above the threshold in the later report.
        after: u64,
    },
    /// Results of the same vectors differ from one report to the other.
    Results {
        /// The names of the sweeps with other results.
        sweeps: Vec<String>,
        /// Whether every vector of these sweeps has a result and no mismatch, before and after: the same contract, kept
        /// with other bits.
        right: bool,
    },
}

impl Change {
    /// Whether the change is for the worse.
    pub fn is_worse(&self) -> bool {
        // Ranks the outcomes from the best to the worst.
        let rank = |status: &Option<Status>| match status {
            Some(Status::Pass) => 0,
            Some(Status::Waived) => 1,
            Some(Status::Incomplete) => 2,
            None | Some(Status::Unsupported) => 3,
            Some(Status::Fail) => 4,
        };
        match self {
            // Whatever the outcome was: a variant that is tested no more cannot be said to be right.
            Change::Status { before: Some(_), after: None } => true,
            Change::Status { before, after } => rank(after) > rank(before),
            Change::Vectors { before, after } => after < before,
            Change::Sweep { before, after, .. } => after < before,
            Change::Class { before, after, .. }
            | Change::Mismatches { before, after, .. }
            | Change::Histogram { before, after, .. } => after > before,
            Change::Given { after, .. } => !after,
            Change::Error { before, after, .. } => {
                after.unwrap_or(f64::INFINITY) > before.unwrap_or(f64::INFINITY)
            }
            // Either answer to an open point is right, and results are judged by their mismatches.
            Change::Choice { .. } | Change::Cause { .. } | Change::Results { .. } => false,
        }
    }
}

impl Report {
    /// Compares this report with a later one, and returns what changed, ordered by the variants' names.
    ///
    /// # Errors
    /// If the two were not asked alike, so that a difference would say nothing, or if one contradicts itself.
    pub fn compare(&self, after: &Report) -> Result<Comparison, Unlike> {
        same_plan(&self.plan, &after.plan)?;
        Unlike::unless_consistent([self.contradictions(), after.contradictions()])?;
        // The reports may list different variants, in different orders.
        let mut variants: BTreeMap<&str, [Option<&VariantReport>; 2]> = BTreeMap::new();
        for (at, report) in [self, after].into_iter().enumerate() {
            for variant in &report.variants {
                variants.entry(&variant.variant).or_default()[at] = Some(variant);
            }
        }
        let mut found = Vec::new();
        for (variant, [before, after]) in variants {
            let changes = variants::changes(before, after)?;
            let worse = changes.iter().any(Change::is_worse);
            if !changes.is_empty() {
                found.push(VariantChange { variant: variant.to_owned(), worse, changes });
            }
        }
        Ok(Comparison { complete: Ends::differing(self.complete, after.complete), variants: found })
    }
}

/// Refuses plans that differ in tier, seed, shard or model.
///
/// Targets and filters may differ: they select variants, and those are compared one by one.
fn same_plan(before: &Plan, after: &Plan) -> Result<(), Unlike> {
    let none = || "none".to_owned();
    let shard = |plan: &Plan| plan.shard.map_or_else(none, |of| format!("{}/{}", of.index, of.count));
    let model = |plan: &Plan| plan.model.clone().unwrap_or_else(none);
    Unlike::unless_equal([
        ("--tier", before.tier.clone(), after.tier.clone()),
        ("--seed", before.seed.clone(), after.seed.clone()),
        ("--shard", shard(before), shard(after)),
        ("--model", model(before), model(after)),
    ])
}
