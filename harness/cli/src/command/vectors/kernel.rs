//! `conformance vectors kernel`: prints the kernel that executes a variant, for emulators that read PTX.

use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::Args;
use isa::Target;
use ptx::{Device, DotKernel, Header, Listing, Placement, Printed, Unavailable, VersionHistory};
use selection::subject::Subject;

use crate::command::{AGREE, Ending, print};

/// Print the PTX kernel that runs an instruction on a GPU.
///
/// A column is an array in memory with one operand, or one result, of every vector; harness/protocol/README.md
/// describes the columns. The kernel's parameters are, in this order: the addresses of the columns of results,
/// the addresses of the columns of operands, and the number of vectors. Each thread runs one vector.
///
/// For matrix instructions, a warp runs eight vectors, or 32 for `mma.m8n8k4` of f16. For `wgmma`, four
/// warps together run eight vectors. Each vector gives one element of the result, and these elements lie on
/// a diagonal of the result matrix. A thread block has 256 threads for `mma`, 32 for `wmma` and 128 for
/// `wgmma`.
///
/// Exit code: 0 on success; 2 if there is no such kernel.
#[derive(Args)]
pub struct Arguments {
    /// Variant of an instruction, such as `fma.rn.f16` or `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`.
    variant: String,
    /// GPU target of the module, such as `sm_90` [default: the first that has the instruction].
    #[arg(long)]
    target: Option<Target>,
    /// Print the kernel that fills whole matrices: it computes M × N vectors, one for each element of the result.
    #[arg(long)]
    tile: bool,
    /// Print the kernel that makes its own operands, checks its own results, and adds up digests.
    #[arg(long = "self-judging", alias = "judge", conflicts_with = "tile")]
    judge: bool,
}

/// Runs `conformance vectors kernel`.
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
                bail!(
                    "no kernel can judge {name} on the device: it has too many operands to try them all"
                )
            };
            // The sums of a warp take an instruction that may be newer than the variant.
            let newer = |header: Header| Header { ptx: header.ptx.max(ptx::SCREENS_SINCE), ..header };
            (device.header(variant).map(newer).map_err(told)?, entry)
        }
        Subject::Matrix(_) if judge => {
            bail!("{name} is judged on the host: --self-judging is not for matrix instructions")
        }
        Subject::Variant(_) if tile => bail!("{name} has no tiles: --tile is for matrix instructions"),
        // The header is made first: a variant that has none may have no kernel either.
        Subject::Variant(variant) => (device.header(variant).map_err(told)?, ptx::kernel(variant)),
        Subject::Matrix(variant) => {
            let placement = if tile { Placement::Tile } else { Placement::Diagonal };
            let Some(kernel) = DotKernel::of(variant, placement) else {
                bail!(
                    "there is no kernel for {name}: it works on tensor memory, which the suite's \
                     kernels do not allocate; test a program that executes it with `--impl \
                     'exec:COMMAND'`, as harness/protocol/README.md describes"
                )
            };
            (device.header_of_matrix(variant).map_err(told)?, kernel.entry)
        }
    };
    print(Listing::new(header, [&Printed::from(&entry)]).text())?;
    Ok(ExitCode::from(AGREE))
}
