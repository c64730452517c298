//! `conformance dev vectors blocks`: prints the digests of single blocks, to find the one in which results differ.

use std::process::ExitCode;

use clap::Args;
use formats::digests::digest;
use isa::{Variant, columns_for};
use judge::Truth;
use oracle::Oracle;
use runner::BLOCK;

use super::sweep_of;
use crate::command::options::Seed;
use crate::command::{AGREE, Ending, print};

/// Print digests of blocks of vectors, to find the block that differs.
///
/// A block has 65,536 vectors. A digest is a sum of hashes over the operands, or over the results: two tools
/// that print the same digest have the same bits.
///
/// Exit code: 0 on success; 2 if there is no such variant or sweep.
#[derive(Args)]
pub struct Arguments {
    /// Variant of an instruction, such as `mul.f16`.
    variant: String,
    /// Sweep that the vectors are taken from. With a name that no sweep has, the command lists all sweeps.
    #[arg(long, value_name = "NAME", default_value = "exhaustive")]
    sweep: String,
    /// Number of the first block; counting starts at 0.
    #[arg(long, value_name = "N", default_value = "0")]
    first: u64,
    /// Number of blocks; fewer if the sweep ends.
    #[arg(long, value_name = "N", default_value = "16")]
    count: u64,
    #[command(flatten)]
    seed: Seed,
}

/// Runs `conformance dev vectors blocks`.
pub fn run(arguments: &Arguments) -> Ending {
    let variant: Variant = arguments.variant.parse()?;
    let (sweep, length) = sweep_of(&variant, &arguments.sweep)?;
    let mut oracle = Oracle::new(&variant);
    let mut truth = Truth::new(&variant);
    print("# block, digest of inputs, digest of expected results (NaNs canonical)\n")?;
    for number in arguments.first..arguments.first.saturating_add(arguments.count) {
        let first = number.saturating_mul(BLOCK);
        let rows = BLOCK.min(length.saturating_sub(first));
        if rows == 0 {
            break;
        }
        let mut operands = columns_for(&variant, rows as usize);
        sweep.fill(&variant, arguments.seed.number(), first, &mut operands);
        oracle.expect(&operands, &mut truth);
        let digests = [digest(first, &operands), digest(first, &truth.results)];
        print(&format!("{number} {:#018x} {:#018x}\n", digests[0], digests[1]))?;
    }
    Ok(ExitCode::from(AGREE))
}
