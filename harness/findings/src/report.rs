//! Builds the report of a run, which is written as JSON, from the plan, the tallies and the diagnoses of the run.

mod consistency;
mod rules;
mod variants;

use std::time::SystemTime;

use implementations::Implementation;
use reports::{Environment, Report, Suite, Times, Totals};
use runner::{Plan, RunOutcome, RunSettings};

use crate::diagnosis::Diagnoses;

pub(crate) use rules::of_run as rules_of;
pub use variants::variants;
pub use variants::{decoded, value};

/// Builds the report of a run, without the revision of the suite, a campaign and a checksum. The program that writes
/// the report adds the revision, since only its build knows it, and the checksum, which covers all that is written.
pub fn build(
    plan: &Plan,
    implementation: &dyn Implementation,
    settings: &RunSettings,
    outcome: &RunOutcome,
    diagnoses: &Diagnoses,
    started: SystemTime,
) -> Report {
    let (described, oracle) = (implementation.describe(), oracle::versions());
    let vectors_per_task = plan.vectors_per_task();
    let total: u64 = vectors_per_task.iter().sum();
    let request = &plan.request;
    let variants = variants(plan, &vectors_per_task, &outcome.progress, diagnoses);
    let domain = described.details.get(implementations::code::DOMAIN).map(String::as_str);
    let reduced = reductions(plan, outcome, total, domain);
    Report {
        schema: reports::SCHEMA.into(),
        suite: Suite { version: env!("CARGO_PKG_VERSION").into(), revision: None },
        implementation: reports::Implementation {
            name: described.name,
            version: described.version,
            device: described.device,
            driver: described.driver,
            details: described.details,
        },
        oracle: reports::Oracle {
            name: "MPFR".into(),
            mpfr: oracle.mpfr.into(),
            gmp: oracle.gmp.into(),
        },
        environment: Environment {
            os: std::env::consts::OS.into(),
            arch: std::env::consts::ARCH.into(),
            cpu: processor(),
            threads: settings.jobs as u64,
        },
        plan: reports::Plan {
            tier: request.tier.name().into(),
            seed: format!("{:#x}", request.seed),
            only: request.only.clone(),
            skip: request.skip.clone(),
            target: request.target.map(|target| target.to_string()),
            model: request.model.map(|target| target.to_string()),
            shard: request.shard.map(|s| reports::Shard { index: s.index, count: s.count }),
            vectors: total,
            floor: plan.vectors_min,
            formats: formats::own_definitions(),
        },
        complete: outcome.complete,
        reduced,
        times: Times {
            started: timestamp(started),
            seconds: outcome.progress.seconds,
            resumed: outcome.progress.resumed,
        },
        totals: Totals::of(&variants),
        inconsistencies: consistency::of_run(plan, &outcome.progress),
        rules: rules::of_run(&variants),
        variants,
        // Only the report of a search at random has a campaign: `campaign.rs` adds it.
        campaign: None,
        checksum: None,
        unknown: Default::default(),
    }
}

/// Writes a time in RFC 3339, in UTC and whole seconds. Says in words that the time is out of range if it is before
/// 1970 or beyond the four digits that RFC 3339 has for a year: the clock of a machine may be wrong by any amount.
pub fn timestamp(time: SystemTime) -> String {
    // The last second of the year 9999.
    const LAST: u64 = 253_402_300_799;
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) if since.as_secs() <= LAST => humantime::format_rfc3339_seconds(time).to_string(),
        Ok(_) => "after 9999-12-31T23:59:59Z, by this machine's clock".into(),
        Err(_) => "before 1970-01-01T00:00:00Z, by this machine's clock".into(),
    }
}

/// Returns the reasons why a run is less than the whole of its tier, as sentences; `total` is the number of vectors
/// that were planned, and `domain` the condition that operands had to fulfil.
fn reductions(plan: &Plan, outcome: &RunOutcome, total: u64, domain: Option<&str>) -> Vec<String> {
    let request = &plan.request;
    let mut reasons = Vec::new();
    if !request.only.is_empty() {
        reasons.push(format!("Only variants that match {}.", request.only.join(" or ")));
    }
    if !request.skip.is_empty() {
        reasons.push(format!("Without variants that match {}.", request.skip.join(" or ")));
    }
    if let Some(target) = request.target {
        reasons.push(format!("Only variants that {target} has."));
    }
    if let Some(shard) = request.shard {
        reasons.push(format!("Only part {} of {}.", shard.index, shard.count));
    }
    if let Some(most) = plan.vectors_max {
        reasons.push(format!(
            "At most {most} vectors of each sweep, the limit set for the implementation."
        ));
    }
    if !outcome.complete {
        let done = outcome.progress.asked();
        reasons.push(format!("Broken off after {done} of {total} vectors."));
    }
    let unanswered: u64 = outcome.progress.tallies.iter().map(|tally| tally.unanswered).sum();
    if unanswered > 0 {
        let asked = outcome.progress.asked();
        reasons.push(match domain {
            Some(domain) => format!(
                "{} of {} vectors were left out, because they do not fulfil --where '{domain}'.",
                reports::thousands(unanswered),
                reports::thousands(asked)
            ),
            None => format!(
                "The implementation has no result for {unanswered} of {asked} vectors, which were not \
                 judged."
            ),
        });
    }
    reasons
}

/// Returns the processor's name as the first line `model name` of Linux's `/proc/cpuinfo` has it, or "unknown" where
/// there is no such file or line.
fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| "unknown".into(), |(_, name)| name.trim().to_owned())
}

#[cfg(test)]
mod tests;
