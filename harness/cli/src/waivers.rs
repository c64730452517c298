//! Waivers: known mismatches, each with a reason. A mismatch that is covered by a waiver does not fail a run; a
//! waiver whose mismatch no longer occurs does.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use base::invocation;
use compilers::rows::{self, PromiseRow};
use isa::Variant;
use isa::matrix::MatrixVariant;
use reports::compilers::{CompilerReport, Sources, Standing};
use reports::{Implementation, Report, Status, Totals, VariantReport, Waiver, excerpt};
use selection::budget::Tier;
use serde::Deserialize;
use wildmatch::WildMatch;

use crate::strict::{self, Strictness};

/// The largest size of a file of waivers, in MiB.
const LARGEST: u64 = 16;

/// The contents of a file of waivers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waivers {
    waivers: Vec<WaiverEntry>,
    /// The open points of which one interpretation is accepted. The file has none: they come from the command line.
    #[serde(skip)]
    strict: Vec<Strictness>,
}

/// An entry of a file of waivers: known mismatches of an implementation, or known failures of a compiler.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Fields")]
enum WaiverEntry {
    Implementation(ClassWaiver),
    Compiler(OfCompiler),
}

/// The fields that an entry of the file may have, before it is known which kind of entry it is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    implementation: Option<String>,
    compiler: Option<String>,
    variant: Option<String>,
    class: String,
    reason: String,
    link: Option<String>,
    tier: Option<Tier>,
}

/// The known failures of a compiler that belong to one class.
#[derive(Debug)]
struct OfCompiler {
    /// The compiler's name, with `*` and `?` as wildcards.
    compiler: String,
    /// The class of the failures, with `*` and `?` as wildcards: `computed/operator/div.*`.
    class: String,
    waiver: Waiver,
}

/// The known mismatches of an implementation that belong to one class.
#[derive(Debug)]
struct ClassWaiver {
    /// The implementation's name, with `*` and `?` as wildcards.
    implementation: String,
    /// The variant's name, with `*` and `?` as wildcards.
    variant: String,
    /// The class of the mismatches, without its variant: `zero-sign`.
    class: String,
    waiver: Waiver,
    /// The lowest tier that finds the mismatches.
    tier: Tier,
}

impl TryFrom<Fields> for WaiverEntry {
    type Error = String;

    fn try_from(fields: Fields) -> Result<WaiverEntry, String> {
        let Fields { implementation, compiler, variant, class, reason, link, tier } = fields;
        let waiver = Waiver { reason, link };
        match (implementation, variant, compiler, tier) {
            (Some(implementation), Some(variant), None, tier) => {
                let tier = tier.unwrap_or(Tier::Quick);
                Ok(WaiverEntry::Implementation(ClassWaiver {
                    implementation,
                    variant,
                    class,
                    waiver,
                    tier,
                }))
            }
            (None, None, Some(compiler), None) => {
                Ok(WaiverEntry::Compiler(OfCompiler { compiler, class, waiver }))
            }
            (Some(_), None, None, _) => Err("missing field `variant`".into()),
            (None, Some(_), None, _) => Err("missing field `implementation`".into()),
            _ => Err("a waiver needs either `implementation` and `variant`, or `compiler`".into()),
        }
    }
}

impl Waivers {
    /// Adds open points that are held to one interpretation to the waivers of a run, if it has any of either.
    pub(crate) fn with_strict(waivers: Option<Waivers>, strict: &[Strictness]) -> Option<Waivers> {
        if strict.is_empty() {
            return waivers;
        }
        let waivers = waivers.unwrap_or(Waivers { waivers: Vec::new(), strict: Vec::new() });
        Some(Waivers { strict: strict.to_vec(), ..waivers })
    }

    /// Reads a file of waivers.
    ///
    /// # Errors
    /// If the file cannot be read, is no list of waivers, or one of its waivers has no reason or names no variant.
    pub fn load(path: &Path) -> Result<Waivers> {
        let shown = path.display();
        let bytes = reports::read_at_most(path, LARGEST)
            .with_context(|| format!("the waivers {shown} cannot be read"))?;
        let text = std::str::from_utf8(&bytes).map_err(anyhow::Error::new);
        text.and_then(Waivers::read).with_context(|| format!("{shown} is not a file of waivers"))
    }

    /// Reads the text of a file of waivers, and checks each entry.
    fn read(text: &str) -> Result<Waivers> {
        let waivers: Waivers = serde_json::from_str(text)?;
        waivers.waivers.iter().try_for_each(WaiverEntry::check)?;
        Ok(waivers)
    }

