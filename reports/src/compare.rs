//! What changed from one report of an implementation to another, and whether it got worse.

mod errors;
mod sweeps;
mod unlike;
mod variants;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Plan, Report, Status, VariantReport};

pub use unlike::Unlike;

/// What changed from one report to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Whether the runs reached their ends, where only one of them did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<Ends>,
    /// The variants of which anything changed, by name.
    pub variants: Vec<VariantChange>,
}

/// Whether two runs reached the ends of their plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ends {
    /// The earlier one …
    pub before: bool,
    /// … and the later one.
    pub after: bool,
}

impl Comparison {
    /// Whether anything is for the worse.
    pub fn is_worse(&self) -> bool {
        self.complete.is_some_and(|ends| !ends.after) || self.variants.iter().any(|change| change.worse)
    }
}

impl Ends {
    /// Those of two runs, unless they are the same.
    pub(crate) fn differing(before: bool, after: bool) -> Option<Ends> {
        (before != after).then_some(Ends { before, after })
    }
}

/// What changed about a variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantChange {
    /// The variant.
    pub variant: String,
    /// Whether any of the changes is for the worse.
    pub worse: bool,
    /// The changes: at least one.
    pub changes: Vec<Change>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum Change {
    /// Another outcome. A variant that a report does not list is one that was not tested, as is an
    /// unsupported one.
    Status {
        /// The outcome before, if it was tested …
        before: Option<Status>,
        /// … and after.
        after: Option<Status>,
    },
    /// More or fewer vectors that have a result.
    Vectors {
        /// How many before …
        before: u64,
        /// … and after.
        after: u64,
    },
    /// Fewer vectors of a sweep that have a result, which the number for all of them does not tell; or a sweep that
    /// came or went.
    Sweep {
        /// The sweep.
        sweep: String,
        /// How many before …
        before: u64,
        /// … and after.
        after: u64,
    },
    /// More or fewer mismatches in a sweep, though the classes have as many as before.
    Mismatches {
        /// The sweep.
        sweep: String,
        /// How many before …
        before: u64,
        /// … and after.
        after: u64,
    },
    /// A class of mismatches that came, went, grew or shrank.
    Class {
        /// The class.
        id: String,
        /// How many mismatches before …
        before: u64,
        /// … and after.
        after: u64,
    },
    /// Other answers where the manual leaves a choice.
    Choice {
        /// The relaxation.
        relaxation: String,
        /// The answers given before …
        before: Vec<String>,
        /// … and after.
        after: Vec<String>,
    },
    /// Another largest error of an approximation, in units of the last place.
    Error {
        /// Of operands in which range; none if a report tells the error of all operands alone.
        range: Option<String>,
        /// Before: none if it was infinite …
        before: Option<f64>,
        /// … and after.
        after: Option<f64>,
    },
    /// The largest error is given in one of the reports only.
    Given {
        /// Of operands in which range, as of `Error`.
        range: Option<String>,
        /// Whether in the later one.
        after: bool,
    },
    /// More or fewer results with an error of more than so much.
    Histogram {
        /// Of operands in which range.
        range: String,
        /// So many units of the last place: that for which the difference is largest.
        above: f64,
        /// How many results before …
        before: u64,
        /// … and after.
        after: u64,
    },
    /// Other results of the same vectors.
    Results {
        /// The sweeps.
        sweeps: Vec<String>,
        /// Whether each has a result and no mismatch of every vector, before and after: the same contract, kept with
        /// other bits.
        right: bool,
    },
}

impl Change {
    /// Whether it is for the worse.
    pub fn is_worse(&self) -> bool {
        // From the best to the worst.
        let rank = |status: &Option<Status>| match status {
            Some(Status::Pass) => 0,
            Some(Status::Waived) => 1,
            Some(Status::Incomplete) => 2,
            None | Some(Status::Unsupported) => 3,
            Some(Status::Fail) => 4,
        };
        match self {
            // Whatever it was: what is tested no more cannot be said to be right.
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
            Change::Choice { .. } | Change::Results { .. } => false,
        }
    }
}

impl Report {
    /// What changed from this report to a later one, by the variants' names.
    ///
    /// # Errors
    /// If the two were not asked alike, so that a difference would say nothing, or if one contradicts itself.
    pub fn compare(&self, after: &Report) -> Result<Comparison, Unlike> {
        same_plan(&self.plan, &after.plan)?;
        Unlike::unless_consistent([self.contradictions(), after.contradictions()])?;
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
