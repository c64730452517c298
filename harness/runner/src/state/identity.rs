//! Identities, which say which run a state is of, and in what another run differs.

use std::collections::HashSet;

use anyhow::Result;
use formats::digests::triples;
use formats::{Definition, DefinitionError};
use implementations::{Description, code};
use isa::Target;
use reports::Report;
use selection::budget::Tier;
use serde::{Deserialize, Serialize};

use super::VERSION;
use crate::plan::{Plan, Task};
pub use crate::request::{Judging, RunRequest, Shard};

/// The identity of a run: what it must share with the run it goes on from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunIdentity {
    version: u32,
    suite: String,
    /// The digest of the program: what another program did is not to be continued.
    pub(super) program: String,
    pub(super) implementation: String,
    tier: String,
    seed: u64,
    only: Vec<String>,
    skip: Vec<String>,
    /// The formats that the run was given, each as `--format` takes it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    formats: Vec<String>,
    target: Option<String>,
    model: Option<String>,
    shard: Option<Shard>,
    judging: Judging,
    /// The variant, sweep and number of vectors of each task.
    pub(super) tasks: Vec<(String, String, u64)>,
    /// The most vectors of a sweep that the implementation can be given, where it is slow.
    vectors_max: Option<u64>,
    /// What tells code of a user's own from other code, and what it is held to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<String>,
}

impl RunIdentity {
    /// Creates the identity of a plan for an implementation.
    pub fn of(plan: &Plan, implementation: &Description) -> RunIdentity {
        let request = &plan.request;
        let texts =
            |task: &Task| (task.subject().id().to_owned(), task.asked.sweep().to_owned(), task.vectors);
        RunIdentity {
            version: VERSION,
            suite: env!("CARGO_PKG_VERSION").into(),
            program: base::digest::program(),
            implementation: joined(implementation),
            tier: request.tier.name().into(),
            seed: request.seed,
            only: request.only.clone(),
            skip: request.skip.clone(),
            formats: formats::own_definitions(),
            target: request.target.map(|target| target.to_string()),
            model: request.model.map(|target| target.to_string()),
            shard: request.shard,
            judging: request.judging,
            tasks: plan.tasks.iter().map(texts).collect(),
            vectors_max: plan.vectors_max,
            code: own_code(plan, implementation),
        }
    }

    /// Returns the shard that the run is of, if it is of one.
    pub fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// Returns the most vectors of a sweep that the implementation can be given, where it is slow.
    pub fn vectors_max(&self) -> Option<u64> {
        self.vectors_max
    }

    /// Returns the number of tasks in the plan.
    pub fn tasks(&self) -> usize {
        self.tasks.len()
    }

    /// Returns the name of the subject whose vectors a task of the plan has; `None` if there is no such task.
    pub fn task(&self, number: usize) -> Option<&str> {
        self.tasks.get(number).map(|(subject, ..)| &**subject)
    }

    /// Whether the plan has all triples of a variant.
    pub fn has_triples(&self, variant: &str) -> bool {
        self.tasks.iter().any(|(subject, _, vectors)| subject == variant && *vectors == triples::ALL)
    }

    /// Returns the names of the variants that the plan has vectors of.
    pub fn subjects(&self) -> HashSet<&str> {
        self.tasks.iter().map(|(subject, ..)| &**subject).collect()
    }

    /// Defines the formats of the run, so that its variants are in the table.
    ///
    /// # Errors
    /// If one is none, or other formats were defined before.
    pub(super) fn define_formats(&self) -> Result<(), DefinitionError> {
        let texts = self.formats.iter();
        let definitions = texts.map(|text| text.parse()).collect::<Result<Vec<Definition>, _>>()?;
        isa::define_formats(&definitions)
    }

