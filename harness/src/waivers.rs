//! Waivers: mismatches that are known and have a reason. What a waiver covers does not fail a run; a
//! waiver whose mismatch no longer occurs does.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use reports::{Report, Status, Totals, VariantReport, Waiver};
use serde::Deserialize;
use vectors::Variant;
use wildmatch::WildMatch;

use crate::budget::Tier;

/// A file of waivers is at most so large, in MiB.
const LARGEST: u64 = 16;

/// A file of waivers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waivers {
    waivers: Vec<Entry>,
}

/// Known mismatches of one kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The implementation's name, with `*` and `?`.
    implementation: String,
    /// The variant, with `*` and `?`.
    variant: String,
    /// The class, without its variant: `zero-sign`.
    class: String,
    /// Why it is as it is, or what will be done about it.
    reason: String,
    /// Where that is written.
    link: Option<String>,
    /// The lowest tier that finds it.
    #[serde(default = "quick")]
    tier: Tier,
}

fn quick() -> Tier {
    Tier::Quick
}

impl Waivers {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is no list of waivers, or one of them has no reason or names no variant.
    pub fn load(path: &Path) -> Result<Waivers> {
        let shown = path.display();
        let bytes = reports::read_at_most(path, LARGEST)
            .with_context(|| format!("the waivers {shown} cannot be read"))?;
        let text = std::str::from_utf8(&bytes).map_err(anyhow::Error::new);
        text.and_then(Waivers::read).with_context(|| format!("{shown} is no file of waivers"))
    }

    fn read(text: &str) -> Result<Waivers> {
        let waivers: Waivers = serde_json::from_str(text)?;
        for Entry { implementation, variant, class, reason, .. } in &waivers.waivers {
            ensure!(
                !reason.trim().is_empty(),
                "the waiver of {variant}/{class} for {implementation} has no reason"
            );
            let pattern = WildMatch::new(variant);
            ensure!(
                Variant::all().iter().any(|known| pattern.matches(known.text())),
                "the waiver of {variant}/{class} for {implementation} is of no variant: `cargo xtask list` \
                 prints all"
            );
            if class.contains(['*', '?', '/']) {
                bail!(
                    "`{class}` is no class: write what stands behind the slash of its id, like `zero-sign`"
                );
            }
        }
        Ok(waivers)
    }

    /// Applies them to a report.
    pub fn apply(&self, report: &mut Report, tier: Tier) {
        let implementation = report.implementation.name.clone();
        let of_it = |entry: &&Entry| WildMatch::new(&entry.implementation).matches(&implementation);
        for entry in self.waivers.iter().filter(of_it) {
            let pattern = WildMatch::new(&entry.variant);
            let mut concerned: Vec<&mut VariantReport> =
                report.variants.iter_mut().filter(|variant| pattern.matches(&variant.variant)).collect();
            let mut occurs = false;
            for class in concerned.iter_mut().flat_map(|variant| &mut variant.classes) {
                if class.id.rsplit('/').next() == Some(&entry.class) {
                    class.waiver =
                        Some(Waiver { reason: entry.reason.clone(), link: entry.link.clone() });
                    occurs = true;
                }
            }
            // Only what was tried to its end can be said to be over.
            let tried = |variant: &&mut &mut VariantReport| {
                matches!(variant.status, Status::Pass | Status::Fail)
            };
            let due = !occurs && tier >= entry.tier && report.complete && report.plan.shard.is_none();
            if let Some(variant) = concerned.iter_mut().find(tried).filter(|_| due) {
                variant.status = Status::Fail;
                let stale = format!(
                    "the waiver of {}/{} covers no mismatch any more: remove it",
                    entry.variant, entry.class
                );
                variant.reason = Some(match variant.reason.take() {
                    Some(reason) => format!("{reason}; {stale}"),
                    None => stale,
                });
            }
        }
        for variant in &mut report.variants {
            let known = !variant.classes.is_empty()
                && variant.classes.iter().all(|class| class.waiver.is_some());
            if known && variant.status == Status::Fail && variant.reason.is_none() {
                variant.status = Status::Waived;
                let waivers = variant.classes.iter().filter_map(|class| class.waiver.as_ref());
                let mut reasons: Vec<&str> = waivers.map(|waiver| waiver.reason.as_str()).collect();
                reasons.dedup();
                variant.reason = Some(reasons.join("; "));
            }
        }
        report.totals = Totals::of(&report.variants);
    }
}

#[cfg(test)]
mod tests;
