//! Which run a state is of, and in what another one differs.

use std::collections::HashSet;

use anyhow::Result;
use formats::digests::triples;
use implementations::Description;
use isa::Target;
use reports::Report;
use selection::budget::Tier;
use serde::{Deserialize, Serialize};

use super::VERSION;
use crate::plan::{Plan, Task};
pub use crate::request::{Judging, Request, Shard};

/// What a run must share with the one it goes on from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    version: u32,
    suite: String,
    /// Digest of the program: what another one did is not to be continued.
    pub(super) program: String,
    pub(super) implementation: String,
    tier: String,
    seed: u64,
    only: Vec<String>,
    skip: Vec<String>,
    target: Option<String>,
    model: Option<String>,
    shard: Option<Shard>,
    judging: Judging,
    /// Variant, sweep and number of vectors of each task.
    pub(super) tasks: Vec<(String, String, u64)>,
    /// How many vectors of a sweep the implementation can be given at most, where it is slow.
    vectors_max: Option<u64>,
}

impl Identity {
    /// The identity of a plan for an implementation.
    pub fn of(plan: &Plan, implementation: &Description) -> Identity {
        let request = &plan.request;
        let texts =
            |task: &Task| (task.subject().id().to_owned(), task.asked.sweep().to_owned(), task.vectors);
        Identity {
            version: VERSION,
            suite: env!("CARGO_PKG_VERSION").into(),
            program: base::digest::program(),
            implementation: joined(implementation),
            tier: request.tier.name().into(),
            seed: request.seed,
            only: request.only.clone(),
            skip: request.skip.clone(),
            target: request.target.map(|target| target.to_string()),
            model: request.model.map(|target| target.to_string()),
            shard: request.shard,
            judging: request.judging,
            tasks: plan.tasks.iter().map(texts).collect(),
            vectors_max: plan.vectors_max,
        }
    }

    /// The part that it is of, if it is of one.
    pub fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// How many vectors of a sweep the implementation can be given at most.
    pub fn vectors_max(&self) -> Option<u64> {
        self.vectors_max
    }

    /// Of how many tasks the plan is.
    pub fn tasks(&self) -> usize {
        self.tasks.len()
    }

    /// Whose vectors a task of the plan has.
    pub fn task(&self, number: usize) -> Option<&str> {
        self.tasks.get(number).map(|(subject, ..)| &**subject)
    }

    /// Whether all triples of a variant are in it.
    pub fn has_triples(&self, variant: &str) -> bool {
        self.tasks.iter().any(|(subject, _, vectors)| subject == variant && *vectors == triples::ALL)
    }

    /// The variants that the plan has vectors of.
    pub fn subjects(&self) -> HashSet<&str> {
        self.tasks.iter().map(|(subject, ..)| &**subject).collect()
    }

    /// What was asked for, parts aside.
    ///
    /// # Errors
    /// If it is none that this suite knows.
    pub fn whole(&self) -> Result<Request> {
        let target = |target: &Option<String>| -> Result<Option<Target>> {
            target.as_ref().map(|text| text.parse().map_err(anyhow::Error::msg)).transpose()
        };
        Ok(Request {
            tier: Tier::named(&self.tier)?,
            seed: self.seed,
            only: self.only.clone(),
            skip: self.skip.clone(),
            target: target(&self.target)?,
            model: target(&self.model)?,
            shard: None,
            judging: self.judging,
        })
    }

    /// In what it is another than that of a plan for an implementation, parts and program aside.
    pub fn departs(&self, plan: &Plan, implementation: &Description) -> Option<String> {
        let here = Identity { program: self.program.clone(), ..Identity::of(plan, implementation) };
        here.difference(&Identity { shard: None, ..self.clone() })
    }

    /// In what it is not of the same run as another part.
    pub fn difference_of_parts(&self, other: &Identity) -> Option<String> {
        let count = |identity: &Identity| identity.shard.map_or(1, |shard| shard.count);
        if count(self) != count(other) {
            return Some(format!("one has {} parts, the other {}", count(self), count(other)));
        }
        let (name, mine, theirs) = self.differing(&Identity { shard: self.shard, ..other.clone() })?;
        Some(format!("{name} is `{mine}` of one and `{theirs}` of the other"))
    }

    /// Whether a report may be of it.
    pub fn is_of(&self, report: &Report, implementation: &Description) -> bool {
        let shard = report.plan.shard.map(|of| Shard { index: of.index, count: of.count });
        (self.shard, &self.tier, &*self.implementation)
            == (shard, &report.plan.tier, &*joined(implementation))
            && report.plan.seed == format!("{:#x}", self.seed)
            && (&self.only, &self.skip) == (&report.plan.only, &report.plan.skip)
    }

    /// In what the two differ, if they do: its name, and what it is here and there.
    fn differing(&self, other: &Identity) -> Option<(&'static str, String, String)> {
        let seed = |identity: &Identity| format!("{:#x}", identity.seed);
        let shard = |identity: &Identity| match identity.shard {
            Some(Shard { index, count }) => format!("{index}/{count}"),
            None => "none".into(),
        };
        let judging = |identity: &Identity| format!("{:?}", identity.judging).to_lowercase();
        let or_none = |target: &Option<String>| target.clone().unwrap_or("none".into());
        let fields = [
            ("suite version", self.suite.clone(), other.suite.clone()),
            ("program", self.program.clone(), other.program.clone()),
            ("--impl", self.implementation.clone(), other.implementation.clone()),
            ("--tier", self.tier.clone(), other.tier.clone()),
            ("--seed", seed(self), seed(other)),
            ("--only", self.only.join(" "), other.only.join(" ")),
            ("--skip", self.skip.join(" "), other.skip.join(" ")),
            ("--target", or_none(&self.target), or_none(&other.target)),
            ("--model", or_none(&self.model), or_none(&other.model)),
            ("--shard", shard(self), shard(other)),
            ("--judge", judging(self), judging(other)),
        ];
        let named = fields.into_iter().find(|(_, mine, theirs)| mine != theirs);
        let unnamed = || ("instruction table or budget", "one".into(), "another".into());
        named.or_else(|| (self != other).then(unnamed))
    }

    /// In what another differs, if it does.
    pub(super) fn difference(&self, other: &Identity) -> Option<String> {
        let (name, mine, theirs) = self.differing(other)?;
        Some(match &*theirs {
            "another" => format!("its {name} is another"),
            _ => format!("its {name} is `{theirs}`, this run's `{mine}`"),
        })
    }
}

/// Who an implementation is. The details are of a moment.
fn joined(implementation: &Description) -> String {
    let Description { name, version, device, driver, details: _ } = implementation;
    let parts = [Some(name), Some(version), device.as_ref(), driver.as_ref()];
    parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
}
