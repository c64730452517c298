//! A module of kernels: what is to become of them, and what does.

use std::path::Path;

use anyhow::{Result, bail};
use ptx::{Header, Listing, Printed, bisect};

use super::{ModuleOutcomes, VariantKernels};
use crate::assembler::{Assembler, Verdicts};
use crate::{Direction, Disagreement};

/// The message for a kernel that the assembler does not die of any more.
const NO_LONGER_FATAL: &str = "known to die of it, says harness/legality/src/kernels.rs; not so";

/// A module of the kernels of some variants.
pub(super) struct KernelsJob<'a> {
    pub header: Header,
    pub kernels: Vec<&'a VariantKernels>,
    pub legal: bool,
}

impl KernelsJob<'_> {
    /// Returns how many kernels the module has.
    pub fn count(&self) -> u64 {
        self.kernels
            .iter()
            .map(|kernels| kernels.both().chain(self.screen(kernels)).count() as u64)
            .sum()
    }

    /// Returns the kernel that judges, where it is part of the module. What it consists of besides the variant is no
    /// newer than PTX 6.0, and is not to be refused.
    fn screen<'a>(&self, kernels: &'a VariantKernels) -> Option<&'a Printed> {
        // `shfl.sync`, by which the kernel adds up its sums, needs sm_30.
        let has = self.legal && self.header.ptx >= ptx::SCREENS_SINCE && self.header.target.number >= 30;
        kernels.screen.as_ref().filter(|_| has)
    }

    /// Has the module assembled, and returns what came of it.
    pub fn carry_out(&self, assembler: &Assembler, file: &Path) -> Result<ModuleOutcomes> {
        if self.legal { self.assemble(assembler, file) } else { self.refuse(assembler, file) }
    }

    /// Has every kernel turned into code, except for those that the assembler is known to die of.
    fn assemble(&self, assembler: &Assembler, file: &Path) -> Result<ModuleOutcomes> {
        let mut found = ModuleOutcomes::default();
        let mut assemble = |entries: &[&Printed]| -> Result<Result<(), String>> {
            let module = Listing::new(self.header, entries.iter().copied());
            let said = assembler.assemble(file, self.header, module.text())?;
            Ok(said.map_or(Ok(()), Err))
        };
        let mut entries = Vec::new();
        for kernels in &self.kernels {
            entries.extend(self.screen(kernels));
            entries.push(&kernels.first);
            let Some(constants) = &kernels.second else { continue };
            if !kernels.is_fatal() {
                entries.push(constants);
                continue;
            }
            // Alone: an assembler that dies says nothing of other kernels in the module.
            match assemble(&[constants])? {
                Err(_) => found.fatal += 1,
                Ok(()) => found.disagreements.push(self.disagreement(
                    constants,
                    Direction::Accepted,
                    Some(NO_LONGER_FATAL.into()),
                )),
            }
        }
        for (range, made) in bisect(&entries, &mut assemble)? {
            match made {
                Ok(()) => found.assembled += range.len() as u64,
                Err(said) => found.disagreements.push(self.disagreement(
                    entries[range.start],
                    Direction::Refused,
                    Some(said),
                )),
            }
        }
        Ok(found)
    }

    /// Has every kernel judged by the assembler, which is to refuse them all.
    fn refuse(&self, assembler: &Assembler, file: &Path) -> Result<ModuleOutcomes> {
        let mut found = ModuleOutcomes::default();
        let entries: Vec<&Printed> = self.kernels.iter().flat_map(|kernels| kernels.both()).collect();
        let refusals = match assembler.judge_entries(file, self.header, &entries)? {
            Verdicts::Each(refusals) => refusals,
            Verdicts::NoSuchModule(text) => {
                let Header { ptx, target } = self.header;
                bail!("ptxas takes PTX {ptx} for {target} at times only: {text}")
            }
        };
        for (entry, refusal) in entries.iter().zip(refusals) {
            match refusal {
                Some(_) => found.refused += 1,
                None => found.disagreements.push(self.disagreement(entry, Direction::Accepted, None)),
            }
        }
        Ok(found)
    }

    /// Returns the disagreement on a kernel of this module.
    fn disagreement(
        &self,
        entry: &Printed,
        direction: Direction,
        message: Option<String>,
    ) -> Disagreement {
        let Header { ptx, target } = self.header;
        let subject = format!("the kernel {}", entry.name);
        Disagreement { subject, direction, ptx, targets: vec![target], message }
    }
}

#[cfg(test)]
mod tests {
    use isa::Variant;

    use super::*;

    /// A module counts the kernels that it has: what a warp executes has no kernel of constants, and the kernel that
    /// judges is part of a legal module alone.
    #[test]
    fn a_module_counts_the_kernels_that_it_has() {
        let target = "sm_100a".parse().unwrap();
        let header = Header { ptx: "9.4".parse().unwrap(), target };
        for (text, legal, count) in [
            ("abs.f16", true, 3),
            ("abs.f16", false, 2),
            ("redux.sync.min.abs.f32", true, 1),
            ("redux.sync.min.abs.f32", false, 1),
        ] {
            let variant = Variant::all().iter().find(|variant| variant.text() == text).unwrap();
            let kernels = VariantKernels::of(variant);
            let job = KernelsJob { header, kernels: vec![&kernels], legal };
            assert_eq!(job.count(), count, "{text}, legal: {legal}");
        }
    }
}
