//! A fuzz target: its name, and the functions that libFuzzer's calls end in.

use crate::{Findings, Random};

/// The environment variable that is set where the implementation under test is a library for this very process.
pub const IN_PROCESS: &str = "FUZZ_IN_PROCESS";

/// A fuzz target, by the functions that make, change and try its inputs.
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
