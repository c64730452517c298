//! `cargo xtask vectors`: digests that prove results, vectors and kernels for other tools.

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

/// Check the committed digests, or write vectors and what they should give for other tools.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Compare what is expected with the committed digests.
    Check(check::Arguments),
    /// Prove what no run can try: every triple of operands of a fused multiply-add.
    Prove(prove::Arguments),
    /// Tell where computing in a wider format and rounding again does no harm.
    Innocuous(innocuous::Arguments),
    /// Print the digests of single blocks.
    Blocks(blocks::Arguments),
    /// Write vectors of a sweep with the results that are expected.
    Export(export::Arguments),
    /// Print the kernel that executes a variant, as GPUs are given it, for emulators that read PTX.
    Kernel(kernel::Arguments),
}

/// Runs `cargo xtask vectors`.
pub fn run(arguments: &Arguments) -> Ending {
    match &arguments.action {
        Action::Check(arguments) => check::run(arguments),
        Action::Prove(arguments) => prove::run(arguments),
        Action::Innocuous(arguments) => innocuous::run(arguments),
        Action::Blocks(arguments) => blocks::run(arguments),
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
        bail!("there is no sweep `{name}`; sweeps are {}", names.join(", "));
    };
    match sweep.length(variant).at_most(u64::MAX) {
        0 => bail!("the sweep {name} does not apply to {variant}"),
        all => Ok((sweep, all)),
    }
}