    /// Applies the waivers to an implementation's report of a run in `tier`.
    ///
    /// Classes that a waiver names get it. A variant that fails for its mismatches alone, and all of whose classes have
    /// a waiver, becomes [`Status::Waived`]. A waiver that covers no mismatch any more fails the first variant that it
    /// names and that was tried to its end, if the run is whole and complete and `tier` is not below the waiver's.
    ///
    /// Before that, variants fail whose results follow an interpretation that `--strict` refuses. No waiver covers that.
    pub fn apply(&self, report: &mut Report, tier: Tier) {
        strict::apply(&self.strict, report);
        let implementation = report.implementation.clone();
        for entry in self.of_implementations().filter(|entry| entry.is_for(&implementation)) {
            let pattern = WildMatch::new(&entry.variant);
            let mut concerned: Vec<&mut VariantReport> =
                report.variants.iter_mut().filter(|variant| pattern.matches(&variant.variant)).collect();
            let mut occurs = false;
            for class in concerned.iter_mut().flat_map(|variant| &mut variant.classes) {
                if class.id.rsplit('/').next() == Some(&entry.class) {
                    class.waiver = Some(entry.waiver.clone());
                    occurs = true;
                }
            }
            // Only where a variant was tried to its end can its waiver be said to be over.
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
            // A variant with a reason fails by something else than its mismatches, such as a stale waiver.
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

    /// Returns a note if the file has waivers of implementations and none of them is for this one: its name may be
    /// misspelt.
    pub fn note_on_others(&self, implementation: &Implementation) -> Option<String> {
        let mut names: Vec<&str> =
            self.of_implementations().map(|entry| entry.implementation.as_str()).collect();
        if names.is_empty() || self.of_implementations().any(|entry| entry.is_for(implementation)) {
            return None;
        }
        names.dedup();
        let names: Vec<String> = names.iter().map(|name| format!("`{}`", excerpt(name))).collect();
        let own =
            implementation.introduced().map(|own| format!(", which calls itself `{}`", excerpt(own)));
        Some(format!(
            "no waiver is for `{}`{}: the file names {}",
            excerpt(&implementation.name),
            own.unwrap_or_default(),
            names.join(", ")
        ))
    }

    /// Returns the entries that are about implementations.
    fn of_implementations(&self) -> impl Iterator<Item = &ClassWaiver> {
        self.waivers.iter().filter_map(|known| match known {
            WaiverEntry::Implementation(entry) => Some(entry),
            WaiverEntry::Compiler(_) => None,
        })
    }

    /// Applies the waivers to a compiler's report; `tried` names the rows that were tried.
    ///
    /// A waiver that covers nothing any more is listed as stale only where rows were tried to the end: it is known
    /// which rows were tried, but random programs may not have come to the failure that a waiver is of.
    pub fn apply_to_compiler(&self, report: &mut CompilerReport, tried: &[&str]) {
        let entries = self.waivers.iter().filter_map(|known| match known {
            WaiverEntry::Compiler(entry) => Some(entry),
            WaiverEntry::Implementation(_) => None,
        });
        let whole = report.complete && report.work.sources == Sources::Rows;
        for OfCompiler { compiler, class, waiver } in entries {
            if !WildMatch::new(compiler).matches(&report.compiler.name) {
                continue;
            }
            let pattern = WildMatch::new(class);
            let mut occurs = false;
            for finding in &mut report.findings {
                if finding.status != Standing::Note && pattern.matches(&finding.class) {
                    finding.status = Standing::Waived;
                    finding.waiver = Some(waiver.clone());
                    occurs = true;
                }
            }
            let of_row =
                |row: &&str| FAILING.iter().any(|kind| pattern.matches(&format!("{kind}/{row}")));
            if whole && !occurs && tried.iter().any(of_row) {
                let stale =
                    format!("the waiver of {class} for {compiler} covers nothing any more: remove it");
                report.stale.push(stale);
            }
        }
        report.findings.sort_by(|a, b| (a.status, &a.class).cmp(&(b.status, &b.class)));
    }
}

/// The ways in which a row can fail a run, each the first part of a class.
const FAILING: &[&str] =
    &["accepted", "computed", "died", "illegal", "indifferent", "refused", "selected"];

impl WaiverEntry {
    fn check(&self) -> Result<()> {
        match self {
            WaiverEntry::Implementation(entry) => entry.check(),
            WaiverEntry::Compiler(entry) => entry.check(),
        }
    }
}

impl OfCompiler {
    fn check(&self) -> Result<()> {
        let OfCompiler { compiler, class, waiver } = self;
        ensure!(!waiver.reason.trim().is_empty(), "the waiver of {class} for {compiler} has no reason");
        let pattern = WildMatch::new(class);
        let of_row = |row: &PromiseRow| FAILING.iter().any(|kind| pattern.matches(&row.class(kind)));
        // The class of a program is named after the flaw that explains its failure.
        let of_program = FAILING.iter().any(|kind| {
            class.split_once('/').is_some_and(|(own, rest)| {
                own == *kind && (rest == "program" || rest.starts_with("program/"))
            })
        });
        ensure!(
            of_program || rows::all().iter().any(of_row),
            "the waiver of {class} for {compiler} matches no row: write `computed/ROW`; `{}` prints \
             all rows",
            invocation::line("compilers list")
        );
        Ok(())
    }
}

impl ClassWaiver {
    /// Whether the waiver is for an implementation, by what `--impl` was given or by the name that it gives itself.
    fn is_for(&self, implementation: &Implementation) -> bool {
        let pattern = WildMatch::new(&self.implementation);
        let own = implementation.introduced().is_some_and(|own| pattern.matches(own));
        own || pattern.matches(&implementation.name)
    }

    fn check(&self) -> Result<()> {
        let ClassWaiver { implementation, variant, class, waiver, .. } = self;
        ensure!(
            !waiver.reason.trim().is_empty(),
            "the waiver of {variant}/{class} for {implementation} has no reason"
        );
        let pattern = WildMatch::new(variant);
        let mut scalar = Variant::all().iter().map(Variant::text);
        let mut matrix = MatrixVariant::all().iter().map(MatrixVariant::text);
        ensure!(
            scalar.any(|name| pattern.matches(name)) || matrix.any(|name| pattern.matches(name)),
            "the waiver of {variant}/{class} for {implementation} matches no variant: `{}` prints all \
             variants",
            invocation::line("list")
        );
        if class.contains(['*', '?', '/']) {
            bail!(
                "`{class}` is not a class: write the part of its id after the slash, like `zero-sign`"
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
