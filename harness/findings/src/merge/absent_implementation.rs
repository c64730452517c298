//! Stands in for an implementation that was tested somewhere else: it tells what is known of it, and cannot be asked.

use std::collections::HashMap;

use anyhow::{Result, bail};
use implementations::{Description, Implementation, Support, Worker};
use isa::Variant;
use isa::matrix::MatrixVariant;
use reports::{Report, Status};
use runner::RunIdentity;

use super::part::RunPart;

/// An implementation as the reports of the parts that tested it show it.
pub struct AbsentImplementation {
    description: Description,
    without: HashMap<String, Support>,
    identity: RunIdentity,
}

impl AbsentImplementation {
    /// Makes the stand-in for the implementation that a part has tested.
    pub fn of(part: &RunPart) -> AbsentImplementation {
        AbsentImplementation {
            description: described(&part.report),
            without: part.without.clone(),
            identity: part.identity.clone(),
        }
    }

    /// Returns the support of a variant or matrix instruction: what the part could not begin with is the exception.
    fn support_named(&self, name: &str) -> Support {
        self.without.get(name).cloned().unwrap_or(Support::Yes)
    }
}

/// Returns how an implementation described itself to a part.
pub fn described(report: &Report) -> Description {
    let reports::Implementation { name, version, device, driver, details } =
        report.implementation.clone();
    Description { name, version, device, driver, details }
}

/// Returns the variants that a part could not begin with, which are in its report and not in its plan, each with the
/// support that it has.
pub fn unsupported_variants(identity: &RunIdentity, report: &Report) -> HashMap<String, Support> {
    let planned = identity.subjects();
    let left_out = report.variants.iter().filter(|of| !planned.contains(&*of.variant));
    let support = |status: Status, reason: Option<&String>| {
        let reason = reason.cloned().unwrap_or_default();
        if status == Status::Unsupported { Support::No(reason) } else { Support::Fails(reason) }
    };
    left_out.map(|of| (of.variant.clone(), support(of.status, of.reason.as_ref()))).collect()
}

impl Implementation for AbsentImplementation {
    fn describe(&self) -> Description {
        self.description.clone()
    }

    fn support(&self, variant: &Variant) -> Support {
        self.support_named(variant.text())
    }

    fn support_matrix(&self, variant: &MatrixVariant) -> Support {
        self.support_named(variant.text())
    }

    fn vectors_max(&self) -> Option<u64> {
        self.identity.vectors_max()
    }

    fn judges_triples(&self, variant: &Variant) -> bool {
        self.identity.has_triples(variant.text())
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        bail!("{} is not available here", reports::printable(&self.description.name))
    }
}

#[cfg(test)]
mod tests {
    use formats::digests::triples;
    use implementations::Emulator;
    use runner::{Plan, RunRequest};
    use selection::budget::Tier;

    use super::*;

    #[test]
    fn who_was_given_all_triples_judges_them() {
        let present = Emulator::lanes();
        let mut plan =
            Plan::new(RunRequest::of(Tier::Exhaustive, vec!["fma.rn.f16".into()]), &present).unwrap();
        // A plan has all triples for an implementation that judges them where they are made.
        plan.tasks[0].vectors = triples::ALL;
        let description = present.describe();
        let identity = RunIdentity::of(&plan, &description);
        let absent = AbsentImplementation { description, without: HashMap::new(), identity };
        let judges = |variant: &str| absent.judges_triples(&variant.parse().unwrap());
        assert!(judges("fma.rn.f16") && !judges("fma.rn.bf16"));
    }
}
