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
use sweeps::Sweep;

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

/// Returns the sweep of this name, and how many vectors it has for a variant.
///
/// # Errors
/// If there is no such sweep, or it does not apply to the variant.
fn sweep_of(variant: &Variant, name: &str) -> Result<(&'static Sweep, u64)> {
    let Some(sweep) = Sweep::named(name) else {
        let names: Vec<&str> = Sweep::all().iter().map(|sweep| sweep.name).collect();
        bail!("unknown sweep `{name}`; the sweeps are {}", names.join(", "));
    };
    match sweep.length(variant).at_most(u64::MAX) {
        0 => bail!("the sweep {name} does not apply to {variant}"),
        all => Ok((sweep, all)),
    }
}
