//! `conformance vectors`: vectors and kernels for other tools. `conformance dev vectors`: proofs and digests of
//! expected results.

mod blocks;
mod check;
mod export;
mod innocuous;
mod kernel;
mod lines;
mod prove;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use isa::Variant;
use sweeps::{Length, Sweep};

use super::Ending;

/// Write test vectors and PTX kernels for other tools.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Export(export::Arguments),
    Kernel(kernel::Arguments),
}

/// Check and prove the results that the suite expects.
#[derive(Args)]
pub struct Proofs {
    #[command(subcommand)]
    proof: Proof,
}

#[derive(Subcommand)]
enum Proof {
    Check(check::Arguments),
    Prove(prove::Arguments),
    Innocuous(innocuous::Arguments),
    Blocks(blocks::Arguments),
}

/// Runs `conformance dev vectors`.
pub fn prove(arguments: &Proofs) -> Ending {
    match &arguments.proof {
        Proof::Check(arguments) => check::run(arguments),
        Proof::Prove(arguments) => prove::run(arguments),
        Proof::Innocuous(arguments) => innocuous::run(arguments),
        Proof::Blocks(arguments) => blocks::run(arguments),
    }
}

/// Runs `conformance vectors`.
pub fn run(arguments: &Arguments) -> Ending {
    match &arguments.action {
        Action::Export(arguments) => export::run(arguments),
        Action::Kernel(arguments) => kernel::run(arguments),
    }
}

/// Returns the sweeps that have vectors for a variant, in running order.
fn sweeps_of(variant: &Variant) -> impl Iterator<Item = &'static Sweep> {
    Sweep::all().iter().filter(|sweep| sweep.length(variant) != Length::None)
}

/// Returns the sweep of this name, and how many vectors it has for a variant.
///
/// # Errors
/// If there is no such sweep, or it does not apply to the variant; the error lists the sweeps that do.
fn sweep_of(variant: &Variant, name: &str) -> Result<(&'static Sweep, u64)> {
    let names = || sweeps_of(variant).map(|sweep| sweep.name).collect::<Vec<_>>().join(", ");
    let Some(sweep) = Sweep::named(name) else {
        bail!("unknown sweep `{name}`; the sweeps of {variant} are {}", names());
    };
    match sweep.length(variant).at_most(u64::MAX) {
        0 => bail!(
            "the sweep {name} does not apply to {variant}; the sweeps of {variant} are {}",
            names()
        ),
        all => Ok((sweep, all)),
    }
}
