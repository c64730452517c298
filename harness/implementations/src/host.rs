//! This machine's own floating-point unit: one real instruction for each variant, under the real control
//! register, and for dot products a chain of one. Where it and PTX promise different things, the run shows that
//! as a class; which classes those are, and why, stands in `README.md` beside this file, and the tests hold it
//! to that.

mod batch;
mod chain;
mod explained;
mod table;
#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests;

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod none;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use formats::Column;
use isa::Variant;
use isa::matrix::MatrixVariant;

use super::{Description, Implementation, Support, Worker};
#[cfg(target_arch = "aarch64")]
use aarch64 as architecture;
use architecture::Feature;
use chain::Chain;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use none as architecture;
use table::Table;
#[cfg(target_arch = "x86_64")]
use x86_64 as architecture;

pub use explained::{ExplainedDifference, explained_differences};

/// The processor that the suite runs on.
pub struct Host {
    table: Table,
    chains: Vec<Chain>,
}

impl Host {
    /// Makes the implementation of this machine's processor.
    ///
    /// # Errors
    /// If the suite has no instructions of the machine's architecture.
    pub fn new() -> Result<Host> {
        let table = Table::new(architecture::rows());
        if table.rows().is_empty() {
            bail!("`host` needs an x86-64 or aarch64 machine, and this is {}", architecture::NAME);
        }
        Ok(Host { table, chains: architecture::chains() })
    }

    /// Returns the chain that computes a matrix instruction's dot products, whether this processor has it or not.
    fn chain(&self, variant: &MatrixVariant) -> Option<&Chain> {
        self.chains.iter().find(|chain| chain.computes(variant.dot()))
    }

    /// Returns the support for something that takes a feature, or that nothing computes.
    fn support_by(feature: Option<Feature>) -> Support {
        match feature {
            None => Support::No(format!("{} has no instruction for it", architecture::NAME)),
            Some(feature) if !feature.is_here() => {
                Support::No(format!("this processor has no {}", feature.name()))
            }
            Some(_) => Support::Yes,
        }
    }
}

impl Implementation for Host {
    fn describe(&self) -> Description {
        let here = Feature::ALL.iter().filter(|feature| feature.is_here());
        let names: Vec<&str> = here.map(|feature| feature.name()).collect();
        Description {
            name: "host".into(),
            version: architecture::NAME.into(),
            device: architecture::processor(),
            driver: None,
            details: BTreeMap::from([("instructions".into(), names.join(", "))]),
        }
    }

    fn support(&self, variant: &Variant) -> Support {
        Host::support_by(self.table.row(variant).map(|row| row.feature))
    }

    fn support_matrix(&self, variant: &MatrixVariant) -> Support {
        Host::support_by(self.chain(variant).map(|chain| chain.feature))
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(Box::new(HostWorker { host: self }))
    }
}

struct HostWorker<'a> {
    host: &'a Host,
}

impl Worker for HostWorker<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        let row = self.host.table.row(variant).filter(|row| row.feature.is_here());
        let row = row.context("only supported variants are run")?;
        // SAFETY: the processor has the instruction, and `control` sets bits that every processor of
        // the architecture has.
        unsafe { row.batch.run(architecture::control(variant), operands, results) };
        Ok(())
    }

    fn run_dots(
        &mut self,
        variant: &MatrixVariant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        let chain = self.host.chain(variant).filter(|chain| chain.feature.is_here());
        let chain = chain.context("only supported variants are run")?;
        // SAFETY: the processor has the instruction.
        unsafe { chain.run(variant, operands, results) };
        Ok(())
    }

    /// Returns true: the processor is silicon.
    fn is_physical(&self) -> bool {
        true
    }
}
