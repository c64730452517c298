//! What changed from one report of an implementation to another, and whether it got worse.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{Class, Plan, Report, Status, SweepReport, VariantReport};

/// Why two reports cannot be compared: they were not asked alike.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unlike {
    /// The plans differ.
    #[error("one has {what} {before}, the other {after}; run both with the same")]
    Plan {
        /// In what.
        what: &'static str,
        /// What the first has …
        before: String,
        /// … and the second.
        after: String,
    },
    /// As many vectors of a sweep, and others.
    #[error(
        "sweep {sweep} of {variant} has other vectors in each; run both with the same version of the suite"
    )]
    Vectors {
        /// The variant.
        variant: String,
        /// The sweep.
        sweep: String,
    },
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
        /// Before: none if it was infinite …
        before: Option<f64>,
        /// … and after.
        after: Option<f64>,
    },
    /// Other results of the same vectors.
    Results {
        /// The sweeps.
        sweeps: Vec<String>,
        /// Whether each has no mismatch, before and after: the same contract, kept with other bits.
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
            Change::Class { before, after, .. } => after > before,
            Change::Error { before, after } => {
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
    /// If the two were not asked alike, so that a difference would say nothing.
    pub fn compare(&self, after: &Report) -> Result<Vec<VariantChange>, Unlike> {
        same_plan(&self.plan, &after.plan)?;
        let mut variants: BTreeMap<&str, [Option<&VariantReport>; 2]> = BTreeMap::new();
        for (at, report) in [self, after].into_iter().enumerate() {
            for variant in &report.variants {
                variants.entry(&variant.variant).or_default()[at] = Some(variant);
            }
        }
        let mut found = Vec::new();
        for (variant, [before, after]) in variants {
            let changes = changes(before, after)?;
            let worse = changes.iter().any(Change::is_worse);
            if !changes.is_empty() {
                found.push(VariantChange { variant: variant.to_owned(), worse, changes });
            }
        }
        Ok(found)
    }
}

/// Targets and filters may differ: they select variants, and those are compared one by one.
fn same_plan(before: &Plan, after: &Plan) -> Result<(), Unlike> {
    let none = || "none".to_owned();
    let shard = |plan: &Plan| plan.shard.map_or_else(none, |of| format!("{}/{}", of.index, of.count));
    let model = |plan: &Plan| plan.model.clone().unwrap_or_else(none);
    for (what, before, after) in [
        ("--tier", before.tier.clone(), after.tier.clone()),
        ("--seed", before.seed.clone(), after.seed.clone()),
        ("--shard", shard(before), shard(after)),
        ("--model", model(before), model(after)),
    ] {
        if before != after {
            return Err(Unlike::Plan { what, before, after });
        }
    }
    Ok(())
}

/// What changed about one variant, which a report may lack.
fn changes(
    before: Option<&VariantReport>,
    after: Option<&VariantReport>,
) -> Result<Vec<Change>, Unlike> {
    let tested = |variant: Option<&VariantReport>| {
        variant.map(|variant| variant.status).filter(|status| *status != Status::Unsupported)
    };
    let mut changes = Vec::new();
    let (was, is) = (tested(before), tested(after));
    if was != is {
        changes.push(Change::Status { before: was, after: is });
    }
    let counts = |variant: Option<&VariantReport>| -> BTreeMap<String, u64> {
        let classes = variant.map_or(&[][..], |variant| &variant.classes);
        classes.iter().map(|Class { id, count, .. }| (id.clone(), *count)).collect()
    };
    let (old, new) = (counts(before), counts(after));
    if let Some((before, after)) = before.zip(after).filter(|_| was.is_some() && is.is_some()) {
        // Of classes alone a variant that is tested no more would seem to have become better.
        let ids: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for id in ids {
            let [before, after] = [&old, &new].map(|counts| counts.get(id).copied().unwrap_or(0));
            if before != after {
                changes.push(Change::Class { id: id.clone(), before, after });
            }
        }
        if before.vectors != after.vectors {
            changes.push(Change::Vectors { before: before.vectors, after: after.vectors });
        }
        choices(before, after, &mut changes);
        if let (Some(worst), Some(now)) = (before.worst(), after.worst())
            && worst.to_bits() != now.to_bits()
        {
            let [before, after] = [worst, now].map(|ulp| ulp.is_finite().then_some(ulp));
            changes.push(Change::Error { before, after });
        }
        changes.extend(results(before, after)?);
    } else {
        // A variant that begins to be tested tells what is wrong with it.
        let came = new.into_iter().filter(|_| is.is_some());
        changes.extend(came.map(|(id, after)| Change::Class { id, before: 0, after }));
    }
    Ok(changes)
}

/// Where answers differ, and not only how often each was given; a choice that did not arise has none.
fn choices(before: &VariantReport, after: &VariantReport, changes: &mut Vec<Change>) {
    if before.vectors == 0 || after.vectors == 0 {
        return;
    }
    let names = before.relaxations.iter().chain(&after.relaxations).map(|of| &of.name);
    for name in names.collect::<BTreeSet<_>>() {
        let answers = |variant: &VariantReport| -> Vec<String> {
            let found = variant.relaxations.iter().filter(|of| of.name == *name);
            found.flat_map(|of| of.answers.keys().cloned()).collect()
        };
        let (before, after) = (answers(before), answers(after));
        if before != after {
            changes.push(Change::Choice { relaxation: name.clone(), before, after });
        }
    }
}

/// Other results of the same vectors.
fn results(before: &VariantReport, after: &VariantReport) -> Result<Option<Change>, Unlike> {
    let (mut sweeps, mut right) = (Vec::new(), true);
    let asked = |sweep: &SweepReport| sweep.vectors.saturating_add(sweep.unanswered);
    for one in &before.sweeps {
        let Some(other) = after.sweeps.iter().find(|other| other.name == one.name) else { continue };
        if asked(one) != asked(other) {
            continue;
        }
        if one.inputs != other.inputs {
            let (variant, sweep) = (before.variant.clone(), one.name.clone());
            return Err(Unlike::Vectors { variant, sweep });
        }
        if one.results != other.results {
            right &= one.mismatches == 0 && other.mismatches == 0;
            sweeps.push(one.name.clone());
        }
    }
    Ok((!sweeps.is_empty()).then_some(Change::Results { sweeps, right }))
}
