//! `cargo xtask vectors kernel`.

use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::Args;
use ptx::{Device, Listing, Printed, VersionHistory};
use vectors::Variant;
use vectors::isa::Target;

use crate::command::{AGREE, Ending, print};

/// Print the kernel that executes a variant, as GPUs are given it, for emulators that read PTX.
///
/// Its parameters are the addresses of the columns of results, then of operands, as the protocol has
/// them, and the number of rows; a thread executes one row.
#[derive(Args)]
pub struct Arguments {
    /// The variant, such as `fma.rn.f16`.
    #[arg(value_name = "VARIANT")]
    variant: Variant,
    /// The module's target; that which first had the variant, unless told otherwise.
    #[arg(long)]
    target: Option<Target>,
}

/// Runs the command.
pub fn run(Arguments { variant, target }: &Arguments) -> Ending {
    let first = || variant.form().since.iter().flat_map(|since| since.targets.first()).next().copied();
    let Some(target) = target.or_else(first) else { bail!("{variant}: {}", ptx::Unavailable::Cast) };
    let start = target.since().expect("targets are read from the list of those that there are");
    let device = Device::with(target, start, VersionHistory::full().newest());
    let header = device.header(variant).map_err(|lack| anyhow!("{variant}: {lack}"))?;
    let entry = Printed::from(&ptx::kernel(variant));
    print(Listing::new(header, [&entry]).text())?;
    Ok(ExitCode::from(AGREE))
}