    /// Returns the request of the whole run, without its shard.
    ///
    /// # Errors
    /// If the request is none that this suite knows.
    pub fn unsharded_request(&self) -> Result<RunRequest> {
        let target = |target: &Option<String>| -> Result<Option<Target>> {
            target.as_ref().map(|text| text.parse().map_err(anyhow::Error::msg)).transpose()
        };
        Ok(RunRequest {
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

    /// Returns in what this identity differs from that of a plan for an implementation, shards and programs aside.
    pub fn difference_from(&self, plan: &Plan, implementation: &Description) -> Option<String> {
        // Parts may be merged by another build than made them: the plan says whether it means the same.
        let here =
            RunIdentity { program: self.program.clone(), ..RunIdentity::of(plan, implementation) };
        here.difference(&RunIdentity { shard: None, ..self.clone() })
    }

    /// Returns in what this part is not of the same run as another part; `None` if it is of the same run.
    pub fn difference_of_parts(&self, other: &RunIdentity) -> Option<String> {
        let count = |identity: &RunIdentity| identity.shard.map_or(1, |shard| shard.count);
        if count(self) != count(other) {
            return Some(format!("one has {} parts and the other {}", count(self), count(other)));
        }
        let FieldDifference { name, values } =
            self.differing(&RunIdentity { shard: self.shard, ..other.clone() })?;
        Some(match values {
            Some([mine, theirs]) => format!("{name} is `{mine}` in one and `{theirs}` in the other"),
            None => format!("the {name} differs between the two"),
        })
    }

    /// Whether a report may be of the run with this identity.
    pub fn is_of(&self, report: &Report, implementation: &Description) -> bool {
        let shard = report.plan.shard.map(|of| Shard { index: of.index, count: of.count });
        (self.shard, &self.tier, &*self.implementation)
            == (shard, &report.plan.tier, &*joined(implementation))
            && report.plan.seed == format!("{:#x}", self.seed)
            && (&self.only, &self.skip) == (&report.plan.only, &report.plan.skip)
            && self.formats == report.plan.formats
    }

    /// Returns the first field in which two identities differ, if they do.
    fn differing(&self, other: &RunIdentity) -> Option<FieldDifference> {
        let seed = |identity: &RunIdentity| format!("{:#x}", identity.seed);
        let shard = |identity: &RunIdentity| match identity.shard {
            Some(Shard { index, count }) => format!("{index}/{count}"),
            None => "none".into(),
        };
        let judging = |identity: &RunIdentity| format!("{:?}", identity.judging).to_lowercase();
        let or_none = |target: &Option<String>| target.clone().unwrap_or("none".into());
        let fields = [
            ("suite version", self.suite.clone(), other.suite.clone()),
            ("program", self.program.clone(), other.program.clone()),
            ("--impl", self.implementation.clone(), other.implementation.clone()),
            ("--tier", self.tier.clone(), other.tier.clone()),
            ("--seed", seed(self), seed(other)),
            ("--only", self.only.join(" "), other.only.join(" ")),
            ("--skip", self.skip.join(" "), other.skip.join(" ")),
            ("--format", self.formats.join(" "), other.formats.join(" ")),
            ("--target", or_none(&self.target), or_none(&other.target)),
            ("--model", or_none(&self.model), or_none(&other.model)),
            ("--shard", shard(self), shard(other)),
            ("--judge", judging(self), judging(other)),
        ];
        // What has no name here are the tasks and `vectors_max`: they follow from the table, the budget and the
        // implementation.
        let named = fields.into_iter().find(|(_, mine, theirs)| mine != theirs);
        let named =
            named.map(|(name, mine, theirs)| FieldDifference { name, values: Some([mine, theirs]) });
        let unnamed = || FieldDifference { name: "instruction table or budget", values: None };
        named.or_else(|| (self != other).then(unnamed))
    }

    /// Returns in what another identity differs from this one, if it does.
    pub(super) fn difference(&self, other: &RunIdentity) -> Option<String> {
        let FieldDifference { name, values } = self.differing(other)?;
        Some(match values {
            Some([mine, theirs]) => format!("its {name} is `{theirs}`, and this run's is `{mine}`"),
            None => format!("its {name} is different"),
        })
    }
}

/// A field in which two identities differ.
struct FieldDifference {
    /// The name of the field as a user knows it, such as `--tier`.
    name: &'static str,
    /// The values of the field here and there; `None` for a field whose values mean nothing to a user.
    values: Option<[String; 2]>,
}

/// Returns the digest of a user's own code and the identity of what it is held to, where there is either.
fn own_code(plan: &Plan, implementation: &Description) -> Option<String> {
    let meaning = plan.meaning.as_ref().map(|meaning| meaning.identity());
    let detail = |name: &str| implementation.details.get(name).cloned();
    let domain = detail(code::DOMAIN).map(|domain| format!("where {domain}"));
    let all: Vec<String> = [detail(code::DIGEST), meaning, domain].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(" "))
}

/// Joins an implementation's name, version, device and driver. The details are of a moment, and left out.
fn joined(implementation: &Description) -> String {
    let Description { name, version, device, driver, details: _ } = implementation;
    let parts = [Some(name), Some(version), device.as_ref(), driver.as_ref()];
    parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
}
