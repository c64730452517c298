//! The fuzz targets.

pub mod differential;
#[cfg(feature = "schema")]
pub mod files;
pub mod oracles;
pub mod protocol;
pub mod spelling;

use crate::{Findings, Random};

/// What is fuzzed.
pub struct Target {
    /// Its name, that of its program and of its folders.
    pub name: &'static str,
    /// What it tries, as counted in the line of statistics.
    pub unit: &'static str,
    /// What comes before all else, since libFuzzer asks then what is instrumented.
    pub begin: fn() -> anyhow::Result<()>,
    /// The inputs of a new corpus.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// A changed input.
    pub mutate: fn(&[u8], &mut Random) -> Vec<u8>,
    /// Tries an input. A panic is a finding, too.
    pub attempt: fn(&[u8], &mut Findings),
}

/// Nothing.
fn nothing() -> anyhow::Result<()> {
    Ok(())
}

/// All of them; tests have the feature of each.
pub const ALL: &[&Target] = &[
    &differential::TARGET,
    #[cfg(feature = "schema")]
    &files::TARGET,
    &oracles::TARGET,
    &protocol::TARGET,
    &spelling::TARGET,
];
