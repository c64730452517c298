//! `cargo xtask vectors kernel`: prints the kernel that executes a variant, for emulators that read PTX.

use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::Args;
use isa::Target;
use ptx::{Device, DotKernel, Header, Listing, Placement, Printed, Unavailable, VersionHistory};
use selection::subject::Subject;

use crate::command::{AGREE, Ending, print};

/// Print the kernel that executes a variant, as GPUs are given it, for emulators that read PTX.
///
/// Its parameters are the addresses of the columns of results, then of operands, as the protocol has
/// them, and the number of rows; a thread executes one row. Of a matrix instruction, a warp executes
/// eight (`mma.m8n8k4` of f16 32), which stand on a diagonal of its matrices, and of `wgmma` four warps
/// do; blocks are of 256 threads for `mma`, of 32 for `wmma`, of 128 for `wgmma`.
#[derive(Args)]
pub struct Arguments {
    /// The variant, such as `fma.rn.f16` or `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`.
    variant: String,
    /// The module's target; that which first had the variant, unless told otherwise.
    #[arg(long)]
    target: Option<Target>,
    /// Of a matrix instruction, the kernel of which M × N rows are the elements of D, row by row.
    #[arg(long)]
    tile: bool,
    /// The kernel that judges the variant where it runs: it makes vectors of the exhaustive sweep, executes and
    /// compares them, and adds up digests.
    #[arg(long, conflicts_with = "tile")]
    judge: bool,
}

/// Runs `cargo xtask vectors kernel`.
pub fn run(&Arguments { ref variant, target, tile, judge }: &Arguments) -> Ending {
    let variant = Subject::named(variant)?;
    let name = variant.id();
    let since = match variant {
        Subject::Variant(variant) => &variant.form().since,
        Subject::Matrix(variant) => &variant.form().since,
    };
    let first = || since.iter().flat_map(|since| since.targets.first()).next().copied();
    let Some(target) = target.or_else(first) else { bail!("{name}: {}", Unavailable::Cast) };
    let start = target.since().expect("targets are read from the list of those that there are");
    let device = Device::only_target(target, start, VersionHistory::every_version().newest());
    let told = |lack: Unavailable| anyhow!("{name}: {lack}");
    let (header, entry) = match variant {
        Subject::Variant(variant) if judge => {
            let Some(entry) = ptx::screen(variant) else {
                bail!("no kernel judges {name} where it runs: its operands are too many to try them all")
            };
            let newer = |header: Header| Header { ptx: header.ptx.max(ptx::SCREENS_SINCE), ..header };
            (device.header(variant).map(newer).map_err(told)?, entry)
        }
        Subject::Matrix(_) if judge => {
            bail!("{name} is judged from here: --judge is for variants of lanes")
        }
        Subject::Variant(_) if tile => bail!("{name} has no tiles: --tile is for matrix instructions"),
        // The header is made first: a variant that has none may have no kernel either.
        Subject::Variant(variant) => (device.header(variant).map_err(told)?, ptx::kernel(variant)),
        Subject::Matrix(variant) => {
            let placement = if tile { Placement::Tile } else { Placement::Diagonal };
            let Some(kernel) = DotKernel::of(variant, placement) else {
                bail!(
                    "no kernel executes {name}: it works on tensor memory, which none of the suite's \
                     allocates; what executes it is tested as `--impl 'exec:COMMAND'`, by the protocol in \
                     harness/protocol/README.md"
                )
            };
            (device.header_of_matrix(variant).map_err(told)?, kernel.entry)
        }
    };
    print(Listing::new(header, [&Printed::from(&entry)]).text())?;
    Ok(ExitCode::from(AGREE))
}
